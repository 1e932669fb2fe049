// Questions about a scene: Theory of Space (ToS), 3.3, C.3 and Table 5, by the published rules.
//
// A question has one right answer only: draws of perc.dec that several objects fit, of view2loc
// that several cells fit, and of ment.rot without a clear order are drawn again.
#pragma once

#include <cstdint>
#include <vector>

#include "host/theory_of_space/scene.h"
#include "host/theory_of_space/task.h"

namespace sightline::host::tos {

/// `count` questions of a kind, the paper having 3 of each; equal arguments give equal questions.
/// Fewer where a scene has none: nothing stands where it would have to.
std::vector<TaskQuestion> draw_questions(const Scene& scene, TaskKind kind, int count,
                                         std::uint64_t seed, std::uint64_t number);

/// What is seen from a pose, told by direction and distance: the items in the order of an
/// observation.
std::vector<SeenFact> facts_from(const Scene& scene, Cell cell, RoomSet rooms, Eighth view);

/// An agent's pose after a plan, done in the scene as an episode does it, whatever was seen before.
/// False: a jump fails.
bool follow_in_scene(const Scene& scene, const std::vector<Action>& plan, Pose* pose);

}  // namespace sightline::host::tos
