// What the terminal tells of the results of a run.
#pragma once

#include <string>
#include <vector>

#include "host/sweep/claims.h"
#include "host/sweep/experiment.h"
#include "host/sweep/summary.h"

namespace sightline::cli {

/// The command line as the user gave it.
std::vector<std::string> own_command_line();

/// A line per arm: its mean rates over the configurations.
void print_rates(host::ExperimentKind kind, const std::vector<host::ArmSummary>& arms);
/// The verdict on each claim of the sweep file.
void print_claims(const std::vector<host::ClaimResult>& claims);
/// Of --fail-on-claims: throws RunError unless every claim is reproduced, but for those that only a
/// model could show.
void require_claims(const std::string& directory, const std::vector<host::ClaimResult>& claims);
/// Where the results are, and how to see them.
void print_places(const std::string& directory);

}  // namespace sightline::cli
