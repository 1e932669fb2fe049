// What a run says, in sentences computed from its numbers.
#pragma once

#include <string>
#include <vector>

#include "host/report/digest.h"
#include "host/stats/paired.h"

namespace sightline::host::report {

/// One or two sentences: what the primary arm gets wrong, and at which march step. They describe
/// the counts; tests are in compare_with_baseline.
std::string takeaway(const Digest& digest);

/// What was added up and what was left out, one sentence each: for the note under the first figure.
std::vector<std::string> pooling_notes(const Digest& digest);

/// A sentence, after a blank, on arms that ask the oracle's own question; empty if there is none.
std::string construction_note(const Digest& digest);

/// A sentence on observers that several rays share: what intervals and p values are of; empty where
/// each ray has an observer of its own.
std::string observers_note(const Digest& digest);

/// One paired comparison with the baseline arm.
struct PairedComparison {
  std::size_t arm = 0, line = 0, step = 0;
  bool every_step = false;  ///< neither arm depends on the step: the same at all of them
  std::int64_t n = 0, only_arm_right = 0, only_baseline_right = 0;
  double difference = 0;         ///< accuracy of the arm less that of the baseline
  stats::Interval interval;      ///< 95 %, Tango's (stats/paired.h)
  double p = 1, p_adjusted = 1;  ///< exact McNemar; Holm over all comparisons of the run
};
/// Every arm but the baseline at every line and step, once where steps make no difference; other
/// axes pooled.
std::vector<PairedComparison> compare_with_baseline(const Digest& digest);

}  // namespace sightline::host::report
