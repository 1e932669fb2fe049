// The k best under many mixes among some thousand memories: mixes in boxes of nearby weights, and
// boxes within boxes. What can be in no list of a box is not looked at within it.
//
// Let the weights of a box be w_f = c_f + e_f, |e_f| <= h_f: its centre and half its widths. Memory
// r beats m under every mix of the box if
//   sum c_f (r_f - m_f) > sum h_f |r_f - m_f|,
// as the sum of w_f (r_f - m_f) is then above 0. A memory that k others beat so can be in no list
// of the box, whatever the signs of the weights. Those others are sought among the best under c.
//
// A box says of each weight what it can be, but not that weights add up to the same under all
// mixes, as they often do. With D_f = r_f - m_f and any one feature g,
//   sum w_f D_f = (sum w_f) D_g + sum over f != g of w_f (D_f - D_g),
// so that features less g, and g itself with the sum as its weight, have the same scores, and
// boxes that know the sum; they are narrower, the less g varies between memories.
#pragma once

#include <cstdint>

#include "kernels/recall.h"

namespace sightline::kernels {

/// Mixes side by side in a tree's order, and the weights that hold them all: those of
/// MixTreeView::subtracted are sums.
struct MixBox {
  std::int32_t first_mix = 0, num_mixes = 0;
  std::int32_t halves = 0;  ///< of its two halves, one beside the other, the first; 0: not halved
  float centre[kMaxFeatures] = {};
  float half_width[kMaxFeatures] = {};
};

struct MixTreeView {
  const MixBox* boxes = nullptr;
  const std::int32_t* roots = nullptr;    ///< [num_roots]: boxes that hold each mix once
  const std::int32_t* weights = nullptr;  ///< [num_mixes, num_features], in the tree's order
  const std::int32_t* places = nullptr;   ///< [num_mixes]: of mixes in the caller's order
  std::int32_t num_roots = 0;
  std::int32_t num_mixes = 0;
  int num_features = 0;
  int subtracted = -1;  ///< feature that the others are taken less; -1: none
};

/// Memories of each query, ascending: members[first[q]] to members[first[q + 1] - 1]; first[0] is
/// 0.
struct BandsView {
  const std::int64_t* first = nullptr;  ///< [num_queries + 1]
  const std::int32_t* members = nullptr;
};

/// As top_memories() of recall.h, among the members of each query's band, and whatever
/// `memories.kept` says: out [num_queries, num_mixes, k] in the caller's order of mixes. CPU only;
/// the workspace is one of band_tops_workspace_bytes().
void band_tops(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
               const BandsView& bands, const MixTreeView& mixes, int k, Scored* out,
               const Workspace& workspace);

std::int64_t band_tops_workspace_bytes(const Executor& executor, const BlendView& memories,
                                       std::int64_t num_queries, const BandsView& bands,
                                       const MixTreeView& mixes, int k);

}  // namespace sightline::kernels
