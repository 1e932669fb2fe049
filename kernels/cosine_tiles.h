// Cosines of packed embeddings by tiles, for GPUs: a slot takes kTileRows rows with kTileQueries
// queries, each sum the op's own chain (feature_ops.h), so that an element that is read serves
// eight products.
#pragma once

#include "kernels/feature_ops.h"
#include "kernels/hd.h"
#include "kernels/intrinsics.h"

namespace sightline::kernels {

constexpr int kTileRows = 8;
constexpr int kTileQueries = 8;
static_assert(kEmbeddingLanes % kTileRows == 0, "the rows of a tile lie in one block");

/// Tiles are dealt in squares of kSquare, a block of threads: `query_tiles` of them (a power of
/// two) side by side in queries, the rest in rows. A warp is a part of it that is as near to a
/// square as can be, so that its loads meet in few places.
struct CosineTiling {
  static constexpr int kSquare = 128;
  static constexpr int kWarp = 32;
  static constexpr int kMostQueryTiles = 16;
  static constexpr int kMostWarpQueryTiles = 8;

  std::int64_t num_queries = 0;
  int query_tiles = 1;
  bool writes_by_four = false;  ///< every fourth answer lies at a multiple of 16 bytes

  SL_HD std::int64_t squares_of_queries() const {
    const std::int64_t queries = std::int64_t{query_tiles} * kTileQueries;
    return (num_queries + queries - 1) / queries;
  }
};

/// kByFour: rows and queries are read four elements at a time, which wants 16-byte alignment and a
/// width that is a multiple of four.
template <bool kByFour>
struct CosineTiles {
  Cosines op;
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
    const int query_tile = warp % warps_wide * wide + lane % wide;
    const int row_tile = warp / warps_wide * (CosineTiling::kWarp / wide) + lane / wide;
    const int rows_of_square = CosineTiling::kSquare / tiling.query_tiles * kTileRows;
    const std::int64_t row = square / squares * rows_of_square + row_tile * kTileRows;
    const std::int64_t query = (square % squares * tiling.query_tiles + query_tile) * kTileQueries;
    if (row < op.memories.num_rows && query < tiling.num_queries) run(row, query);
  }

 private:
  static constexpr int kStep = kByFour ? 4 : 1;

  SL_HD void run(std::int64_t first_row, std::int64_t first_query) const {
    const std::int64_t width = op.memories.width;
    const float* row = op.memories.values + embedding_start(first_row, op.memories.width);
    const std::int64_t last = tiling.num_queries - 1 - first_query;
    const float* query[kTileQueries];
    float sum[kTileQueries][kTileRows];
    SL_UNROLL
    for (int q = 0; q < kTileQueries; ++q) {  // beyond the last query, the last again
      query[q] = op.queries + (first_query + (q < last ? q : last)) * width;
      SL_UNROLL
      for (int r = 0; r < kTileRows; ++r) sum[q][r] = 0;
    }
    for (std::int64_t k = 0; k < width; k += kStep) {
      float of_query[kTileQueries][kStep];
      SL_UNROLL
      for (int q = 0; q < kTileQueries; ++q) load(query[q] + k, of_query[q]);
      SL_UNROLL
      for (int step = 0; step < kStep; ++step, row += kEmbeddingLanes) {
        float of_row[kTileRows];
        SL_UNROLL
        for (int r = 0; r < kTileRows; r += kStep) load(row + r, of_row + r);
        SL_UNROLL
        for (int q = 0; q < kTileQueries; ++q) {
          SL_UNROLL
          for (int r = 0; r < kTileRows; ++r) {
            sum[q][r] = std::fmaf(of_query[q][step], of_row[r], sum[q][r]);
          }
        }
      }
    }
    write(sum, first_row, first_query);
  }

  /// kStep elements.
  SL_HD static void load(const float* from, float* to) {
    if constexpr (kByFour) {
      load_four(from, to);
    } else {
      *to = *from;
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
