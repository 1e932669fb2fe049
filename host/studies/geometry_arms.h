// Storage policies: what an arm keeps, and which questions it can answer from that.
#pragma once

#include <cstdint>
#include <vector>

#include "host/config/value.h"
#include "host/studies/geometry_stores.h"
#include "host/studies/study.h"

namespace sightline::host {

/// What a policy may keep beside the memories themselves (geometry_stores.h).
enum class Kept : std::uint8_t {
  kCurrent,          ///< the geometry as it is now
  kSnapshots,        ///< one for each memory
  kSharedSnapshots,  ///< one for each version at which something was remembered
  kVersions,         ///< the versioned grid
  kCrossedBricks,    ///< of each memory what its own ray crosses
  kSeenBits,         ///< of each memory one bit: was it visible?
  kObjectPlaces      ///< stable object ids: where each object is now
};
constexpr std::size_t kNumKept = 7;

struct GeometryArm {
  std::array<bool, kNumKept> keeps{};
  /// Where it lacks the geometry of the time that is asked about, it asks the one it has, and where
  /// it lacks the object's place, it takes the remembered one. Else it answers nothing.
  bool stands_in = false;
  bool judged_by_changes = false;  ///< an audit: right where wrong answers are the changed pairs
  // What is broken on purpose.
  std::int64_t late_by = 0;  ///< what is of the memory's version is of one so many edits later
  bool shuffled_log = false;

  bool has(Kept kept) const { return keeps[static_cast<std::size_t>(kept)]; }
  /// Keeps what another arm does; its bytes are not counted again.
  bool is_control() const { return judged_by_changes || late_by > 0 || shuffled_log; }
};

/// Reads {keeps: [current, ...], stands_in, judged_by, late_by, log}. Throws InputError.
GeometryArm parse_geometry_arm(const ConfigValue& arm);

/// What an arm answers, what it keeps and how long it takes. An audit is asked of the past only.
ArmAnswers ask_geometry_arm(const GeometryArm& arm, GeometryQuestion question,
                            const ChangingWorld& world, const GeometryHistory& history,
                            const GeometryTrials& trials, std::uint64_t seed, Device& device);

}  // namespace sightline::host
