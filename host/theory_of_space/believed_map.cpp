#include "host/theory_of_space/believed_map.h"

namespace sightline::host::tos {

SpatialMap believed_map(const RevisingBelief& belief, const Briefing& briefing, int node,
                        Heading heading) {
  SpatialMap map;
  for (int item = 0; item < briefing.num_items(); ++item) {
    if (!belief.belief().is_related(item)) continue;
    const bool is_door = item >= briefing.num_objects;
    map.items[briefing.names[static_cast<std::size_t>(item)]] = {
        belief.belief().domain(item).middle(), is_door ? std::nullopt : belief.facing(item),
        is_door};
  }
  const Cell here = node == kStartNode ? Cell{} : belief.belief().domain(node).middle();
  map.agent = MapEntry{here, heading, false};
  return map;
}

}  // namespace sightline::host::tos
