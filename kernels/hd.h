// Lets one function body compile for host and device. The only macro file of kernels/.
#pragma once

#if defined(__CUDACC__)
#define SL_HD __host__ __device__
#define SL_UNROLL _Pragma("unroll")
#else
#define SL_HD
#define SL_UNROLL  // before loops over arrays that a GPU has to keep in registers
#endif

#if !defined(NDEBUG) && !defined(__CUDA_ARCH__)
#include <cassert>
#define SL_ASSERT(condition) assert(condition)
#else
#define SL_ASSERT(condition) ((void)0)
#endif
