#!/usr/bin/env bash
# Runs every experiment of "What Spatial Memory Must Store" (2026) that Sightline has, and those of
# "Meta-Memory" and "Theory of Space" that take no more than a minute or so, each as its sweep file
# says, and writes one page of what was claimed and what was found, in the order of the papers' sections.
#
#   scripts/run_studies.sh [--beyond] [--out DIR] [--resume] [--no-model]
#
#   --beyond    run instead what the first paper left open: weights that adapt to the query, worlds that
#               change, rendering as recall, gates as recall; DIR/figures has their figures, and the scanned
#               building octomap_geb079/geb079.bt of SIGHTLINE_REFERENCE_DATA (default ../shared/data) is
#               among the worlds of the second and third if it is there
#   --out DIR   where the runs go (default runs/studies or runs/beyond; must not hold runs yet)
#   --resume    go on with what is there
#   --no-model  leave out what embeds texts by a model first (landscape_bge, the last: the 14,686 texts
#               of the landscape take a minute): it needs packages of PyPI, put into .venv, 470 MB
#
# DIR/studies.html (DIR/beyond.html) is the page; DIR/NAME/report.html has all tables of one experiment.
# A claim that is not reproduced is told, and is no error.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/build.sh

studies=(pilot1_near_duplicates pilot2_occlusion battery confirmatory landscape flattening flattening_loop
         retrieval_depth storage_medium topic_partition wave_e wave_e_texts wave_e_bge wave_e_model wave_e_second_model wave_e_wandered
         wave_e_wandered_bge wave_e_gates
         occlusion_live occlusion_recall e5_step_stress
         meta_memory_perfect meta_memory_table1 meta_memory_ablation
         theory_of_space_explorers theory_of_space_budget theory_of_space_tasks theory_of_space_rooms
         theory_of_space_beliefs theory_of_space_diagnosis theory_of_space_false_belief theory_of_space_field_of_view)

beyond=(adaptive_weights adaptive_weights_errors geometry_versions render_as_recall render_as_recall_damage
        gates_as_recall)

name=studies
out=
resume=()
model=true
while (($# > 0)); do
  case "$1" in
    -h | --help) sed -n '2,18s/^# \{0,1\}//p' "$0"; exit 0 ;;
    --out)
      out=${2:?"run_studies.sh: --out needs a folder"}
      shift 2
      ;;
    --beyond)
      name=beyond
      model=false
      studies=("${beyond[@]}")
      shift
      ;;
    --resume)
      resume=(--resume)
      shift
      ;;
    --no-model)
      model=false
      shift
      ;;
    *)
      echo "run_studies.sh: unknown argument $1; see --help" >&2
      exit 2
      ;;
  esac
done

out=${out:-runs/$name}
scripts/setup.sh
preset=$(best_preset)
BUILD_TARGET=sightline_programs build_preset "$preset"

runs=()
# The confirmatory design is fixed before it is scored; a run that goes on holds to what was fixed.
frozen="$out/confirmatory_preregistered.json"
mkdir -p "$out"
if [[ $name == studies && ! -e $frozen ]]; then
  "build/$preset/sightline" prereg freeze configs/confirmatory.yaml --out "$frozen"
fi

# The landscape's texts are written by its trials: they are listed, embedded, and read back.
landscape_by_a_model() {
  printf '\n== landscape_bge\n'
  local folder="$out/landscape_texts_bge"
  if [[ ! -e $folder/texts.npy ]]; then
    scripts/setup.sh --embed
    mkdir -p "$folder"
    "build/$preset/sightline" texts configs/landscape.yaml --out "$folder/texts.jsonl"
    .venv/bin/python scripts/embed.py "$folder/texts.jsonl" "$folder/texts.npy" --bge
  fi
  "build/$preset/sightline" sweep configs/landscape_bge.yaml --out "$out/landscape_bge" \
    -s "study.landscape.embeddings=$folder" "${resume[@]}"
  runs+=("$out/landscape_bge")
}

# Adds the scanned building to the worlds of a study that has room for it.
scanned_building() {
  local map=${SIGHTLINE_REFERENCE_DATA:-../shared/data}/octomap_geb079/geb079.bt
  if [[ ! -f $map ]]; then return; fi
  case "$1" in
    render_as_recall) settings+=(-s "study.$1.worlds.building={file: $map}") ;;
    geometry_versions)
      settings+=(-s "study.$1.worlds.building.file=$map"
                 -s "axes.study.$1.world=[village, rooms, clutter, building]")
      ;;
  esac
}

for study in "${studies[@]}"; do
  printf '\n== %s\n' "$study"
  settings=()
  if [[ $study == confirmatory ]]; then settings=(-s "preregistration=$frozen"); fi
  scanned_building "$study"
  "build/$preset/sightline" sweep "configs/$study.yaml" --out "$out/$study" "${settings[@]}" "${resume[@]}"
  runs+=("$out/$study")
done
if [[ $model == true ]]; then landscape_by_a_model; fi
"build/$preset/sightline" report "${runs[@]}" --out "$out/$name.html"
echo
if [[ $name == beyond ]]; then
  "build/$preset/sightline" report "${runs[@]}" --figures "$out/figures"
fi
echo "Report: $(cd "$out" && pwd)/$name.html"
