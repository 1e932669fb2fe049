#!/usr/bin/env bash
# Sets up, builds and runs all tests: of the CPU program, and of the CUDA program where nvcc is found.
# Without a GPU the latter runs no more than the tests of devices, as all others are those of the CPU
# program, compiled alike; SL_REQUIRE_GPU=1 runs all, and fails where GPU tests find no GPU.
#
#   scripts/test.sh [--preset NAME]... [--label NAME] [CMAKE_ARGUMENT ...]
#
#   --preset NAME    test this preset (cpu, cuda, asan, tsan) instead; may be repeated
#   --label NAME     run the tests of this label only (unit, property, parity, badinput, published,
#                    in_host, cluster, gpu, threads, device); of the last two, build no others
#   CMAKE_ARGUMENT   passed on, e.g. -DSIGHTLINE_WERROR=ON
#
# Environment: SIGHTLINE_CUDA_ARCHITECTURES=90 compiles for one GPU architecture only;
# SIGHTLINE_REFERENCE_DATA=DIR is where reference maps lie (default ../shared/data).
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/build.sh

presets=()
label=
while [[ $# -gt 0 ]]; do
  case "$1" in
    --preset)
      [[ $# -ge 2 ]] || { echo "test.sh: error: --preset needs a name" >&2; exit 2; }
      presets+=("$2")
      shift 2
      ;;
    --label)
      [[ $# -ge 2 ]] || { echo "test.sh: error: --label needs a name" >&2; exit 2; }
      label=$2
      case $label in
        badinput | cluster | device | gpu | in_host | parity | property | published | threads | unit) ;;
        *) echo "test.sh: error: no test has the label $label (try --help)" >&2; exit 2 ;;
      esac
      shift 2
      ;;
    -h | --help) sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -D*) break ;;
    *) echo "test.sh: error: unknown argument $1 (try --help)" >&2; exit 2 ;;
  esac
done

more_packages=()
if [[ " ${presets[*]} " =~ \ (asan|tsan)\  ]]; then more_packages=(--fuzz); fi
scripts/setup.sh "${more_packages[@]}"
if [[ ${#presets[@]} -eq 0 ]]; then
  presets=(cpu)
  if have_nvcc; then presets+=(cuda); fi
fi

# Several tests run at a time: a thread that waits for the others of its loop must not spin.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY-passive}

# Tests that fail in one preset do not keep the next from being tested.
failed=()
for preset in "${presets[@]}"; do
  only=$label
  if [[ $preset == cuda && -z $label && -z ${SL_REQUIRE_GPU:-} ]] && ! have_gpu; then only=device; fi
  targets=all
  case $only in
    threads) targets=tests_of_threads ;;
    device) targets="sightline tests_of_devices" ;;
  esac
  BUILD_TARGET=$targets build_preset "$preset" "$@"
  ctest --preset "$preset" --parallel "$(nproc)" --no-tests=error ${only:+-L "^$only$"} || failed+=("$preset")
done
if [[ ${#failed[@]} -ne 0 ]]; then
  echo "test.sh: tests failed in: ${failed[*]}" >&2
  exit 1
fi
