// The one launch site: a grid-stride loop over an op.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/for_each.h"

namespace sightline::kernels {

constexpr int kThreadsPerBlock = 128;

/// Blocks that a multiprocessor has to have registers for: Op::kLeastBlocks, if the op has a wish.
template <class Op, class = void>
struct LeastBlocks : std::integral_constant<int, 1> {};
template <class Op>
struct LeastBlocks<Op, std::void_t<decltype(Op::kLeastBlocks)>>
    : std::integral_constant<int, Op::kLeastBlocks> {};

template <class Op>
__global__ void __launch_bounds__(kThreadsPerBlock, LeastBlocks<Op>::value)
    for_each_kernel(std::int64_t count, const Op op) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    op(i);
  }
}

template <class Op>
void for_each_cuda(void* stream, std::int64_t count, const Op& op) {
  if (count <= 0) return;
  constexpr std::int64_t kMaxBlocks = std::int64_t{1} << 30;
  const std::int64_t blocks =
      std::min(kMaxBlocks, (count + kThreadsPerBlock - 1) / kThreadsPerBlock);
  for_each_kernel<<<static_cast<unsigned>(blocks), kThreadsPerBlock, 0,
                    static_cast<cudaStream_t>(stream)>>>(count, op);
}

}  // namespace sightline::kernels
