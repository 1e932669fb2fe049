// 95 % intervals of what claims found, as tables show them beside the paper's number.
//
// A share has Wilson's, a mean score Student's t; a difference of pairs Tango's score interval
// (stats/paired.h); a mean over groups Student's t over the groups' values, and the share of
// groups that win Wilson's. A p value has none, nor a count that is no part of a share. Trials are
// taken as independent: where configurations ask the same in other words, true intervals are wider.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/sweep/claim_numbers.h"

namespace sightline::host {

/// Of one group; nullopt where none makes sense, as of a p value.
std::optional<stats::Interval> claim_interval(ExperimentKind kind, const std::string& name,
                                              const ResultRow& total);
stats::Sums sums_of(const std::vector<double>& values);
/// Of the mean of the groups' values.
std::optional<stats::Interval> mean_interval_of(const ClaimNumber& number,
                                                const std::vector<double>& values);
/// Of the difference that pairs make; none of no pairs.
std::optional<stats::Interval> pairs_interval(const DiscordantPairs& pairs);
/// Of own - other, of two rates of other trials (Newcombe 1998, method 10).
stats::Interval newcombe_interval(const Rate& own, const Rate& other);

/// "0.446 to 0.584"; empty for none.
std::string interval_text(const std::optional<stats::Interval>& interval);
/// Adds it to a list of such texts, unless it is none.
void add_interval(const std::optional<stats::Interval>& interval, std::string* list);
/// "difference 0.446 to 0.584", of numbers that are none themselves.
std::string difference_text(const std::optional<stats::Interval>& interval);

}  // namespace sightline::host
