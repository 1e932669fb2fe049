// The figures of a page of recall: numbers and labels for figures.py.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/report/figure_data.h"
#include "host/report/recall_mixes.h"
#include "host/report/recall_words.h"

namespace sightline::host::report {

constexpr std::size_t kMaxOffsetLines = 8;  ///< colours a reader can tell apart

/// A rate of measures.h against the offset, a line per variant; where there are no offsets, or more
/// variants than colours, bars per variant, a panel per offset.
FigureData recall_rate_figure(const RecallDigest& digest, const std::vector<ShownVariant>& shown,
                              const std::string& rate);
/// Hits over the triangle of weights, a panel per offset.
FigureData mix_figure(const RecallDigest& digest, const MixMap& mixes);
/// Hits against time per query; none if no time was taken, or all took their share of one pass.
std::optional<FigureData> recall_cost_figure(const RecallDigest& digest,
                                             const std::vector<ShownVariant>& shown);

/// The same against the time in the gate alone.
std::optional<FigureData> recall_gate_cost_figure(const RecallDigest& digest,
                                                  const std::vector<ShownVariant>& shown);
/// What verification says of the recalled, against the axis that sets how it looks (a march step);
/// none without such an axis of numbers.
std::optional<FigureData> recall_verify_figure(const RunData& run, const RecallDigest& digest,
                                               const std::vector<ShownVariant>& shown);

/// The same in a sentence: the page's own arm at both ends of the axis, and arms that verify in
/// their own way; without such an axis, every arm. Empty where nothing is verified against a truth.
std::string verify_sentence(const RunData& run, const RecallDigest& digest);

/// The world of the first configuration from above, with what is remembered and where questions are
/// asked; none without a world, or with too many memories to be made again. As slice_figure of
/// `directory`. Throws InputError if an input of the run can no longer be read.
std::optional<FigureData> recall_world_figure(const RunData& run, const std::string& directory);

/// All that the run has data for but its world, in the order of the page.
std::vector<FigureData> make_recall_figures(const RunData& run, const RecallDigest& digest,
                                            const std::vector<ShownVariant>& shown,
                                            const std::optional<MixMap>& mixes);

}  // namespace sightline::host::report
