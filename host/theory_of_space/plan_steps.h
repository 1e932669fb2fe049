// A plan told by what is seen on the way, not by names: Theory of Space (ToS), Figure 13,
// Action2View.
//
//     1. Jump to the object at front-right, mid distance.
//     2. Rotate(-90)
//     3. Jump to the door at front, far, the nearest of 2.
//
// Who has a map knows from it which thing is meant.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/theory_of_space/spatial_map.h"
#include "host/theory_of_space/task.h"

namespace sightline::host::tos {

struct PlanStep {
  bool is_jump = false;
  int degrees = 0;  ///< of a rotation
  // Of a jump: what it leads to, as it is seen before it.
  bool is_door = false;
  EgoBin direction = EgoBin::kFront;
  DistanceBin distance = DistanceBin::kNear;
  int place = 1, count = 1;  ///< of those that fit, nearest first; of one distance, from the left
};

/// Do two things share a room? kInitialPosition is where one starts.
using SharesRoom = std::function<bool(const std::string&, const std::string&)>;
/// `scene` must outlive what is returned.
SharesRoom shared_rooms_of(const Scene& scene);
/// The same of lists of what is in each room, doors being in two.
SharesRoom shared_rooms_of(std::vector<std::vector<std::string>> rooms);

/// Tells a plan of jumps and rotations that the map allows. None: it does not.
std::optional<std::vector<PlanStep>> steps_of_plan(const SpatialMap& map,
                                                   const SharesRoom& shares_room,
                                                   const std::vector<Action>& plan);

/// The plan that the steps tell, on somebody's map. Where nothing fits a step, the thing of its
/// kind in view or else in the room that fits best. None: there is no such thing.
std::optional<std::vector<Action>> plan_of_steps(const SpatialMap& map,
                                                 const SharesRoom& shares_room,
                                                 const std::vector<PlanStep>& steps);

/// A line a step, numbered, as above.
std::string steps_text(const std::vector<PlanStep>& steps);

}  // namespace sightline::host::tos
