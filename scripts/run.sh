#!/usr/bin/env bash
# Sets up, builds, runs the main job (what a memory recalls in a building, and whether it can be seen
# from where one asks) and makes its report. Uses the GPU where nvcc and a GPU are found, the CPU
# elsewhere.
#
#   scripts/run.sh [SWEEP_ARGUMENT ...]
#
#   SWEEP_ARGUMENT   passed on to `sightline sweep`, e.g. -s seed=7, --quiet, --out DIR, --resume
#
# Without --out, results go to runs/recall, or, where that is taken, to runs/recall-DATE-TIME
# (with --resume, runs/recall goes on). Relative paths start at the project's folder.
# The map is octomap_geb079/geb079.bt of SIGHTLINE_REFERENCE_DATA (default ../shared/data) if it is
# there, else the built-in village.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/build.sh

case "${1:-}" in
  -h | --help) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac

# The value of --out among the arguments; empty if none.
given_output() {
  local argument previous=
  for argument in "$@"; do
    if [[ "$previous" == --out ]]; then echo "$argument"; return; fi
    if [[ "$argument" == --out=* ]]; then echo "${argument#--out=}"; return; fi
    previous=$argument
  done
}

scripts/setup.sh
preset=$(best_preset)
BUILD_TARGET=sightline_programs build_preset "$preset"

arguments=(configs/recall_then_verify.yaml)
output=$(given_output "$@")
if [[ -z "$output" ]]; then
  output=runs/recall
  if [[ -e "$output" && " $* " != *" --resume "* ]]; then
    output=runs/recall-$(date +%Y%m%d-%H%M%S)
  fi
  arguments+=(--out "$output")
fi
map=${SIGHTLINE_REFERENCE_DATA:-../shared/data}/octomap_geb079/geb079.bt
if [[ -f "$map" ]]; then
  arguments+=(-s "world.file=$map")
  echo "World: $map"
fi

"build/$preset/sightline" sweep "${arguments[@]}" "$@"
"build/$preset/sightline" report "$output"
echo
echo "Report: $(cd "$output" && pwd)/report.html"
