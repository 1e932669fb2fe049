// The trials of the battery: seven types of question to a small world, what is so in it, and what
// was remembered of it.
//
// What Spatial Memory Must Store (2026), section 6.4 (the Tier-A battery): six types that need
// geometry and one that text answers. Lengths are metres, frame: x right, y up, z forward.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/studies/memory_place.h"
#include "host/truth/question_type.h"
#include "host/world/world.h"

namespace sightline::host {

/// A thing in the world, the memory that was made of it, and where that was made.
struct RememberedThing {
  std::int64_t id = 0;  ///< of the memory; ascending in a trial
  std::string object;   ///< what people call the thing
  std::string text;     ///< the sentence that was stored
  MemoryPlace place;    ///< bound to the memory
};

struct BatteryTrial {
  std::vector<RememberedThing> things;
  std::string question;
  std::string object;      ///< what the question is about; empty for coverage
  kernels::Vec3 from_m;    ///< where one asks
  double yaw_deg = 0;      ///< where one looks then: 0 is +z, 90 is +x
  kernels::Vec3 centre_m;  ///< of the circle, or of "here"
  double radius_m = 0;
  std::vector<Room> rooms;  ///< two, or none
  /// kNo or kYes, a Side (scene_graph.h), a room, or, for kNearDuplicate and kControl, an index
  /// into `things`.
  int truth = 0;
};

/// The wall with a door of Pilot 2 (section 6.2), as an analytic set and as voxels of 0.5 m: what
/// stands between observers and things of QuestionType::kOcclusion. Other types have open ground.
World battery_world();

/// Reads of the places of all memories, so far.
std::int64_t num_place_reads(const std::vector<BatteryTrial>& trials);

/// Trial t depends on (seed, type, t) alone. The truth is of the things, and reads no place of a
/// memory: of kOcclusion it is by samples of the analytic wall, 0.05 m apart, the rest by how
/// things were put down.
std::vector<BatteryTrial> make_battery_trials(QuestionType type, std::int64_t count,
                                              std::uint64_t seed, const World& world,
                                              Device& device);

}  // namespace sightline::host
