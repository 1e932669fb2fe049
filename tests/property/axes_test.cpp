// Axes over many random parameters: what holds for every range, space, draw, simplex and product.
#include "host/sweep/axes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "host/sweep/plan.h"
#include "support/random.h"

namespace {

using sightline::host::AxisGroup;
using sightline::host::ConfigValue;
using sightline::host::expand_axis;
using sightline::host::SweepPlan;
using sightline::tests::Random;

constexpr std::uint64_t kSeed = 20260301;
constexpr int kTrials = 300;

AxisGroup expand(const std::string& axis, const std::string& key = "visibility.step_m") {
  return expand_axis(key, ConfigValue::parse_yaml(axis, "axis"), 1);
}

std::vector<double> numbers(const AxisGroup& group) {
  std::vector<double> values;
  for (const auto& point : group.points) values.push_back(point.settings[0].second.as_number());
  return values;
}

TEST(RangeAxis, StepsFromItsStartAndStaysBeforeItsStop) {
  constexpr double kRounding = 0x1p-45;  // a few roundings of numbers up to 70
  Random random(kSeed);
  for (int trial = 0; trial < kTrials; ++trial) {
    const double start = random.uniform(-50, 50), stop = random.uniform(-50, 50);
    const double step = std::copysign(random.uniform(0.01, 20), stop - start);
    const std::string axis =
        fmt::format("{{range: {{start: {}, stop: {}, step: {}}}}}", start, stop, step);
    const std::vector<double> values = numbers(expand(axis));
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(values[i], start + static_cast<double>(i) * step, kRounding) << axis;
    }
    ASSERT_GE((stop - values.back()) / step, 0) << axis;
    ASSERT_LT((stop - values.back()) / step, 1) << axis;
  }
}

TEST(RangeAxis, IsOfTheDecimalsThatAreMeantAndEndsAtItsStop) {
  Random random(kSeed);
  for (int trial = 0; trial < kTrials; ++trial) {
    // As a person writes it: decimals, of which the doubles are only the nearest.
    const std::int64_t step = random.integer(1, 999), start = random.integer(-9999, 9999);
    const std::int64_t count = random.integer(1, 200);
    const auto decimal = [](std::int64_t thousandths) {
      return fmt::format("{:.3f}", static_cast<double>(thousandths) / 1000);
    };
    const std::string stop = decimal(start + count * step);
    const std::string axis = fmt::format("{{range: {{start: {}, stop: {}, step: {}}}}}",
                                         decimal(start), stop, decimal(step));
    const std::vector<double> values = numbers(expand(axis));
    ASSERT_EQ(static_cast<std::int64_t>(values.size()), count + 1) << axis;
    for (std::int64_t i = 0; i <= count; ++i) {
      ASSERT_EQ(values[static_cast<std::size_t>(i)], std::stod(decimal(start + i * step))) << axis;
    }
  }
}

TEST(SpacedAxis, RunsMonotonouslyBetweenExactEnds) {
  Random random(kSeed);
  for (int trial = 0; trial < kTrials; ++trial) {
    const double start = random.uniform(0.001, 50), stop = random.uniform(50.001, 9999);
    const std::int64_t num = random.integer(2, 40);
    for (const char* form : {"linspace", "logspace"}) {
      const std::string axis =
          fmt::format("{{{}: {{start: {}, stop: {}, num: {}}}}}", form, start, stop, num);
      const std::vector<double> values = numbers(expand(axis));
      ASSERT_EQ(static_cast<std::int64_t>(values.size()), num) << axis;
      ASSERT_EQ(values.front(), start) << axis;
      ASSERT_EQ(values.back(), stop) << axis;
      ASSERT_TRUE(std::is_sorted(values.begin(), values.end())) << axis;
    }
  }
}

TEST(SimplexAxis, HoldsEveryPointOnceAndEachSumsToOne) {
  // Sums of up to five multiples of 1/m: at most four roundings of numbers up to 1.
  constexpr double kSumTolerance = 4 * 0x1p-52;
  for (int dims = 1; dims <= 5; ++dims) {
    for (int parts = 1; parts <= 8; ++parts) {
      std::string keys;
      for (int d = 0; d < dims; ++d) keys += fmt::format("{}arms.w{}", d == 0 ? "" : ", ", d);
      const AxisGroup group =
          expand(fmt::format("{{simplex: {{dims: [{}], step: {}}}}}", keys, 1.0 / parts));
      double expected = 1;  // C(parts + dims - 1, dims - 1)
      for (int i = 1; i < dims; ++i) expected = expected * (parts + i) / i;
      EXPECT_EQ(static_cast<double>(group.points.size()), std::round(expected));
      std::set<std::vector<double>> seen;
      for (const auto& point : group.points) {
        std::vector<double> weights;
        double sum = 0;
        for (const auto& setting : point.settings) {
          weights.push_back(setting.second.as_number(0, 1));
          sum += weights.back();
        }
        EXPECT_NEAR(sum, 1, kSumTolerance);
        EXPECT_TRUE(seen.insert(weights).second) << "a point comes twice";
      }
    }
  }
}

TEST(RandomAxis, StaysInItsBounds) {
  const auto check = [](const std::string& dist, double low, double high) {
    const std::string axis =
        fmt::format("{{random: {{dist: {}, low: {}, high: {}, n: 2000}}}}", dist, low, high);
    const std::vector<double> values = numbers(expand(axis));
    EXPECT_EQ(values.size(), 2000u);
    for (const double value : values) {
      EXPECT_GE(value, low) << axis;
      EXPECT_LE(value, high) << axis;
    }
    return values;
  };
  check("uniform", -3, 0.5);
  // Half of log-uniform draws lie below the geometric mean; within five standard deviations.
  const std::vector<double> log_uniform = check("log_uniform", 0.01, 100);
  const auto below =
      std::count_if(log_uniform.begin(), log_uniform.end(), [](double value) { return value < 1; });
  EXPECT_NEAR(static_cast<double>(below), 1000, 5 * std::sqrt(2000 * 0.25));
}

TEST(RandomAxis, NormalDrawsHaveItsMeanAndDeviation) {
  constexpr double kMean = 3, kDeviation = 2, kCount = 20000;
  const std::vector<double> values =
      numbers(expand("{random: {dist: normal, mean: 3, std: 2, n: 20000}}"));
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value;
    squares += (value - kMean) * (value - kMean);
  }
  // Five standard errors of each estimate.
  EXPECT_NEAR(sum / kCount, kMean, 5 * kDeviation / std::sqrt(kCount));
  EXPECT_NEAR(std::sqrt(squares / kCount), kDeviation, 5 * kDeviation / std::sqrt(2 * kCount));
}

TEST(RandomAxis, IntegersAreAllDifferent) {
  const std::vector<double> some =
      numbers(expand("{random: {dist: integer, low: -5, high: 1000, n: 300}}"));
  EXPECT_EQ(std::set<double>(some.begin(), some.end()).size(), 300u);
  std::vector<double> all = numbers(expand("{random: {dist: integer, low: 1, high: 50, n: 50}}"));
  EXPECT_FALSE(std::is_sorted(all.begin(), all.end()));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all.front(), 1);
  EXPECT_EQ(all.back(), 50);
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

TEST(RandomAxis, IsKeyedBySeedAndKeyAndGrowsAtItsEnd) {
  const std::string axis = "{{random: {{dist: uniform, low: 0, high: 1, n: {}, seed: {}}}}}";
  const std::vector<double> reference = numbers(expand(fmt::format(axis, 5, 3)));
  EXPECT_EQ(numbers(expand(fmt::format(axis, 5, 3))), reference);
  EXPECT_NE(numbers(expand(fmt::format(axis, 5, 4))), reference);
  EXPECT_NE(numbers(expand(fmt::format(axis, 5, 3), "seed")), reference);
  std::vector<double> longer = numbers(expand(fmt::format(axis, 9, 3)));
  longer.resize(5);
  EXPECT_EQ(longer, reference);
}

/// A plan with random axes, and the product of their sizes.
struct Product {
  std::string yaml;
  std::int64_t size = 1;
};

Product random_product(Random& random) {
  Product product{"axes:\n", 1};
  const char* keys[] = {"seed", "visibility.step_m", "arms.a.x", "world.scene", "rays.n"};
  for (const char* key : keys) {
    if (random.chance(0.4)) continue;
    const std::int64_t size = random.integer(1, 5);
    product.yaml += fmt::format("  {}: {{range: {{start: 1, stop: {}, step: 1}}}}\n", key, size);
    product.size *= size;
  }
  return product;
}

TEST(SweepPlan, HasEveryCombinationOnceUnderItsOwnId) {
  Random random(kSeed);
  for (int trial = 0; trial < 20; ++trial) {
    const Product product = random_product(random);
    const SweepPlan plan = SweepPlan::parse(product.yaml, "plan", {});
    ASSERT_EQ(plan.num_configurations(), product.size) << product.yaml;
    std::set<std::string> ids, settings;
    for (std::int64_t i = 0; i < product.size; ++i) {
      ids.insert(plan.configuration(i).id);
      settings.insert(plan.configuration(i).settings.canonical_json());
    }
    ASSERT_EQ(static_cast<std::int64_t>(ids.size()), product.size) << product.yaml;
    ASSERT_EQ(static_cast<std::int64_t>(settings.size()), product.size) << product.yaml;
  }
}

TEST(SweepPlan, ExcludesWhatMatchesAndNothingElse) {
  Random random(kSeed);
  for (int trial = 0; trial < 50; ++trial) {
    const std::string axes =
        "axes:\n  seed: [0, 1, 2, 3]\n  visibility.step_m: [0, 1, 2]\n  rays.n: [0, 1, 2, 3, 4]\n";
    std::vector<std::vector<std::pair<std::string, std::int64_t>>> rules;
    std::string exclude = "exclude:\n";
    for (std::int64_t r = random.integer(1, 4); r > 0; --r) {
      rules.emplace_back();
      for (const char* key : {"seed", "visibility.step_m", "rays.n"}) {
        if (random.chance(0.6)) rules.back().emplace_back(key, random.integer(0, 4));
      }
      if (rules.back().empty()) rules.back().emplace_back("seed", 1);
      std::string rule;
      for (const auto& [key, value] : rules.back()) {
        rule += fmt::format("{}{}: {}.0", rule.empty() ? "" : ", ", key, value);
      }
      exclude += "  - {" + rule + "}\n";
    }
    std::vector<std::string> expected, kept;
    const SweepPlan full = SweepPlan::parse(axes, "plan", {});
    for (std::int64_t i = 0; i < full.num_configurations(); ++i) {
      const ConfigValue settings = full.configuration(i).settings;
      const bool dropped = std::any_of(rules.begin(), rules.end(), [&](const auto& rule) {
        return std::all_of(rule.begin(), rule.end(), [&](const auto& entry) {
          return settings.find_path(entry.first)->as_integer() == entry.second;
        });
      });
      if (!dropped) expected.push_back(settings.canonical_json());
    }
    const SweepPlan plan = SweepPlan::parse(axes + exclude, "plan", {});
    for (std::int64_t i = 0; i < plan.num_configurations(); ++i) {
      kept.push_back(plan.configuration(i).settings.canonical_json());
    }
    ASSERT_EQ(kept, expected) << exclude;
  }
}

}  // namespace
