#include "host/banded_top.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <vector>

namespace sightline::host {
namespace {

using kernels::BandMember;
using kernels::BlendView;
using kernels::DominanceRule;
using kernels::Executor;
using kernels::FeatureColumn;
using kernels::kMaxFeatures;
using kernels::Scored;
using kernels::words_of_bits;

// What a band costs, in scores of the full scan (0.05 ns each): measured with a million memories
// and with 5000, see bench/README.md.
constexpr double kBandScores = 2e6;          ///< whatever the number of memories
constexpr double kPivotScores = 80;          ///< per memory that takes part, to find pivots
constexpr double kMeetScores = 90;           ///< per memory, to meet them
constexpr double kMargin = 1.25;             ///< over these, for what is left to be scanned
constexpr std::int64_t kThinMixes = 6000;    ///< that comparing candidates is worth
constexpr std::int64_t kFewMemories = 4096;  ///< of which too many would be left

// Pivots: the best under mixes of their own, spread out, in units of each feature's range.
constexpr int kPivotMixes = 32;
constexpr int kPivotsPerMix = 16;
constexpr std::int64_t kSampled = 4096;
constexpr std::int64_t kQueriesAtOnce = 16;
constexpr std::int64_t kMostTests = std::int64_t{1} << 30;  ///< a second of one thread

const std::int32_t* row_of(const FeatureColumn& column, std::int64_t query) {
  return column.values + query * column.query_stride;
}

/// The same value for all memories of each query.
bool is_constant(const FeatureColumn& column, std::int64_t num_queries, std::int64_t num_memories) {
  const std::int64_t rows = column.query_stride == 0 ? 1 : num_queries;
  for (std::int64_t q = 0; q < rows; ++q) {
    const std::int32_t* values = row_of(column, q);
    if (std::adjacent_find(values, values + num_memories, std::not_equal_to<>()) !=
        values + num_memories) {
      return false;
    }
  }
  return true;
}

/// Calls take(memory) for those of a row of bits, ascending.
template <class Take>
void for_each_set(const std::uint64_t* bits, std::int64_t num_words, const Take& take) {
  for (std::int64_t w = 0; w < num_words; ++w) {
    for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
      const std::uint64_t lowest = rest & (~rest + 1);
      take(static_cast<std::int32_t>(w * 64 + std::int64_t(std::bitset<64>(lowest - 1).count())));
    }
  }
}

/// A feature's range among some of the memories of some of the queries.
double sampled_range(const FeatureColumn& column, std::int64_t num_queries,
                     std::int64_t num_memories) {
  const std::int64_t rows = column.query_stride == 0 ? 1 : std::min<std::int64_t>(4, num_queries);
  const std::int64_t step = std::max<std::int64_t>(1, num_memories / kSampled);
  std::int32_t low = *column.values, high = low;
  for (std::int64_t q = 0; q < rows; ++q) {
    const std::int32_t* values = row_of(column, q);
    for (std::int64_t m = 0; m < num_memories; m += step) {
      low = std::min(low, values[m]);
      high = std::max(high, values[m]);
    }
  }
  return static_cast<double>(high) - static_cast<double>(low);
}

/// Weights of kPivotMixes mixes: all features alike in the first, then spread over the simplex.
std::vector<std::int32_t> pivot_weights(const BlendView& memories, const DominanceRule& rule,
                                        std::int64_t num_queries) {
  // Within what float holds, where that is not too coarse.
  const double total = memories.feature_bits <= kernels::kDefaultFeatureBits ? 63 : 4095;
  double unit[kMaxFeatures] = {};
  for (int f = 0; f < memories.num_features; ++f) {
    if (rule.direction[f] == 0) continue;
    const double range = sampled_range(memories.features[f], num_queries, memories.num_memories);
    unit[f] = rule.direction[f] / std::max(1.0, range);
  }
  std::uint64_t state = 1;  // of a linear congruence, Knuth's constants: any spread will do
  const auto uniform = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state >> 40) + 0.5) * 0x1p-24;
  };
  std::vector<std::int32_t> weights;
  for (int mix = 0; mix < kPivotMixes; ++mix) {
    double weight[kMaxFeatures] = {}, sum = 0;
    for (int f = 0; f < memories.num_features; ++f) {
      weight[f] = unit[f] * (mix == 0 ? 1 : 0.2 - std::log(uniform()));
      sum += std::abs(weight[f]);
    }
    for (int f = 0; f < memories.num_features; ++f) {
      weights.push_back(static_cast<std::int32_t>(weight[f] / sum * total));
    }
  }
  return weights;
}

/// The distinct memories of a query's lists, the first of each list first, at most kMaxPivots.
void collect_pivots(const Scored* lists, int per_mix, std::int32_t* out) {
  std::vector<std::int32_t> taken;
  for (int place = 0; place < per_mix; ++place) {
    for (int mix = 0; mix < kPivotMixes; ++mix) {
      const std::int32_t memory = lists[mix * per_mix + place].memory;
      const bool is_full = static_cast<std::int64_t>(taken.size()) == kernels::kMaxPivots;
      if (memory == kernels::kNoMemory || is_full ||
          std::find(taken.begin(), taken.end(), memory) != taken.end()) {
        continue;
      }
      taken.push_back(memory);
    }
  }
  std::fill(std::copy(taken.begin(), taken.end(), out), out + kernels::kMaxPivots,
            kernels::kNoMemory);
}

/// The bands of some queries, and the lists that are made of them.
class Bands {
 public:
  Bands(const Executor& executor, const BlendView& memories, const DominanceRule& rule,
        std::int64_t num_queries, int k)
      : executor_(executor),
        memories_(memories),
        rule_(rule),
        num_queries_(num_queries),
        num_words_(words_of_bits(memories.num_memories)),
        k_(k),
        bits_(static_cast<std::size_t>(num_queries * num_words_)) {}

  void find(const std::vector<std::int32_t>& weights_of_pivots) {
    const int per_mix = std::min(kernels::kMaxTop, std::max(kPivotsPerMix, 2 * k_));
    std::vector<Scored> lists(static_cast<std::size_t>(num_queries_ * kPivotMixes * per_mix));
    kernels::top_memories(executor_, memories_, num_queries_, weights_of_pivots.data(), kPivotMixes,
                          per_mix, lists.data());
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(num_queries_ * kernels::kMaxPivots));
    for (std::int64_t q = 0; q < num_queries_; ++q) {
      collect_pivots(lists.data() + q * kPivotMixes * per_mix, per_mix,
                     pivots.data() + q * kernels::kMaxPivots);
    }
    kernels::drop_dominated(executor_, memories_, num_queries_, rule_, pivots.data(),
                            kernels::kMaxPivots, k_, bits_.data());
    list_members();
  }

  /// Leaves only what fewer than k others dominate.
  void thin() {
    std::vector<std::int32_t> scratch(static_cast<std::size_t>(
        kernels::band_scratch_values(first_.back(), num_queries_, memories_.num_features)));
    kernels::thin_bands(executor_, memories_, num_queries_, rule_, k_, kMostTests,
                        {first_.data(), members_.data()}, scratch.data(), num_left_.data());
  }

  std::int64_t num_members() const { return first_.back(); }

  void list_best(std::int64_t query, const std::int32_t* weights, std::int64_t num_mixes,
                 Scored* out) {
    const std::vector<std::int32_t> indices = indices_of(query);
    const auto num = static_cast<std::int64_t>(indices.size());
    BlendView band = memories_;
    band.kept = nullptr;
    band.num_memories = num;
    columns_.resize(static_cast<std::size_t>(num * memories_.num_features));
    for (int f = 0; f < memories_.num_features; ++f) {
      const std::int32_t* from = row_of(memories_.features[f], query);
      std::int32_t* const to = columns_.data() + f * num;
      for (std::int64_t i = 0; i < num; ++i) to[i] = from[indices[static_cast<std::size_t>(i)]];
      band.features[f] = {to, 0};
    }
    kernels::top_memories(executor_, band, 1, weights, num_mixes, k_, out);
    for (std::int64_t i = 0; i < num_mixes * k_; ++i) {
      if (out[i].memory == kernels::kNoMemory) continue;
      out[i].memory = indices[static_cast<std::size_t>(out[i].memory)];
    }
  }

 private:
  const std::uint64_t* kept_of(std::int64_t query) const {
    return memories_.kept == nullptr ? nullptr : memories_.kept + query * num_words_;
  }

  void list_members() {
    first_.assign(1, 0);
    members_.clear();
    for (std::int64_t q = 0; q < num_queries_; ++q) {
      for_each_set(bits_.data() + q * num_words_, num_words_, [&](std::int32_t memory) {
        members_.push_back({0, memory, 0});
      });
      first_.push_back(static_cast<std::int64_t>(members_.size()));
      num_left_.push_back(first_.back() - first_[first_.size() - 2]);
    }
  }

  /// Of the band and of the k kept memories of the lowest indices, ascending.
  std::vector<std::int32_t> indices_of(std::int64_t query) const {
    std::vector<std::int32_t> first_kept, band, all;
    const std::uint64_t* const kept = kept_of(query);
    for (std::int64_t m = 0;
         m < memories_.num_memories && first_kept.size() < static_cast<std::size_t>(k_); ++m) {
      if (kept == nullptr || (kept[m / 64] >> (m % 64) & 1) != 0) {
        first_kept.push_back(static_cast<std::int32_t>(m));
      }
    }
    const std::int64_t begin = first_[static_cast<std::size_t>(query)];
    for (std::int64_t i = 0; i < num_left_[static_cast<std::size_t>(query)]; ++i) {
      band.push_back(members_[static_cast<std::size_t>(begin + i)].memory);
    }
    std::set_union(first_kept.begin(), first_kept.end(), band.begin(), band.end(),
                   std::back_inserter(all));
    return all;
  }

  const Executor& executor_;
  const BlendView memories_;
  const DominanceRule rule_;
  const std::int64_t num_queries_, num_words_;
  const int k_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::int64_t> first_, num_left_;
  std::vector<BandMember> members_;
  std::vector<std::int32_t> columns_;
};

/// Of those that take part, on average of the queries.
std::int64_t mean_kept(const BlendView& memories, std::int64_t num_queries) {
  if (memories.kept == nullptr || num_queries == 0) return memories.num_memories;
  std::size_t num = 0;
  for (std::int64_t w = 0; w < num_queries * words_of_bits(memories.num_memories); ++w) {
    num += std::bitset<64>(memories.kept[w]).count();
  }
  return static_cast<std::int64_t>(num) / num_queries;
}

/// The view of the queries from first on.
BlendView from_query(BlendView memories, std::int64_t first) {
  for (int f = 0; f < memories.num_features; ++f) {
    memories.features[f].values += first * memories.features[f].query_stride;
  }
  if (memories.kept != nullptr) memories.kept += first * words_of_bits(memories.num_memories);
  return memories;
}

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

bool band_pays(std::int64_t num_memories, std::int64_t num_kept, std::int64_t num_mixes, int k) {
  const double build = kBandScores + kMeetScores * static_cast<double>(num_memories) +
                       kPivotScores * static_cast<double>(num_kept);
  const double scan = static_cast<double>(num_mixes) * static_cast<double>(num_kept);
  return num_kept >= kFewMemories * std::max(1, k / 5) && scan > kMargin * build;
}

void banded_top_memories(const Executor& executor, const BlendView& memories,
                         const DominanceRule& rule, std::int64_t num_queries,
                         const std::int32_t* weights, std::int64_t num_mixes, int k,
                         const std::function<void()>& check_stop, Scored* out) {
  DominanceRule compared = rule;
  bool any = false;
  for (int f = 0; f < memories.num_features; ++f) {
    if (is_constant(memories.features[f], num_queries, memories.num_memories)) {
      compared.direction[f] = 0;
    }
    any = any || compared.direction[f] != 0;
  }
  if (!any || memories.num_memories == 0) {
    return kernels::top_memories(executor, memories, num_queries, weights, num_mixes, k, out);
  }
  const std::vector<std::int32_t> of_pivots = pivot_weights(memories, compared, num_queries);
  for (std::int64_t first = 0; first < num_queries; first += kQueriesAtOnce) {
    check_stop();
    const std::int64_t count = std::min(kQueriesAtOnce, num_queries - first);
    const BlendView some = from_query(memories, first);
    Scored* const lists = out + first * num_mixes * k;
    Bands bands(executor, some, compared, count, k);
    bands.find(of_pivots);
    if (bands.num_members() > count * memories.num_memories / 2) {  // as good as all of them
      kernels::top_memories(executor, some, count, weights, num_mixes, k, lists);
      continue;
    }
    if (num_mixes >= kThinMixes) bands.thin();
    for (std::int64_t q = 0; q < count; ++q) {
      check_stop();
      bands.list_best(q, weights, num_mixes, lists + q * num_mixes * k);
    }
  }
}

void fast_top_memories(const Executor& executor, const BlendView& memories,
                       std::int64_t num_queries, const std::int32_t* weights,
                       std::int64_t num_mixes, int k, const std::function<void()>& check_stop,
                       Scored* out) {
  const int num_features = memories.num_features;
  const std::int64_t num_kept = mean_kept(memories, num_queries);
  const auto pays = [&](std::size_t mixes) {
    return band_pays(memories.num_memories, num_kept, static_cast<std::int64_t>(mixes), k);
  };
  std::vector<SignGroup> groups;
  if (pays(static_cast<std::size_t>(num_mixes))) {
    groups = group_by_sign(weights, num_mixes, num_features);
  }
  if (groups.size() == 1) {
    return banded_top_memories(executor, memories, groups[0].rule, num_queries, weights, num_mixes,
                               k, check_stop, out);
  }
  // Groups too small for bands of their own are left to one full scan.
  std::vector<std::int64_t> rest;
  std::vector<std::int32_t> some;
  std::vector<Scored> lists;
  const auto take = [&](const std::vector<std::int64_t>& mixes) {
    some.clear();
    for (const std::int64_t mix : mixes) {
      some.insert(some.end(), weights + mix * num_features, weights + (mix + 1) * num_features);
    }
    lists.resize(static_cast<std::size_t>(num_queries * k) * mixes.size());
  };
  const auto put = [&](const std::vector<std::int64_t>& mixes) {
    const Scored* from = lists.data();
    for (std::int64_t q = 0; q < num_queries; ++q) {
      for (const std::int64_t mix : mixes) {
        std::copy_n(from, k, out + (q * num_mixes + mix) * k);
        from += k;
      }
    }
  };
  for (const SignGroup& group : groups) {
    if (!pays(group.mixes.size())) {
      rest.insert(rest.end(), group.mixes.begin(), group.mixes.end());
      continue;
    }
    take(group.mixes);
    banded_top_memories(executor, memories, group.rule, num_queries, some.data(),
                        static_cast<std::int64_t>(group.mixes.size()), k, check_stop, lists.data());
    put(group.mixes);
  }
  const auto num_rest = static_cast<std::int64_t>(rest.size());
  if (groups.empty() || num_rest == num_mixes) {
    return kernels::top_memories(executor, memories, num_queries, weights, num_mixes, k, out);
  }
  if (rest.empty()) return;
  take(rest);
  kernels::top_memories(executor, memories, num_queries, some.data(), num_rest, k, lists.data());
  put(rest);
}

}  // namespace sightline::host
