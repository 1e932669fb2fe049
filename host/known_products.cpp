#include "host/known_products.h"

namespace sightline::host {

const MixProducts* KnownProducts::find(const std::vector<std::int32_t>& weights, int num_features,
                                       std::int64_t num_pairs) {
  constexpr std::size_t kFewMixes = 32, kMostKept = 16;
  if (weights.size() < kFewMixes * static_cast<std::size_t>(num_features)) return nullptr;
  const std::pair key(num_features, weights);
  if (known_.size() == kMostKept && known_.count(key) == 0) known_.clear();
  Known& known = known_[key];
  known.num_pairs += num_pairs;
  if (!known.is_searched && known.num_pairs >= few_pairs_) {
    known.is_searched = true;
    known.products = find_mix_products(weights, num_features);
    if (known.products && !kernels::can_rank(known.products->view(), feature_bits_)) {
      known.products.reset();
    }
  }
  return known.products ? &*known.products : nullptr;
}

}  // namespace sightline::host
