// Memories of a world that changes, and the pairs of a memory and a later edit that are asked of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/truth/changing_world.h"

namespace sightline::host {

/// What is asked of a pair, always from where the memory's observer stood.
enum class GeometryQuestion : std::uint8_t {
  kThen,          ///< was the place visible when the memory was encoded?
  kNow,           ///< is the same place visible now, after the edit?
  kObjectNow,     ///< is the object, wherever it is now, visible now?
  kElsewhereThen  ///< was another place visible then? Nobody asked at the time
};

struct GeometryMemory {
  LatticePlace from{0, 0, 0}, place{0, 0, 0};  ///< of the observer, and of the object then
  std::size_t object = 0;
  std::int64_t version = 0;  ///< of the world when it was encoded
};

struct GeometryPair {
  std::size_t memory = 0;
  std::int64_t now = 0;              ///< a later version
  LatticePlace object_now{0, 0, 0};  ///< where the object is at that version
  LatticePlace elsewhere{0, 0, 0};   ///< another object's place, at the memory's version
  /// What is true, by GeometryQuestion: PlainVoxels, rebuilt from the list of changes.
  std::array<bool, 4> visible{false, false, false, false};

  bool is_visible(GeometryQuestion question) const {
    return visible[static_cast<std::size_t>(question)];
  }
};

struct GeometryMemorySettings {
  std::int64_t num_memories = 1000;
  std::int64_t pairs_per_memory = 20;  ///< later edits asked of, at most
  double range_m = 8;                  ///< how far what is remembered is from its observer, at most
  std::uint64_t seed = 1;
};

struct GeometryTrials {
  std::vector<GeometryMemory> memories;  ///< by ascending version
  std::vector<GeometryPair> pairs;       ///< by memory, then by version
};

/// How many pairs there are: memory m of M is encoded at version m E / M of E edits, and has its
/// later edits, or as many of them as are asked of, evenly spread.
std::int64_t num_geometry_pairs(const GeometryMemorySettings& settings, std::int64_t num_changes);

/// A fair coin says whether a memory is of a place that was visible. Depends on world and settings
/// alone.
GeometryTrials make_geometry_trials(const ChangingWorld& world,
                                    const GeometryMemorySettings& settings);

}  // namespace sightline::host
