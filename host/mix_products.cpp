#include "host/mix_products.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>

namespace sightline::host {
namespace {

using kernels::kMaxFeatures;

using Part = std::array<std::int32_t, kMaxFeatures>;  ///< head or tail, zeros behind it

/// Numbers the different parts in the order of their first mix.
class Parts {
 public:
  std::int32_t number_of(const std::int32_t* weights, int num) {
    Part part{};
    std::copy_n(weights, num, part.begin());
    const auto [place, is_new] = numbers_.try_emplace(part, static_cast<std::int32_t>(all_.size()));
    if (is_new) all_.push_back(part);
    return place->second;
  }

  std::size_t size() const { return all_.size(); }
  const Part& operator[](std::int32_t number) const {
    return all_[static_cast<std::size_t>(number)];
  }

 private:
  std::map<Part, std::int32_t> numbers_;
  std::vector<Part> all_;
};

using HeadAndMix = std::pair<std::int32_t, std::int32_t>;

std::int64_t sum_of(const Part& part) {
  std::int64_t sum = 0;
  for (const std::int32_t weight : part) sum += std::abs(std::int64_t{weight});
  return sum;
}

void append(const Part& part, int num, std::vector<std::int32_t>* to) {
  to->insert(to->end(), part.begin(), part.begin() + num);
}

/// The mixes cut before their last num_tail features; nothing if one occurs twice.
std::optional<MixProducts> cut(const std::vector<std::int32_t>& weights, int num_features,
                               int num_tail) {
  const int num_head = num_features - num_tail;
  const auto num_mixes = static_cast<std::int32_t>(weights.size() / std::size_t(num_features));
  Parts heads, tails;
  std::vector<std::vector<HeadAndMix>> with;  // by tail
  for (std::int32_t mix = 0; mix < num_mixes; ++mix) {
    const std::int32_t* const from = weights.data() + std::int64_t{mix} * num_features;
    const std::int32_t head = heads.number_of(from, num_head);
    const std::int32_t tail = tails.number_of(from + num_head, num_tail);
    with.resize(tails.size());
    with[static_cast<std::size_t>(tail)].emplace_back(head, mix);
  }
  // Tails that come with the same heads are one product's.
  std::map<std::vector<std::int32_t>, std::vector<std::int32_t>> tails_of;
  for (std::size_t tail = 0; tail < with.size(); ++tail) {
    std::sort(with[tail].begin(), with[tail].end());
    std::vector<std::int32_t> its_heads;
    for (const HeadAndMix& one : with[tail]) its_heads.push_back(one.first);
    if (std::adjacent_find(its_heads.begin(), its_heads.end()) != its_heads.end()) return {};
    tails_of[std::move(its_heads)].push_back(static_cast<std::int32_t>(tail));
  }
  MixProducts found;
  found.num_features = num_features;
  found.num_tail_features = num_tail;
  found.num_mixes = num_mixes;
  for (const auto& [its_heads, its_tails] : tails_of) {
    MixProduct product;
    product.first_head = static_cast<std::int32_t>(found.heads.size() / std::size_t(num_head));
    product.num_heads = static_cast<std::int32_t>(its_heads.size());
    product.first_tail = static_cast<std::int32_t>(found.tails.size() / std::size_t(num_tail));
    product.num_tails = static_cast<std::int32_t>(its_tails.size());
    product.first_slot = static_cast<std::int64_t>(found.slots.size());
    for (std::size_t h = 0; h < its_heads.size(); ++h) {
      append(heads[its_heads[h]], num_head, &found.heads);
      found.largest_sum = std::max(found.largest_sum, sum_of(heads[its_heads[h]]));
      for (const std::int32_t tail : its_tails) {
        found.slots.push_back(with[static_cast<std::size_t>(tail)][h].second);
      }
    }
    for (const std::int32_t tail : its_tails) {
      append(tails[tail], num_tail, &found.tails);
      found.largest_sum = std::max(found.largest_sum, sum_of(tails[tail]));
    }
    found.products.push_back(product);
  }
  return found;
}

/// A product in tiles: its heads in as few equal parts as there can be, and so its tails.
void add_tiles(const MixProduct& product, std::vector<kernels::ProductTile>* tiles) {
  const auto parts_of = [](std::int32_t num, std::int32_t most) { return (num + most - 1) / most; };
  const std::int32_t head_parts = parts_of(product.num_heads, kernels::kTileHeads);
  const std::int32_t stride = parts_of(product.num_tails, kernels::kTileTails);
  for (std::int32_t part = 0; part < head_parts; ++part) {
    const std::int32_t head = part * product.num_heads / head_parts;
    const std::int32_t end = (part + 1) * product.num_heads / head_parts;
    kernels::ProductTile tile;
    tile.first_head = product.first_head + head;
    tile.num_heads = end - head;
    tile.first_tail = product.first_tail;
    tile.num_tails = product.num_tails;
    tile.stride = stride;
    tile.first_slot = product.first_slot + std::int64_t{head} * product.num_tails;
    for (tile.tail = 0; tile.tail < stride; ++tile.tail) tiles->push_back(tile);
  }
}

/// A GPU runs neighbours as one, which takes as long as each number of heads among them together.
void sort_for_warps(std::vector<kernels::ProductTile>* tiles) {
  std::stable_sort(tiles->begin(), tiles->end(),
                   [](const kernels::ProductTile& a, const kernels::ProductTile& b) {
                     return a.num_heads > b.num_heads;
                   });
}

}  // namespace

kernels::MixProductsView MixProducts::view() const {
  kernels::MixProductsView view;
  view.num_features = num_features;
  view.num_tail_features = num_tail_features;
  view.heads = heads.data();
  view.tails = tails.data();
  view.tiles = tiles.data();
  view.num_tiles = static_cast<std::int64_t>(tiles.size());
  view.slots = slots.data();
  view.num_mixes = num_mixes;
  view.largest_sum = largest_sum;
  return view;
}

// Of a tile and a memory: products of heads and of tails, an addition and a count for each pair, as
// many with fewer tails, and what brings the memory in. The compiler makes 3.6 instructions a score
// of it, and 7.1 mix by mix (bench/README.md).
double ranking_instructions(const MixProducts& mixes) {
  const int num_tail = mixes.num_tail_features, num_head = mixes.num_features - num_tail;
  std::int64_t instructions = 0;
  for (const kernels::ProductTile& tile : mixes.tiles) {
    instructions += tile.num_heads * (num_head + 2 * kernels::kTileTails) +
                    kernels::kTileTails * num_tail + 2 * mixes.num_features;
  }
  return static_cast<double>(instructions);
}

double plain_ranking_instructions(std::int64_t num_mixes, int num_features) {
  return static_cast<double>(num_mixes) * (num_features + 2);
}

std::optional<MixProducts> find_mix_products(const std::vector<std::int32_t>& weights,
                                             int num_features) {
  std::optional<MixProducts> best;
  const auto num_mixes = static_cast<std::int64_t>(weights.size()) / std::max(1, num_features);
  double least = plain_ranking_instructions(num_mixes, num_features);
  for (int tail = 1; tail < num_features && tail <= kernels::kMaxTailFeatures; ++tail) {
    std::optional<MixProducts> found = cut(weights, num_features, tail);
    if (!found) return {};
    for (const MixProduct& product : found->products) add_tiles(product, &found->tiles);
    sort_for_warps(&found->tiles);
    const double instructions = ranking_instructions(*found);
    if (instructions >= least) continue;
    least = instructions;
    best = std::move(found);
  }
  return best;
}

}  // namespace sightline::host
