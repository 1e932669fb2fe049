// Quantised features: rounding, the decays beside the C library's, and the one chain of a cosine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/portable_exp.h"
#include "support/blends.h"

namespace sightline::tests {
namespace {

using kernels::Decay;
using kernels::DecayForm;
using kernels::Executor;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 20261122;
/// Of a decay, whose quotient is rounded before the exponential magnifies that.
constexpr double kDecayTolerance = 1e-15;

double ulps_between(double value, long double truth) {
  const double next = std::nextafter(value, std::numeric_limits<double>::infinity());
  return static_cast<double>(std::fabs(value - truth) / (next - value));
}

TEST(Quantised, RoundsHalfToEven) {
  const double unit = std::ldexp(1, -18);
  EXPECT_EQ(kernels::quantised(0), 0);
  EXPECT_EQ(kernels::quantised(1), 1 << 18);
  EXPECT_EQ(kernels::quantised(-1), -(1 << 18));
  EXPECT_EQ(kernels::quantised(0.5 * unit), 0);
  EXPECT_EQ(kernels::quantised(1.5 * unit), 2);
  EXPECT_EQ(kernels::quantised(2.5 * unit), 2);
  EXPECT_EQ(kernels::quantised(-0.5 * unit), 0);
  EXPECT_EQ(kernels::quantised(-1.5 * unit), -2);
  EXPECT_EQ(kernels::quantised(std::nextafter(0.5 * unit, 1)), 1);
  EXPECT_EQ(kernels::quantised(1, kernels::kMaxFeatureBits), 1 << kernels::kMaxFeatureBits);
}

TEST(Quantised, OfAColumnIsThatOfEach) {
  Random random(kSeed);
  std::vector<double> values;
  for (int i = 0; i < 3000; ++i) values.push_back(random.uniform(-1, 1));
  for (const int bits : {1, 9, 18, 30}) {
    std::vector<std::int32_t> out(values.size());
    kernels::quantise({}, values.data(), std::int64_t(values.size()), bits, out.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(out[i], std::nearbyint(std::ldexp(values[i], bits))) << "seed " << kSeed;
    }
  }
}

TEST(PortableExp, IsWithinItsBoundOfTheTruth) {
  Random random(kSeed);
  for (int i = 0; i < 200000; ++i) {
    // Every other point lies half way between powers of two, where the series is longest.
    const bool half_way = i % 2 == 0;
    const double n = static_cast<double>(random.integer(0, 900)) + random.uniform(0.49, 0.51);
    const double x = half_way ? -n * std::log(2) : -std::exp(random.uniform(-30, 6.5));
    ASSERT_LE(ulps_between(kernels::portable_exp(x), std::exp(static_cast<long double>(x))),
              kernels::kPortableExpUlps)
        << x;
    const double y = half_way ? -n : -std::exp(random.uniform(-30, 6.9));
    ASSERT_LE(ulps_between(kernels::portable_exp2(y), std::exp2(static_cast<long double>(y))),
              kernels::kPortableExpUlps)
        << y;
  }
}

TEST(PortableExp, HasItsEnds) {
  EXPECT_EQ(kernels::portable_exp(0), 1);
  EXPECT_EQ(kernels::portable_exp(-0.0), 1);
  EXPECT_EQ(kernels::portable_exp2(0), 1);
  for (int n = 0; n > -1000; --n) EXPECT_EQ(kernels::portable_exp2(n), std::ldexp(1, n));
  for (const double low : {-1000.0, -1e9, -1e300, -std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(kernels::portable_exp(low), 0);
    EXPECT_EQ(kernels::portable_exp2(low), 0);
  }
}

double by_the_library(const Decay& decay, double x) {
  const double ratio = x / decay.scale;
  switch (decay.form) {
    case DecayForm::kLinear:
      return std::fmax(0, 1 - ratio);
    case DecayForm::kExponential:
      return std::exp(-ratio);
    case DecayForm::kHyperbolic:
      return 1 / (1 + ratio);
    case DecayForm::kGaussian:
      return std::exp(-ratio * ratio / 2);
    case DecayForm::kStep:
      return x <= decay.scale ? 1 : 0;
    case DecayForm::kHalfLife:
      return std::pow(0.5, ratio);
  }
  return -1;
}

constexpr DecayForm kAllForms[] = {DecayForm::kLinear,     DecayForm::kExponential,
                                   DecayForm::kHyperbolic, DecayForm::kGaussian,
                                   DecayForm::kStep,       DecayForm::kHalfLife};

TEST(Decays, AreThoseOfTheLibrary) {
  Random random(kSeed);
  for (const DecayForm form : kAllForms) {
    for (int i = 0; i < 20000; ++i) {
      const Decay decay{form, std::exp(random.uniform(-5, 10))};
      const double x = random.chance(0.1) ? decay.scale : decay.scale * random.uniform(0, 40);
      ASSERT_NEAR(decayed(decay, x), by_the_library(decay, x), kDecayTolerance)
          << "form " << int(form) << ", scale " << decay.scale << ", x " << x;
    }
    EXPECT_EQ(kernels::decayed({form, 3}, 0), 1);
  }
  EXPECT_EQ(kernels::decayed({DecayForm::kStep, 3}, 3), 1);
  EXPECT_EQ(kernels::decayed({DecayForm::kStep, 3}, std::nextafter(3, 4)), 0);
  EXPECT_EQ(kernels::decayed({DecayForm::kLinear, 3}, 4), 0);
  EXPECT_EQ(kernels::decayed({DecayForm::kHalfLife, 3}, 6), 0.25);
}

TEST(Proximities, AreDecaysOfDistances) {
  Random random(kSeed);
  std::vector<Vec3> anchors, centres;
  for (int i = 0; i < 700; ++i) {
    anchors.push_back({random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)});
  }
  for (int i = 0; i < 3; ++i) centres.push_back(anchors[std::size_t(i) * 50]);
  for (const DecayForm form : kAllForms) {
    const Decay decay{form, 4};
    std::vector<std::int32_t> out(anchors.size() * centres.size());
    kernels::proximities({}, anchors.data(), std::int64_t(anchors.size()), centres.data(), 3, decay,
                         18, out.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Vec3 &a = anchors[i % anchors.size()], &c = centres[i / anchors.size()];
      const double d2 = oracle::squared_distance({a.x, a.y, a.z}, {c.x, c.y, c.z});
      ASSERT_EQ(out[i], kernels::quantised(decayed(decay, std::sqrt(d2))));
    }
    EXPECT_EQ(out[0], 1 << 18);  // at the centre
  }
}

TEST(Recencies, AreDecaysOfAgesThatAreNotNegative) {
  const std::vector<double> time_s{0, 50, 100, 150}, now_s{100, 50};
  std::vector<std::int32_t> out(8);
  kernels::recencies({}, time_s.data(), 4, now_s.data(), 2, {DecayForm::kHalfLife, 50}, 18,
                     out.data());
  constexpr std::int32_t kOne = 1 << 18;
  EXPECT_EQ(
      out, (std::vector<std::int32_t>{kOne / 4, kOne / 2, kOne, kOne, kOne / 2, kOne, kOne, kOne}));
}

class CosineTest : public testing::Test {
 protected:
  std::vector<float> unit_rows(std::int64_t num, std::int32_t width) {
    std::vector<float> rows;
    for (std::int64_t r = 0; r < num; ++r) {
      std::vector<double> row;
      double square = 0;
      for (std::int32_t k = 0; k < width; ++k) {
        row.push_back(random_.uniform(-1, 1));
        square += row.back() * row.back();
      }
      for (const double x : row) rows.push_back(static_cast<float>(x / std::sqrt(square)));
    }
    return rows;
  }

  /// The definition, over rows as they came.
  static std::int32_t chain(const float* row, const float* query, std::int32_t width, int bits) {
    float dot = 0;
    for (std::int32_t k = 0; k < width; ++k) dot = std::fmaf(query[k], row[k], dot);
    const double cosine = std::fmin(1, std::fmax(-1, dot));
    return static_cast<std::int32_t>(std::nearbyint(std::ldexp(cosine, bits)));
  }

  static std::vector<std::int32_t> cosines_of(const std::vector<float>& rows,
                                              const std::vector<float>& queries, std::int32_t width,
                                              int bits, const Executor& executor) {
    const auto num_rows = std::int64_t(rows.size()) / width;
    const auto num_queries = std::int64_t(queries.size()) / width;
    const kernels::EmbeddingView view{rows.data(), num_rows, width};
    const std::int64_t bytes = cosines_workspace_bytes(executor, view, num_queries);
    std::vector<std::byte> room(static_cast<std::size_t>(bytes));
    std::vector<std::int32_t> out(std::size_t(num_rows * num_queries), 7);
    cosines(executor, view, queries.data(), num_queries, bits, out.data(), {room.data(), bytes});
    return out;
  }

  Random random_{kSeed};
};

TEST_F(CosineTest, IsOneChainOfFusedMultiplyAdds) {
  for (const std::int32_t width : {1, 3, 8, 384}) {
    for (const std::int64_t num_rows : {1, 15, 16, 17, 33, 150}) {
      const std::vector<float> rows = unit_rows(num_rows, width);
      for (const std::int64_t num_queries : {1, 2, 7, 8, 9, 17, 32, 33, 50}) {
        const std::vector<float> queries = unit_rows(num_queries, width);
        for (const kernels::InstructionSet set : instruction_sets()) {
          SCOPED_TRACE(kernels::vector_target(set));
          Executor executor;
          executor.instructions = set;
          executor.num_threads = static_cast<int>(num_queries % 4) + 1;
          const int bits = num_queries % 2 == 0 ? 18 : 30;
          const auto out = cosines_of(rows, queries, width, bits, executor);
          for (std::int64_t i = 0; i < num_rows * num_queries; ++i) {
            ASSERT_EQ(out[std::size_t(i)],
                      chain(&rows[std::size_t(i % num_rows * width)],
                            &queries[std::size_t(i / num_rows * width)], width, bits))
                << "slot " << i << " of width " << width << ", seed " << kSeed;
          }
        }
      }
    }
  }
}

TEST_F(CosineTest, AreTheSameOfPackedRowsAndWithLessWorkspace) {
  constexpr std::int64_t kRows = 37, kQueries = 19;
  constexpr std::int32_t kWidth = 33;
  const std::vector<float> rows = unit_rows(kRows, kWidth), queries = unit_rows(kQueries, kWidth);
  std::vector<float> packed(std::size_t(kernels::packed_floats(kRows, kWidth)));
  kernels::pack_embeddings({}, rows.data(), kRows, kWidth, packed.data());
  for (const kernels::InstructionSet set : instruction_sets()) {
    SCOPED_TRACE(kernels::vector_target(set));
    Executor executor;
    executor.instructions = set;
    const auto expected = cosines_of(rows, queries, kWidth, 30, executor);
    for (const kernels::EmbeddingView& view :
         {kernels::EmbeddingView{rows.data(), kRows, kWidth},
          kernels::EmbeddingView{packed.data(), kRows, kWidth, true}}) {
      std::vector<std::byte> room(std::size_t(cosines_workspace_bytes(executor, view, kQueries)));
      const auto less = static_cast<std::int64_t>(room.size()) - 1;
      std::vector<std::int32_t> out(expected.size(), 7);
      cosines(executor, view, queries.data(), kQueries, 30, out.data(),
              {room.data(), std::max<std::int64_t>(0, less)});
      EXPECT_EQ(out, expected);
    }
  }
}

TEST_F(CosineTest, OfOneEmbeddingHasOneValue) {
  const std::vector<float> one = unit_rows(1, 384), query = unit_rows(1, 384);
  std::vector<float> rows;
  for (int i = 0; i < 40; ++i) rows.insert(rows.end(), one.begin(), one.end());
  for (const std::int32_t value : cosines_of(rows, query, 384, 30, {})) {
    EXPECT_EQ(value, chain(one.data(), query.data(), 384, 30));
  }
}

TEST_F(CosineTest, IsClampedToOne) {
  const std::vector<float> rows{1.01f, -1.01f, 1}, query{1};
  for (const kernels::InstructionSet set : instruction_sets()) {
    Executor executor;
    executor.instructions = set;
    EXPECT_EQ(cosines_of(rows, query, 1, 18, executor),
              (std::vector<std::int32_t>{1 << 18, -(1 << 18), 1 << 18}));
  }
}

TEST(PackedEmbeddings, LieAsTheirViewSays) {
  constexpr std::int32_t kWidth = 3;
  std::vector<float> rows;
  for (int i = 0; i < 20 * kWidth; ++i) rows.push_back(static_cast<float>(i + 1));
  ASSERT_EQ(kernels::packed_floats(20, kWidth), 32 * kWidth);
  EXPECT_EQ(kernels::packed_floats(0, kWidth), 0);
  std::vector<float> packed(32 * kWidth, -1);
  kernels::pack_embeddings({}, rows.data(), 20, kWidth, packed.data());
  for (int r = 0; r < 32; ++r) {
    for (int k = 0; k < kWidth; ++k) {
      EXPECT_EQ(packed[std::size_t((r / 16 * kWidth + k) * 16 + r % 16)],
                r < 20 ? rows[std::size_t(r * kWidth + k)] : 0);
    }
  }
}

}  // namespace
}  // namespace sightline::tests
