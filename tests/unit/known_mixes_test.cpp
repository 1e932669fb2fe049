// When lines and products of mixes are looked for, and that it is done once.
#include "host/known_mixes.h"

#include <gtest/gtest.h>

#include "host/mix_lines.h"
#include "host/mix_products.h"
#include "support/mixes.h"

namespace sightline::tests {
namespace {

using host::KnownMixes;
using host::MixLines;
using host::MixProducts;

constexpr int kBits = 18, kFeatures = 3;

/// Every mix of whole weights below `edge`, times `scale`: heads with all tails.
std::vector<std::int32_t> cube(std::int32_t edge, std::int32_t scale = 1) {
  std::vector<std::int32_t> weights = flat(box(kFeatures, 0, edge - 1));
  for (std::int32_t& weight : weights) weight *= scale;
  return weights;
}

TEST(KnownMixes, AreLookedForOnceEnoughWasRankedUnderTheSameMixes) {
  KnownMixes<MixProducts> known(host::find_mix_products, 100, kBits);
  const auto mixes = cube(8), others = cube(7);
  EXPECT_EQ(known.find(mixes, kFeatures, 60), nullptr);
  EXPECT_EQ(known.find(others, kFeatures, 60), nullptr) << "not the same mixes";
  const MixProducts* const found = known.find(mixes, kFeatures, 40);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->num_mixes, 8 * 8 * 8);
  const std::int32_t* const heads = found->heads.data();
  EXPECT_EQ(known.find(mixes, kFeatures, 1)->heads.data(), heads) << "not found again";
}

TEST(KnownMixes, AreLinesToo) {
  KnownMixes<MixLines> known(host::find_mix_lines, 100, kBits);
  EXPECT_EQ(known.find(cube(8), kFeatures, 99), nullptr);
  const MixLines* const found = known.find(cube(8), kFeatures, 1);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->lines.size(), 8u * 8u);
}

TEST(KnownMixes, AreNoneOfFewMixesOrOfMoreThanNumbersHold) {
  KnownMixes<MixProducts> known(host::find_mix_products, 0, kBits);
  EXPECT_EQ(known.find(cube(3), kFeatures, 1000), nullptr) << "27 mixes";
  EXPECT_NE(known.find(cube(8, 1 << 20), kFeatures, 1000), nullptr);
  KnownMixes<MixProducts> of_fine_features(host::find_mix_products, 0, kernels::kMaxFeatureBits);
  EXPECT_EQ(of_fine_features.find(cube(8, 1 << 26), kFeatures, 1000), nullptr);
}

TEST(KnownMixes, AreForgottenWhereMixesAreManyAndFoundAgain) {
  KnownMixes<MixProducts> known(host::find_mix_products, 0, kBits);
  for (std::int32_t scale = 1; scale <= 40; ++scale) {
    ASSERT_NE(known.find(cube(8, scale), kFeatures, 1), nullptr) << "scale " << scale;
  }
  ASSERT_NE(known.find(cube(8), kFeatures, 1), nullptr);
}

}  // namespace
}  // namespace sightline::tests
