// Where a kernel runs: backend, threads, stream, instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sightline::kernels {

enum class Backend : std::uint8_t { kCpu, kCuda };

/// What the vectors of the CPU are made of. The answers are the same, bit for bit.
enum class InstructionSet : std::uint8_t {
  kBest,      ///< the best that the machine has
  kPortable,  ///< none: the ops run one by one, on a GPU too
  kAvx2,      ///< AVX2 with FMA
  kAvx512     ///< AVX-512 F, BW, CD, DQ and VL
};

/// Where to run. `stream` is a cudaStream_t. `num_threads` <= 0 means as many as the environment
/// variable OMP_NUM_THREADS says, or all cores. `instructions` must be a set that
/// has_instruction_set(). On a GPU `num_threads` is ignored, and `instructions` matters only if it
/// is kPortable.
struct Executor {
  Backend backend = Backend::kCpu;
  int num_threads = 0;
  void* stream = nullptr;
  InstructionSet instructions = InstructionSet::kBest;
};

/// Memory of the executor that a call may write until its work is done, aligned to kAlignment. With
/// less than a function says that it can use, a call is slower, and none is allowed. The same
/// answers.
struct Workspace {
  static constexpr std::size_t kAlignment = 256;
  void* data = nullptr;
  std::int64_t num_bytes = 0;
};

/// CPU threads that an executor uses.
int resolved_threads(const Executor& executor);

/// Do this build and this CPU have the instruction set?
bool has_instruction_set(InstructionSet set);

/// The instruction set that the vectors use when asked for `set`, such as "AVX3"; "scalar" if none.
const char* vector_target(InstructionSet set = InstructionSet::kBest);

/// Was this build compiled with CUDA?
bool built_with_cuda();

/// Was it compiled for the GPU that the calling thread works on? And for which architectures: as
/// nvcc lists them, "750,900"; empty without CUDA.
bool built_for_gpu();
const char* gpu_architectures();

}  // namespace sightline::kernels
