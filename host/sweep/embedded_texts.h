// The texts that the arms of a study embed, listed for a model that embeds them.
#pragma once

#include <string>

#include "host/device.h"
#include "host/sweep/plan.h"

namespace sightline::host {

/// A list for scripts/embed.py: {"id": 0, "text": "..."} a line, each text of all configurations
/// once, as they first come. Throws InputError if the sweep has no study, or one that embeds no
/// text but lines of its files; and as the study does.
std::string embedded_text_lines(const SweepPlan& plan, Device& device);

}  // namespace sightline::host
