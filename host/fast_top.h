// The k best of many mixes by whatever is cheapest: one full scan, a band for each pattern of signs
// (host/banded_top.h), or blocks for all (host/blocked_top.h). The lists are the same. On the CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "host/top_call.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// Mixes whose weights of each feature are all >= 0 or all <= 0, and how memories are compared
/// under them.
struct SignGroup {
  kernels::DominanceRule rule;      ///< compares nothing where all weights are 0
  std::vector<std::int64_t> mixes;  ///< ascending
};

/// Each mix in one group, the first that it fits into.
std::vector<SignGroup> group_by_sign(const std::int32_t* weights, std::int64_t num_mixes,
                                     int num_features);

/// What the k best of a query are likely to cost, in scores of the full scan.
struct ListCosts {
  std::int64_t num_memories;
  std::int64_t num_kept;  ///< memories that take part, of each query on average
  int k;

  double scan(std::int64_t num_mixes) const;
  double band(std::int64_t num_mixes) const;    ///< of one group, its making included
  double blocks(std::int64_t num_mixes) const;  ///< likewise, of any groups

  bool band_pays(std::int64_t num_mixes) const;
  /// Can anything but one scan pay, whatever the signs of so many mixes?
  bool is_worth_grouping(std::int64_t num_mixes) const;
  /// Do blocks for all groups, rather than a band or a scan for each?
  bool blocks_pay(const std::vector<SignGroup>& groups) const;
};

/// Of those that take part, on average of the queries.
std::int64_t mean_kept(const kernels::BlendView& memories, std::int64_t num_queries);

/// As kernels::top_memories(), through bands or blocks where they pay.
void fast_top_memories(const TopCall& call);

}  // namespace sightline::host
