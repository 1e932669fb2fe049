#!/usr/bin/env bash
# Runs a script of this tree in a fresh Debian 12, to prove that it installs all it needs: makes a
# minimal system with debootstrap, copies the files git knows (and those it would add) into it, and
# runs the command there. Needs root and debootstrap; no CUDA inside, so the CPU program is built.
#
#   scripts/check_fresh_debian.sh [--root DIR] [--data DIR] [--fresh] [--] [COMMAND ...]
#
#   --root DIR   where the system lives (default /tmp/sightline-debian); kept for the next call
#   --data DIR   reference data, seen inside as ../shared/data, read-only
#   --fresh      make the system anew even if DIR holds one
#   COMMAND      what to run in the tree (default scripts/test.sh)
set -euo pipefail

readonly suite=bookworm
readonly mirror=${SIGHTLINE_DEBIAN_MIRROR:-http://deb.debian.org/debian}
readonly tree=$(cd "$(dirname "$0")/.." && pwd)
root=/tmp/sightline-debian
data=
fresh=false

while [[ $# -gt 0 ]]; do
  case "$1" in
    --root) root=$2; shift 2 ;;
    --data) data=$(cd "$2" && pwd); shift 2 ;;
    --fresh) fresh=true; shift ;;
    --) shift; break ;;
    -h | --help) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "check_fresh_debian.sh: error: unknown option $1 (try --help)" >&2; exit 2 ;;
    *) break ;;
  esac
done
[[ $# -gt 0 ]] || set -- scripts/test.sh

if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
  echo "check_fresh_debian.sh: error: needs root and the package debootstrap" >&2
  exit 3
fi

# Two markers of ours: a folder we may delete, and a system that is complete.
make_system() {
  if [[ -e "$root" && ! -e "$root/.sightline-root" ]]; then
    echo "check_fresh_debian.sh: error: $root exists and was not made by this script" >&2
    exit 2
  fi
  rm -rf --one-file-system "$root"
  mkdir -p "$root"
  touch "$root/.sightline-root"
  debootstrap --variant=minbase "$suite" "$root" "$mirror"
  printf 'deb %s %s main\n' "$mirror" "$suite" "$mirror" "$suite-updates" \
    >"$root/etc/apt/sources.list"
  # The proxy the machine reaches its packages through, where it has one.
  apt-config dump Acquire::http::Proxy >"$root/etc/apt/apt.conf.d/90proxy" || true
  touch "$root/.sightline-complete"
}

copy_tree() {
  rm -rf "$root/work/sightline"
  mkdir -p "$root/work/sightline" "$root/work/shared/data"
  git -C "$tree" ls-files --cached --others --exclude-standard -z |
    (cd "$tree" && xargs -0 sh -c 'for f; do [ -e "$f" ] && printf "%s\0" "$f"; done' copy) |
    tar -C "$tree" --null --files-from=- --create | tar -C "$root/work/sightline" --extract
}

if $fresh || [[ ! -e "$root/.sightline-complete" ]]; then
  make_system
fi
copy_tree
cp /etc/resolv.conf "$root/etc/resolv.conf"

# Mounts live in a namespace of their own: they go when the command ends, however it ends.
exec unshare --mount --propagation private bash -c '
  set -euo pipefail
  root=$1 data=$2
  shift 2
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind --read-only /sys "$root/sys"
  if [[ -n "$data" ]]; then
    mount --bind --read-only "$data" "$root/work/shared/data"
  fi
  exec env --ignore-environment HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${http_proxy:+http_proxy="$http_proxy"} \
    ${SIGHTLINE_WERROR:+SIGHTLINE_WERROR="$SIGHTLINE_WERROR"} \
    chroot "$root" sh -c "cd /work/sightline && exec \"\$@\"" run "$@"
' fresh_debian "$root" "$data" "$@"
