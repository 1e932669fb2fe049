// What one sees from a pose: the Observe of Theory of Space (ToS), section 2 and B.1.
//
// Seen is what shares a room with the viewer and lies in the field of view: no range ends it and no
// thing hides another. On a door one is in both of its rooms. A report has the objects in the
// scene's order, then the doors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/theory_of_space/scene.h"

namespace sightline::host::tos {

struct SeenItem {
  std::int8_t item = 0;
  EgoBin direction = EgoBin::kFront;
  DistanceBin distance = DistanceBin::kNear;
  std::optional<FacingWord> facing;  ///< of objects that have one
  std::optional<WallWord> wall;      ///< of doors
};

/// Two seen things no more than 2 cells apart: where the first is from the second, as if the
/// viewer's heading were north.
struct NearPair {
  std::int8_t item = 0, from = 0;
  CardinalBin direction = CardinalBin::kNorth;
  DistanceBin distance = DistanceBin::kNear;
};

struct Observation {
  Pose pose;  ///< of the viewer, in the world
  std::vector<SeenItem> items;
  std::vector<NearPair> pairs;
};

/// Can something at `cell`, in these rooms, be seen?
bool is_visible(Cell cell, RoomSet rooms, Cell viewer, RoomSet viewer_rooms, Eighth view,
                FieldOfView field);

/// The items that are seen: a bit each.
std::uint64_t visible_items(const Scene& scene, const Pose& pose, FieldOfView field);

/// An observation without errors.
Observation observe(const Scene& scene, const Pose& pose, FieldOfView field = FieldOfView::k90);

/// Errors of perception (ToS, B.1: "noise modules perturb bins"). Each bin of an observation moves
/// to a neighbour with its probability, either way alike; a facing turns to one of the others.
struct BinNoise {
  double direction = 0, distance = 0, facing = 0;  ///< probabilities
  std::uint64_t seed = 0;
  bool is_any() const { return direction > 0 || distance > 0 || facing > 0; }
};

/// The seed of the errors in one of many scenes: they differ from scene to scene, and are the same
/// for all who explore it.
std::uint64_t noise_seed(std::uint64_t seed, std::uint64_t scene);

/// Perturbs an observation, the `turn`-th of its episode: equal arguments give equal errors. What
/// is seen stays seen, and a bin stays within the field.
void perturb(const Scene& scene, const BinNoise& noise, FieldOfView field, std::uint64_t turn,
             Observation* observation);

/// What an agent is told, as the paper's prompts have it: a line an item, "- bike: front-right, mid
/// distance, facing left", "- red door: front, far, on front wall"; then a line a pair that is
/// near.
std::string observation_text(const Scene& scene, const Observation& observation);

}  // namespace sightline::host::tos
