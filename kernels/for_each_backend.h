// The loop over an op on whatever backend an executor names.
#pragma once

#include <cstdint>

#include "kernels/for_each.h"
#include "kernels/for_each_cpu.h"

namespace sightline::kernels {

template <class Op>
void for_each(const Executor& executor, std::int64_t count, const Op& op) {
  if (executor.backend == Backend::kCuda) {
    for_each_cuda(executor.stream, count, op);
  } else {
    for_each_cpu(executor, count, op);
  }
}

/// Do the vectors of the CPU run what they can?
inline bool uses_vectors(const Executor& executor) {
  return executor.backend == Backend::kCpu && executor.instructions != InstructionSet::kPortable;
}

}  // namespace sightline::kernels
