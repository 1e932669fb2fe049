// What one configuration of a recall sweep asks for, typed and checked: memories, queries with
// known answers, and arms that rank the memories.
//
//   memories: {...}              # host/memory/memory_spec.h; and `capture`, `placed` and
//                                # `bound_to`, as capture.h, placed.h and bind.h have them
//   world: {...}                 # where gates or standpoints need one
//   queries:
//     targets: all               # or {random: 200}: which memories are asked for
//     draws: 1                   # standpoints per target
//     offset_m: 3                # from the target; or far: the opposite corner of their box; or
//                                # random: up to the diagonal of the box, all lengths alike
//     direction: sphere          # or horizontal, or [1, 0, 0]
//     random_free: {...}         # in place of offset_m: free places of the world, around it
//     from: [1, 1.6, 10]         # or one place, for all of them
//     heading: target            # or random; for fields of view
//   recall:
//     weights: {relevance: 0.5, spatial: 0.5}
//     normalise, proximity, recency, staleness     # host/memory/blend.h
//     gate: {radius_m: 4}        # gate_settings.h
//     penalty: 0.2               # soft: what a memory outside the gate is charged; absent: hard
//     standardise: z_score       # parts are scaled among the memories that the gate keeps
//     adapt: distance_spread     # weights from how much distances differ there
//     k: 5
//     verify: {line_of_sight: {method: march, step_m: 0.5}}  # a gate that is told of what is
//                                # recalled, and drops nothing
//     truth: {line_of_sight: {method: hdda}}                 # what `verify` is held against: asked
//                                # of where the things are, whatever memories are bound to
//   preflight: {hidden: [0]}     # recall_preflight.h
//   arms:
//     vector: {recall: {weights: {relevance: 1}}}  # each key replaces that of `recall`
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/memory/blend.h"
#include "host/memory/gate.h"
#include "host/sweep/points.h"
#include "host/sweep/recall_preflight.h"
#include "host/sweep/settings.h"
#include "host/sweep/sweep_memories.h"

namespace sightline::host {

struct QuerySettings {
  enum class Place { kOffset, kFar, kRandom, kFree, kFrom };
  enum class Direction { kSphere, kHorizontal, kFixed };
  enum class Heading { kNone, kRandom, kTarget };

  std::int64_t num_targets = 0;  ///< 0: every memory that can be asked for; else drawn at random
  std::int64_t draws = 1;
  Place place = Place::kOffset;
  double offset_m = 0;
  Direction direction = Direction::kSphere;
  kernels::Vec3 fixed_direction;  ///< unit length
  std::optional<PointSpec> free;  ///< kFree
  kernels::Vec3 from_m;           ///< kFrom
  Heading heading = Heading::kNone;
  std::string where;  ///< for messages
};

/// How parts of a score are scaled among the memories that take part.
enum class Standardise : std::uint8_t { kNone, kMinMax, kZScore };

/// One way to rank. Two of equal `key` rank alike.
struct RecallJudge {
  BlendSettings blend;
  std::optional<Gate> gate;
  std::optional<double> penalty;  ///< of a soft gate
  Standardise standardise = Standardise::kNone;
  /// Weighs distance by how far it spreads among what the gate keeps, w = (median - least) /
  /// median, and relevance by 1 - w.
  bool adapt_to_spread = false;
  std::string gate_key;     ///< equal text: the same gate; empty without one
  std::string columns_key;  ///< equal text: the same features and gate, other weights
  std::string key;
  std::string place;       ///< of `recall`, for messages
  std::string gate_place;  ///< of the gate; of `recall` without one
};

/// Told of every recalled memory: is it visible? And is it in truth?
struct Verification {
  Gate says;
  std::optional<Gate> truth;
  std::string key;    ///< equal text: the same verification
  std::string place;  ///< for messages
};

struct RecallArm {
  std::string name;
  RecallJudge judge;
  std::int64_t k = 5;
  std::optional<Verification> verify;
};

struct RecallExperiment {
  SweepMemories memories;
  std::optional<WorldSpec> world;
  QuerySettings queries;
  std::uint64_t seed = 1;  ///< `seed` + `replicate`
  std::vector<RecallArm> arms;
  std::optional<RecallPreflight> preflight;
  std::size_t baseline = 0;
  std::string inputs_key;  ///< equal text: equal world, memories and queries
  std::string world_place, memories_place;
};

/// Reads the resolved settings of a configuration. Throws InputError.
RecallExperiment parse_recall_experiment(const ConfigValue& settings, WorldSpecs& worlds);

}  // namespace sightline::host
