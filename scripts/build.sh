# shellcheck shell=bash
# Shared by run.sh and test.sh, which source it: configures and builds one preset in build/PRESET.
#
# Environment: SIGHTLINE_CUDA_ARCHITECTURES, "90" or "75;90" (default: all);
# CMAKE_BUILD_PARALLEL_LEVEL (default: all cores); BUILD_TARGET, what to build (default: everything).

if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
  PATH=$PATH:/usr/local/cuda/bin
fi

# What one preset has compiled, the next takes from the cache: cpu and cuda share nearly all. So does
# another clone, as paths below the tree count from the build folder.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
  export CCACHE_BASEDIR=${CCACHE_BASEDIR-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1}
  # Without these it takes nothing that is compiled with precompiled headers.
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros}
  export CCACHE_PCH_EXTSUM=${CCACHE_PCH_EXTSUM-1}   # see scripts/cmake/sightline_targets.cmake
fi

have_nvcc() { command -v nvcc >/dev/null; }

have_gpu() { nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }

# build_preset PRESET [CMAKE_ARGUMENT ...]
build_preset() {
  local preset=$1
  shift
  if [[ -n "${SIGHTLINE_CUDA_ARCHITECTURES:-}" ]]; then
    set -- "-DSIGHTLINE_CUDA_ARCHITECTURES=$SIGHTLINE_CUDA_ARCHITECTURES" "$@"
  fi
  cmake --preset "$preset" "$@"
  # shellcheck disable=SC2086  # several targets are several words
  cmake --build --preset "$preset" --target ${BUILD_TARGET:-all} --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
}
