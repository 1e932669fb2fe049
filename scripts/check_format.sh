#!/usr/bin/env bash
# Checks the layout of the sources: C++ and CUDA as .clang-format says, no trailing blanks, no tabs,
# and a newline at the end of each text file.
#
#   scripts/check_format.sh          report what differs; exit 1 if anything does
#   scripts/check_format.sh --fix    rewrite it
set -euo pipefail
cd "$(dirname "$0")/.."

fix=false
case "${1:-}" in
  "") ;;
  --fix) fix=true ;;
  -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "check_format.sh: error: unknown argument $1 (try --help)" >&2; exit 2 ;;
esac
if ! command -v clang-format >/dev/null; then
  echo "check_format.sh: error: clang-format is missing (scripts/setup.sh installs it)" >&2
  exit 3
fi

# Files by suffix: those git has or would add; without git, those outside build folders.
list_files() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard
  else
    find . \( -name .git -o -name build -o -name runs -o -name package \) -prune -o -type f -print
  fi | grep -E "$1" | while IFS= read -r file; do [[ -f "$file" ]] && echo "$file"; done | sort
}

mapfile -t sources < <(list_files '\.(h|cpp|cu|cuh)$')
mapfile -t texts < <(list_files '(\.(h|cpp|cu|cuh|in|py|sh|cmake|txt|yaml|json|md)|^\.ci/run)$')
if [[ ${#sources[@]} -eq 0 ]]; then
  echo "check_format.sh: error: no sources found" >&2
  exit 1
fi

if $fix; then
  # Files that are as they should be keep their times, so that nothing is built anew for them.
  clang-format -i "${sources[@]}"
  for file in "${texts[@]}"; do
    if grep -q -P '[ \t]+$' "$file"; then sed -i 's/[ \t]*$//' "$file"; fi
    if [[ -s "$file" && -n "$(tail -c 1 "$file")" ]]; then sed -i '$a\' "$file"; fi
  done
fi

bad=0
clang-format --dry-run --Werror "${sources[@]}" || bad=1
if grep --line-number --with-filename -P '[ \t]+$' "${texts[@]}"; then
  echo "check_format: trailing blanks in the lines above"
  bad=1
fi
if grep --line-number --with-filename -P '\t' "${texts[@]}"; then
  echo "check_format: tabs in the lines above"
  bad=1
fi
for file in "${texts[@]}"; do
  if [[ -s "$file" && -n "$(tail -c 1 "$file")" ]]; then
    echo "$file: no newline at the end"
    bad=1
  fi
done
if [[ $bad -ne 0 ]]; then
  echo "format check: FAILED (scripts/check_format.sh --fix rewrites all but tabs)"
  exit 1
fi
echo "format check: ${#sources[@]} sources, ${#texts[@]} texts, all clean"
