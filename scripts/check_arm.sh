#!/usr/bin/env bash
# Compiles kernels/ and its tests for 64-bit Arm, runs them under qemu-user, and compares what they
# answer over seeded worlds, rays and memories with the answers of this machine's processor, on each
# of its instruction sets: the same lines of tests/parity/answers.cpp, byte for byte.
#
#   scripts/check_arm.sh [--build DIR] [ANSWERS]
#
#   --build DIR   where to compile (default build/aarch64)
#   ANSWERS       the program `answers` of a native build (default: made in build/cpu)
#
# Exit code 77 (skipped) without the cross compiler or qemu-user: scripts/setup.sh --arm.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/aarch64
answers=
while [[ $# -gt 0 ]]; do
  case "$1" in
    --build)
      [[ $# -ge 2 ]] || { echo "check_arm.sh: error: --build needs a folder" >&2; exit 2; }
      build=$2
      shift 2
      ;;
    -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "check_arm.sh: error: unknown option $1 (try --help)" >&2; exit 2 ;;
    *) answers=$1; shift ;;
  esac
done

compiler=aarch64-linux-gnu-g++
command -v $compiler >/dev/null || { echo "skipped: no $compiler (scripts/setup.sh --arm)"; exit 77; }
qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) ||
  { echo "skipped: no qemu-aarch64 (scripts/setup.sh --arm)"; exit 77; }

if [[ -z $answers ]]; then
  source scripts/build.sh
  BUILD_TARGET=answers build_preset cpu
  answers=build/cpu/tests/answers
fi
[[ -x $answers ]] || { echo "check_arm.sh: error: no program $answers" >&2; exit 2; }

if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
cmake --preset aarch64 -B "$build" --log-level=WARNING
cmake --build "$build" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
ctest --test-dir "$build" --parallel "$(nproc)" --output-on-failure --no-tests=error

file=$(mktemp -d)
trap 'rm -rf "$file"' EXIT
$qemu -L /usr/aarch64-linux-gnu "$build/tests/kernels_only/answers" >"$file/arm"
cat "$file/arm"
compared=()
for isa in portable avx2 avx512; do
  code=0
  SIGHTLINE_ISA=$isa "$answers" >"$file/$isa" 2>"$file/refusal" || code=$?
  if [[ $code -eq 2 ]] && grep -q 'this CPU has no' "$file/refusal"; then
    echo "not compared: this machine has no $isa"
    continue
  fi
  if [[ $code -ne 0 ]]; then
    cat "$file/refusal" >&2
    echo "check_arm.sh: error: $answers with SIGHTLINE_ISA=$isa: exit code $code" >&2
    exit 1
  fi
  if ! diff --unified=0 --label "$isa" --label arm "$file/$isa" "$file/arm"; then
    echo "check_arm.sh: error: answers on Arm and on $isa differ" >&2
    exit 1
  fi
  compared+=("$isa")
done
echo "check_arm: $(wc -l <"$file/arm") digests, the same on Arm and on ${compared[*]}"
