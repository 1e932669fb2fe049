#include "host/theory_of_space/believed_map.h"

#include <vector>

#include "host/random.h"
#include "host/theory_of_space/cognitive_map.h"

namespace sightline::host::tos {

PlaceChoice PlaceChoice::drawn(std::string_view key) {
  PlaceChoice choice;
  choice.is_drawn_ = true;
  choice.seed_ = stream_of(key);
  return choice;
}

Cell PlaceChoice::operator()(int node, const CellSet& cells) const {
  if (!is_drawn_) return cells.middle();
  constexpr std::uint64_t kStream = stream_of("theory of space: place in a map");
  const std::vector<Cell> all = cells.cells();
  return all[RandomItem(seed_, kStream, static_cast<std::uint64_t>(node)).below(all.size())];
}

SpatialMap believed_map(const RevisingBelief& belief, const Briefing& briefing, int node,
                        Heading heading, const PlaceChoice& choice) {
  SpatialMap map;
  for (int item = 0; item < briefing.num_items(); ++item) {
    if (!belief.belief().is_related(item)) continue;
    const bool is_door = item >= briefing.num_objects;
    map.items[briefing.names[static_cast<std::size_t>(item)]] = {
        choice(item, belief.belief().domain(item)), is_door ? std::nullopt : belief.facing(item),
        is_door};
  }
  const Cell here = node == kStartNode ? Cell{} : choice(node, belief.belief().domain(node));
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
