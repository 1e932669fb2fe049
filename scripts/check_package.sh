#!/usr/bin/env bash
# Runs a package (scripts/package.sh) in a bare Debian 12 without network, to prove that it brings
# all it needs: every library comes from it, all its tests pass, the program sweeps, and
# scripts/gpu_check.sh refuses a machine without a GPU. Needs root and debootstrap.
#
#   scripts/check_package.sh [--root DIR] [--fresh] PACKAGE.tar.gz
#
#   --root DIR   where the system lives (default /tmp/sightline-bare); kept for the next call
#   --fresh      make the system anew even if DIR holds one
set -euo pipefail
tree=$(cd "$(dirname "$0")/.." && pwd)
readonly tree
source "$tree/scripts/debian_root.sh"

root=/tmp/sightline-bare
fresh=false
while [[ $# -gt 0 ]]; do
  case "$1" in
    --root)
      [[ $# -ge 2 ]] || { echo "check_package.sh: error: --root needs a folder" >&2; exit 2; }
      root=$2
      shift 2
      ;;
    --fresh) fresh=true; shift ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "check_package.sh: error: unknown option $1 (try --help)" >&2; exit 2 ;;
    *) break ;;
  esac
done
if [[ $# -ne 1 || ! -r "${1:-}" ]]; then
  echo "check_package.sh: error: give one package to check, a tar.gz (try --help)" >&2
  exit 2
fi
readonly package=$1

make_debian_root check_package.sh "$root" "$fresh"
# Elsewhere than where it was made, and by another name: a package may lie anywhere.
readonly place="/opt/moved here"
rm -rf "${root:?}$place"
mkdir -p "$root$place"
tar -C "$root$place" --extract --gzip --strip-components=1 --file "$package"

step() { printf '\n== %s (%d s)\n' "$1" "$SECONDS"; }
inside() { run_in_debian_root "$root" "$place" "" "$@"; }

step "libraries"
# shellcheck disable=SC2016  # expanded inside
inside bash -c '
  set -euo pipefail
  glibc="(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|mvec))\.so"
  checked=0
  for file in bin/* tests/*; do
    foreign=$(ldd "$file" | grep " => " | grep -vF " => $PWD/" | grep -vE "^\s+$glibc" || true)
    if [[ -n "$foreign" ]]; then
      echo "$file takes from the system, or lacks:"
      echo "$foreign"
      exit 1
    fi
    checked=$((checked + 1))
  done
  echo "$checked programs take nothing but glibc from the system"
'
step "tests"
inside env SL_REQUIRE_REFERENCE_DATA=1 unshare --net scripts/run_tests.sh
step "program"
inside bin/sightline doctor
inside rm -rf /tmp/quickstart
inside bin/sightline sweep configs/quickstart.yaml --out /tmp/quickstart --quiet
inside test -s /tmp/quickstart/results.csv
step "GPU check without a GPU"
code=0
inside env CUDA_VISIBLE_DEVICES= scripts/gpu_check.sh --out /tmp/gpu_check.json || code=$?
if [[ $code -ne 2 || -e "$root/tmp/gpu_check.json" ]]; then
  echo "check_package.sh: error: gpu_check.sh gave exit code $code, not 2, or wrote a file" >&2
  exit 1
fi
step "$package is complete"
