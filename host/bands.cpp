#include "host/bands.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <iterator>

namespace sightline::host {
namespace {

using kernels::BandMember;
using kernels::BlendView;
using kernels::FeatureColumn;
using kernels::kMaxFeatures;
using kernels::Scored;
using kernels::words_of_bits;

// Pivots: the best under mixes of their own, spread out.
constexpr int kPivotsPerMix = 24;
constexpr std::int64_t kSampled = 4096;
constexpr std::int64_t kMostTests = std::int64_t{1} << 30;  ///< a second of one thread

const std::int32_t* row_of(const FeatureColumn& column, std::int64_t query) {
  return column.values + query * column.query_stride;
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

struct Spread {
  double range = 0, deviation = 0;
};

/// A feature's spread among some of the memories of some of the queries.
Spread sampled_spread(const FeatureColumn& column, std::int64_t num_queries,
                      std::int64_t num_memories) {
  const std::int64_t rows = column.query_stride == 0 ? 1 : std::min<std::int64_t>(4, num_queries);
  const std::int64_t step = std::max<std::int64_t>(1, num_memories / kSampled);
  if (rows == 0 || num_memories == 0) return {};
  std::int32_t low = *column.values, high = low;
  double num = 0, mean = 0, squares = 0;  // Welford's
  for (std::int64_t q = 0; q < rows; ++q) {
    const std::int32_t* values = row_of(column, q);
    for (std::int64_t m = 0; m < num_memories; m += step) {
      low = std::min(low, values[m]);
      high = std::max(high, values[m]);
      const double value = values[m], from_mean = value - mean;
      mean += from_mean / ++num;
      squares += from_mean * (value - mean);
    }
  }
  return {static_cast<double>(high) - static_cast<double>(low), std::sqrt(squares / num)};
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

/// The first k of those of a query that take part.
Band first_kept(const BandSource& of, std::int64_t query) {
  const BlendView& memories = of.memories;
  const std::uint64_t* kept = memories.kept;
  if (kept != nullptr) kept += query * words_of_bits(memories.num_memories);
  Band first;
  for (std::int64_t m = 0;
       m < memories.num_memories && first.size() < static_cast<std::size_t>(of.k); ++m) {
    if (kept == nullptr || (kept[m / 64] >> (m % 64) & 1) != 0) {
      first.push_back(static_cast<std::int32_t>(m));
    }
  }
  return first;
}

/// A band with those of the lowest indices.
Band with_first(const BandSource& of, std::int64_t query, const Band& band) {
  const Band first = first_kept(of, query);
  Band all;
  all.reserve(first.size() + band.size());
  std::set_union(first.begin(), first.end(), band.begin(), band.end(), std::back_inserter(all));
  return all;
}

}  // namespace

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

std::vector<double> sampled_deviations(const BlendView& memories, std::int64_t num_queries) {
  std::vector<double> deviations;
  for (int f = 0; f < memories.num_features; ++f) {
    deviations.push_back(
        sampled_spread(memories.features[f], num_queries, memories.num_memories).deviation);
  }
  return deviations;
}

// All features alike in the first, then spread over the simplex.
std::vector<std::int32_t> pivot_weights(const BandSource& of, int num_mixes, double total) {
  const BlendView& memories = of.memories;
  double unit[kMaxFeatures] = {};
  for (int f = 0; f < memories.num_features; ++f) {
    if (of.rule.direction[f] == 0) continue;
    const Spread spread =
        sampled_spread(memories.features[f], of.num_queries, memories.num_memories);
    unit[f] = of.rule.direction[f] / std::max(1.0, spread.range);
  }
  std::uint64_t state = 1;  // of a linear congruence, Knuth's constants: any spread will do
  const auto uniform = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state >> 40) + 0.5) * 0x1p-24;
  };
  std::vector<std::int32_t> weights;
  for (int mix = 0; mix < num_mixes; ++mix) {
    double weight[kMaxFeatures] = {}, sum = 0;
    for (int f = 0; f < memories.num_features; ++f) {
      weight[f] = unit[f] * (mix == 0 ? 1 : 0.2 - std::log(uniform()));
      sum += std::abs(weight[f]);
    }
    // What weighs less than 1 does so in some of the mixes: features that vary the most would else
    // count for nothing beside one that varies little, and the pivots be bad at them.
    std::int32_t whole[kMaxFeatures] = {}, rest = static_cast<std::int32_t>(total);
    for (int f = 0; f < memories.num_features; ++f) {
      const double size = std::abs(weight[f]) / sum * total;
      whole[f] = static_cast<std::int32_t>(size > 0 && size < 1 ? size + uniform() : size);
      rest -= whole[f];
    }
    *std::max_element(whole, whole + memories.num_features) += std::min(rest, 0);
    for (int f = 0; f < memories.num_features; ++f) {
      weights.push_back(weight[f] < 0 ? -whole[f] : whole[f]);
    }
  }
  return weights;
}

// Within what float holds, where that is not too coarse.
std::vector<std::int32_t> pivot_weights(const BandSource& of) {
  const bool is_float = of.memories.feature_bits <= kernels::kDefaultFeatureBits;
  return pivot_weights(of, kPivotMixes, is_float ? 63 : 4095);
}

BandSource piece_of(const BandSource& of, std::int64_t first, std::int64_t num) {
  BandSource piece = of;
  piece.memories = from_query(of.memories, first);
  piece.compared = from_query(of.compared, first);
  piece.num_queries = num;
  return piece;
}

std::vector<Band> find_bands(const BandSource& of, const std::vector<std::int32_t>& of_pivots) {
  const std::int64_t num_queries = of.num_queries;
  const std::int64_t num_words = words_of_bits(of.memories.num_memories);
  const int per_mix = std::min(kernels::kMaxTop, std::max(kPivotsPerMix, 4 * of.k));
  std::vector<Scored> lists(static_cast<std::size_t>(num_queries * kPivotMixes * per_mix));
  kernels::top_memories(of.executor, of.memories, num_queries, of_pivots.data(), kPivotMixes,
                        per_mix, lists.data());
  std::vector<std::int32_t> pivots(static_cast<std::size_t>(num_queries * kernels::kMaxPivots));
  for (std::int64_t q = 0; q < num_queries; ++q) {
    collect_pivots(lists.data() + q * kPivotMixes * per_mix, per_mix,
                   pivots.data() + q * kernels::kMaxPivots);
  }
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(num_queries * num_words));
  kernels::drop_dominated(of.executor, of.compared, num_queries, of.rule, pivots.data(),
                          kernels::kMaxPivots, of.k, bits.data());
  std::vector<Band> bands;
  for (std::int64_t q = 0; q < num_queries; ++q) {
    Band left;
    for_each_set(bits.data() + q * num_words, num_words,
                 [&](std::int32_t memory) { left.push_back(memory); });
    bands.push_back(with_first(of, q, left));
  }
  return bands;
}

bool are_most(const BandSource& of, const std::vector<Band>& bands) {
  std::size_t num = 0;
  for (const Band& band : bands) num += band.size();
  return static_cast<std::int64_t>(num) > of.num_queries * of.memories.num_memories / 2;
}

void thin_bands(const BandSource& of, std::vector<Band>* bands) {
  std::vector<BandMember> members;
  std::vector<std::int64_t> first = {0}, num_left(bands->size());
  for (const Band& band : *bands) {
    for (const std::int32_t memory : band) members.push_back({0, memory, 0});
    first.push_back(static_cast<std::int64_t>(members.size()));
  }
  std::vector<std::int32_t> scratch(static_cast<std::size_t>(
      kernels::band_scratch_values(first.back(), of.num_queries, of.compared.num_features)));
  kernels::thin_bands(of.executor, of.compared, of.num_queries, of.rule, of.k, kMostTests,
                      {first.data(), members.data()}, scratch.data(), num_left.data());
  for (std::size_t q = 0; q < bands->size(); ++q) {
    Band left;
    for (std::int64_t i = 0; i < num_left[q]; ++i) {
      left.push_back(members[static_cast<std::size_t>(first[q] + i)].memory);
    }
    (*bands)[q] = with_first(of, static_cast<std::int64_t>(q), left);
  }
}

BandLists::BandLists(const BandSource& of, const std::int32_t* weights, std::int64_t num_mixes)
    : tree_(make_mix_tree(weights, num_mixes, sampled_deviations(of.memories, of.num_queries))) {}

void BandLists::write(const BandSource& piece, const Band* bands, Scored* out) {
  std::vector<std::int64_t> first = {0};
  Band members;
  for (std::int64_t q = 0; q < piece.num_queries; ++q) {
    members.insert(members.end(), bands[q].begin(), bands[q].end());
    first.push_back(static_cast<std::int64_t>(members.size()));
  }
  const kernels::BandsView view{first.data(), members.data()};
  const std::int64_t bytes = kernels::band_tops_workspace_bytes(
      piece.executor, piece.memories, piece.num_queries, view, tree_.view(), piece.k);
  kernels::band_tops(piece.executor, piece.memories, piece.num_queries, view, tree_.view(), piece.k,
                     out, workspace_.reserve(bytes));
}

}  // namespace sightline::host
