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

tree=$(cd "$(dirname "$0")/.." && pwd)
readonly tree
source "$tree/scripts/debian_root.sh"
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

make_system() {
  make_debian_root check_fresh_debian.sh "$root" "$fresh"
  printf 'deb %s %s main\n' "$debian_mirror" "$debian_suite" "$debian_mirror" \
    "$debian_suite-updates" >"$root/etc/apt/sources.list"
  # The proxy the machine reaches its packages through, where it has one.
  apt-config dump Acquire::http::Proxy >"$root/etc/apt/apt.conf.d/90proxy" || true
  cp /etc/resolv.conf "$root/etc/resolv.conf"
}

copy_tree() {
  rm -rf "$root/work/sightline"
  mkdir -p "$root/work/sightline" "$root/work/shared/data"
  git -C "$tree" ls-files --cached --others --exclude-standard -z |
    (cd "$tree" && xargs -0 sh -c 'for f; do [ -e "$f" ] && printf "%s\0" "$f"; done' copy) |
    tar -C "$tree" --null --files-from=- --create | tar -C "$root/work/sightline" --extract
}

make_system
copy_tree
run_in_debian_root "$root" /work/sightline "$data" "$@"
