// The public door of recall scoring: quantised features, blended scores, ranks, top-k, gates.
//
// A memory's score for a query under a mix of weights is the sum of weight times feature: relevance
// (cosine), proximity, recency, importance, staleness, up to kMaxFeatures of them; higher is better
// and ties go to the lower index. What Spatial Memory Must Store (2026), section 3.
//
// The same ranks everywhere, by design: features are integers, rint(x 2^feature_bits), half to
// even, |x| <= 1, and weights are integers, so that a sum is exact in whatever order and arithmetic
// it is taken; the cosine is one specified chain of fused multiply-adds, and decays use + - * / and
// sqrt alone (kernels/portable_exp.h). The rules of kernels.h hold here too: views point to host
// memory for Backend::kCpu and to device memory for Backend::kCuda, nothing prints or synchronises,
// inputs are trusted, and with kCuda a call returns once the work is queued.
#pragma once

#include <cstdint>

#include "kernels/executor.h"
#include "kernels/types.h"

namespace sightline::kernels {

constexpr int kMaxFeatures = 8;
constexpr int kDefaultFeatureBits = 18;
constexpr int kMaxFeatureBits = 30;

/// How a part of the score falls from 1 at x = 0; x >= 0, scale > 0 in the unit of x.
enum class DecayForm : std::uint8_t {
  kLinear,       ///< max(0, 1 - x / scale)
  kExponential,  ///< exp(-x / scale)
  kHyperbolic,   ///< 1 / (1 + x / scale)
  kGaussian,     ///< exp(-(x / scale)^2 / 2)
  kStep,         ///< 1 if x <= scale, else 0
  kHalfLife      ///< 2^(-x / scale)
};

struct Decay {
  DecayForm form = DecayForm::kLinear;
  double scale = 1;
};

/// The decay at x, the same bits on every machine. On the host.
double decayed(const Decay& decay, double x);

/// rint(x 2^feature_bits), half to even. |x| <= 1. On the host.
std::int32_t quantised(double x, int feature_bits = kDefaultFeatureBits);

/// The same for a column. values, out [count].
void quantise(const Executor& executor, const double* values, std::int64_t count, int feature_bits,
              std::int32_t* out);

constexpr int kEmbeddingLanes = 16;

/// Embeddings [num_rows, width]: row by row, as the CPU reads them, or packed, as a GPU does: in
/// blocks of kEmbeddingLanes rows, element k of row r at
/// values[(r / lanes * width + k) * lanes + r % lanes], the last block filled up with zeros. Either
/// order gives the same answers, the other one slowly. Any alignment will do; 64 bytes is faster.
struct EmbeddingView {
  const float* values = nullptr;
  std::int64_t num_rows = 0;
  std::int32_t width = 0;
  bool is_packed = false;
};

/// Floats that pack_embeddings() writes.
std::int64_t packed_floats(std::int64_t num_rows, std::int32_t width);

/// Packs rows [num_rows, width], by the threads of `cpu`. Host memory, both.
void pack_embeddings(const Executor& cpu, const float* rows, std::int64_t num_rows,
                     std::int32_t width, float* out);

/// Cosines of unit vectors: one chain of fmaf from zero over ascending k in float, clamped to
/// [-1, 1], quantised. queries [num_queries, width], row by row; out [num_queries, num_rows].
void cosines(const Executor& executor, const EmbeddingView& memories, const float* queries,
             std::int64_t num_queries, int feature_bits, std::int32_t* out,
             const Workspace& workspace = {});
/// What cosines() can use; with less it is several times slower.
std::int64_t cosines_workspace_bytes(const Executor& executor, const EmbeddingView& memories,
                                     std::int64_t num_queries);

/// decayed(distance from centre to anchor): the square root of (dx dx + dy dy) + dz dz, in double,
/// not contracted; quantised. anchors [num_anchors], centres [num_queries]: metres.
/// out [num_queries, num_anchors].
void proximities(const Executor& executor, const Vec3* anchors, std::int64_t num_anchors,
                 const Vec3* centres, std::int64_t num_queries, const Decay& decay,
                 int feature_bits, std::int32_t* out);

/// decayed(max(0, now_s - time_s)), quantised. time_s [num_memories], now_s [num_queries];
/// out [num_queries, num_memories].
void recencies(const Executor& executor, const double* time_s, std::int64_t num_memories,
               const double* now_s, std::int64_t num_queries, const Decay& decay, int feature_bits,
               std::int32_t* out);

// Keys, by which memories are compared for all decays at once: the greater the nearer, or the more
// recent. A key is the negated bits of a float, which ascend as the float does, rounded from the
// square of the distance, or from the age. Between keys that are kKeyGap apart lies a whole cell of
// floats: what they are of differs by more than a 2^26th part, and every decay of it, quantised, is
// in order: for linear, hyperbolic and stepped decays each operation keeps the order, whatever the
// difference; the others take an exponential, whose error is a 2^50th part of it, or of what is
// taken from 1 where that is little. Keys that are the same say nothing, and those that are 1 apart
// may be of neighbouring numbers, of which no proof is made that the exponential keeps their order.
constexpr std::int32_t kKeyGap = 2;

/// Of d2 as in proximities(). out [num_queries, num_anchors]. On the CPU.
void distance_keys(const Executor& executor, const Vec3* anchors, std::int64_t num_anchors,
                   const Vec3* centres, std::int64_t num_queries, std::int32_t* out);

/// Of ages as in recencies(). out [num_queries, num_memories]. On the CPU.
void age_keys(const Executor& executor, const double* time_s, std::int64_t num_memories,
              const double* now_s, std::int64_t num_queries, std::int32_t* out);

/// One quantised feature of all memories: that of memory m for query q is
/// values[q * query_stride + m]. query_stride 0: the same for every query.
struct FeatureColumn {
  const std::int32_t* values = nullptr;
  std::int64_t query_stride = 0;
};

/// What the memories have to be ranked by. No value exceeds 2^feature_bits in absolute value.
struct BlendView {
  FeatureColumn features[kMaxFeatures];
  int num_features = 0;           ///< at least 1
  std::int64_t num_memories = 0;  ///< below 2^31; in the order of ids, for ties
  /// Bits [num_queries, words_of_bits(num_memories)]: memory m of query q takes part if bit m % 64
  /// of word m / 64 of row q is set. Null: all do.
  const std::uint64_t* kept = nullptr;
  int feature_bits = kDefaultFeatureBits;
};

constexpr std::int64_t words_of_bits(std::int64_t num_bits) { return (num_bits + 63) / 64; }

constexpr std::int32_t kNoRank = -1;  ///< of a target that is not kept

/// Rank, 0 the first, of each query's target under each mix: how many kept memories score more, or
/// as much at a lower index. targets [num_queries]: memory indices; weights [num_mixes,
/// num_features], of any sign, |score| below 2^62; out [num_queries, num_mixes].
void target_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const std::int32_t* weights, std::int64_t num_mixes,
                  std::int32_t* out, const Workspace& workspace = {});

/// Bytes of workspace that serve such a call best; 0 on the CPU. With less, ranks and lists are
/// dealt in fewer pieces.
std::int64_t target_ranks_workspace_bytes(const Executor& executor, const BlendView& memories,
                                          std::int64_t num_queries, std::int64_t num_mixes);

constexpr int kMaxTop = 64;
constexpr std::int32_t kNoMemory = -1;
constexpr std::int64_t kNoScore = INT64_MIN;

struct Scored {
  std::int64_t score = kNoScore;
  std::int32_t memory = kNoMemory;
  std::int32_t unused = 0;  ///< always 0: equal answers are equal bytes
};

/// The k best kept memories of each query under each mix, best first; default Scored where fewer
/// are kept. 1 <= k <= kMaxTop; weights as above; out [num_queries, num_mixes, k].
void top_memories(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                  const std::int32_t* weights, std::int64_t num_mixes, int k, Scored* out,
                  const Workspace& workspace = {});

/// As above.
std::int64_t top_memories_workspace_bytes(const Executor& executor, const BlendView& memories,
                                          std::int64_t num_queries, std::int64_t num_mixes, int k);

// Gates: which memories take part, as BlendView::kept. Each call writes every word of
// out_bits [num_queries, words_of_bits(num_anchors)], bits beyond the last anchor as zeros.

/// Keeps anchors with d2 <= radius_m * radius_m, d2 as in proximities(). radius_m >= 0.
void radius_gate(const Executor& executor, const Vec3* anchors, std::int64_t num_anchors,
                 const Vec3* centres, std::int64_t num_queries, double radius_m,
                 std::uint64_t* out_bits);

/// An anchor and the square of its distance, d2 as in proximities().
struct Neighbour {
  double d2 = 0;
  std::int64_t anchor = -1;  ///< -1: there are fewer
};

/// The k nearest anchors of each centre, nearest first, ties to the lower index. k >= 1;
/// out [num_queries, k].
void nearest_anchors(const Executor& executor, const Vec3* anchors, std::int64_t num_anchors,
                     const Vec3* centres, std::int64_t num_queries, std::int64_t k, Neighbour* out);

/// Keeps the anchors named by nearest [num_queries, k], which nearest_anchors() wrote.
void nearest_gate(const Executor& executor, const Neighbour* nearest, std::int64_t num_queries,
                  std::int64_t k, std::int64_t num_anchors, std::uint64_t* out_bits);

enum class GateJoin : std::uint8_t { kAnd, kOr, kAndNot };

/// Joins gates word by word: a and b, a or b, a and not b. a, b, out [num_words]; out may be a or
/// b.
void join_gates(const Executor& executor, GateJoin join, const std::uint64_t* a,
                const std::uint64_t* b, std::int64_t num_words, std::uint64_t* out);

/// A uniform grid over anchors, for batches of queries that each reach few of them. Cell (x, y, z)
/// is number x + dims.x (y + dims.y z) and holds entries first[cell] to first[cell + 1] - 1.
struct AnchorGrid {
  Vec3 origin_m;                          ///< not above any anchor
  double cell_m = 1;                      ///< edge of a cell
  std::int64_t dims[3] = {1, 1, 1};       ///< each at least 1
  const std::int64_t* first = nullptr;    ///< [cells + 1]
  const std::int64_t* anchors = nullptr;  ///< [num_anchors]: their indices, ascending in each cell
  const Vec3* points_m = nullptr;         ///< [num_anchors]: where these are, in the same order
  std::int64_t num_anchors = 0;
};

/// The cell that the grid keeps a point in; points beyond the grid belong to the cells at its edge.
/// The host sorts anchors into cells by it.
std::int64_t anchor_cell(const AnchorGrid& grid, const Vec3& point_m);

/// The same bits as above through the grid.
void radius_gate(const Executor& executor, const AnchorGrid& grid, const Vec3* centres,
                 std::int64_t num_queries, double radius_m, std::uint64_t* out_bits);

/// The same neighbours as above through the grid.
void nearest_anchors(const Executor& executor, const AnchorGrid& grid, const Vec3* centres,
                     std::int64_t num_queries, std::int64_t k, Neighbour* out);

}  // namespace sightline::kernels
