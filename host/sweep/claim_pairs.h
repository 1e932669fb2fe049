// Claims about the pairs that an arm and its baseline make: who is right where the other is not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/sweep/claim_rows.h"
#include "host/sweep/claims.h"
#include "host/sweep/measures.h"

namespace sightline::host {

struct McNemarClaim {
  std::int64_t b, c;
  std::optional<double> p;  ///< to the six digits that it is quoted with
};
/// Reads {b, c, p}. Throws InputError.
McNemarClaim mcnemar_of(const ConfigValue& value);
void judge_mcnemar(const McNemarClaim& claim, const DiscordantPairs& pairs, ClaimResult* result);

/// Reads {margin}, between 0 and 1. Throws InputError.
double margin_of(const ConfigValue& value);

/// Of visibility: in every configuration that `where` keeps, are the answers to the targets that
/// the oracle sees equivalent to the baseline's? Changes that cancel count, too.
void judge_controls(double margin, const ConfigValue* where, const RunData& run,
                    ClaimResult* result);

/// Do the arm and its baseline answer alike, within a margin, in every group? By the cautious one
/// of two tests, so that few pairs prove nothing: of the difference of their rates (Wald's TOST),
/// and, exact, of the share of the pairs in which they differ, whichever is right.
void judge_equivalent(double margin, ExperimentKind kind, const std::vector<ClaimGroup>& groups,
                      ClaimResult* result);

}  // namespace sightline::host
