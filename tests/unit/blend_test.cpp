// Blends as a sweep file writes them, and their weights as whole numbers.
#include "host/memory/blend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/errors.h"
#include "support/random.h"

namespace sightline {
namespace {

using host::BlendSettings;
using host::ConfigValue;
using host::ScorePart;
using host::WholeWeights;
using kernels::DecayForm;
using tests::input_error_of;

constexpr std::uint64_t kSeed = 20261122;
using Whole = std::vector<std::int32_t>;

BlendSettings parsed(const std::string& yaml) {
  return host::parse_blend(ConfigValue::parse_yaml(yaml, "blend.yaml"));
}

std::string error_of(const std::string& yaml) {
  return input_error_of([&] { parsed(yaml); });
}

// ---- parse_blend -----------------------------------------------------------------------------

TEST(Blend, IsRelevanceAloneUnlessTold) {
  const BlendSettings blend = parsed("{}");
  EXPECT_EQ(blend.weights, (std::array<double, 5>{1, 0, 0, 0, 0}));
  EXPECT_TRUE(blend.normalised);
  EXPECT_FALSE(blend.since_last_access);
}

TEST(Blend, TakesWeightsByNameOrAll) {
  const std::array<double, 5> spatial{0, 0.25, 0, 0, -1};
  EXPECT_EQ(parsed("{weights: {spatial: 0.25, staleness: -1}, normalise: false}").weights, spatial);
  const std::array<double, 5> all{0.35, 0.3, 0.15, 0.15, 0.05};
  EXPECT_EQ(parsed("{weights: [0.35, 0.30, 0.15, 0.15, 0.05]}").weights, all);
  EXPECT_EQ(parsed("{weights: [0.35, 0.30, 0.15, 0.15, 0.05]}").weight(ScorePart::kStaleness),
            0.05);
}

TEST(Blend, ReadsEveryFormAndScale) {
  const char* names[] = {"linear", "exponential", "hyperbolic", "gaussian", "step", "half_life"};
  for (int form = 0; form < 6; ++form) {
    const std::string name = names[form];
    const BlendSettings blend =
        parsed("{proximity: {form: " + name + ", scale_m: 7}, recency: {form: " + name +
               ", scale_hours: 2}}");
    EXPECT_EQ(blend.proximity.form, static_cast<DecayForm>(form));
    EXPECT_EQ(blend.proximity.scale, 7);
    EXPECT_EQ(blend.recency.form, static_cast<DecayForm>(form));
    EXPECT_EQ(blend.recency.scale, 7200);
  }
  EXPECT_EQ(parsed("{recency: {form: step, scale_s: 5}}").recency.scale, 5);
  EXPECT_EQ(parsed("{recency: {form: step, scale_days: 2}}").recency.scale, 172800);
  EXPECT_TRUE(parsed("{recency: {form: step, scale_s: 5, since: last_access}}").since_last_access);
  EXPECT_FALSE(parsed("{recency: {form: step, scale_s: 5, since: encoding}}").since_last_access);
}

TEST(Blend, ReadsEveryStaleness) {
  EXPECT_EQ(parsed("{staleness: supplied}").staleness, host::StalenessForm::kSupplied);
  EXPECT_EQ(parsed("{staleness: constant}").staleness, host::StalenessForm::kConstant);
  const BlendSettings linear = parsed("{staleness: {linear_days: 2}}");
  EXPECT_EQ(linear.staleness, host::StalenessForm::kLinear);
  EXPECT_EQ(linear.staleness_s, 172800);
}

TEST(Blend, NamesThePlaceOfWhatCannotBe) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"{weights: {relevence: 1}}", "relevance"},
      {"{weights: {spatial: much}}", "weights.spatial"},
      {"{weights: {spatial: .inf}}", "weights.spatial: must be finite"},
      {"{weights: [1, 2, 3]}", "weights"},
      {"{weights: [1, 0, 0, 0, .inf]}", "weights"},
      {"{weights: {relevance: 0}}", "weights: the weights add up to 0"},
      {"{weights: {relevance: 1, spatial: -2}}", "weights: the weights add up to -1"},
      {"{proximity: {form: cubic, scale_m: 1}}", "proximity.form"},
      {"{proximity: {form: linear, scale_m: 0}}", "proximity.scale_m"},
      {"{proximity: {form: linear}}", "scale_m"},
      {"{recency: {form: linear}}", "needs scale_days, scale_hours or scale_s"},
      {"{recency: {form: linear, scale_s: 1, scale_days: 1}}", "is a second scale"},
      {"{recency: {form: linear, scale_s: 1, since: birth}}", "recency.since"},
      {"{staleness: {linear_days: -1}}", "staleness.linear_days"},
      {"{normalise: maybe}", "normalise"}};
  for (const auto& [yaml, expected] : bad) {
    const std::string message = error_of(yaml);
    EXPECT_NE(message.find("blend.yaml:1:"), std::string::npos) << yaml << ": " << message;
    EXPECT_NE(message.find(expected), std::string::npos) << yaml << ": " << message;
  }
}

TEST(Blend, DoesNotDivideByWhatRoundingLeavesOfNoSum) {
  EXPECT_GT(0.1 + 0.2 - 0.3, 0);
  EXPECT_NE(error_of("{weights: [0.1, 0.2, -0.3, 0, 0]}").find("cannot be normalised"),
            std::string::npos);
}

// ---- whole_weights ---------------------------------------------------------------------------

TEST(WholeWeights, OfDecimalFractionsAreExactOverTheSmallestDenominator) {
  struct Case {
    std::vector<double> weights;
    Whole whole;
    double denominator;
  };
  const std::vector<Case> cases = {{{0.35, 0.30, 0.15, 0.15, 0.05}, {7, 6, 3, 3, 1}, 20},
                                   {{0.40, 0.45, 0.08, 0.05, 0.02}, {40, 45, 8, 5, 2}, 100},
                                   {{0.5, 0.5, 0, 0, 0}, {1, 1, 0, 0, 0}, 2},
                                   {{1, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, 1},
                                   {{3, 1, 2, 0, 0}, {3, 1, 2, 0, 0}, 1},
                                   {{-0.25, 0.5, 0, 0, 0}, {-1, 2, 0, 0, 0}, 4},
                                   {{1.0 / 3, 2.0 / 3, 0, 0, 0}, {1, 2, 0, 0, 0}, 3},
                                   {{0.001, 0.999, 0, 0, 0}, {1, 999, 0, 0, 0}, 1000}};
  for (const Case& expected : cases) {
    const WholeWeights whole = host::whole_weights(expected.weights);
    EXPECT_EQ(whole.weights, expected.whole);
    EXPECT_EQ(whole.unit, 1 / expected.denominator);
    EXPECT_TRUE(whole.exact);
  }
}

TEST(WholeWeights, OfEveryMixOfALatticeAreExact) {
  for (int a = 0; a <= 20; ++a) {
    for (int b = 0; a + b <= 20; ++b) {
      const WholeWeights whole = host::whole_weights({a * 0.05, b * 0.05, (20 - a - b) * 0.05});
      ASSERT_TRUE(whole.exact) << a << " " << b;
      const double denominator = 1 / whole.unit;
      ASSERT_EQ(whole.weights[0] * 20, a * std::lround(denominator));
      ASSERT_EQ(whole.weights[1] * 20, b * std::lround(denominator));
    }
  }
}

TEST(WholeWeights, DivideByTheTotal) {
  EXPECT_EQ(host::whole_weights({3, 1}, 4).unit, 0.25);
  EXPECT_EQ(host::whole_weights({0.5, 0.25}, 0.75).unit, 1 / (4 * 0.75));
}

TEST(WholeWeights, WithoutADenominatorHave26BitsOfTheLargest) {
  constexpr double kTop = 67108864;  // 2^26
  tests::Random random(kSeed);
  for (const double size : {1e-9, 0.01, 1.0, 5e3, 1e9}) {
    for (int i = 0; i < 200; ++i) {
      const std::vector<double> weights = {size * std::sqrt(random.uniform(0, 1)),
                                           -size * std::sqrt(random.uniform(0, 1)),
                                           size * std::sqrt(2)};
      const WholeWeights whole = host::whole_weights(weights);
      ASSERT_FALSE(whole.exact) << "seed " << kSeed;
      std::int32_t largest = 0;
      for (std::size_t part = 0; part < weights.size(); ++part) {
        largest = std::max(largest, std::abs(whole.weights[part]));
        // Half a unit, and the rounding of the products.
        ASSERT_LE(std::fabs(whole.weights[part] * whole.unit - weights[part]), 0.5001 * whole.unit)
            << "seed " << kSeed;
      }
      ASSERT_EQ(largest, kTop) << "seed " << kSeed;
    }
  }
}

TEST(WholeWeights, KeepTheirProportionAtEveryScale) {
  const host::WholeWeights at_one = host::whole_weights({2.500008, 2.5});
  EXPECT_GT(at_one.weights[0], at_one.weights[1]);
  for (const double scale : {1e-9, 1e-4, 1e-2, 1e4}) {
    const host::WholeWeights whole = host::whole_weights({2.500008 * scale, 2.5 * scale});
    EXPECT_NEAR(whole.weights[0] / double(whole.weights[1]), 2.500008 / 2.5, 0x1p-26) << scale;
  }
}

TEST(WholeWeights, CallNoWeightExactThatVanishes) {
  const WholeWeights small = host::whole_weights({1e-10, 3e-10});
  EXPECT_FALSE(small.exact);
  EXPECT_EQ(small.weights[1], 67108864);
  EXPECT_NEAR(small.weights[0], 67108864 / 3.0, 1);
  // What an axis that steps through 0 leaves there is no weight; anything else that would vanish is
  // told.
  EXPECT_EQ(host::whole_weights({1, 1e-17}).weights, (Whole{1, 0}));
  for (const double tiny : {1e-9, -1e-12, 1e-14}) {
    const std::string message = tests::input_error_of([&] { host::whole_weights({1, tiny}); });
    EXPECT_NE(message.find("2^-27"), std::string::npos) << message;
  }
}

TEST(WholeWeights, OfNothingAreNothing) {
  EXPECT_EQ(host::whole_weights({0, 0, 0}).weights, (Whole{0, 0, 0}));
  EXPECT_TRUE(host::whole_weights({0, 0, 0}).exact);
  EXPECT_TRUE(host::whole_weights({}).weights.empty());
}

TEST(WholeWeights, RefuseWhatIsNoNumberOrNoWeight) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) {
    EXPECT_EQ(input_error_of([&] {
                host::whole_weights({1, bad});
              }),
              "a weight is not finite; give a number");
  }
  for (const double bad : {1e300, -1e13, 1e-13, 5e-324}) {
    EXPECT_NE(input_error_of([&] {
                host::whole_weights({0, bad});
              }).find("largest weight"),
              std::string::npos)
        << bad;
  }
}

}  // namespace
}  // namespace sightline
