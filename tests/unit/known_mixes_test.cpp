// When lines of mixes and tiles of them are looked for, and that it is done once.
#include "host/known_mixes.h"

#include <gtest/gtest.h>

#include "host/line_tiles.h"
#include "support/mixes.h"

namespace sightline::tests {
namespace {

using host::KnownMixes;
using host::LineTiles;
using host::MixLines;

constexpr int kBits = 18, kFeatures = 3;

/// Every mix of whole weights below `edge`, times `scale`.
std::vector<std::int32_t> cube(std::int32_t edge, std::int32_t scale = 1) {
  std::vector<std::int32_t> weights = flat(box(kFeatures, 0, edge - 1));
  for (std::int32_t& weight : weights) weight *= scale;
  return weights;
}

TEST(KnownMixes, AreLookedForOnceEnoughWasRankedUnderTheSameMixes) {
  KnownMixes<LineTiles> known(host::find_line_tiles, 100, kBits);
  const auto mixes = cube(8), others = cube(7);
  EXPECT_EQ(known.find(mixes, kFeatures, 60), nullptr);
  EXPECT_EQ(known.find(others, kFeatures, 60), nullptr) << "not the same mixes";
  const LineTiles* const found = known.find(mixes, kFeatures, 40);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->slots.size(), 8u * 8u * 8u);
  const std::int32_t* const slots = found->slots.data();
  EXPECT_EQ(known.find(mixes, kFeatures, 1)->slots.data(), slots) << "not found again";
}

TEST(KnownMixes, AreLinesToo) {
  KnownMixes<MixLines> known(host::find_mix_lines, 100, kBits);
  EXPECT_EQ(known.find(cube(8), kFeatures, 99), nullptr);
  const MixLines* const found = known.find(cube(8), kFeatures, 1);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->lines.size(), 8u * 8u);
}

TEST(KnownMixes, AreNoneOfFewMixesOrOfMoreThanNumbersHold) {
  KnownMixes<LineTiles> known(host::find_line_tiles, 0, kBits);
  EXPECT_EQ(known.find(cube(3), kFeatures, 1000), nullptr) << "27 mixes";
  std::vector<std::int32_t> large = cube(8);
  for (std::int32_t& weight : large) weight += (1 << 20) - 8;
  EXPECT_NE(known.find(large, kFeatures, 1000), nullptr);
  KnownMixes<LineTiles> of_fine_features(host::find_line_tiles, 0, kernels::kMaxFeatureBits);
  EXPECT_NE(of_fine_features.find(cube(8), kFeatures, 1000), nullptr);
  EXPECT_EQ(of_fine_features.find(large, kFeatures, 1000), nullptr);
}

TEST(KnownMixes, AreForgottenWhereMixesAreManyAndFoundAgain) {
  KnownMixes<LineTiles> known(host::find_line_tiles, 0, kBits);
  for (std::int32_t scale = 1; scale <= 40; ++scale) {
    ASSERT_NE(known.find(cube(8, scale), kFeatures, 1), nullptr) << "scale " << scale;
  }
  ASSERT_NE(known.find(cube(8), kFeatures, 1), nullptr);
}

}  // namespace
}  // namespace sightline::tests
