#include "host/studies/moving_memories.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/campus_entries.h"
#include "host/meta_memory/question_set.h"
#include "host/meta_memory/question_words.h"
#include "host/random.h"
#include "host/truth/campus_voxels.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kWorldStream = stream_of("moving worlds");
constexpr std::uint64_t kQuestionStream = stream_of("moving questions");
constexpr std::uint64_t kRandomStream = stream_of("moving random rows");
constexpr int kNodesPerSide = 5;  // 1 km of paths, of which a walk sees most
constexpr double kWalk_s = 1000;  // of each day

/// A campus in all its states, and the walks over it.
struct Drawn {
  MovingCampus campus;
  std::vector<CampusWalk> walks;
  std::uint64_t seed = 0;
};

CampusWalkSettings walk_settings() {
  CampusWalkSettings walk;
  walk.duration_s = kWalk_s;
  walk.range_m = kMovingRange_m;
  return walk;
}

Drawn draw(const MovingWorldSettings& settings, std::uint64_t seed) {
  GridCampusSettings grid;
  grid.planting = lexicon_planting();
  grid.nodes_per_side = kNodesPerSide;
  Drawn drawn;
  drawn.seed = seed;
  drawn.campus =
      make_moving_campus(make_grid_campus(grid, seed), grid.planting, settings.moving, seed);
  drawn.walks = walk_rounds(drawn.campus, walk_settings(), settings.way, seed);
  return drawn;
}

bool is_asked(ThingFate fate, AskedFate asked) {
  switch (asked) {
    case AskedFate::kStayed:
      return fate == ThingFate::kStayed;
    case AskedFate::kMoved:
      return fate == ThingFate::kMoved;
    case AskedFate::kVanished:
      return fate == ThingFate::kVanished;
    case AskedFate::kAny:
      break;
  }
  return true;
}

/// Those to ask about, in random order; fewer if there are fewer.
std::vector<LatestPlace> asked_places(const Drawn& drawn, AskedFate asked) {
  std::vector<LatestPlace> places = latest_places(drawn.campus, drawn.walks, walk_settings());
  places.erase(
      std::remove_if(places.begin(), places.end(),
                     [&](const LatestPlace& place) { return !is_asked(place.fate, asked); }),
      places.end());
  RandomItem random(drawn.seed, kQuestionStream, 0);
  shuffle(&places, &random);
  places.resize(std::min<std::size_t>(places.size(), kMovingQuestions));
  return places;
}

std::vector<MovingQuestion> questions_of(const Drawn& drawn,
                                         const std::vector<LatestPlace>& places) {
  const PlaceOracle oracle(drawn.campus.rounds.back(), drawn.walks.back());
  std::vector<MovingQuestion> questions;
  for (const LatestPlace& place : places) {
    const CampusObject& object = drawn.campus.rounds.back().objects[place.object];
    PlaceQuestion question;
    question.things = {{object.class_id, object.attributes}};
    MovingQuestion& asked = questions.emplace_back();
    asked.query = query_of(question, oracle);
    asked.text = question_text(asked.query, 0);
    asked.truth = place;
  }
  return questions;
}

/// Entries, captions and views of all days.
void remember(const Drawn& drawn, const MovingWorldSettings& settings, Device& device,
              MovingWorld* world) {
  CampusVoxelSettings voxels;
  voxels.voxel_m = settings.voxel_m;
  ViewRules rules;
  rules.range_m = kMovingRange_m;
  rules.front_deg = walk_settings().front_deg;
  for (std::size_t round = 0; round < drawn.walks.size(); ++round) {
    const Campus& campus = drawn.campus.rounds[round];
    const CampusWalk& walk = drawn.walks[round];
    for (Entry& entry : campus_entries(campus, walk, static_cast<std::uint16_t>(round), drawn.seed,
                                       settings.captions)) {
      world->embeddings.push_back(hashed_embedding(entry.caption, kHashedWidth));
      world->entries.push_back(std::move(entry));
    }
    std::vector<View> views;
    for (const WalkPose& pose : walk.poses) views.push_back({pose.position_m, pose.yaw_rad});
    const World solid = campus_world(campus, drawn.campus.is_there[round], voxels);
    for (VoxelSet& seen : visible_voxels(solid, views, rules, device)) {
      world->views.push_back(std::move(seen));
    }
  }
}

/// Of a new entry and the stored one that overlaps most, the new one is deleted at once.
void append_what_is_new(const MovingWorld& world, const UpdateRules& rules, EntryTable* table) {
  ViewIndex views(kMovingRange_m);
  for (std::size_t i = 0; i < world.entries.size(); ++i) {
    const Entry& entry = world.entries[i];
    const auto is_of_another = [&](std::int64_t row) {
      return !rules.spares_own_sequence ||
             world.entries[static_cast<std::size_t>(row)].sequence != entry.sequence;
    };
    const auto old = views.best(entry.position_m, world.views[i], rules.threshold, is_of_another);
    append_entry(entry, world.embeddings[i], table);
    views.add(entry.position_m, world.views[i]);
    if (!old) continue;
    mark_deleted(table->size() - 1, table);
    views.remove(views.size() - 1);
  }
}

/// Which of the entries that are left a new one replaces.
class Chooser {
 public:
  Chooser(const MovingWorld& world, const UpdateSettings& update, std::uint64_t seed)
      : world_(world), update_(update), seed_(seed) {
    if (update.rule == UpdateRule::kNearest) return;
    EntryTable table;
    for (const Replacement& one : updated(world, update.overlap, &table)) {
      replacing_.insert(one.new_row);
    }
  }

  /// By the rule of overlap; fills `table`, which may be empty, and returns the log.
  static std::vector<Replacement> updated(const MovingWorld& world, const UpdateRules& rules,
                                          EntryTable* table) {
    table->width = kHashedWidth;
    table->embedder = kHashedEmbedder;
    UpdatedMemory memory(table, ViewIndex(kMovingRange_m), rules);
    for (std::size_t i = 0; i < world.entries.size(); ++i) {
      memory.append(world.entries[i], world.embeddings[i], world.views[i]);
    }
    return memory.log();
  }

  std::optional<Overlap> choose(const EntryTable& table) const {
    if (update_.rule == UpdateRule::kNearest) return nearest(table);
    if (replacing_.count(table.size()) == 0) return std::nullopt;
    std::vector<std::int64_t> left;
    for (std::int64_t row = 0; row < table.size(); ++row) {
      if (!table.is_deleted(row)) left.push_back(row);
    }
    if (update_.rule == UpdateRule::kOldest) return Overlap{left.front(), 0};
    RandomItem random(seed_, kRandomStream, static_cast<std::uint64_t>(table.size()));
    return Overlap{left[random.below(left.size())], 0};
  }

 private:
  std::optional<Overlap> nearest(const EntryTable& table) const {
    const Vec3& here = world_.entries[static_cast<std::size_t>(table.size())].position_m;
    std::optional<Overlap> found;
    double least = update_.reach_m * update_.reach_m;
    for (std::int64_t row = 0; row < table.size(); ++row) {
      if (table.is_deleted(row)) continue;
      const Vec3 way = kernels::minus(table.position_m[static_cast<std::size_t>(row)], here);
      const double square = kernels::dot(way, way);
      if (square > least || (found && square == least)) continue;
      least = square;
      found = Overlap{row, 0};
    }
    return found;
  }

  const MovingWorld& world_;
  const UpdateSettings& update_;
  std::uint64_t seed_;
  std::set<std::int64_t> replacing_;  ///< new rows that overlap would have replace one
};

}  // namespace

MovingWorld make_moving_world(const MovingWorldSettings& settings, Device& device) {
  RandomItem seeds(settings.seed, kWorldStream, static_cast<std::uint64_t>(settings.sequence));
  for (int i = 0; i < kMostCampuses; ++i) {
    const Drawn drawn = draw(settings, seeds());
    const std::vector<LatestPlace> places = asked_places(drawn, settings.asked);
    if (places.size() < kMovingQuestions) continue;
    MovingWorld world;
    world.questions = questions_of(drawn, places);
    remember(drawn, settings, device, &world);
    return world;
  }
  throw InputError("sequence " + std::to_string(settings.sequence) + ": on none of " +
                   std::to_string(kMostCampuses) + " campuses " + std::to_string(kMovingQuestions) +
                   " such things can be asked about; give more rounds, or a larger share of "
                   "things that move or vanish");
}

EntryTable kept_entries(const MovingWorld& world, const UpdateSettings& update,
                        std::uint64_t seed) {
  EntryTable table;
  table.width = kHashedWidth;
  table.embedder = kHashedEmbedder;
  if (update.rule == UpdateRule::kOverlap) {
    Chooser::updated(world, update.overlap, &table);
    return table;
  }
  if (update.rule == UpdateRule::kKeepsOld) {
    append_what_is_new(world, update.overlap, &table);
    return table;
  }
  std::vector<Replacement> log;
  std::optional<Chooser> chooser;
  if (update.rule != UpdateRule::kNone) chooser.emplace(world, update, seed);
  for (std::size_t i = 0; i < world.entries.size(); ++i) {
    const auto old = chooser ? chooser->choose(table) : std::nullopt;
    append_in_place_of(old, world.entries[i], world.embeddings[i], &table, &log);
  }
  return table;
}

}  // namespace sightline::host
