// What an agent is told before its first turn: what there is, what it can do and what words mean.
//
// Theory of Space (ToS), section 2, 4.1 and B.1; in our own words.
#pragma once

#include <string>

#include "host/theory_of_space/explorer.h"

namespace sightline::host::tos {

/// Names of things, actions with their costs, the words of observations for this field of view, and
/// the budget. Nothing of where things are.
std::string briefing_text(const Briefing& briefing, const EpisodeOptions& options);

}  // namespace sightline::host::tos
