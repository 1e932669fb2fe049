// Worlds built by edits: what a configuration's `world.edits` says, and how it is done.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/world/voxelise.h"
#include "host/world/world.h"

namespace sightline::host {

/// One step of `edits`: a box in metres takes a state, and the world gets a version.
///
///     edits:
///       - {box_m: {min: [5, 0, 7], max: [6, 4, 12]}}                 # occupied
///       - {box_m: {min: [5, 0, 9], max: [6, 2, 10]}, state: free, note: "a door"}
struct WorldEdit {
  Bounds box_m;
  VoxelState state = VoxelState::kOccupied;
  std::string note;
  std::string place;  ///< in the file, for messages
};

/// Throws InputError at the edit that cannot be read.
std::vector<WorldEdit> parse_world_edits(const ConfigValue& edits);

/// Makes a version of each edit, in order, and leaves the world at `version` (default: the latest):
/// its grid, and its analytic solid if it has one. Voxels that the box touches (Fill::kOverlap), or
/// whose centre it holds, are edited. Throws InputError naming the edit: a box outside the grid;
/// one that frees space, of an analytic solid, which cannot lose a part.
void apply_world_edits(World& world, const std::vector<WorldEdit>& edits, Fill fill,
                       std::optional<std::int64_t> version);

}  // namespace sightline::host
