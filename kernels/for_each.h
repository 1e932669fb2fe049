// The two loops over an op, and the choice between them.
//
// CPU: OpenMP, or std::thread where OpenMP would hide races from the thread sanitizer.
// CUDA: one kernel launch, in for_each.cuh; here only its declaration, so that this file needs no
// CUDA compiler. kernels_cuda.cu instantiates it for every op; kernels_no_cuda.cpp stands in for it
// in a build without CUDA.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::kernels {

/// Rays differ in length: small pieces, handed out as threads come free.
constexpr std::int64_t kPiece = 1024;

template <class Op>
void for_each_cpu(const Executor& executor, std::int64_t count, const Op& op) {
  const std::int64_t num_pieces = (count + kPiece - 1) / kPiece;
  const auto run_piece = [&](std::int64_t piece) {
    const std::int64_t end = std::min(count, (piece + 1) * kPiece);
    for (std::int64_t i = piece * kPiece; i < end; ++i) op(i);
  };
  const int threads =
      static_cast<int>(std::min<std::int64_t>(resolved_threads(executor), num_pieces));
  if (threads <= 1) {
    for (std::int64_t piece = 0; piece < num_pieces; ++piece) run_piece(piece);
    return;
  }
#if defined(SIGHTLINE_STD_THREADS)
  std::atomic<std::int64_t> next{0};
  const auto work = [&] {
    for (std::int64_t piece; (piece = next.fetch_add(1)) < num_pieces;) run_piece(piece);
  };
  std::vector<std::thread> pool;
  for (int k = 1; k < threads; ++k) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
#else
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t piece = 0; piece < num_pieces; ++piece) run_piece(piece);
#endif
}

/// Queues op(i) for all i < count on a cudaStream_t.
template <class Op>
void for_each_cuda(void* stream, std::int64_t count, const Op& op);

template <class Op>
void for_each(const Executor& executor, std::int64_t count, const Op& op) {
  if (executor.backend == Backend::kCuda) {
    for_each_cuda(executor.stream, count, op);
  } else {
    for_each_cpu(executor, count, op);
  }
}

}  // namespace sightline::kernels
