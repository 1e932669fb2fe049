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

/// All that the run has data for, in the order of the page.
std::vector<FigureData> make_recall_figures(const RecallDigest& digest,
                                            const std::vector<ShownVariant>& shown,
                                            const std::optional<MixMap>& mixes);

}  // namespace sightline::host::report
