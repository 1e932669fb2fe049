// The CPU's loop over an op.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/thread_pool.h"

namespace sightline::kernels {

/// Rays differ in length: small pieces, handed out as threads come free.
constexpr std::int64_t kPiece = 1024;

/// Calls run(begin, end) for pieces that together make up [0, count).
template <class Run>
void for_each_piece(const Executor& executor, std::int64_t count, const Run& run,
                    std::int64_t piece_size = kPiece) {
  const std::int64_t num_pieces = (count + piece_size - 1) / piece_size;
  const auto run_piece = [&](std::int64_t piece) {
    run(piece * piece_size, std::min(count, (piece + 1) * piece_size));
  };
  const int threads =
      static_cast<int>(std::min<std::int64_t>(resolved_threads(executor), num_pieces));
  if (threads <= 1) {
    for (std::int64_t piece = 0; piece < num_pieces; ++piece) run_piece(piece);
    return;
  }
  std::atomic<std::int64_t> next{0};
  work_together(threads, [&] {
    for (std::int64_t piece; (piece = next.fetch_add(1)) < num_pieces;) run_piece(piece);
  });
}

/// Calls run(row, begin, end) for pieces of at most piece_size that together make up [0, length) of
/// each row.
template <class Run>
void for_each_piece_of_rows(const Executor& executor, std::int64_t num_rows, std::int64_t length,
                            std::int64_t piece_size, const Run& run) {
  const std::int64_t pieces = (length + piece_size - 1) / piece_size;
  const auto run_piece = [&](std::int64_t piece, std::int64_t) {
    const std::int64_t begin = piece % pieces * piece_size;
    run(piece / pieces, begin, std::min(length, begin + piece_size));
  };
  for_each_piece(executor, num_rows * pieces, run_piece, 1);
}

template <class Op>
void for_each_cpu(const Executor& executor, std::int64_t count, const Op& op) {
  for_each_piece(executor, count, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) op(i);
  });
}

}  // namespace sightline::kernels
