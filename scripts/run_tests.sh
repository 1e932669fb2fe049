#!/usr/bin/env bash
# Runs the tests of a package (scripts/package.sh), one line for each test program.
#
#   scripts/run_tests.sh [--json DIR] [--jobs N] [LABEL ...]
#
#   --json DIR   GoogleTest's own report of each program, DIR/LABEL.NAME.json
#   --jobs N     so many programs at a time (default 1)
#   LABEL        unit, property, parity, published, badinput (default: all)
#
# SL_REQUIRE_GPU=1 turns tests skipped for want of a GPU into failures. Exit code 1 if any test fails.
set -euo pipefail
cd "$(dirname "$0")/.."

error() { echo "run_tests.sh: error: $1" >&2; exit 2; }

json=''
jobs=1
while [[ $# -gt 0 ]]; do
  case "$1" in
    --json)
      [[ $# -ge 2 ]] || error "--json needs a folder"
      mkdir -p "$2"
      json=$(cd "$2" && pwd)
      shift 2
      ;;
    --jobs)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || error "--jobs needs a number of programs"
      jobs=$2
      shift 2
      ;;
    -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) error "unknown option $1 (try --help)" ;;
    *) break ;;
  esac
done

programs=()
for label in "${@:-}"; do
  shopt -s nullglob
  found=(tests/"$label"*_test)
  shopt -u nullglob
  [[ ${#found[@]} -ne 0 ]] || error "no tests${label:+ of label $label} in $PWD/tests"
  programs+=("${found[@]}")
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run_program FILE: says how it went in one line, after its output if a test failed.
run_program() {
  local name=${1#tests/} begin=$SECONDS code=0 passed skips state=ok log
  log=$work/$name.log
  "$1" ${json:+"--gtest_output=json:$json/$name.json"} >"$log" 2>&1 || code=$?
  # GoogleTest's last lines: "[  PASSED  ] 12 tests.", "[  SKIPPED ] 3 tests, listed below:".
  passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) .*/\1/p' "$log")
  skips=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) tests\?, .*/\1/p' "$log")
  # A program that says nothing of its tests has not run them, whatever its exit code.
  if [[ $code -ne 0 || -z "$passed" ]]; then
    state="FAILED (exit code $code)"
    touch "$work/$name.failed"
    cat "$log"
  fi
  echo "${skips:-0}" >"$work/$name.skipped"
  printf '%-36s %4s passed %4s skipped %4d s  %s\n' \
    "$name" "${passed:-0}" "${skips:-0}" $((SECONDS - begin)) "$state"
}

for program in "${programs[@]}"; do
  while [[ $(jobs -rp | wc -l) -ge $jobs ]]; do wait -n || true; done
  run_program "$program" &
done
wait

skipped=0 failed=()
for program in "${programs[@]}"; do
  name=${program#tests/}
  [[ ! -e $work/$name.failed ]] || failed+=("$name")
  skipped=$((skipped + $(cat "$work/$name.skipped")))
done
if [[ ${#failed[@]} -ne 0 ]]; then
  echo "run_tests.sh: ${#failed[@]} of ${#programs[@]} test programs failed: ${failed[*]}" >&2
  exit 1
fi
echo "run_tests: ${#programs[@]} test programs passed, $skipped tests skipped, $SECONDS s"
