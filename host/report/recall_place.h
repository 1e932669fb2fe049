// Which variants of a recall run use place.
#pragma once

#include "host/report/recall_digest.h"
#include "host/sweep/recall_settings.h"

namespace sightline::host::report {

/// Does the arm give its own `recall.WORD`, where the key is recall.WORD or below it, or is the key
/// another arm's?
bool arm_replaces(const RunData& run, const std::string& arm, const std::string& key);

/// Does the arm weigh how near a memory is, does its gate look at where memories are, or is it told
/// of what it recalls whether it can be seen?
bool uses_place(const RecallArm& arm);

/// Is what it recalls verified by the very test that is the truth?
bool verifies_by_truth(const RecallArm& arm);

/// Fills arm_replaces: which arms give their own `recall.weights` and the like, so that an axis
/// below it says nothing of them.
void find_replaced_axes(const RunData& run, RecallDigest* digest);

/// Fills knows_place and uses_place: does the variant weigh how near a memory is, or does its gate
/// look at where memories are? Unknown where settings cannot be read (those of another version).
void find_place_users(const RunData& run, RecallDigest* digest);

}  // namespace sightline::host::report
