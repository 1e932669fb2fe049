#include "host/fast_top.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <limits>

#include "host/banded_top.h"
#include "host/blocked_top.h"

namespace sightline::host {
namespace {

using kernels::BlendView;
using kernels::kMaxFeatures;
using kernels::words_of_bits;

constexpr double kNever = std::numeric_limits<double>::infinity();

// What a band costs, in scores of the full scan (0.07 ns each): measured with 5,000 to a million
// memories, k of 5 and 20 and 100 to 10,626 mixes, see bench/README.md.
constexpr double kBandScores = 1.5e6;        ///< whatever the number of memories
constexpr double kPivotScores = 40;          ///< per memory that takes part, to find pivots
constexpr double kMeetScores = 50;           ///< per memory, to meet them
constexpr double kMeetOneScores = 13;        ///< more of them, for each of the k
constexpr double kShareLeft = 11.6;          ///< of n memories, a share of this sqrt(k / n)
constexpr std::int64_t kFewMemories = 4096;  ///< of which too many would be left

// The same of blocks: a mix looks at some of the blocks and of their memories.
constexpr double kOrderScores = 260;   ///< per memory, to put it into a block
constexpr double kSearchScores = 270;  ///< of n memories, this n^0.3 k^0.8 for each mix

}  // namespace

std::vector<SignGroup> group_by_sign(const std::int32_t* weights, std::int64_t num_mixes,
                                     int num_features) {
  std::vector<SignGroup> groups;
  for (std::int64_t mix = 0; mix < num_mixes; ++mix) {
    std::int8_t sign[kMaxFeatures] = {};
    for (int f = 0; f < num_features; ++f) {
      const std::int32_t weight = weights[mix * num_features + f];
      sign[f] = static_cast<std::int8_t>((weight > 0) - (weight < 0));
    }
    const auto fits = [&](const SignGroup& group) {
      for (int f = 0; f < num_features; ++f) {
        if (sign[f] * group.rule.direction[f] < 0) return false;
      }
      return true;
    };
    auto group = std::find_if(groups.begin(), groups.end(), fits);
    if (group == groups.end()) group = groups.emplace(groups.end());
    for (int f = 0; f < num_features; ++f) {
      if (sign[f] != 0) group->rule.direction[f] = sign[f];
    }
    group->mixes.push_back(mix);
  }
  return groups;
}

double ListCosts::scan(std::int64_t num_mixes) const {
  return static_cast<double>(num_mixes) * static_cast<double>(num_kept);
}

double ListCosts::band(std::int64_t num_mixes) const {
  if (num_kept < kFewMemories) return kNever;
  const auto kept = static_cast<double>(num_kept);
  return kBandScores + kPivotScores * kept +
         (kMeetScores + kMeetOneScores * k) * static_cast<double>(num_memories) +
         scan(num_mixes) * kShareLeft * std::sqrt(k / kept);
}

double ListCosts::blocks(std::int64_t num_mixes) const {
  if (num_kept < kFewMemories) return kNever;
  return kOrderScores * static_cast<double>(num_memories) +
         static_cast<double>(num_mixes) * kSearchScores *
             std::pow(static_cast<double>(num_kept), 0.3) * std::pow(k, 0.8);
}

bool ListCosts::band_pays(std::int64_t num_mixes) const {
  return band(num_mixes) < scan(num_mixes);
}

bool ListCosts::is_worth_grouping(std::int64_t num_mixes) const {
  return std::min(band(num_mixes), blocks(num_mixes)) < scan(num_mixes);
}

bool ListCosts::blocks_pay(const std::vector<SignGroup>& groups) const {
  std::int64_t num_mixes = 0;
  double otherwise = 0;
  for (const SignGroup& group : groups) {
    const auto num = static_cast<std::int64_t>(group.mixes.size());
    num_mixes += num;
    otherwise += std::min(scan(num), band(num));
  }
  return blocks(num_mixes) < otherwise;
}

std::int64_t mean_kept(const BlendView& memories, std::int64_t num_queries) {
  if (memories.kept == nullptr || num_queries == 0) return memories.num_memories;
  std::size_t num = 0;
  for (std::int64_t w = 0; w < num_queries * words_of_bits(memories.num_memories); ++w) {
    num += std::bitset<64>(memories.kept[w]).count();
  }
  return static_cast<std::int64_t>(num) / num_queries;
}

// Groups too small for bands of their own are left to one full scan.
void fast_top_memories(const TopCall& call) {
  const BlendView& memories = call.memories;
  const ListCosts costs{memories.num_memories, mean_kept(memories, call.num_queries), call.k};
  if (!costs.is_worth_grouping(call.num_mixes)) return scan_top_memories(call);
  const std::vector<SignGroup> groups =
      group_by_sign(call.weights, call.num_mixes, memories.num_features);
  if (costs.blocks_pay(groups) && blocks_serve(call)) return blocked_top_memories(call);
  std::vector<std::int64_t> rest;
  for (const SignGroup& group : groups) {
    if (costs.band_pays(static_cast<std::int64_t>(group.mixes.size()))) {
      answer_some(call, group.mixes,
                  [&](const TopCall& some) { banded_top_memories(some, group.rule); });
    } else {
      rest.insert(rest.end(), group.mixes.begin(), group.mixes.end());
    }
  }
  answer_some(call, rest, scan_top_memories);
}

}  // namespace sightline::host
