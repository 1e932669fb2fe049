// The trials of the battery as texts with coordinates in them, and who reads those without a
// language model. Not for users of the library: see battery.h.
//
//     Memory 1: A chipped mug with a blue rim was left standing here. It is at x 3.25, y 1.25,
//     z 7.75. Memory 2: ... You stand at x 4.00, y 1.60, z 8.00 and look along yaw 33.5 degrees.
//     Here is x 4.00, y 0.80, z 8.00, and around here is within 3.00 m of it.
//     The west room is x 0.00 to 10.00, y 0.00 to 3.00, z 0.00 to 20.00.
//     Question about mug: Is there a mug around here?
//     Answer with one word: NO, YES.
//
// Yaw 0 looks along +z, 90 along +x. Lines of here and of rooms are there where they are asked for.
#pragma once

#include <string>
#include <vector>

#include "host/studies/battery_trials.h"
#include "host/studies/prompt.h"

namespace sightline::host {

/// `anchors_m` [num_things]: where the memories of the trial are told to be. Answers, in the order
/// of BatteryTrial::truth: NO, YES; FRONT, RIGHT, BEHIND, LEFT; FIRST, SECOND; numbers of memories.
Prompt battery_prompt(QuestionType type, const BatteryTrial& trial,
                      const std::vector<kernels::Vec3>& anchors_m);

/// The rule-based reader: it sees the question's text alone, parses the numbers and computes. Of
/// walls nothing is told, so that everything can be seen. Empty where the text tells too little.
std::string read_battery_prompt(const std::string& question);

}  // namespace sightline::host
