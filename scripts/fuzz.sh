#!/usr/bin/env bash
# Fuzzes every reader of files and the config parser (tests/fuzz/) with libFuzzer, address and
# undefined-behaviour sanitizers on. A crash, a hang or too much memory fails, and the input is kept.
#
#   scripts/fuzz.sh [--seconds N] [--build DIR] [TARGET ...]
#
#   --seconds N   time for each target (default 15)
#   --build DIR   use the fuzz targets of this build instead of building the preset asan
#   TARGET        which ones: world_bt, config, ... (default: all)
#
# Inputs that reach new code are kept in build/asan/corpus/TARGET for the next time; those that fail
# in build/asan/crashes/TARGET: build/asan/tests/fuzz/fuzz.TARGET FILE repeats one.
# Environment: SIGHTLINE_FUZZ_JOBS, targets run at a time (default: all cores).
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/build.sh

readonly memory_mib=2048
readonly request_mib=3072   # a grid reserves up to 2 GiB of address space, which it need not touch
readonly input_limit_s=20
readonly max_input_bytes=65536
readonly max_nanovdb_bytes=524288   # the node at the top of a grid alone takes 270 KB

error() { echo "fuzz.sh: error: $1" >&2; exit "$2"; }

seconds=15
build=
while [[ $# -gt 0 ]]; do
  case "$1" in
    --seconds | --build)
      [[ $# -ge 2 ]] || error "$1 needs a value" 2
      if [[ $1 == --build ]]; then build=$2; else seconds=$2; fi
      shift 2
      ;;
    -h | --help) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) error "unknown option $1 (try --help)" 2 ;;
    *) break ;;
  esac
done
[[ $seconds =~ ^[1-9][0-9]*$ ]] || error "--seconds $seconds is no positive whole number" 2

if [[ -z "$build" ]]; then
  scripts/setup.sh --fuzz
  BUILD_TARGET=fuzz_targets build_preset asan
  build=build/asan
fi
if [[ $# -eq 0 ]]; then
  for program in "$build"/tests/fuzz/fuzz.*; do
    [[ ! -x $program || -d $program ]] || set -- "$@" "${program##*/fuzz.}"
  done
fi
for target in "$@"; do
  [[ -x "$build/tests/fuzz/fuzz.$target" ]] || error "no target $target in $build/tests/fuzz" 2
done

seeds=$build/seeds
rm -rf "$seeds"
"$build/tests/fuzz/fuzz_seeds" "$seeds" >"$build/asan_seeds.log" 2>&1 ||
  { cat "$build/asan_seeds.log" >&2; error "no seeds" 1; }
mkdir -p "$seeds"/{config,sweep}
cp configs/*.yaml "$seeds/config"
cp configs/*.yaml "$seeds/sweep"
mkdir -p "$seeds"/texts_{landscape,notes,episodes,topics}
cp configs/corpora/landscape/village.jsonl "$seeds/texts_landscape"
head -n 40 configs/corpora/flattening/warning.jsonl >"$seeds/texts_notes/warning.jsonl"
head -n 20 configs/corpora/flattening/episodes.jsonl >"$seeds/texts_episodes/episodes.jsonl"
head -n 30 configs/corpora/topics/documents.jsonl >"$seeds/texts_topics/documents.jsonl"

# Inputs are written to files at each run: in memory, if there is a place for that.
scratch=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$scratch"' EXIT

# fuzz_one TARGET: one line about it; the log only if it failed.
fuzz_one() {
  local target=$1 corpus=$build/corpus/$1 crashes=$build/crashes/$1 log=$build/asan_$1.log code=0
  mkdir -p "$corpus" "$crashes" "$scratch/$target"
  local max_bytes=$max_input_bytes dictionary=()
  [[ $target != world_nvdb ]] || max_bytes=$max_nanovdb_bytes
  case $target in config | sweep | scene) dictionary=(-dict=tests/fuzz/config.dict) ;; esac
  TMPDIR=$scratch/$target "$build/tests/fuzz/fuzz.$target" -max_total_time="$seconds" \
    -max_len="$max_bytes" -timeout="$input_limit_s" -rss_limit_mb="$memory_mib" \
    -malloc_limit_mb="$request_mib" -seed="$seed" \
    -print_final_stats=1 -artifact_prefix="$crashes/" \
    "${dictionary[@]}" "$corpus" "$seeds/$target" \
    >"$log" 2>&1 || code=$?
  local runs covered
  runs=$(sed -n 's/^stat::number_of_executed_units: //p' "$log")
  covered=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
  printf '%-12s %9s inputs, %6s edges covered, %5s files in the corpus%s\n' "$target" \
    "${runs:-0}" "${covered:-0}" "$(find "$corpus" -type f | wc -l)" \
    "$([[ $code -eq 0 ]] || echo "  FAILED ($code)")"
  # A target that ran nothing has found nothing.
  if [[ $code -eq 0 && ${runs:-0} -gt 0 ]]; then return; fi
  grep -E -A 12 'ERROR: |runtime error:|what\(\):' "$log" | head -30 || tail -20 "$log"
  echo "input kept in $crashes; log: $log"
  return 1
}

# A short run begins alike each time, so that CI tells of a change and not of chance; 0: at random.
seed=$((seconds < 60))
export -f fuzz_one
export build seeds seed scratch seconds memory_mib request_mib input_limit_s \
  max_input_bytes max_nanovdb_bytes
if ! printf '%s\n' "$@" |
  xargs -P "${SIGHTLINE_FUZZ_JOBS:-$(nproc)}" -I {} bash -c 'set -euo pipefail; fuzz_one {}'; then
  error "some targets failed" 1
fi
echo "fuzz: $# targets, $seconds s each, none failed"
