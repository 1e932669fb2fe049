// An arm of a study answered by a language model: an exchange of files with whatever runs one.
//
// Out go the prompts of an arm (Study::prompts), back come answers, in the formats of
// host/memory/chat_lines.h.
//
// A custom id names the configuration, the arm and the trial, so that answers to other settings are
// strangers. Nothing of the truth leaves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/memory/chat_lines.h"
#include "host/sweep/plan.h"
#include "host/sweep/store.h"

namespace sightline::host {

struct PromptRequest {
  std::string arm;
  ChatModel model{};
};

/// The file of prompts of an arm: a line for every trial of every configuration, in their order. A
/// configuration with the trials of an earlier one, such as one with another baseline, has no lines
/// of its own: the answers to those count for both.
/// Throws InputError if the sweep has no study, or if in one of its configurations the arm
/// is not there or reads no text; and as require_preregistration does.
std::string prompt_lines(const SweepPlan& plan, const PromptRequest& request, Device& device);

/// What came back for one arm.
struct PromptScore {
  /// The sweep's run with this arm's answers in place of those that the program would give; a trial
  /// without a clear answer counts as unanswered, and so as wrong.
  RunData run;
  std::int64_t num_prompts = 0;       ///< lines of the file of prompts
  std::vector<std::string> missing;   ///< custom ids of which the file has no line
  std::vector<std::string> failed;    ///< of which it has an error or no text
  std::vector<std::string> unparsed;  ///< whose text is none of the answers (read_answer)
};

/// Reads a file of answers and counts them, and runs the other arms. Throws InputError, naming file
/// and line, on a line of another format, an id that is not of this arm of this sweep, or one that
/// is there twice; and as prompt_lines does.
PromptScore score_answers(const SweepPlan& plan, const std::string& arm,
                          const std::string& answers_path, Device& device);

}  // namespace sightline::host
