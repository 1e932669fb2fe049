# shellcheck shell=bash
# Shared by check_fresh_debian.sh and check_package.sh, which source it: a minimal Debian 12 in a
# folder, and commands run in it. Needs root and debootstrap.
#
# Environment: SIGHTLINE_DEBIAN_MIRROR (default http://deb.debian.org/debian).

readonly debian_suite=bookworm
readonly debian_mirror=${SIGHTLINE_DEBIAN_MIRROR:-http://deb.debian.org/debian}

# make_debian_root SCRIPT ROOT FRESH: the system in ROOT, made anew if there is none or FRESH is true.
# Two markers of ours: a folder we may delete, and a system that is complete.
make_debian_root() {
  local script=$1 root=$2 fresh=$3
  if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
    echo "$script: error: needs root and the package debootstrap" >&2
    exit 3
  fi
  if [[ -e "$root/.sightline-complete" ]] && ! $fresh; then return; fi
  if [[ -e "$root" && ! -e "$root/.sightline-root" ]]; then
    echo "$script: error: $root exists and was not made by this script" >&2
    exit 2
  fi
  rm -rf --one-file-system "$root"
  mkdir -p "$root"
  touch "$root/.sightline-root"
  debootstrap --variant=minbase "$debian_suite" "$root" "$debian_mirror"
  touch "$root/.sightline-complete"
}

# run_in_debian_root ROOT FOLDER DATA COMMAND ...: the command in FOLDER of the system, with an
# environment of its own; DATA, if not empty, is seen read-only as /work/shared/data.
# Mounts live in a namespace of their own: they go when the command ends, however it ends.
run_in_debian_root() {
  # shellcheck disable=SC2016  # expanded by the inner shell
  unshare --mount --propagation private bash -c '
    set -euo pipefail
    root=$1 folder=$2 data=$3
    shift 3
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind --read-only /sys "$root/sys"
    if [[ -n "$data" ]]; then
      mkdir -p "$root/work/shared/data"
      mount --bind --read-only "$data" "$root/work/shared/data"
    fi
    exec env --ignore-environment HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      ${http_proxy:+http_proxy="$http_proxy"} \
      ${SIGHTLINE_WERROR:+SIGHTLINE_WERROR="$SIGHTLINE_WERROR"} \
      chroot "$root" sh -c "cd \"\$0\" && exec \"\$@\"" "$folder" "$@"
  ' debian_root "$@"
}
