# shellcheck shell=bash
# Shared by the scripts that build, which source it: configures and builds one preset in build/PRESET.
#
# Environment: SIGHTLINE_CUDA_ARCHITECTURES, "90" or "75;90" (default: of the GPUs here; all, where
# there is none or nvcc is older than one of them);
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

# The preset whose program makes use of all that is here.
best_preset() { if have_nvcc && have_gpu; then echo cuda; else echo cpu; fi; }

# The architectures of the GPUs here, as "80;90"; empty where there is none or nvcc lacks one.
gpu_architectures() {
  local known architecture all=
  known=$(nvcc --list-gpu-arch 2>/dev/null) || return 0
  for architecture in $(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
      tr -d . | sort -nu); do
    grep -qx "compute_$architecture" <<<"$known" || return 0
    all+=${all:+;}$architecture
  done
  echo "$all"
}

# build_preset PRESET [CMAKE_ARGUMENT ...]
build_preset() {
  local preset=$1 architectures=${SIGHTLINE_CUDA_ARCHITECTURES:-}
  shift
  if [[ $preset == cuda && -z "$architectures" ]]; then architectures=$(gpu_architectures); fi
  if [[ -n "$architectures" ]]; then set -- "-DSIGHTLINE_CUDA_ARCHITECTURES=$architectures" "$@"; fi
  cmake --preset "$preset" "$@"
  # shellcheck disable=SC2086  # several targets are several words
  cmake --build --preset "$preset" --target ${BUILD_TARGET:-all} --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
}
