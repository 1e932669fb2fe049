#include "host/banded_top.h"

#include <algorithm>

#include "host/bands.h"

namespace sightline::host {

using kernels::BlendView;
using kernels::DominanceRule;

void banded_top_memories(const TopCall& call, const DominanceRule& rule) {
  const BlendView& memories = call.memories;
  BandSource source{call.executor, memories, memories, rule, call.num_queries, call.k};
  bool any = false;
  for (int f = 0; f < memories.num_features; ++f) {
    if (is_constant(memories.features[f], call.num_queries, memories.num_memories)) {
      source.rule.direction[f] = 0;
    }
    any = any || source.rule.direction[f] != 0;
  }
  if (!any || memories.num_memories == 0) return scan_top_memories(call);
  const std::vector<std::int32_t> of_pivots = pivot_weights(source);
  BandLists best(source, call.weights, call.num_mixes);
  for (std::int64_t first = 0; first < call.num_queries; first += kQueriesAtOnce) {
    call.check_stop();
    const std::int64_t count = std::min(kQueriesAtOnce, call.num_queries - first);
    const BandSource piece = piece_of(source, first, count);
    kernels::Scored* const lists = call.out + first * call.num_mixes * call.k;
    const std::vector<Band> bands = find_bands(piece, of_pivots);
    if (are_most(piece, bands)) {
      kernels::top_memories(call.executor, piece.memories, count, call.weights, call.num_mixes,
                            call.k, lists);
      continue;
    }
    call.check_stop();
    best.write(piece, bands.data(), lists);
  }
}

}  // namespace sightline::host
