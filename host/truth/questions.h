// Questions to a world in which somebody has walked, with answers that are right: from where things
// are and what stands between, and from nothing that anybody remembers.
//
// What Spatial Memory Must Store (2026), section 10.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/truth/episode.h"
#include "host/truth/question_type.h"

namespace sightline::host {

struct Question {
  std::string text;
  std::string object;      ///< the name of what is asked about; empty for coverage
  kernels::Vec3 from_m;    ///< where one asks, at eye height
  double yaw_deg = 0;      ///< where one looks then: 0 is +z, 90 is +x
  kernels::Vec3 centre_m;  ///< of the ball around here, 0.8 m below the eyes
  double radius_m = 0;
  std::vector<Room> rooms;  ///< two, or none
  /// kNo or kYes; the quarter, clockwise, that the thing lies in (0: ahead); the room; for
  /// kNearDuplicate and kControl an index into Episode::seen.
  int truth = 0;
};

/// Questions about things that were seen. Number i depends on (world, episode, type, seed, i)
/// alone. A fair coin says what the answer to a yes-or-no question is to be, and places are drawn
/// until it is so: who always says the same is right by chance. Throws InputError if the world has
/// no such place, such as one from which something is hidden.
std::vector<Question> author_questions(QuestionType type, const World& world,
                                       const Episode& episode, std::int64_t count,
                                       std::uint64_t seed);

}  // namespace sightline::host
