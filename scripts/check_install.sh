#!/usr/bin/env bash
# Installs a build into a new folder and proves that others can use it: each installed header
# compiles alone and names no header of CUDA, FAISS, Eigen or another library, and the program in
# tests/consumer/ builds by find_package and by pkg-config and runs, also after the folder has moved;
# so does the Python module, where it was built.
#
#   scripts/check_install.sh BUILD_DIR
set -euo pipefail
tree=$(cd "$(dirname "$0")/.." && pwd)
readonly tree
case "${1:-}" in
  -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
if [[ $# -ne 1 || ! -r "$1/CMakeCache.txt" ]]; then
  echo "check_install.sh: error: give one build folder (try --help)" >&2
  exit 2
fi
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
prefix=$work/moved
libdir=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$build/CMakeCache.txt")
for file in bin/sightline share/bash-completion/completions/sightline \
  share/zsh/site-functions/_sightline share/sightline/configs/quickstart.yaml \
  "$libdir/cmake/sightline/sightlineConfig.cmake" "$libdir/pkgconfig/sightline.pc"; do
  [[ -s "$prefix/$file" ]] || { echo "check_install.sh: error: no $file" >&2; exit 1; }
done

if compgen -G "$build/python/sightline.*.so" >/dev/null; then
  python=$(sed -n 's/^_\{0,1\}Python_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt" | head -1)
  PYTHONPATH=$(echo "$prefix"/lib/python3*/dist-packages) "$python" -c '
import sightline
world = sightline.World(scene="pilot2")
assert sightline.line_of_sight(world, [2, 1.6, 5], [16, 1.6, 5]) == sightline.HIDDEN'
  echo "python: imported, and ran"
fi

cd "$prefix/include/sightline"
mapfile -t headers < <(find . -name '*.h' | sed 's,^\./,,' | sort)
# Quoted includes are ours; of the others only those of the C++ library and the system remain.
if grep -nE '#include <[^>]*\.(h|hpp|cuh)>|#include <(Eigen|faiss|boost|thrust|cub)/' "${headers[@]}"; then
  echo "check_install.sh: error: the headers above need another library's" >&2
  exit 1
fi
printf '%s\n' "${headers[@]}" | xargs -P "$(nproc)" -I{} \
  g++ -std=c++17 -fsyntax-only -Wall -Wextra -Wno-unknown-pragmas -Werror -I . -include {} -x c++ /dev/null
echo "headers: ${#headers[@]} compile alone"

cmake -S "$tree/tests/consumer" -B "$work/by_cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/by_cmake" >/dev/null
LD_LIBRARY_PATH=$prefix/$libdir "$work/by_cmake/consumer" "$work/run_by_cmake"
echo "find_package: built and ran"

export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
read -ra flags < <(pkg-config --cflags --libs sightline)
g++ -std=c++17 "$tree/tests/consumer/consumer.cpp" -o "$work/by_pkg_config" "${flags[@]}"
LD_LIBRARY_PATH=$prefix/$libdir "$work/by_pkg_config" "$work/run_by_pkg_config"
echo "pkg-config: built and ran"
