#!/usr/bin/env bash
# Runs the tests of a package (scripts/package.sh), one line for each test program.
#
#   scripts/run_tests.sh [--json DIR] [LABEL ...]
#
#   --json DIR   GoogleTest's own report of each program, DIR/LABEL.NAME.json
#   LABEL        unit, property, parity, published, badinput (default: all)
#
# SL_REQUIRE_GPU=1 turns tests skipped for want of a GPU into failures. Exit code 1 if any test fails.
set -euo pipefail
cd "$(dirname "$0")/.."

json=
while [[ $# -gt 0 ]]; do
  case "$1" in
    --json)
      [[ $# -ge 2 ]] || { echo "run_tests.sh: error: --json needs a folder" >&2; exit 2; }
      mkdir -p "$2"
      json=$(cd "$2" && pwd)
      shift 2
      ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "run_tests.sh: error: unknown option $1 (try --help)" >&2; exit 2 ;;
    *) break ;;
  esac
done

programs=()
for label in "${@:-}"; do
  shopt -s nullglob
  found=(tests/"$label"*_test)
  shopt -u nullglob
  if [[ ${#found[@]} -eq 0 ]]; then
    echo "run_tests.sh: error: no tests${label:+ of label $label} in $PWD/tests" >&2
    exit 2
  fi
  programs+=("${found[@]}")
done

log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=()
skipped=0
for program in "${programs[@]}"; do
  name=${program#tests/}
  begin=$SECONDS code=0
  "$program" ${json:+"--gtest_output=json:$json/$name.json"} >"$log" 2>&1 || code=$?
  # GoogleTest's last lines: "[  PASSED  ] 12 tests.", "[  SKIPPED ] 3 tests, listed below:".
  passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) .*/\1/p' "$log")
  skips=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) tests\?, .*/\1/p' "$log")
  skipped=$((skipped + ${skips:-0}))
  state=ok
  # A program that says nothing of its tests has not run them, whatever its exit code.
  if [[ $code -ne 0 || -z "$passed" ]]; then
    state="FAILED (exit code $code)"
    failed+=("$name")
    cat "$log"
  fi
  printf '%-36s %4s passed %4s skipped %4d s  %s\n' \
    "$name" "${passed:-0}" "${skips:-0}" $((SECONDS - begin)) "$state"
done

if [[ ${#failed[@]} -ne 0 ]]; then
  echo "run_tests.sh: ${#failed[@]} of ${#programs[@]} test programs failed: ${failed[*]}" >&2
  exit 1
fi
echo "run_tests: ${#programs[@]} test programs passed, $skipped tests skipped, $SECONDS s"
