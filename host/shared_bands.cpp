#include "host/shared_bands.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "host/fast_top.h"

namespace sightline::host {
namespace {

using kernels::BlendView;
using kernels::DominanceRule;
using kernels::FeatureColumn;

/// Direction 1 for all features but those that are the same for all memories. What keys compare may
/// be the same at this scale, and not at the next.
DominanceRule comparable_by(const TopCall& call, const BlendKeys& keys) {
  DominanceRule rule;
  for (int f = 0; f < call.memories.num_features; ++f) {
    const bool is_key = keys.is_key[f];
    rule.least[f] = is_key ? kernels::kKeyGap : 0;
    rule.direction[f] = is_key || !is_constant(call.memories.features[f], call.num_queries,
                                               call.memories.num_memories);
  }
  return rule;
}

/// Does a mix weigh something that is compared by itself? If not, it does not share the band.
bool shares_band(const std::int32_t* mix, int num_features, const DominanceRule& rule) {
  for (int f = 0; f < num_features; ++f) {
    if (mix[f] != 0 && rule.direction[f] != 0 && rule.least[f] == 0) return true;
  }
  return false;
}

/// Are memories at so few distances that most would dominate none of the others?
bool has_few_values(const FeatureColumn& column, std::int64_t num_memories) {
  constexpr std::int64_t kSampled = 4096;
  const std::int64_t step = std::max<std::int64_t>(1, num_memories / kSampled);
  std::vector<std::int32_t> values;
  for (std::int64_t m = 0; m < num_memories; m += step) values.push_back(column.values[m]);
  std::sort(values.begin(), values.end());
  const auto num = std::unique(values.begin(), values.end()) - values.begin();
  return 2 * num < static_cast<std::int64_t>(values.size());
}

}  // namespace

SharedBands::Shared SharedBands::make(const TopCall& call, const BlendKeys& keys,
                                      const DominanceRule& rule) {
  Shared made;
  BandSource& source = made.source;
  source = {call.executor, call.memories, call.memories, rule, call.num_queries, call.k};
  for (int f = 0; f < call.memories.num_features; ++f) {
    if (rule.direction[f] == 0 || !keys.is_key[f]) continue;
    source.compared.features[f] = keys.key_column(keys.id[f]);
    if (has_few_values(source.compared.features[f], call.memories.num_memories)) return made;
  }
  ++num_made_;
  const std::vector<std::int32_t> of_pivots = pivot_weights(source);
  for (std::int64_t first = 0; first < call.num_queries; first += kQueriesAtOnce) {
    call.check_stop();
    const BandSource piece =
        piece_of(source, first, std::min(kQueriesAtOnce, call.num_queries - first));
    std::vector<Band> bands = find_bands(piece, of_pivots);
    if (are_most(piece, bands)) {
      made.bands.clear();
      return made;
    }
    std::move(bands.begin(), bands.end(), std::back_inserter(made.bands));
  }
  return made;
}

SharedBands::Shared* SharedBands::find(const TopCall& call, const BlendKeys& keys,
                                       const DominanceRule& rule, bool pays) {
  constexpr std::size_t kMostShared = 8;
  Signature signature = {keys.gate, call.k};
  for (int f = 0; f < call.memories.num_features; ++f) {
    if (rule.direction[f] == 0) continue;
    signature.insert(signature.end(), {keys.is_key[f], keys.id[f], rule.direction[f]});
  }
  auto place = shared_.find(signature);
  if (place == shared_.end()) {
    if (!pays) return nullptr;
    Shared made = make(call, keys, rule);
    if (shared_.size() == kMostShared) shared_.clear();
    place = shared_.emplace(std::move(signature), std::move(made)).first;
  }
  return place->second.bands.empty() ? nullptr : &place->second;
}

void SharedBands::thin(const TopCall& call, Shared* shared) {
  for (std::int64_t first = 0; first < call.num_queries; first += kQueriesAtOnce) {
    call.check_stop();
    const std::int64_t count = std::min(kQueriesAtOnce, call.num_queries - first);
    const auto begin = shared->bands.begin() + first;
    std::vector<Band> bands(begin, begin + count);
    thin_bands(piece_of(shared->source, first, count), &bands);
    std::move(bands.begin(), bands.end(), begin);
  }
  shared->is_thin = true;
}

// To compare all members with one another takes as long as some tens of thousands of mixes.
void SharedBands::list(const TopCall& call, const BlendKeys& keys, Shared* shared) {
  constexpr std::int64_t kThinMixes = 30'000;
  shared->mixes_run += call.num_mixes;
  const std::int64_t mixes = std::max(shared->mixes_run, call.num_mixes * keys.num_scales);
  if (!shared->is_thin && mixes >= kThinMixes) thin(call, shared);
  BandSource source = shared->source;
  source.memories = call.memories;
  BandLists best(source, call.weights, call.num_mixes);
  for (std::int64_t first = 0; first < call.num_queries; first += kQueriesAtOnce) {
    call.check_stop();
    const BandSource piece =
        piece_of(source, first, std::min(kQueriesAtOnce, call.num_queries - first));
    best.write(piece, shared->bands.data() + first, call.out + first * call.num_mixes * call.k);
  }
}

// Mixes that do not share the bands are run over them with the others, which costs less than to
// leave them out, and then answered anew with those that have none.
void SharedBands::top_memories(const TopCall& call, const BlendKeys& keys) {
  if (std::find(std::begin(keys.is_key), std::end(keys.is_key), true) == std::end(keys.is_key)) {
    return fast_top_memories(call);
  }
  const BlendView& memories = call.memories;
  const int num_features = memories.num_features;
  const ListCosts costs{memories.num_memories, mean_kept(memories, call.num_queries), call.k};
  const auto pays = [&](std::size_t num_mixes) {
    return costs.band_pays(static_cast<std::int64_t>(num_mixes));
  };
  if (shared_.empty() && !costs.is_worth_grouping(call.num_mixes)) {
    return scan_top_memories(call);
  }
  const DominanceRule comparable = comparable_by(call, keys);
  std::vector<std::int64_t> rest;
  for (SignGroup& group : group_by_sign(call.weights, call.num_mixes, num_features)) {
    DominanceRule rule = comparable;
    bool any = false;
    for (int f = 0; f < num_features; ++f) {
      rule.direction[f] = static_cast<std::int8_t>(rule.direction[f] * group.rule.direction[f]);
      any = any || (rule.direction[f] != 0 && rule.least[f] == 0);
    }
    Shared* const shared = any ? find(call, keys, rule, pays(group.mixes.size())) : nullptr;
    if (shared != nullptr) {
      answer_some(call, group.mixes, [&](const TopCall& some) { list(some, keys, shared); });
    }
    for (const std::int64_t mix : group.mixes) {
      const std::int32_t* const weights = call.weights + mix * num_features;
      if (shared == nullptr || !shares_band(weights, num_features, rule)) rest.push_back(mix);
    }
  }
  answer_some(call, rest, fast_top_memories);
}

}  // namespace sightline::host
