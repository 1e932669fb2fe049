#!/usr/bin/env bash
# Measures recall and search beside their peers, one right after the other on one machine, and writes
# their results and the tables of bench/README.md to a folder.
#
#   scripts/bench_recall.sh --out DIR [--build DIR] [--yardstick PROGRAM] [--quick]
#
#   --out DIR            made for recall.json, search.json, numpy_1.json and numpy_N.json of N
#                        threads, and tables.md
#   --build DIR          the build with recall_bench and search_bench (default build/cpu)
#   --yardstick PROGRAM  one that takes S or L, a shape of recall_bench, and prints rates; what it says
#                        goes into yardstick_S.txt and yardstick_L.txt
#   --quick              small shapes, to see that everything works: no measurement
#
# SIGHTLINE_PYTHON: a python3 with NumPy, where that on the path has none. Wants a machine with
# nothing else to do, for half an hour. Exit codes: 0 all answers were right; 1 some were not;
# 2 bad usage; 3 no NumPy.
set -euo pipefail
cd "$(dirname "$0")/.."

error() { echo "bench_recall.sh: error: $1" >&2; exit 2; }

build=build/cpu out='' yardstick='' repeats=3 size=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --out) [[ $# -ge 2 ]] || error "--out needs a folder"; out=$2; shift 2 ;;
    --build) [[ $# -ge 2 ]] || error "--build needs a folder"; build=$2; shift 2 ;;
    --yardstick) [[ $# -ge 2 ]] || error "--yardstick needs a program"; yardstick=$2; shift 2 ;;
    --quick) size=(--small); repeats=1; shift ;;
    -h | --help) sed -n '2,18s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) error "unknown argument $1 (try --help)" ;;
  esac
done
[[ -n "$out" ]] || error "name a folder for the results: --out DIR"
[[ ! -e "$out" ]] || error "$out is there already: name a new folder"
for program in recall_bench search_bench; do
  [[ -x "$build/bench/$program" ]] ||
    error "no $build/bench/$program: cmake --build --preset cpu --target recall_bench search_bench"
done
[[ -z "$yardstick" || -x "$yardstick" ]] || error "--yardstick $yardstick: no such program"
mkdir -p "$out"
export OMP_WAIT_POLICY=passive  # or threads that wait keep the others from working
threads=$(nproc)
python=${SIGHTLINE_PYTHON:-python3}

measure() {  # NAME PROGRAM ARGUMENTS...
  OPENBLAS_NUM_THREADS=1 "$build/bench/$2" "${@:3}" "${size[@]}" \
    --benchmark_context=revision="$(git describe --always --dirty 2>/dev/null || echo unknown)" \
    --benchmark_out="$out/$1.json" --benchmark_out_format=json
}

failed=0
measure recall recall_bench --benchmark_repetitions="$repeats" --benchmark_min_time=0.2 || failed=1
numpys=()
for n in $(printf '%s\n' 1 "$threads" | sort -un); do
  OPENBLAS_NUM_THREADS=$n "$python" scripts/bench_numpy_recall.py "${size[@]}" > "$out/numpy_$n.json"
  numpys+=("$out/numpy_$n.json")
done
if [[ -n "$yardstick" ]]; then
  for shape in S L; do "$yardstick" "$shape" | sed "s,[[:blank:]]*$,," > "$out/yardstick_$shape.txt"; done
fi
measure search search_bench --benchmark_repetitions=$((2 * repeats - 1)) \
  --benchmark_enable_random_interleaving=true --benchmark_min_time=0.1 || failed=1
"$python" scripts/bench_recall_tables.py "$out/recall.json" "$out/search.json" "${numpys[@]}" \
  > "$out/tables.md" || failed=1
echo "$out/tables.md"
exit "$failed"
