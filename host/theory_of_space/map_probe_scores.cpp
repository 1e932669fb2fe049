#include "host/theory_of_space/map_probe_scores.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "host/random.h"
#include "host/theory_of_space/cognitive_map.h"
#include "host/theory_of_space/map_stability.h"
#include "host/theory_of_space/task_scorers.h"

namespace sightline::host::tos {
namespace {

void add(const std::string& name, const MapScore& score, TurnScores* scores) {
  (*scores)[name + " direction"].push_back(score.direction);
  (*scores)[name + " facing"].push_back(score.facing);
  (*scores)[name + " position"].push_back(score.position);
  (*scores)[name + " overall"].push_back(score.overall());
}

void add_if(const std::string& name, const std::optional<double>& value, TurnScores* scores) {
  if (value) (*scores)[name].push_back(*value);
}

std::set<std::string> names_of(const Scene& scene, std::uint64_t items) {
  std::set<std::string> names;
  for (; items != 0; items &= items - 1) names.insert(scene.name_of(__builtin_ctzll(items)));
  return names;
}

/// Nothing for a map that was not told: an empty one would be right where there is nothing to tell.
MapScore told(bool is_told, const MapScore& score) { return is_told ? score : MapScore{}; }

void add_stability(const Scene& scene, const LivedTurn& turn, const SpatialMap& earlier,
                   const ProbedMaps& maps, TurnScores* scores) {
  MapStability stability =
      map_stability(true_map(scene), earlier, *maps.global, names_of(scene, turn.in_view));
  for (std::optional<double>* part : {&stability.position_update, &stability.facing_update,
                                      &stability.position_stability, &stability.facing_stability}) {
    if (*part && !maps.has_global) *part = 0;
  }
  add_if("map update position", stability.position_update, scores);
  add_if("map update facing", stability.facing_update, scores);
  add_if("map stability position", stability.position_stability, scores);
  add_if("map stability facing", stability.facing_stability, scores);
}

}  // namespace

void score_probed_maps(const Scene& scene, const LivedTurn& turn, const ProbedMaps& maps,
                       const std::optional<SpatialMap>& earlier, bool is_last, TurnScores* scores) {
  const MapContext context{scene, turn.truth.pose, turn.seen, turn.in_view, turn.first_seen};
  const MapScores maps_score =
      score_maps(context, maps.global.value_or(SpatialMap{}), maps.local.value_or(SpatialMap{}));
  if (maps.global) {
    const bool is_told = maps.has_global;
    add("map so far", told(is_told, maps_score.update), scores);
    add("map self-tracking", told(is_told, maps_score.tracking), scores);
    if (is_last) add("map correctness", told(is_told, maps_score.correctness), scores);
    if (earlier) add_stability(scene, turn, *earlier, maps, scores);
  }
  const bool is_told = maps.has_local;
  if (maps.local && maps_score.local) add("local map", told(is_told, *maps_score.local), scores);
  if (maps.local && maps_score.perception) {
    add("perception", told(is_told, *maps_score.perception), scores);
  }
  if (maps.local && maps.global && maps_score.local_and_global) {
    add("local and global map", told(is_told && maps.has_global, *maps_score.local_and_global),
        scores);
  }
}

std::vector<std::pair<std::string, std::string>> drawn_pairs(const Scene& scene, std::uint64_t seen,
                                                             std::uint64_t seed,
                                                             std::uint64_t number) {
  constexpr std::size_t kMost = 3;
  constexpr std::uint64_t kStream = stream_of("theory of space: relations");
  const std::set<std::string> names = names_of(scene, seen);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (auto a = names.begin(); a != names.end(); ++a) {
    for (auto b = std::next(a); b != names.end(); ++b) pairs.emplace_back(*a, *b);
  }
  RandomItem random(seed, kStream, number);
  shuffle(&pairs, &random);
  pairs.resize(std::min(pairs.size(), kMost));
  return pairs;
}

double score_relations(const SpatialMap& map,
                       const std::vector<std::pair<std::string, std::string>>& pairs,
                       const std::vector<std::string>& told) {
  double sum = 0;
  for (std::size_t i = 0; i < pairs.size() && i < told.size(); ++i) {
    const auto a = map.items.find(pairs[i].first), b = map.items.find(pairs[i].second);
    if (a == map.items.end() || b == map.items.end()) continue;
    const Cell offset = a->second.cell - b->second.cell;
    sum += score_direction_distance(told[i], name_of(cardinal_bin(offset)),
                                    name_of(distance_bin(offset)));
  }
  return pairs.empty() ? 0 : sum / static_cast<double>(pairs.size());
}

}  // namespace sightline::host::tos
