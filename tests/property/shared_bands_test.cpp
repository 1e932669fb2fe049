// Bands that serve every scale: what keys say of decays, and that lists through bands made at one
// scale are those of the full scan at another, bit for bit.
#include "host/shared_bands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/blends.h"
#include "support/effort.h"

namespace sightline::tests {
namespace {

using kernels::Decay;
using kernels::DecayForm;
using kernels::kKeyGap;
using kernels::Scored;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 20261125;
constexpr DecayForm kForms[] = {DecayForm::kLinear,     DecayForm::kExponential,
                                DecayForm::kHyperbolic, DecayForm::kGaussian,
                                DecayForm::kStep,       DecayForm::kHalfLife};

/// The quantised decays of two distances, by kernels::proximities().
std::vector<std::int32_t> decays_of(const std::vector<Vec3>& anchors, const Decay& decay,
                                    int feature_bits) {
  const Vec3 centre{0, 0, 0};
  std::vector<std::int32_t> out(anchors.size());
  kernels::proximities({}, anchors.data(), std::int64_t(anchors.size()), &centre, 1, decay,
                       feature_bits, out.data());
  return out;
}

// Numbers so close that their keys are the same, 1 apart, or a few.
TEST(Keys, AGapApartOrderTheDecaysOfEveryFormAndScale) {
  Random random(kSeed);
  int num_apart = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = std::exp2(random.uniform(-30, 30));
    const double y = x * (1 + std::ldexp(random.uniform(0, 3), -24));
    const std::vector<Vec3> anchors = {{x, 0, 0}, {y, 0, 0}};
    const std::vector<double> time_s = {-x, -y};
    const Vec3 centre{0, 0, 0};
    const double now_s = 0;
    std::int32_t near[2], late[2];
    kernels::distance_keys({}, anchors.data(), 2, &centre, 1, near);
    kernels::age_keys({}, time_s.data(), 2, &now_s, 1, late);
    const Decay decay{kForms[i % 6], x * std::exp2(random.uniform(-6, 12))};
    for (const int bits : {18, 30}) {
      const auto proximity = decays_of(anchors, decay, bits);
      std::vector<std::int32_t> recency(2);
      kernels::recencies({}, time_s.data(), 2, &now_s, 1, decay, bits, recency.data());
      for (const int a : {0, 1}) {
        const int b = 1 - a;
        num_apart += near[a] - near[b] >= kKeyGap;
        if (near[a] - near[b] >= kKeyGap) {
          EXPECT_GE(proximity[std::size_t(a)], proximity[std::size_t(b)]) << x << ", " << y;
        }
        if (late[a] - late[b] >= kKeyGap) {
          EXPECT_GE(recency[std::size_t(a)], recency[std::size_t(b)]) << x << ", " << y;
        }
      }
    }
  }
  EXPECT_GT(num_apart, 10000);
}

TEST(Keys, AreTheSameBeyondAllFloatsAndWithinTheLeast) {
  const std::vector<Vec3> anchors = {{0, 0, 0}, {1e-30, 0, 0}, {1e20, 0, 0}, {1e200, 0, 0}};
  const Vec3 centre{0, 0, 0};
  std::vector<std::int32_t> keys(4);
  kernels::distance_keys({}, anchors.data(), 4, &centre, 1, keys.data());
  EXPECT_EQ(keys, (std::vector<std::int32_t>{0, 0, -0x7f7fffff, -0x7f7fffff}));
  const std::vector<double> time_s = {5, 3};
  const double now_s = 4;  // the first is in the future
  kernels::age_keys({}, time_s.data(), 2, &now_s, 1, keys.data());
  EXPECT_EQ(keys[0], 0);
  EXPECT_EQ(keys[1], -0x3f800000);
}

/// Memories about some queries, many of them at one place, of one time, or alike.
class Scene {
 public:
  static constexpr int kFeatures = 5;  ///< distance, age, a value, a coarse one, a constant
  static constexpr std::int64_t kQueries = 3;

  Scene(std::int64_t num_memories, Random& random) : num_(num_memories) {
    for (std::int64_t m = 0; m < num_; ++m) {
      Vec3 at{random.uniform(0, 60), random.uniform(0, 3), random.uniform(0, 60)};
      if (m % 5 == 1) at = {std::floor(at.x), 0, std::floor(at.z)};
      if (m % 5 == 2) at = anchors[std::size_t(random.integer(0, m - 1))];
      anchors.push_back(at);
      time_s.push_back(m % 4 == 3 ? std::floor(random.uniform(0, 40)) : random.uniform(0, 40));
      values.push_back(std::int32_t(random.integer(0, 1 << 18)));
      coarse.push_back(std::int32_t(random.integer(0, 5)) << 15);
    }
    constant.assign(std::size_t(num_), 777);
    for (int q = 0; q < kQueries; ++q) {
      centres.push_back(anchors[std::size_t(random.integer(0, num_ - 1))]);
      now_s.push_back(random.uniform(30, 50));
    }
    centres[0] = {std::floor(centres[0].x), 0, std::floor(centres[0].z)};  // has ties
  }

  /// The features at one scale of distance and one of age.
  kernels::BlendView at_scale(const Decay& near, const Decay& late) {
    proximity_.resize(std::size_t(kQueries * num_));
    recency_.resize(proximity_.size());
    kernels::proximities({}, anchors.data(), num_, centres.data(), kQueries, near, 18,
                         proximity_.data());
    kernels::recencies({}, time_s.data(), num_, now_s.data(), kQueries, late, 18, recency_.data());
    kernels::BlendView view;
    view.num_features = kFeatures;
    view.num_memories = num_;
    view.kept = kept.empty() ? nullptr : kept.data();
    view.features[0] = {proximity_.data(), num_};
    view.features[1] = {recency_.data(), num_};
    view.features[2] = {values.data(), 0};
    view.features[3] = {coarse.data(), 0};
    view.features[4] = {constant.data(), 0};
    return view;
  }

  host::BlendKeys keys(int gate) {
    host::BlendKeys keys;
    for (int f = 0; f < kFeatures; ++f) keys.id[f] = f;
    keys.is_key[0] = keys.is_key[1] = true;
    keys.gate = gate;
    keys.key_column = [this](int id) -> kernels::FeatureColumn {
      std::vector<std::int32_t>& column = id == 0 ? distance_keys_ : age_keys_;
      column.resize(std::size_t(kQueries * num_));
      if (id == 0) {
        kernels::distance_keys({}, anchors.data(), num_, centres.data(), kQueries, column.data());
      } else {
        kernels::age_keys({}, time_s.data(), num_, now_s.data(), kQueries, column.data());
      }
      return {column.data(), num_};
    };
    return keys;
  }

  std::vector<Vec3> anchors, centres;
  std::vector<double> time_s, now_s;
  std::vector<std::int32_t> values, coarse, constant;
  std::vector<std::uint64_t> kept;

 private:
  std::int64_t num_;
  std::vector<std::int32_t> proximity_, recency_, distance_keys_, age_keys_;
};

/// Lists through bands and by a full scan are the same bytes.
void expect_same_lists(host::SharedBands* bands, const kernels::Executor& executor,
                       const kernels::BlendView& view, const host::BlendKeys& keys,
                       const std::vector<std::int32_t>& weights, int k) {
  const std::int64_t num_mixes = std::int64_t(weights.size()) / view.num_features;
  const auto slots = std::size_t(Scene::kQueries * num_mixes * k);
  std::vector<Scored> lists(slots, {7, 7, 7}), scan(slots, {7, 7, 7});
  bands->top_memories(
      {executor, view, Scene::kQueries, weights.data(), num_mixes, k, [] {}, lists.data()}, keys);
  host::scan_top_memories(
      {executor, view, Scene::kQueries, weights.data(), num_mixes, k, [] {}, scan.data()});
  EXPECT_TRUE(same_bytes(lists, scan)) << "k " << k << ", seed " << kSeed;
}

/// A lattice's weights, with mixes on the keys alone, on the constant, and on nothing; `sign` of
/// the first `num_signed` of three mixes.
std::vector<std::int32_t> some_weights(int num_mixes, const std::vector<int>& sign, int num_signed,
                                       Random& random) {
  std::vector<std::int32_t> weights = {1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2, 5, 0, 0, 0,
                                       0, 0, 0, 0, 4, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0};
  for (int i = 0; i < num_mixes * Scene::kFeatures; ++i) {
    weights.push_back(random.chance(0.5) ? 0 : std::int32_t(random.integer(1, 6)));
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t mix = i / Scene::kFeatures;
    if (int(mix % 3) < num_signed) weights[i] *= sign[i % Scene::kFeatures];
  }
  return weights;
}

TEST(SharedBands, HaveTheBestAtEveryScale) {
  Random random(kSeed);
  const Decay scales[][2] = {{{DecayForm::kStep, 20}, {DecayForm::kStep, 9}},
                             {{DecayForm::kLinear, 3}, {DecayForm::kLinear, 12}},  // most are 0
                             {{DecayForm::kExponential, 15}, {DecayForm::kHalfLife, 4}},
                             {{DecayForm::kGaussian, 8}, {DecayForm::kHyperbolic, 2}},
                             {{DecayForm::kLinear, 1e7}, {DecayForm::kExponential, 1e9}}};  // are 1
  constexpr std::int64_t kMemories = 18000;
  for (const auto& sign : {std::vector<int>{1, 1, 1, 1, 1}, std::vector<int>{-1, 1, 1, -1, 1},
                           std::vector<int>{1, -1, -1, 1, -1}}) {
    for (const double kept : {1.0, 0.95}) {
      Scene scene(kMemories, random);
      if (kept < 1) {
        for (std::int64_t w = 0; w < Scene::kQueries * kernels::words_of_bits(kMemories); ++w) {
          scene.kept.push_back(~std::uint64_t{0});
          for (int b = 0; b < 64; ++b) {
            if (!random.chance(kept)) scene.kept.back() ^= std::uint64_t{1} << b;
          }
          if ((w + 1) % kernels::words_of_bits(kMemories) == 0) {
            scene.kept.back() &= (std::uint64_t{1} << kMemories % 64) - 1;
          }
        }
      }
      // All mixes of one pattern of signs, or two thirds: another band for the rest.
      const int num_signed = kept < 1 ? 2 : 3;
      const auto weights = some_weights(1800, sign, num_signed, random);
      for (const int k : some_of({1, 5, 20})) {
        host::SharedBands bands;
        std::int64_t num_made = 0;
        for (const auto& scale : scales) {
          expect_same_lists(&bands, {}, scene.at_scale(scale[0], scale[1]), scene.keys(-1), weights,
                            k);
          if (num_made == 0) num_made = bands.num_made();
        }
        EXPECT_GT(num_made, 0);
        EXPECT_EQ(bands.num_made(), num_made);  // all of them at the first scale
      }
    }
  }
}

// Every instruction set, and so many mixes that the bands are thinned half way.
TEST(SharedBands, HaveTheBestOnAllVectors) {
  Random random(kSeed);
  Scene scene(6000, random);
  const auto weights = some_weights(2500, {1, 1, 1, 1, 1}, 0, random);
  for (const kernels::InstructionSet set : instruction_sets()) {
    kernels::Executor executor;
    executor.instructions = set;
    executor.num_threads = 2;
    host::SharedBands bands;
    for (const double scale : {40.0, 6.0, 90.0, 20.0}) {
      const auto view = scene.at_scale({DecayForm::kLinear, scale}, {DecayForm::kHalfLife, scale});
      expect_same_lists(&bands, executor, view, scene.keys(-1), weights, 5);
    }
    EXPECT_EQ(bands.num_made(), 1);
  }
}

/// Neighbouring distances of one key, of which the first has the greater proximity.
std::pair<double, double> neighbours(const Decay& decay) {
  double near = 0.3 * decay.scale, far = 0.31 * decay.scale;
  while (std::nextafter(near, far) < far) {
    const double middle = near + (far - near) / 2;
    const auto q = decays_of({{near, 0, 0}, {middle, 0, 0}}, decay, 18);
    (q[0] > q[1] ? far : near) = middle;
  }
  return {near, far};
}

// Without a gap the memory of the lower index, alike and at a distance of the same key, would come
// before one that is nearer by a rounding error, and more similar by the last bit of a proximity.
TEST(SharedBands, TellNothingFromTheSameKey) {
  Random random(kSeed);
  Scene scene(6000, random);
  const Decay decay{DecayForm::kLinear, 30};
  const auto [near, far] = neighbours(decay);
  for (Vec3& centre : scene.centres) centre = {0, 0, 0};
  for (Vec3& anchor : scene.anchors) anchor.x += 40;
  for (const std::size_t m : {std::size_t{70}, std::size_t{3000}}) {
    scene.anchors[m] = {m == 70 ? far : near, 0, 0};
    scene.values[m] = 1 << 18;
    scene.coarse[m] = 1 << 18;
    scene.time_s[m] = 100;  // in the future
  }
  std::int32_t keys[2];
  const Vec3 centre{0, 0, 0}, pair[2] = {scene.anchors[70], scene.anchors[3000]};
  kernels::distance_keys({}, pair, 2, &centre, 1, keys);
  ASSERT_EQ(keys[0], keys[1]);
  const auto view = scene.at_scale(decay, {DecayForm::kHalfLife, 9});
  ASSERT_EQ(view.features[0].values[70] + 1, view.features[0].values[3000]);
  const auto weights = some_weights(2500, {1, 1, 1, 1, 1}, 0, random);
  host::SharedBands bands;
  host::BlendKeys compared = scene.keys(-1);
  compared.is_key[1] = false;
  expect_same_lists(&bands, {}, view, compared, weights, 1);
  EXPECT_EQ(bands.num_made(), 1);
}

// Of memories at one place none precedes another: bands would hold most, and are not made.
TEST(SharedBands, AreNotMadeOfMemoriesAtFewDistances) {
  Random random(kSeed);
  Scene scene(6000, random);
  for (Vec3& anchor : scene.anchors) anchor = {std::floor(anchor.x / 20), 0, 0};
  const auto weights = some_weights(1500, {1, 1, 1, 1, 1}, 0, random);
  host::SharedBands bands;
  for (const double scale : {40.0, 6.0}) {
    const auto view = scene.at_scale({DecayForm::kLinear, scale}, {DecayForm::kHalfLife, scale});
    expect_same_lists(&bands, {}, view, scene.keys(-1), weights, 5);
  }
  EXPECT_EQ(bands.num_made(), 0);
}

// Few mixes are scanned; bands that are there already serve them too.
TEST(SharedBands, AreMadeWherePayingAndUsedWhereThere) {
  Random random(kSeed);
  Scene scene(6000, random);
  const auto many = some_weights(1500, {1, 1, 1, 1, 1}, 0, random);
  const std::vector<std::int32_t> few(many.begin(), many.begin() + 40 * Scene::kFeatures);
  host::SharedBands bands;
  const auto view = scene.at_scale({DecayForm::kLinear, 20}, {DecayForm::kHalfLife, 9});
  expect_same_lists(&bands, {}, view, scene.keys(-1), few, 5);
  EXPECT_EQ(bands.num_made(), 0);
  expect_same_lists(&bands, {}, view, scene.keys(-1), many, 5);
  EXPECT_EQ(bands.num_made(), 1);
  expect_same_lists(&bands, {}, view, scene.keys(-1), few, 5);
  expect_same_lists(&bands, {}, view, scene.keys(-1), many, 3);  // another k: other bands
  EXPECT_EQ(bands.num_made(), 2);
  bands.clear();
  expect_same_lists(&bands, {}, view, scene.keys(-1), many, 5);
  EXPECT_EQ(bands.num_made(), 3);
}

}  // namespace
}  // namespace sightline::tests
