#include "host/theory_of_space/believed_map.h"

#include "host/theory_of_space/cognitive_map.h"

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

MappedExploration explore_and_map(const Scene& scene, Explorer* explorer,
                                  const EpisodeOptions& options, Profile profile) {
  MappedExploration mapped;
  mapped.exploration = explore(
      scene, explorer, options, profile, [&](const Episode& episode, const RevisingBelief& belief) {
        if (!episode.has_ended()) return;
        mapped.map =
            believed_map(belief, briefing_of(scene), episode.node(), episode.pose().heading);
      });
  return mapped;
}

double map_correctness(const Scene& scene, const Pose& agent, const SpatialMap& map,
                       Profile profile) {
  SpatialMap truth = true_map(scene);
  truth.agent = MapEntry{agent.cell - scene.start.cell, agent.heading, false};
  return score_map(truth, map, map_scale(scene), profile).overall();
}

}  // namespace sightline::host::tos
