#include "host/theory_of_space/cognitive_map.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline::host::tos {
namespace {

/// A thing of the truth and what was predicted of it.
struct Match {
  std::string_view name;
  const MapEntry* truth;
  const MapEntry* predicted;  ///< null: nothing
};

std::vector<Match> matches(const SpatialMap& truth, const SpatialMap& predicted) {
  std::vector<Match> all;
  all.reserve(truth.items.size() + 2);
  auto other = predicted.items.begin();
  for (const auto& [name, entry] : truth.items) {
    while (other != predicted.items.end() && other->first < name) ++other;
    const bool is_there = other != predicted.items.end() && other->first == name;
    all.push_back({name, &entry, is_there ? &other->second : nullptr});
  }
  if (truth.agent) {
    all.push_back({"agent", &*truth.agent, predicted.agent ? &*predicted.agent : nullptr});
  }
  return all;
}

double position_score(const std::vector<Match>& things, double scale) {
  if (things.empty()) return 1;
  std::int64_t squared = 0, matched = 0;
  for (const Match& thing : things) {
    if (thing.predicted == nullptr) continue;
    squared += squared_length(thing.predicted->cell - thing.truth->cell);
    ++matched;
  }
  if (matched == 0) return 0;
  const double error = std::sqrt(static_cast<double>(squared) / static_cast<double>(matched));
  const double share = static_cast<double>(matched) / static_cast<double>(things.size());
  return share * (error == 0 ? 1 : std::exp(-error / scale));
}

/// Of two things the first by name is looked for from the second: on one cell they are north of
/// each other, so that the order matters.
double direction_score(std::vector<Match> things) {
  std::sort(things.begin(), things.end(),
            [](const Match& a, const Match& b) { return a.name > b.name; });
  std::int64_t right = 0, all = 0;
  for (std::size_t i = 0; i < things.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j, ++all) {
      const Match &a = things[i], &b = things[j];
      if (a.predicted == nullptr || b.predicted == nullptr) continue;
      right += cardinal_bin(a.truth->cell - b.truth->cell) ==
                       cardinal_bin(a.predicted->cell - b.predicted->cell)
                   ? 1
                   : 0;
    }
  }
  return all == 0 ? 1 : static_cast<double>(right) / static_cast<double>(all);
}

double facing_score(const std::vector<Match>& things) {
  std::int64_t right = 0, all = 0;
  for (const Match& thing : things) {
    if (thing.truth->is_door || !thing.truth->facing) continue;
    ++all;
    right += thing.predicted != nullptr && thing.predicted->facing == thing.truth->facing ? 1 : 0;
  }
  return all == 0 ? 1 : static_cast<double>(right) / static_cast<double>(all);
}

/// An offset as one sees it who looks that way: x to the right, y ahead.
Cell in_view_of(Cell offset, Heading heading) {
  const Ahead ahead = ahead_of(offset, eighth_of(heading));
  return {ahead.right, ahead.forward};
}

}  // namespace

double map_scale(const Scene& scene) {
  std::int64_t squared = 0;
  for (const SceneObject& object : scene.objects) {
    squared += squared_length(object.cell - scene.start.cell);
  }
  if (scene.objects.empty()) return 1;
  return std::sqrt(static_cast<double>(squared) / static_cast<double>(scene.objects.size()));
}

MapScore score_map(const SpatialMap& truth, const SpatialMap& predicted, double scale,
                   Profile profile) {
  std::vector<Match> things = matches(truth, predicted);
  MapScore score;
  score.position = position_score(things, scale);
  score.facing = facing_score(things);
  const MapEntry origin;
  if (profile == Profile::kCode) things.push_back({"initial", &origin, &origin});
  score.direction = direction_score(std::move(things));
  return score;
}

SpatialMap items_of(const SpatialMap& map, const Scene& scene, std::uint64_t items) {
  SpatialMap some;
  some.agent = map.agent;
  for (int item = 0; item < scene.num_items(); ++item) {
    const auto entry = map.items.find(scene.name_of(item));
    if ((items >> item & 1) != 0 && entry != map.items.end()) some.items.insert(*entry);
  }
  return some;
}

SpatialMap local_map(const Scene& scene, std::uint64_t items, const Pose& pose) {
  SpatialMap local = items_of(true_map(scene), scene, items);
  const Cell here = pose.cell - scene.start.cell;
  for (auto& [name, entry] : local.items) entry.cell = in_view_of(entry.cell - here, pose.heading);
  return local;
}

std::optional<SpatialMap> seen_by_agent(const SpatialMap& global) {
  if (!global.agent) return std::nullopt;
  SpatialMap local;
  local.items = global.items;
  const Heading heading = global.agent->facing.value_or(Heading::kNorth);
  for (auto& [name, entry] : local.items) {
    entry.cell = in_view_of(entry.cell - global.agent->cell, heading);
  }
  return local;
}

std::optional<MapScore> local_against_global(const SpatialMap& local, const SpatialMap& global,
                                             double scale, Profile profile) {
  const std::optional<SpatialMap> seen = seen_by_agent(global);
  if (!seen) return std::nullopt;
  if (local.items.empty()) return MapScore{1, 1, 1};
  SpatialMap common;
  for (const auto& item : local.items) {
    if (seen->items.count(item.first) > 0) common.items.insert(item);
  }
  if (common.items.empty()) return MapScore{};
  return score_map(common, *seen, scale, profile);
}

MapScores score_maps(const MapContext& context, const SpatialMap& predicted,
                     const SpatialMap& predicted_local, Profile profile) {
  const Scene& scene = context.scene;
  const std::uint64_t all = (std::uint64_t{1} << scene.num_items()) - 1;
  const std::uint64_t objects = (std::uint64_t{1} << scene.num_objects()) - 1;
  const SpatialMap global = items_of(predicted, scene, context.seen | (all & ~objects));
  const SpatialMap local = items_of(predicted_local, scene, context.in_view);
  const double scale = map_scale(scene);
  SpatialMap truth = true_map(scene);
  truth.agent = MapEntry{context.pose.cell - scene.start.cell, context.pose.heading, false};
  SpatialMap agent;
  agent.agent = truth.agent;
  MapScores scores;
  scores.correctness = score_map(truth, global, scale, profile);
  scores.update = score_map(items_of(truth, scene, context.seen), global, scale, profile);
  scores.tracking = score_map(agent, global, scale, profile);
  if (context.in_view == 0) return scores;
  scores.local = score_map(local_map(scene, context.in_view, context.pose), local, scale, profile);
  if (context.first_seen != 0) {
    scores.perception =
        score_map(local_map(scene, context.first_seen, context.pose), local, scale, profile);
  }
  scores.local_and_global = local_against_global(local, global, scale, profile);
  return scores;
}

}  // namespace sightline::host::tos
