#!/usr/bin/env bash
# Makes a folder, and a tar of it, that runs on any Debian 12 with nothing installed: program, tests,
# benchmarks, sweep files, the reference maps that the tests read, and every shared library but
# glibc. Needs nvcc: it is made for machines with a GPU, and runs on those without.
#
#   scripts/package.sh [--arch N]... [--data DIR] [CMAKE_ARGUMENT ...]
#
#   --arch N         GPU architecture to compile for; may be repeated (default 90)
#   --data DIR       reference data (default SIGHTLINE_REFERENCE_DATA, else ../shared/data)
#   CMAKE_ARGUMENT   passed on, e.g. -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
#
# Writes package/sightline-VERSION-cudaN/ and package/sightline-VERSION-cudaN.tar.gz. In the folder,
# scripts/run_tests.sh runs the tests and scripts/gpu_check.sh measures a GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/build.sh

# Of the archive: what some clusters allow to be sent.
readonly max_bytes=$((48 << 20))
# What the tests and benchmarks read of the reference data; scripts/check_package.sh tells if a file
# is missing here.
readonly data_files=(octomap_geb079/geb079.bt octomap_geb079/LICENSE.txt)
# Parts of glibc, which belongs to the system and fits its loader.
readonly glibc='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|mvec|anl|BrokenLocale|nss_.*))\.so'

error() { echo "package.sh: error: $1" >&2; exit "$2"; }

architectures=()
data=${SIGHTLINE_REFERENCE_DATA:-../shared/data}
while [[ $# -gt 0 ]]; do
  case "$1" in
    --arch | --data)
      [[ $# -ge 2 ]] || error "$1 needs a value" 2
      if [[ $1 == --arch ]]; then architectures+=("$2"); else data=$2; fi
      shift 2
      ;;
    -h | --help) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -D*) break ;;
    *) error "unknown argument $1 (try --help)" 2 ;;
  esac
done
[[ ${#architectures[@]} -ne 0 ]] || architectures=(90)
for architecture in "${architectures[@]}"; do
  [[ $architecture =~ ^[0-9]+[a-z]?$ ]] || error "--arch $architecture is no architecture (90)" 2
done
for file in "${data_files[@]}"; do
  [[ -r "$data/$file" ]] || error "no $data/$file, which the tests read (--data DIR)" 2
done
have_nvcc || error "no nvcc, which compiles for the GPU (install the CUDA toolkit)" 3
SIGHTLINE_CUDA_ARCHITECTURES=$(IFS=';'; echo "${architectures[*]}")

scripts/setup.sh --package
build_preset package "$@"
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' build/package/CMakeCache.txt)
name=sightline-$version-cuda$(IFS=-; echo "${architectures[*]}")
folder=$PWD/package/$name

install_build() {
  rm -rf "$folder"
  mkdir -p "$folder"
  local component
  for component in program tests; do
    cmake --install build/package --prefix "$folder" --component "$component" --strip >/dev/null
  done
  ln -s share/sightline/configs "$folder/configs"
  ln -s share/doc/sightline/README.md "$folder/README.md"
  install -D -m 755 -t "$folder/scripts" scripts/run_tests.sh scripts/gpu_check.sh \
    scripts/bench_torch.py
  local file
  for file in "${data_files[@]}"; do
    install -D -m 644 "$data/$file" "$folder/data/$file"
  done
}

# Where BLAS and LAPACK are needed, Debian's reference ones stand in for OpenBLAS, which alone is
# 36 MB.
list_libraries() {
  local debian
  debian=/usr/lib/$(gcc -print-multiarch)
  find "$folder/bin" "$folder/tests" "$folder/lib" -type f -exec \
    env LD_LIBRARY_PATH="$folder/lib:$debian/blas:$debian/lapack" ldd {} + |
    sed -nE 's/^\s+(\S+) => (\/\S+|not found).*/\1 \2/p' | sort -u
}

# ldd tells of what libraries need in turn, so one round finds everything.
add_libraries() {
  local library path
  while read -r library path; do
    if [[ $library =~ $glibc || $path == "$folder"/* ]]; then continue; fi
    [[ $path == /* ]] || error "$library is not found" 1
    install -m 644 "$(realpath "$path")" "$folder/lib/$library"
    strip --strip-unneeded "$folder/lib/$library"
  done < <(list_libraries)
}

write_facts() {
  local revision dirty=false
  revision=$(git rev-parse --verify HEAD 2>/dev/null || echo unknown)
  [[ -z $(git status --porcelain 2>/dev/null) ]] || dirty=true
  printf '{"name": "%s", "revision": "%s", "modified": %s, "cuda_architectures": "%s"}\n' \
    "$name" "$revision" "$dirty" "${architectures[*]}" >"$folder/package.json"
}

install_build
add_libraries
write_facts
tar -C package --create --gzip --file "$folder.tar.gz" --sort=name --owner=0 --group=0 \
  --numeric-owner "$name"
bytes=$(stat -c %s "$folder.tar.gz")
[[ $bytes -le $max_bytes ]] || error "$folder.tar.gz has $bytes bytes, more than $max_bytes" 1
echo "$folder: $(($(du --summarize --bytes "$folder" | cut -f1) >> 10)) KiB"
echo "$folder.tar.gz: $((bytes >> 10)) KiB"
