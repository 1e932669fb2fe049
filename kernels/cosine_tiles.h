// Cosines of packed embeddings by tiles, for GPUs: a slot takes kTileRows rows with kTileQueries
// queries, each sum the op's own chain (feature_ops.h), so that an element that is read serves
// eight products. Queries are packed as rows are: what the slots of a warp read of an element lies
// in few cache lines, of which a multiprocessor's nearest cache gives one at a time.
#pragma once

#include "kernels/feature_ops.h"
#include "kernels/hd.h"
#include "kernels/intrinsics.h"

namespace sightline::kernels {

constexpr int kTileRows = 8;
constexpr int kTileQueries = 8;
static_assert(kEmbeddingLanes % kTileRows == 0, "the rows of a tile lie in one block");

/// Queries in a block of packed ones: what four tiles read of an element is a cache line.
constexpr int kQueryLanes = 4 * kTileQueries;

inline std::int64_t packed_query_floats(std::int64_t num_queries, std::int32_t width) {
  return (num_queries + kQueryLanes - 1) / kQueryLanes * kQueryLanes * width;
}

/// Tiles are dealt in squares of kSquare, a block of threads: `query_tiles` of them (a power of
/// two) side by side in queries, the rest in rows. A warp is a part of it that is as near to a
/// square as can be. A load of 16 bytes is carried out for eight lanes at a time, in as many turns
/// as they meet cache lines: four tiles side by side in queries, by two in rows, meet one.
struct CosineTiling {
  static constexpr int kSquare = 128;
  static constexpr int kWarp = 32;
  static constexpr int kMostQueryTiles = 16;
  static constexpr int kMostWarpQueryTiles = 8;
  static constexpr int kLineTiles = 4;     ///< of queries
  static constexpr int kTogetherRows = 2;  ///< tiles

  std::int64_t num_queries = 0;
  int query_tiles = 1;
  bool writes_by_four = false;  ///< every fourth answer lies at a multiple of 16 bytes

  SL_HD std::int64_t squares_of_queries() const {
    const std::int64_t queries = std::int64_t{query_tiles} * kTileQueries;
    return (num_queries + queries - 1) / queries;
  }
};

/// Slot i is float i of the packed queries; the last block is filled up with zeros.
struct PackQueries {
  const float* queries;  ///< [num_queries, width]
  std::int64_t num_queries;
  std::int32_t width;
  float* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t block = i / (std::int64_t{kQueryLanes} * width);
    const std::int64_t k = i / kQueryLanes % width;
    const std::int64_t query = block * kQueryLanes + i % kQueryLanes;
    out[i] = query < num_queries ? queries[query * width + k] : 0;
  }
};

/// kByFour: what lies side by side is read in fours, which wants 16-byte alignment.
template <bool kByFour>
struct CosineTiles {
  static constexpr int kLeastBlocks = 3;  ///< as for_each.cuh has it

  Cosines op;            ///< its `queries` are not read
  const float* queries;  ///< packed
  CosineTiling tiling;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t squares = tiling.squares_of_queries();
    const std::int64_t square = i / CosineTiling::kSquare;
    const int tile = static_cast<int>(i % CosineTiling::kSquare);
    const int warp = tile / CosineTiling::kWarp, lane = tile % CosineTiling::kWarp;
    const int wide = tiling.query_tiles < CosineTiling::kMostWarpQueryTiles
                         ? tiling.query_tiles
                         : CosineTiling::kMostWarpQueryTiles;
    const int warps_wide = tiling.query_tiles / wide;
    const int of_line = wide < CosineTiling::kLineTiles ? wide : CosineTiling::kLineTiles;
    const int rest = lane / of_line, lines = wide / of_line;
    const int query_in_warp = rest / CosineTiling::kTogetherRows % lines * of_line + lane % of_line;
    const int row_in_warp =
        rest / CosineTiling::kTogetherRows / lines * CosineTiling::kTogetherRows +
        rest % CosineTiling::kTogetherRows;
    const int query_tile = warp % warps_wide * wide + query_in_warp;
    const int row_tile = warp / warps_wide * (CosineTiling::kWarp / wide) + row_in_warp;
    const int rows_of_square = CosineTiling::kSquare / tiling.query_tiles * kTileRows;
    const std::int64_t row = square / squares * rows_of_square + row_tile * kTileRows;
    const std::int64_t query = (square % squares * tiling.query_tiles + query_tile) * kTileQueries;
    if (row < op.memories.num_rows && query < tiling.num_queries) run(row, query);
  }

 private:
  static constexpr int kStepsTogether = 4;

  SL_HD void run(std::int64_t first_row, std::int64_t first_query) const {
    const std::int32_t width = op.memories.width;
    const float* row = op.memories.values + embedding_start(first_row, width);
    const float* query = queries + packed_start<kQueryLanes>(first_query, width);
    float sum[kTileQueries][kTileRows];
    SL_UNROLL
    for (int q = 0; q < kTileQueries; ++q) {
      SL_UNROLL
      for (int r = 0; r < kTileRows; ++r) sum[q][r] = 0;
    }
    const auto take = [&](int step) {
      float of_query[kTileQueries], of_row[kTileRows];
      load(query + step * kQueryLanes, of_query);
      load(row + step * kEmbeddingLanes, of_row);
      SL_UNROLL
      for (int q = 0; q < kTileQueries; ++q) {
        SL_UNROLL
        for (int r = 0; r < kTileRows; ++r) {
          sum[q][r] = std::fmaf(of_query[q], of_row[r], sum[q][r]);
        }
      }
    };
    std::int32_t k = 0;
    for (; k + kStepsTogether <= width; k += kStepsTogether) {
      SL_UNROLL
      for (int step = 0; step < kStepsTogether; ++step) take(step);
      query += kStepsTogether * kQueryLanes;
      row += kStepsTogether * kEmbeddingLanes;
    }
    for (; k < width; ++k) {
      take(0);
      query += kQueryLanes;
      row += kEmbeddingLanes;
    }
    write(sum, first_row, first_query);
  }

  /// The eight values of an element.
  SL_HD static void load(const float* from, float (&to)[8]) {
    if constexpr (kByFour) {
      load_four(from, to);
      load_four(from + 4, to + 4);
    } else {
      SL_UNROLL
      for (int j = 0; j < 8; ++j) to[j] = from[j];
    }
  }

  SL_HD void write(const float (&sum)[kTileQueries][kTileRows], std::int64_t row,
                   std::int64_t query) const {
    const std::int64_t num_rows = op.memories.num_rows;
    SL_UNROLL
    for (int q = 0; q < kTileQueries; ++q) {
      if (query + q >= tiling.num_queries) continue;
      std::int32_t* const out = op.out + (query + q) * num_rows + row;
      SL_UNROLL
      for (int r = 0; r < kTileRows; r += 4) {
        std::int32_t values[4];
        SL_UNROLL
        for (int j = 0; j < 4; ++j) values[j] = quantised_cosine(sum[q][r + j], op.feature_bits);
        if (tiling.writes_by_four) {
          if (row + r < num_rows) store_four(values, out + r);
          continue;
        }
        SL_UNROLL
        for (int j = 0; j < 4; ++j) {
          if (row + r + j < num_rows) out[r + j] = values[j];
        }
      }
    }
  }
};

}  // namespace sightline::kernels
