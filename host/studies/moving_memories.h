// The memory of walks over a campus whose things move, kept in several ways, and what is asked of
// it. Internal to moving_places.cpp and its test.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/device.h"
#include "host/meta_memory/caption_noise.h"
#include "host/meta_memory/entries.h"
#include "host/meta_memory/memory_update.h"
#include "host/meta_memory/query.h"
#include "host/truth/moving_things.h"

namespace sightline::host {

/// Which stored entry a new one replaces.
enum class UpdateRule : std::uint8_t {
  kNone,
  kOverlap,
  kNearest,
  kRandom,
  kOldest,
  kKeepsOld  ///< the wrong way round: of two entries that overlap the new one is deleted
};

struct UpdateSettings {
  UpdateRule rule = UpdateRule::kNone;
  /// kOverlap; kKeepsOld; kRandom and kOldest, which replace as many entries as kOverlap.
  UpdateRules overlap;
  double reach_m = 3;  ///< kNearest: farther entries are not replaced
};

/// What a walk is asked of: one, or any.
enum class AskedFate : std::uint8_t { kAny, kStayed, kMoved, kVanished };

struct MovingWorldSettings {
  std::uint64_t seed = 1;
  std::int64_t sequence = 0;
  AskedFate asked = AskedFate::kAny;
  MovingSettings moving;
  PatrolWay way = PatrolWay::kSame;
  double voxel_m = 0.5;
  CaptionNoise captions;
};

struct MovingQuestion {
  Query query;
  std::string text;
  LatestPlace truth;
};

/// What a robot could keep, and what it is asked at the end.
struct MovingWorld {
  std::vector<Entry> entries;  ///< of all days, in time
  std::vector<std::vector<float>> embeddings;
  std::vector<VoxelSet> views;
  std::vector<MovingQuestion> questions;
};
constexpr int kMovingQuestions = 10;
constexpr double kMovingRange_m = 9;  ///< of its views

/// The first of kMostCampuses draws about which kMovingQuestions can be asked. The same settings
/// give the same bits on every device. Throws InputError if there is none.
MovingWorld make_moving_world(const MovingWorldSettings& settings, Device& device);
constexpr int kMostCampuses = 50;

/// The table of all entries, kept by a rule. `seed`: of kRandom. Rows are the same by every rule.
EntryTable kept_entries(const MovingWorld& world, const UpdateSettings& update, std::uint64_t seed);

}  // namespace sightline::host
