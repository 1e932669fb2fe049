// Memories that no list of the k best can hold, whatever the weights: what dominance decides.
//
// Let a and b be kept memories of a query. With weights >= 0, not all of them 0, a comes before b
// under every mix if and only if
//   (1) every feature of a exceeds that of b, or
//   (2) every feature of a is at least that of b, and a's index is the lower one.
// If: the scores differ by the sum of w_f (a_f - b_f), which no term makes negative. Under (1) one
// weight that is not 0 makes it positive, under (2) a tie goes to the lower index. Only if: a mix
// with all its weight on feature f puts b first where b_f > a_f, and, if b's index is the lower
// one, where b_f = a_f too.
// This order is transitive, and so a memory that k others dominate has k dominators which fewer
// than k dominate: it suffices to look for those among memories that are left. What fewer than k
// dominate is the k-skyband; it, or any larger set, has the same k best, in the same order.
//
// A feature whose weights are all <= 0 is compared the other way round (both signs change). One
// that is the same for all kept memories, or has no weight, may be left out of the comparison: it
// adds the same to every score. But then a mix with all its weight on such features ties all
// memories, as one without any weight does, and its k best are those of the lowest indices; they
// belong to the set, dominated or not. Mixes with weights of both signs on one feature do not share
// a set: host/fast_top.h makes one for each group of mixes that agree in their signs.
//
// Dominance between quantised features, which tie where distances do not, holds for the scale of
// distance that they were made with. For all scales at once, compare keys (recall.h) in their
// place: let a's key be at least kKeyGap above b's. The proximity of a, quantised, is then at least
// b's at every scale and in every form, though it may be as much: at a small scale both are 0. So
// (2) holds as it stands, and (1) where a weight that is not 0 meets a feature compared by itself.
// Hence "exceeds" asks nothing more of a key than its gap, one feature at least is compared by
// itself, and mixes without weight on any such feature, all of it on keys or on what is not
// compared, do not share the set: theirs may hold b and not a, where both tie and b's index is the
// lower one. The order is still transitive: where a precedes b and b precedes c, features compared
// by themselves are a's >= b's >= c's, all of them with a > in place of one >= if either step is by
// (1), and by ascending indices if neither is; a's key is 2 gaps above c's. It is the gap that lets
// nothing precede itself, and leaves memories of nearly or exactly the same distance in no order.
#pragma once

#include <cstdint>

#include "kernels/recall.h"

namespace sightline::kernels {

/// How features are compared: 1: more is better, -1: less is, 0: not compared. A dominator's is
/// better by at least `least`: 0, or kKeyGap for a key. One that is compared has a least of 0.
struct DominanceRule {
  std::int8_t direction[kMaxFeatures] = {};
  std::int32_t least[kMaxFeatures] = {};
};

constexpr std::int64_t kMaxPivots = 512;

/// Leaves out the memories that at least k of the query's pivots dominate: out_bits [num_queries,
/// words_of_bits(num_memories)], bits of the others that are kept. pivots [num_queries,
/// num_pivots]: kept memories, none of them twice, or kNoMemory; what most are dominated by, first.
/// num_pivots <= kMaxPivots. CPU only; a GPU has mark_bands() of band_columns.h.
void drop_dominated(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                    const DominanceRule& rule, const std::int32_t* pivots, std::int64_t num_pivots,
                    int k, std::uint64_t* out_bits);

/// A memory and the sum of what is compared of it, keys in coarser units: no dominator's is below.
struct BandMember {
  std::int64_t strength = 0;
  std::int32_t memory = kNoMemory;
  std::int32_t unused = 0;
};

/// Bands to be thinned, one per query: members[first[q]] to members[first[q + 1] - 1]; first[0] is
/// 0.
struct BandMembersView {
  const std::int64_t* first = nullptr;  ///< [num_queries + 1]
  BandMember* members = nullptr;
};

/// Values that thin_bands() takes as scratch.
constexpr std::int64_t band_scratch_values(std::int64_t num_members, std::int64_t num_queries,
                                           int num_features) {
  return (num_members + num_queries * 64) * (num_features + 1);
}

/// Leaves out the members of each query's band that at least k members dominate. `memory` of each
/// member is set, nothing else; on return the first num_left[q] of a band are those left, by
/// ascending index. A band that would take more than most_tests comparisons of two members is
/// thinned as far as these reach, strongest first: what is left is more, and as good. CPU only;
/// scratch [band_scratch_values()].
void thin_bands(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                const DominanceRule& rule, int k, std::int64_t most_tests,
                const BandMembersView& bands, std::int32_t* scratch, std::int64_t* num_left);

}  // namespace sightline::kernels
