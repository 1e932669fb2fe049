#include "bench/recall_data.h"

#include <cmath>

#include "host/host_workspace.h"

namespace sightline::bench {
namespace {

constexpr std::uint64_t kSeed = 20261122;
constexpr int kLatticeSteps = 20;
constexpr double kDay_s = 86400;

/// splitmix64 (Steele, Lea and Flood 2014).
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t state_;
};

void scale_to_unit(float* vector) {
  double square = 0;
  for (int k = 0; k < kEmbeddingWidth; ++k) square += double{vector[k]} * double{vector[k]};
  const double factor = 1 / std::sqrt(square);
  for (int k = 0; k < kEmbeddingWidth; ++k) {
    vector[k] = static_cast<float>(double{vector[k]} * factor);
  }
}

/// A unit vector of its own, drawn towards `subject` if that is not null.
void make_embedding(Numbers& numbers, const float* subject, float* out) {
  for (int k = 0; k < kEmbeddingWidth; ++k) {
    out[k] = static_cast<float>(static_cast<std::int32_t>(numbers.bits())) * 0x1p-31f;
  }
  scale_to_unit(out);
  if (subject == nullptr) return;
  for (int k = 0; k < kEmbeddingWidth; ++k) out[k] = 1.2f * subject[k] + out[k];
  scale_to_unit(out);
}

}  // namespace

std::vector<std::int32_t> weight_lattice(int steps) {
  std::vector<std::int32_t> all;
  for (int a = 0; a <= steps; ++a) {
    for (int b = 0; a + b <= steps; ++b) {
      for (int c = 0; a + b + c <= steps; ++c) {
        for (int d = 0; a + b + c + d <= steps; ++d) {
          all.insert(all.end(), {a, b, c, d, steps - a - b - c - d});
        }
      }
    }
  }
  return all;
}

std::vector<std::int32_t> evenly(const std::vector<std::int32_t>& mixes, std::int64_t num) {
  const auto size = static_cast<std::int64_t>(mixes.size()) / kBlendFeatures;
  std::vector<std::int32_t> some;
  for (std::int64_t i = 0; i < num && num < size; ++i) {
    const auto from = mixes.begin() + i * size / num * kBlendFeatures;
    some.insert(some.end(), from, from + kBlendFeatures);
  }
  return num < size ? some : mixes;
}

std::vector<std::int32_t> with_signs(std::vector<std::int32_t> mixes, std::int64_t num_patterns) {
  for (std::size_t i = 0; i < mixes.size(); ++i) {
    const auto mix = static_cast<std::int64_t>(i) / kBlendFeatures;
    const auto feature = static_cast<std::int64_t>(i) % kBlendFeatures;
    if ((mix % num_patterns >> feature & 1) != 0) mixes[i] = -mixes[i];
  }
  return mixes;
}

RecallData::RecallData(const RecallShape& of)
    : shape(of),
      rows(static_cast<std::size_t>(of.num_memories * kEmbeddingWidth)),
      queries(static_cast<std::size_t>(of.num_queries * kEmbeddingWidth)),
      mixes(evenly(weight_lattice(kLatticeSteps), of.num_mixes)) {
  shape.num_mixes = static_cast<std::int64_t>(mixes.size()) / kBlendFeatures;
  Numbers numbers(kSeed);
  std::vector<float> subjects(static_cast<std::size_t>(of.num_subjects * kEmbeddingWidth));
  for (std::int64_t s = 0; s < of.num_subjects; ++s) {
    make_embedding(numbers, nullptr, &subjects[static_cast<std::size_t>(s * kEmbeddingWidth)]);
  }
  const auto subject_of = [&](std::int64_t m) {
    return &subjects[static_cast<std::size_t>(m % of.num_subjects * kEmbeddingWidth)];
  };
  for (std::int64_t m = 0; m < of.num_memories; ++m) {
    make_embedding(numbers, subject_of(m), &rows[static_cast<std::size_t>(m * kEmbeddingWidth)]);
    anchors_m.push_back(
        {numbers.uniform(0, of.box_m), numbers.uniform(0, 3), numbers.uniform(0, of.box_m)});
    time_s.push_back(numbers.uniform(0, 45 * kDay_s));
    importance.push_back(kernels::quantised(numbers.uniform(0.1, 0.95)));
    staleness.push_back(kernels::quantised(numbers.uniform(0, 1)));
  }
  for (std::int64_t q = 0; q < of.num_queries; ++q) {
    const auto target = static_cast<std::int64_t>(numbers.bits() % std::uint64_t(of.num_memories));
    make_embedding(numbers, subject_of(target),
                   &queries[static_cast<std::size_t>(q * kEmbeddingWidth)]);
    const kernels::Vec3& at = anchors_m[static_cast<std::size_t>(target)];
    const double offset_m = numbers.uniform(0, 10), angle = numbers.uniform(0, 6.28);
    centres_m.push_back(
        {at.x + offset_m * std::cos(angle), at.y, at.z + offset_m * std::sin(angle)});
    now_s.push_back(45 * kDay_s);
    targets.push_back(target);
  }
}

kernels::EmbeddingView RecallData::embeddings() const {
  return {rows.data(), shape.num_memories, kEmbeddingWidth};
}

void RecallData::cosines(const kernels::Executor& executor, std::int64_t num_queries,
                         std::int32_t* out) const {
  const std::int64_t bytes = kernels::cosines_workspace_bytes(executor, embeddings(), num_queries);
  host::HostWorkspace workspace;
  kernels::cosines(executor, embeddings(), queries.data(), num_queries,
                   kernels::kDefaultFeatureBits, out, workspace.reserve(bytes));
}

RecallFeatures::RecallFeatures(const RecallData& data, std::int64_t num_queries, double scale_m)
    : cosine(static_cast<std::size_t>(num_queries * data.shape.num_memories)),
      proximity(cosine.size()),
      recency(static_cast<std::size_t>(data.shape.num_memories)) {
  constexpr int kBits = kernels::kDefaultFeatureBits;
  data.cosines({}, num_queries, cosine.data());
  kernels::proximities({}, data.anchors_m.data(), data.shape.num_memories, data.centres_m.data(),
                       num_queries, {kernels::DecayForm::kLinear, scale_m}, kBits,
                       proximity.data());
  kernels::recencies({}, data.time_s.data(), data.shape.num_memories, data.now_s.data(), 1,
                     {kernels::DecayForm::kHalfLife, 14 * kDay_s}, kBits, recency.data());
}

kernels::BlendView RecallFeatures::view(const RecallData& data) const {
  kernels::BlendView view;
  view.num_features = kBlendFeatures;
  view.num_memories = data.shape.num_memories;
  view.features[0] = {cosine.data(), data.shape.num_memories};
  view.features[1] = {proximity.data(), data.shape.num_memories};
  view.features[2] = {recency.data(), 0};
  view.features[3] = {data.importance.data(), 0};
  view.features[4] = {data.staleness.data(), 0};
  return view;
}

}  // namespace sightline::bench
