// What a run of recall says, in sentences computed from its numbers, and the names of its parts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/report/recall_digest.h"
#include "host/report/recall_mixes.h"

namespace sightline::host::report {

/// "0.4 relevance + 0.6 spatial, scale 100 m", after the arm's name where there are several; an
/// axis that says nothing of the arm is left out.
std::string variant_label(const RecallDigest& digest, std::size_t variant);
/// Its settings that are no weights: "scale 100 m".
std::string context_label(const RecallDigest& digest, std::size_t variant);

/// A variant that the figures show.
struct ShownVariant {
  std::size_t variant = 0;
  std::string label;
  std::size_t color = 0;  ///< of figures.py; the primary arm has the first
};
constexpr std::size_t kMaxBars = 32;  ///< more variants than this are not shown one by one
/// All variants, or of too many: the named mixes and the best one, and of every other arm the
/// best.
std::vector<ShownVariant> shown_variants(const RecallDigest& digest,
                                         const std::optional<MixMap>& mixes);

/// What was added up and what was left out, one sentence each.
std::vector<std::string> pooling_notes(const RecallDigest& digest);

/// Two or three sentences: what hits most at each offset, and whether place leads there.
std::string takeaway(const RecallDigest& digest);

/// One paired comparison with the baseline arm.
struct RecallComparison {
  std::size_t variant = 0, offset = 0;
  std::int64_t n = 0, only_arm = 0, only_baseline = 0;
  double difference = 0;         ///< hit rate of the arm less that of the baseline
  double p = 1, p_adjusted = 1;  ///< exact McNemar; Holm over all comparisons of the run
};
/// Every variant of the arms but the baseline at every offset.
std::vector<RecallComparison> compare_with_baseline(const RecallDigest& digest);

}  // namespace sightline::host::report
