// A world that changes: doors close and open, walls rise and fall, things are carried elsewhere.
//
// The changes are a list, made before anybody remembers anything: version 0 is the world as it was
// found, with its things in it, doors open and no wall raised; change i leads from version i to
// version i + 1. What Spatial Memory Must Store (2026), section 9, "Dynamic world and geometry
// versioning".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/truth/plain_voxels.h"
#include "host/world/walk.h"
#include "host/world/world.h"

namespace sightline::host {

enum class ChangeKind : std::uint8_t { kDoor, kWall, kObject };

struct ChangeSettings {
  std::vector<ChangeKind> kinds{ChangeKind::kDoor, ChangeKind::kWall, ChangeKind::kObject};
  std::int64_t num_changes = 100;
  std::int64_t num_objects = 64;
  double carried_m = 8;  ///< how far an object is carried, at most
  WalkSettings walk;     ///< where doors, walls and things can be: along it
  std::uint64_t seed = 1;
  std::string place;  ///< of the world in the sweep file, for messages
};

/// One step: a door or a wall takes its box or gives it back, an object leaves a voxel for another.
struct WorldChange {
  ChangeKind kind = ChangeKind::kDoor;
  std::size_t item = 0;  ///< which door, wall or object
  std::vector<VoxelChange> voxels;
  LatticePlace object_place{0, 0, 0};  ///< of an object: where it is from now on
};

/// Changes never touch each other's voxels: doors and walls have sites of their own, objects stand
/// elsewhere.
struct ChangingWorld {
  GridGeometry geometry;
  PlainVoxels first;                         ///< solid at version 0; unknown space counts as free
  std::vector<LatticePlace> standpoints;     ///< at eye height; never solid in any version
  std::vector<LatticePlace> first_places;    ///< [num_objects] where each is at version 0
  std::size_t num_doors = 0, num_walls = 0;  ///< sites of them
  std::vector<WorldChange> changes;          ///< [num_changes]
};

/// A door is a panel one voxel thick in a passage 0.5 to 1.6 m wide that opens out on both sides; a
/// wall a panel 1.5 to 3 m wide in free space; both as high as their opening is free. An object is
/// one voxel. Depends on world and settings alone. The world needs a grid. Throws InputError, at
/// the settings' place, where it has no site for a kind that is asked for, or nowhere to walk.
ChangingWorld make_changing_world(const World& world, const ChangeSettings& settings,
                                  Device& device);

/// Metres, world frame: within a rounding of double of the place, far below half a unit of it, so
/// that to_lattice gives the place back.
kernels::Vec3 metres_of(const GridGeometry& geometry, const LatticePlace& place);

}  // namespace sightline::host
