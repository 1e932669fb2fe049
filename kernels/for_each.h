// The launch of an op on the GPU, as a declaration that needs no CUDA compiler. for_each.cuh
// defines it and kernels_cuda.cu instantiates it for every op; kernels_no_cuda.cpp stands in for it
// in a build without CUDA.
#pragma once

#include <cstdint>

namespace sightline::kernels {

/// Queues op(i) for all i < count on a cudaStream_t.
template <class Op>
void for_each_cuda(void* stream, std::int64_t count, const Op& op);

}  // namespace sightline::kernels
