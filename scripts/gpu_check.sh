#!/usr/bin/env bash
# Tests and measures the GPU of this machine with the package it lies in (scripts/package.sh), and
# writes one JSON file: date, GPU, driver, revision, and the results of all tests (CPU and GPU must
# agree bit for bit), of compute-sanitizer and ncu where they are installed and permitted, of the
# benchmarks, NanoVDB's walk among them, and of what PyTorch does of the same, where python3 has it.
# What could not be run is in it as "not available: REASON". The file is written anew after every
# part, so that a machine that is taken away leaves what was done; parts to come are "not done yet".
#
#   scripts/gpu_check.sh [--out FILE] [--quick] [--steps LIST] [--tests LIST] [--min-time SECONDS]
#                        [--only-gpu] [--rows REGEX] [--tool-limit SECONDS]
#
#   --out FILE     the file to write (default gpu_check-DATE.json in the current folder)
#   --steps LIST   some of tests,sanitizer,sweeps,ncu,benchmarks,torch (default all), where a machine
#                  is at hand for a short while; the file says of the others that they were not asked
#                  for
#   --tests LIST   labels of the tests to run, some of unit,property,parity,published,badinput
#                  (default all)
#   --min-time     of each row of a benchmark (default 0.5 s), three times
#   --only-gpu     leave out the benchmarks' rows of the CPU, which take longer
#   --rows REGEX   and all but these, of the visibility benchmarks of 512^3 voxels
#   --quick        small worlds and batches, to see that everything works: no measurement
#   --tool-limit   for each run of compute-sanitizer and ncu, which slow a kernel down up to a
#                  hundredfold (default 600); what is not finished then is told as such
#
# Exit codes: 0 all passed; 1 something failed, which the file tells; 2 no GPU, or bad usage: nothing
# is written.
set -euo pipefail
package=$(cd "$(dirname "$0")/.." && pwd)
readonly package
readonly metrics=(
  gpu__time_duration.sum launch__registers_per_thread
  sm__throughput.avg.pct_of_peak_sustained_elapsed
  dram__throughput.avg.pct_of_peak_sustained_elapsed
  sm__warps_active.avg.pct_of_peak_sustained_active
  smsp__thread_inst_executed_per_inst_executed.ratio)
# Program, row, kernel.
readonly profiled=(
  "visibility_bench|BM_Batch/op:hdda/world:rooms/set:1/backend:cuda|walk_kernel"
  "visibility_bench|BM_Batch/op:march_8_steps/world:rooms/set:2/backend:cuda|MarchGrid"
  "visibility_bench|BM_Batch/op:field_of_view_8_cones/world:rooms/set:2/backend:cuda|FieldOfView"
  "visibility_bench|BM_Batch/op:nanovdb_hdda/world:rooms/set:1/backend:cuda|sight_kernel"
  "recall_bench|BM_RecallBatch/op:ranks/shape:P/method:tiles/backend:cuda|RankTiles"
  "recall_bench|BM_RecallBatch/op:ranks/shape:P/method:lines/backend:cuda|LineRankTiles"
  "recall_bench|BM_RecallBatch/op:ranks/shape:L/method:matrix/backend:cuda|MatrixRanks"
  "recall_bench|BM_RecallBatch/op:top5/shape:L/method:matrix/backend:cuda|MatrixCandidates"
  "recall_bench|BM_RecallBatch/op:top5/shape:L/method:tiles/backend:cuda|TopTiles"
  "recall_bench|BM_RecallBatch/op:bands/shape:L/method:matrix/backend:cuda|MarkBands"
  "recall_bench|BM_RecallBatch/op:cosines/shape:L/method:tiles/backend:cuda|CosineTiles")
readonly swept=(
  building e5_step_stress wave_e_gates wave_e_simplex recall_then_verify render_as_recall)
# What some of them ask, where all would take long: of the lattice of weights two scales and an
# offset, enough to rank by its lines.
readonly -A asked=(
  [wave_e_simplex]="queries.offset_m=[1] recall.proximity.scale_m=[50,100]"
  [render_as_recall]="study.render_as_recall.poses=32")

error() { echo "gpu_check.sh: error: $1" >&2; exit 2; }
step() { printf '\n== %s (%d s)\n' "$1" "$SECONDS"; }

out=gpu_check-$(date -u +%Y%m%d-%H%M%S).json
size=()
tool_limit_s=600
steps=tests,sanitizer,sweeps,ncu,benchmarks,torch
labels=unit,property,parity,published,badinput
min_time_s=0.5
rows_of='(cuda|cpu.*)'
rows=
while [[ $# -gt 0 ]]; do
  case "$1" in
    --out) [[ $# -ge 2 ]] || error "--out needs a file"; out=$2; shift 2 ;;
    --quick) size=(--small); shift ;;
    --only-gpu) rows_of=cuda; shift ;;
    --rows) [[ $# -ge 2 ]] || error "--rows needs an expression"; rows=$2; shift 2 ;;
    --min-time)
      [[ ${2:-} =~ ^[0-9]+(\.[0-9]+)?$ ]] || error "--min-time needs a number of seconds"
      min_time_s=$2
      shift 2
      ;;
    --tests)
      [[ ${2:-} =~ ^[a-z]+(,[a-z]+)*$ ]] || error "--tests needs some of $labels"
      labels=$2
      shift 2
      ;;
    --steps)
      [[ ${2:-} =~ ^(tests|sanitizer|sweeps|ncu|benchmarks|torch)(,(tests|sanitizer|sweeps|ncu|benchmarks|torch))*$ ]] ||
        error "--steps needs some of $steps"
      steps=$2
      shift 2
      ;;
    --tool-limit)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || error "--tool-limit needs a number of seconds"
      tool_limit_s=$2
      shift 2
      ;;
    -h | --help) sed -n '2,27s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) error "unknown argument $1 (try --help)" ;;
  esac
done
out=$(realpath -m "$out")
cd "$package"
for part in package.json bin/sightline bin/visibility_bench bin/recall_bench tests \
  scripts/run_tests.sh; do
  [[ -r $part ]] || error "$package is no package (it has no $part): make a package with \
scripts/package.sh, unpack it on the GPU machine, run scripts/gpu_check.sh there"
done
[[ -d $(dirname "$out") && ! -d "$out" ]] || error "no file can be written at $out"

machine=$(bin/sightline doctor --json)
# The name as a JSON string, of the first GPU.
gpu=$(sed -n '/^  "gpus": \[$/,/^  \]/s/^ *"name": \(".*"\),*$/\1/p' <<<"$machine" | head -1)
if [[ -z "$gpu" ]]; then
  error "no GPU can be used on this machine, so nothing was measured and nothing is written"
fi
driver=$(sed -n 's/^NVRM version:.* \([0-9]\{3,\}\.[0-9.]*\) .*/\1/p' \
  /proc/driver/nvidia/version 2>/dev/null || true)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SL_REQUIRE_GPU=1 SL_REQUIRE_REFERENCE_DATA=1 SIGHTLINE_REFERENCE_DATA=$package/data
passed=true

json_string() {
  local text=$1
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  text=$(tr '\n\t' '  ' <<<"$text" | tr -d '\000-\037')
  printf '"%s"' "${text% }"
}

# A tool on the path, or where the CUDA toolkit puts it; nothing if it is not installed.
find_tool() { PATH=$PATH:/usr/local/cuda/bin type -P "$1" || true; }

# unavailable REASON LOG: what a tool that cannot work here says of itself.
unavailable() {
  local last
  last=$(grep -v '^ *$' "$2" | tail -1 || true)
  json_string "not available: $1${last:+: $last}"
}

run_all_tests() {
  local chosen program report separator=
  IFS=, read -ra chosen <<<"$labels"
  scripts/run_tests.sh --json "$work/tests" --jobs "$(nproc)" "${chosen[@]}" || passed=false
  echo '[' >"$work/tests.json"
  for program in tests/*_test; do
    report=$work/tests/${program#tests/}.json
    program=${program#tests/}
    [[ ,$labels, == *,${program%%.*},* ]] || continue
    printf '%s{"program": "%s"' "$separator" "$program"
    separator=$',\n'
    if [[ -s "$report" ]]; then
      printf ', "tests": %s, "failures": %s, "skipped": %s}' \
        "$(sed -n 's/^  "tests": \([0-9]*\),/\1/p' "$report")" \
        "$(sed -n 's/^  "failures": \([0-9]*\),/\1/p' "$report")" \
        "$(grep -c '"result": "SKIPPED"' "$report" || true)"
    else
      printf ', "ended_early": true}'
    fi
  done >>"$work/tests.json"
  printf '\n]\n' >>"$work/tests.json"
}

# sanitize SANITIZER TOOL PROGRAM: writes how it went to TOOL.PROGRAM.result.
sanitize() {
  local name=$2.${3#tests/} code=0 result
  SL_FEW_CASES=1 timeout "$tool_limit_s" "$1" --tool "$2" --error-exitcode 99 "$3" \
    >"$work/$name.log" 2>&1 || code=$?
  case $code in
    0) result=passed ;;
    124) result="not finished after $tool_limit_s s" ;;
    *)
      result="failed: exit code $code: $(grep 'SUMMARY' "$work/$name.log" | tail -1)"
      head -100 "$work/$name.log" >&2
      ;;
  esac
  echo "$2, $3: $(tail -1 "$work/$name.log")" >&2
  echo "$result" >"$work/$name.result"
}

# The parity tests, which together launch every kernel, under each tool, with a tenth of their
# cases: one process for each.
run_sanitizer() {
  local sanitizer tool program result separator='' comma
  sanitizer=$(find_tool compute-sanitizer)
  if [[ -z "$sanitizer" ]]; then
    json_string "not available: not installed" >"$work/sanitizer.json"
  elif ! "$sanitizer" bin/sightline doctor >"$work/probe.log" 2>&1 ||
    ! grep -q 'ERROR SUMMARY: 0 errors' "$work/probe.log"; then
    unavailable "cannot work here" "$work/probe.log" >"$work/sanitizer.json"
  else
    for tool in memcheck racecheck initcheck synccheck; do
      for program in tests/parity.*_test; do sanitize "$sanitizer" "$tool" "$program" & done
    done
    wait
    printf '{' >"$work/sanitizer.json"
    for tool in memcheck racecheck initcheck synccheck; do
      printf '%s"%s": {' "$separator" "$tool" >>"$work/sanitizer.json"
      comma=
      for program in tests/parity.*_test; do
        result=$(cat "$work/$tool.${program#tests/}.result")
        [[ $result != failed* ]] || passed=false
        printf '%s"%s": %s' "$comma" "${program#tests/}" "$(json_string "$result")" \
          >>"$work/sanitizer.json"
        comma=', '
      done
      printf '}' >>"$work/sanitizer.json"
      separator=$',\n'
    done
    printf '}\n' >>"$work/sanitizer.json"
  fi
  cat "$work/sanitizer.json"
}

# profile NCU PROGRAM FILTER: metrics of the first kernel of a benchmark, as a JSON object.
profile() {
  local log=$work/ncu.log metric value unit separator=
  timeout "$tool_limit_s" "$1" --clock-control none --csv --print-units base \
    --kernel-name-base demangled --kernel-name "regex:$4" --launch-count 1 \
    --metrics "$(IFS=,; echo "${metrics[*]}")" \
    "$2" "${size[@]}" --benchmark_min_time=0.001 --benchmark_filter="$3" >"$log" 2>&1 || true
  if ! grep -q "\"${metrics[0]}\"" "$log"; then
    # ERR_NVGPUCTRPERM: the driver reserves the counters for root.
    unavailable "no counters" <(grep -E '==ERROR==|ERR_' "$log" | head -1)
    return
  fi
  printf '{'
  for metric in "${metrics[@]}"; do
    unit=$(sed -nE "s/.*\"$metric\",\"([^\"]*)\",\"([^\"]*)\".*/\1/p" "$log" | head -1)
    value=$(sed -nE "s/.*\"$metric\",\"([^\"]*)\",\"([^\"]*)\".*/\2/p" "$log" | head -1)
    printf '%s"%s": {"value": %s, "unit": %s}' \
      "$separator" "$metric" "$(json_string "${value//,/}")" "$(json_string "$unit")"
    separator=', '
  done
  printf '}'
}

run_profiler() {
  local ncu row program filter kernel separator=
  ncu=$(find_tool ncu)
  if [[ -z "$ncu" ]]; then
    json_string "not available: not installed" >"$work/ncu.json"
  else
    {
      printf '{'
      for row in "${profiled[@]}"; do
        IFS='|' read -r program filter kernel <<<"$row"
        printf '%s"%s": ' "$separator" "$filter"
        profile "$ncu" "bin/$program" "$filter" "$kernel"
        separator=$',\n'
      done
      printf '}\n'
    } >"$work/ncu.json"
  fi
  cat "$work/ncu.json"
}

# measure PROGRAM FILTER NAME [OPTION...]: the results, which must have rows of the GPU, to
# NAME.json, and into the file.
measure() {
  local arguments=(--benchmark_repetitions=3 "--benchmark_min_time=$min_time_s")
  if [[ ${#size[@]} -eq 0 ]]; then
    arguments+=("${@:4}")
  else
    arguments+=("${size[@]}" --benchmark_min_time=0.001)
  fi
  if ! "$1" --benchmark_filter="$2" "${arguments[@]}" \
    --benchmark_out="$work/measured.json" --benchmark_out_format=json ||
    ! grep -q 'backend:cuda' "$work/measured.json"; then
    passed=false
    json_string "failed: see the program's output" >"$work/measured.json"
  fi
  mv "$work/measured.json" "$work/$3.json"
  write_file
}

run_benchmarks() {
  measure bin/visibility_bench "^BM_(Batch|Device)/.*$rows.*backend:$rows_of|^BM_Transfer" bench
  # Rooms that no GPU's cache holds.
  measure bin/visibility_bench \
    "^BM_Batch/op:(hdda|nanovdb_hdda)/world:rooms/set:[12]/backend:$rows_of" bench_2048 \
    --rooms-edge 2048
  measure bin/recall_bench "^BM_Recall(Batch|Lists)/.*backend:$rows_of" recall_bench
}

# Whole sweeps on the GPU and on the CPU, which must give the same results, byte for byte; of the
# last one, what the questions of each arm took.
run_sweeps() {
  local name device begin separator='' same setting settings options
  local -A seconds
  printf '{' >"$work/sweeps.json"
  for name in "${swept[@]}"; do
    read -ra settings <<<"${asked[$name]:-}"
    for device in cpu cuda; do
      begin=$(date +%s%N)
      options=()
      for setting in "${settings[@]}"; do options+=(-s "$setting"); done
      bin/sightline sweep "configs/$name.yaml" "${options[@]}" --device "$device" --quiet \
        --out "$work/runs/$name.$device" || true
      seconds[$device]=$((($(date +%s%N) - begin) / 1000000))
    done
    same=true
    cmp "$work/runs/$name.cpu/results.csv" "$work/runs/$name.cuda/results.csv" || same=false
    $same || passed=false
    printf '%s"%s": {"same_results": %s, "cpu_ms": %s, "cuda_ms": %s}' \
      "$separator" "$name" "$same" "${seconds[cpu]}" "${seconds[cuda]}" >>"$work/sweeps.json"
    separator=$',\n'
  done
  printf ',\n"seconds_of_arms": {' >>"$work/sweeps.json"
  separator=
  for device in cpu cuda; do
    printf '%s"%s": {' "$separator" "$device" >>"$work/sweeps.json"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
             { seconds[$column["arm"]] += $column["seconds"]; rays[$column["arm"]] += $column["num_rays"] }
             END { for (arm in seconds) { printf "%s\"%s\": {\"questions\": %d, \"seconds\": %s}", comma, arm, rays[arm], seconds[arm]; comma = ", " } }' \
      "$work/runs/${swept[-1]}.$device/timings.csv" >>"$work/sweeps.json" || passed=false
    printf '}' >>"$work/sweeps.json"
    separator=$',\n'
  done
  printf '}}\n' >>"$work/sweeps.json"
  cat "$work/sweeps.json"
}

# PyTorch is timed on what the benchmarks export; the files take some gigabytes for that long.
run_torch() {
  local python=${SIGHTLINE_PYTHON:-python3} folder=$work/export code=0
  if ! "$python" -c 'import torch, numpy' 2>"$work/torch.log"; then
    unavailable "no PyTorch" "$work/torch.log" >"$work/torch.json"
    cat "$work/torch.json"
    return
  fi
  mkdir "$folder"
  bin/visibility_bench "${size[@]}" --export "$folder" &&
    bin/recall_bench "${size[@]}" --export "$folder" &&
    "$python" scripts/bench_torch.py "$folder" --out "$work/torch.json" || code=$?
  rm -rf "$folder"
  [[ $code -eq 0 ]] || passed=false
  [[ -s "$work/torch.json" ]] || json_string "failed: exit code $code" >"$work/torch.json"
}

write_file() {
  {
    printf '{\n"format": "sightline-gpu-check 1",\n"date": "%s",\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    printf '"gpu": %s,\n"driver": %s,\n' "$gpu" "$(json_string "${driver:-unknown}")"
    printf '"passed": %s,\n"quick": %s,\n' "$passed" "$([[ ${#size[@]} -eq 0 ]] && echo false || echo true)"
    printf '"package": %s,\n"machine": %s,\n' "$(cat package.json)" "$machine"
    printf '"tests": %s,\n' "$(cat "$work/tests.json")"
    printf '"compute_sanitizer": %s,\n"sweeps": %s,\n"ncu": %s,\n' \
      "$(cat "$work/sanitizer.json")" "$(cat "$work/sweeps.json")" "$(cat "$work/ncu.json")"
    printf '"benchmarks": %s,\n"benchmarks_2048": %s,\n"recall_benchmarks": %s,\n' \
      "$(cat "$work/bench.json")" "$(cat "$work/bench_2048.json")" "$(cat "$work/recall_bench.json")"
    printf '"torch": %s\n}\n' "$(cat "$work/torch.json")"
  } >"$out.part"
  mv "$out.part" "$out"
}

asked() { [[ ,$steps, == *,$1,* ]]; }
# part STEP TITLE COMMAND: a step, if it is asked for, and its place in the file.
part() {
  asked "$1" || return 0
  step "$2"
  "$3"
  write_file
}

for name in tests sanitizer sweeps ncu bench bench_2048 recall_bench torch; do
  step_of=${name/#*bench*/benchmarks}
  json_string "$(asked "$step_of" && echo "not done yet" || echo "not asked for")" >"$work/$name.json"
done
part tests "tests" run_all_tests
part sanitizer "compute-sanitizer" run_sanitizer
part sweeps "sweeps" run_sweeps
part ncu "ncu" run_profiler
part benchmarks "benchmarks" run_benchmarks
part torch "PyTorch" run_torch
step "$out"
if ! $passed; then
  echo "gpu_check.sh: something failed: see above and $out" >&2
  exit 1
fi
