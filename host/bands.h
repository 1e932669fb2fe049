// Bands: for each query the memories that a list of the k best can hold, or somewhat more, and the
// lists that are made of them. kernels/skyband.h says why. On the CPU.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "host/host_workspace.h"
#include "host/mix_tree.h"
#include "host/top_call.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// What bands are made of.
struct BandSource {
  kernels::Executor executor;
  kernels::BlendView memories;  ///< as they are scored; what lists are made of
  kernels::BlendView compared;  ///< the same, keys in place of the features that the rule says
  kernels::DominanceRule rule;
  std::int64_t num_queries = 0;
  int k = 0;
};

/// Indices of memories, ascending; among them the k kept ones of the lowest indices.
using Band = std::vector<std::int32_t>;

/// The same value for all memories of each query.
bool is_constant(const kernels::FeatureColumn& column, std::int64_t num_queries,
                 std::int64_t num_memories);

/// Standard deviation of each feature, of some of the memories of some of the queries.
std::vector<double> sampled_deviations(const kernels::BlendView& memories,
                                       std::int64_t num_queries);

constexpr int kPivotMixes = 16;

/// Weights of num_mixes mixes whose best dominate many, each adding up to `total` at most: for
/// find_bands() of any of the queries. Features are weighed in units of their ranges.
std::vector<std::int32_t> pivot_weights(const BandSource& of, int num_mixes, double total);
/// The kPivotMixes that find_bands() takes.
std::vector<std::int32_t> pivot_weights(const BandSource& of);

/// Of a piece, so that what its bits and lists take is bounded.
constexpr std::int64_t kQueriesAtOnce = 16;

/// The part of num queries from first on.
BandSource piece_of(const BandSource& of, std::int64_t first, std::int64_t num);

/// Bands of all queries of a piece.
std::vector<Band> find_bands(const BandSource& of, const std::vector<std::int32_t>& of_pivots);

/// Are bands as good as all memories?
bool are_most(const BandSource& of, const std::vector<Band>& bands);

/// Leaves of bands only what fewer than k others dominate.
void thin_bands(const BandSource& of, std::vector<Band>* bands);

/// Lists of many mixes, made of one piece's bands after another's.
class BandLists {
 public:
  /// weights [num_mixes, num_features], for features such as those of `of`.
  BandLists(const BandSource& of, const std::int32_t* weights, std::int64_t num_mixes);

  /// The k best of each mix among the band of each query of a piece: out [num_queries, num_mixes,
  /// k].
  void write(const BandSource& piece, const Band* bands, kernels::Scored* out);

 private:
  MixTree tree_;
  HostWorkspace workspace_;
};

}  // namespace sightline::host
