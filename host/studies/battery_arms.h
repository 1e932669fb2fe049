// How the arms of the battery answer. Not for users of the library: see battery.h.
#pragma once

#include <vector>

#include "host/studies/battery_arm.h"
#include "host/studies/battery_trials.h"
#include "host/studies/study.h"

namespace sightline::host {

/// What an arm says to trials of one type. What they mean: BatteryTrial::truth.
struct BatteryAnswers {
  static constexpr int kNothing = -1;
  std::vector<int> said;  ///< [num_trials]
  std::int64_t coordinate_reads = 0, num_candidates = 0;
};

/// What must not be, for tests of what tells it: writes down as right what the memories say, by
/// reading where they are. Of kControl it is the nearest memory.
void author_from_memories(QuestionType type, const World& world, Device& device,
                          std::vector<BatteryTrial>* trials);

/// Asks an arm of a type that applies. It sees of a trial its question and its memories, and not
/// its truth.
BatteryAnswers ask(const BatteryArm& arm, QuestionType type,
                   const std::vector<BatteryTrial>& trials, const World& world, Device& device);

/// What an arm that answers by reading text is given; empty for others.
std::vector<Prompt> battery_prompts(const BatteryArm& arm, QuestionType type,
                                    const std::vector<BatteryTrial>& trials);

/// Asks every arm all trials of one type; those whom it does not apply to nothing. The trials are
/// fresh: what was read of their memories' places so far, whoever wrote the truth has read.
std::vector<ArmAnswers> ask_all(const std::vector<BatteryArm>& arms, QuestionType type,
                                const std::vector<BatteryTrial>& trials, const World& world,
                                Device& device);

}  // namespace sightline::host
