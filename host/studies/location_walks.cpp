#include "host/studies/location_walks.h"

#include <memory>
#include <utility>

#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/building_sight.h"
#include "host/meta_memory/campus_entries.h"
#include "host/random.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

std::uint64_t seed_of_sequence(const WalkSettings& settings) {
  constexpr std::uint64_t kStream = 0x6c6f63617469;  // "locati"
  return RandomItem(settings.seed, kStream, static_cast<std::uint64_t>(settings.sequence))();
}

std::vector<DrivenPlace> driven(const EntryTable& entries) {
  std::vector<DrivenPlace> places;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    const auto i = static_cast<std::size_t>(row);
    places.push_back(
        {entries.sequence[i], entries.time_s[i], entries.position_m[i], entries.yaw_rad[i]});
  }
  return places;
}

QuestionWorld grid_world(const WalkSettings& settings) {
  GridCampusSettings campus;
  campus.planting = lexicon_planting();
  QuestionSetSettings questions;
  questions.num_sequences = 1;
  return std::move(grid_question_set(campus, questions, seed_of_sequence(settings), 1).front());
}

}  // namespace

std::vector<const PlaceQuery*> RememberedWalk::questions_of(PlaceQuestionType type) const {
  std::vector<const PlaceQuery*> asked;
  for (const PlaceQuery& query : world.questions) {
    if (query.type == type) asked.push_back(&query);
  }
  return asked;
}

SightTest sight_over(const Campus& campus) {
  return [sight = std::make_shared<BuildingSight>(campus.rings)](const std::vector<Vec3>& from,
                                                                 const std::vector<Vec3>& to) {
    return sight->are_free(from, to, EndsInBuildings::kBlocked, 1);
  };
}

RememberedWalk remember_walk(const WalkSettings& settings, const CaptionNoise& noise) {
  RememberedWalk walk;
  walk.world = grid_world(settings);
  walk.entries.width = kHashedWidth;
  walk.entries.embedder = kHashedEmbedder;
  append_campus_entries(
      campus_entries(*walk.world.campus, walk.world.walk, 0, walk.world.campus_key, noise),
      &walk.entries);
  TopologicalMapOptions options;
  constexpr double kReach_m = 3;
  options.reach_m = kReach_m;
  options.is_free = sight_over(*walk.world.campus);
  walk.map = make_topological_map(driven(walk.entries), options);
  return walk;
}

}  // namespace sightline::host
