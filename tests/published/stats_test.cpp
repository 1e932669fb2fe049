// Test vectors of the paired statistics, exact or printed by SciPy, and the contingency tables
// behind the p values, effect sizes and intervals of What Spatial Memory Must Store (2026).
#include "host/stats/paired.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <vector>

#include "host/stats/normal.h"

namespace sightline::host::stats {
namespace {

constexpr double kPrinted12Digits = 6e-12;  // relative: half a unit of the 12th digit, and rounding
constexpr double kNormalTail = 1.5e-14;     // relative: one rounding of z moves p by z^2 of them
constexpr double kPrinted10Digits = 6e-10;  // relative: half a unit of the 10th digit
constexpr double kPrinted4Digits = 6e-4;    // relative: half a unit of the 4th digit
constexpr double kPrinted3Digits = 6e-3;    // relative: half a unit of the 3rd digit
constexpr double kTenDecimals = 6e-11;      // absolute: half a unit of the 10th decimal
constexpr double kEightDecimals = 6e-9;     // absolute: half a unit of the 8th decimal
constexpr double kSixDecimals = 6e-7;       // absolute: half a unit of the 6th decimal
constexpr double kFourDecimals = 6e-5;      // absolute: half a unit of the 4th decimal
constexpr double kDoubleRounding = 1e-15;   // absolute: sums and products of a few doubles near 1
constexpr double kExactDyadic = 1e-13;      // relative: the incomplete beta of an exact fraction

void expect_relative(double actual, double expected, double tolerance) {
  EXPECT_LE(std::fabs(actual - expected), tolerance * std::fabs(expected))
      << "actual " << actual << ", expected " << expected;
}

/// n paired differences: b of +1, c of -1, the rest 0.
std::vector<double> differences_of_counts(std::size_t n, std::size_t b, std::size_t c) {
  std::vector<double> differences(n, 0.0);
  for (std::size_t i = 0; i < b; ++i) differences[i] = 1;
  for (std::size_t i = 0; i < c; ++i) differences[b + i] = -1;
  return differences;
}

const std::vector<double> kA = {1.5, -0.5, 2.0, 0.0, 3.5, -1.0, 2.5, 4.0};
const std::vector<double> kB = {1, 1, 1, -1, 1, 0, 0, 1, -1, 1};
const std::vector<double> kC = {0.3, -0.1, 0.7, 0.7, -0.4, 0.0, 0.9, 1.2, -0.2, 0.5, 0.5, -0.5};
const std::vector<double> kD = {15, -7, 5, 20, 0, -9, 17, -12, 5, -10};
const std::vector<double> kE = {1, 1, 1, 1, 1, 1};
const std::vector<double> kNearSpatial = differences_of_counts(240, 120, 0);
const std::vector<double> kNearRetuned = differences_of_counts(240, 83, 6);
const std::vector<double> kNearOld = differences_of_counts(240, 34, 43);

struct McNemarVector {
  std::int64_t b, c;
  double p, tolerance;
};
void PrintTo(const McNemarVector& v, std::ostream* out) { *out << v.b << "_" << v.c; }

class McNemar : public testing::TestWithParam<McNemarVector> {};

TEST_P(McNemar, GivesTheTwoSidedBinomialPInEitherOrder) {
  const McNemarVector& v = GetParam();
  expect_relative(mcnemar_exact(v.b, v.c), v.p, v.tolerance);
  expect_relative(mcnemar_exact(v.c, v.b), v.p, v.tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, McNemar,
    testing::Values(McNemarVector{0, 0, 1, 0}, McNemarVector{1, 0, 1, 0}, McNemarVector{1, 1, 1, 0},
                    McNemarVector{2, 3, 1, kExactDyadic}, McNemarVector{3, 0, 0.25, 0},
                    McNemarVector{5, 0, 0.0625, 0}, McNemarVector{6, 0, 0.03125, 0},
                    McNemarVector{7, 0, 0.015625, 0}, McNemarVector{8, 0, 0.0078125, 0},
                    McNemarVector{9, 0, 0.00390625, 0}, McNemarVector{11, 0, 0.0009765625, 0},
                    McNemarVector{16, 0, 3.0517578125e-05, 0},
                    McNemarVector{16, 1, 0.000274658203125, kExactDyadic},
                    McNemarVector{16, 2, 0.001312255859375, kExactDyadic},
                    McNemarVector{16, 4, 0.01181793212890625, kExactDyadic},
                    McNemarVector{16, 8, 0.15158963203430176, kExactDyadic},
                    McNemarVector{16, 16, 1, 0}, McNemarVector{10, 2, 0.03857421875, kExactDyadic},
                    McNemarVector{8, 1, 0.0390625, kExactDyadic},
                    McNemarVector{20, 10, 0.0987371467054, kPrinted12Digits},
                    McNemarVector{34, 43, 0.36203179774, kPrinted12Digits},
                    McNemarVector{70, 0, 1.69406589451e-21, kPrinted12Digits},
                    McNemarVector{83, 6, 2.02004557946e-18, kPrinted12Digits},
                    McNemarVector{96, 0, 2.52435489671e-29, kPrinted12Digits},
                    McNemarVector{120, 0, 1.50463276905e-36, kPrinted12Digits},
                    McNemarVector{834, 0, 1.7458768723248864464e-251, 0}));

struct WilcoxonVector {
  std::vector<double> differences;
  double w_plus, w_minus;
  std::int64_t num_nonzero;
  double variance;
  double z, p;                      // without continuity correction, as SciPy prints
  double z_corrected, p_corrected;  // with
  double p_exact;
};
void PrintTo(const WilcoxonVector& v, std::ostream* out) {
  *out << "n" << v.differences.size() << "_w" << v.w_plus;
}

class WilcoxonSignedRank : public testing::TestWithParam<WilcoxonVector> {};

TEST_P(WilcoxonSignedRank, RanksWithTiesAveragedAndZerosDropped) {
  const WilcoxonVector& v = GetParam();
  const Wilcoxon result = wilcoxon_signed_rank(v.differences);
  EXPECT_EQ(result.w_plus, v.w_plus);
  EXPECT_EQ(result.w_minus, v.w_minus);
  EXPECT_EQ(result.num_nonzero, v.num_nonzero);
  EXPECT_EQ(result.variance, v.variance);
}

TEST_P(WilcoxonSignedRank, AgreesWithSciPyWithoutContinuityCorrection) {
  const Wilcoxon result = wilcoxon_signed_rank(GetParam().differences, false);
  EXPECT_NEAR(result.z, GetParam().z, kTenDecimals);
  expect_relative(result.p, GetParam().p, kPrinted12Digits);
}

TEST_P(WilcoxonSignedRank, AgreesWithSciPyWithContinuityCorrection) {
  const Wilcoxon result = wilcoxon_signed_rank(GetParam().differences);
  EXPECT_NEAR(result.z, GetParam().z_corrected, kTenDecimals);
  expect_relative(result.p, GetParam().p_corrected, kPrinted12Digits);
}

TEST_P(WilcoxonSignedRank, EnumeratesAllSignsExactly) {
  expect_relative(wilcoxon_exact(GetParam().differences), GetParam().p_exact, kPrinted12Digits);
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, WilcoxonSignedRank,
    testing::Values(WilcoxonVector{kA, 25, 3, 7, 35, -1.8593393604, 0.0629790512145, -1.7748239349,
                                   0.0759269629826, 5.0 / 64},
                    WilcoxonVector{kB, 27, 9, 8, 40.5, -1.4142135624, 0.15729920705, -1.3356461422,
                                   0.18166496074, 37.0 / 128},
                    WilcoxonVector{kC, 53, 13, 11, 125.875, -1.7826260713, 0.0746471929427,
                                   -1.7380604195, 0.0822001681813, 83.0 / 1024},
                    WilcoxonVector{kD, 27, 18, 9, 71.125, -0.5335822501, 0.593630591443,
                                   -0.4742953334, 0.635289318835, 81.0 / 128},
                    WilcoxonVector{kE, 21, 0, 6, 18.375, -2.4494897428, 0.0143058784354,
                                   -2.3328473741, 0.0196561572502, 1.0 / 32},
                    WilcoxonVector{kNearSpatial, 7260, 0, 120, 109807.5, -10.9544511501,
                                   6.32606826368e-28, -10.9529422725, 6.43236480619e-28,
                                   1.50463276905e-36},
                    WilcoxonVector{kNearRetuned, 3735, 270, 89, 45056.25, -8.1619836760,
                                   3.29566749029e-16, -8.1596281252, 3.36057630482e-16,
                                   2.02004557946e-18},
                    WilcoxonVector{kNearOld, 1326, 1677, 77, 29279.25, -1.0256451881,
                                   0.305058859262, -1.0227231221, 0.306438775768, 0.36203179774}));

struct CohenVector {
  std::vector<double> differences;
  double mean, deviation, d, d_population;  // d_population: ddof = 0
};
void PrintTo(const CohenVector& v, std::ostream* out) {
  *out << "n" << v.differences.size() << "_mean" << v.mean;
}

class CohensD : public testing::TestWithParam<CohenVector> {};

TEST_P(CohensD, DividesByTheSampleDeviation) {
  const CohenVector& v = GetParam();
  const PairedEffect effect = paired_effect(v.differences);
  EXPECT_NEAR(effect.mean, v.mean, kTenDecimals);
  EXPECT_NEAR(effect.standard_deviation, v.deviation, kTenDecimals);
  EXPECT_NEAR(effect.d, v.d, kTenDecimals);
  EXPECT_EQ(cohens_d(v.differences), effect.d);
  const double n = static_cast<double>(v.differences.size());
  EXPECT_NEAR(effect.d * std::sqrt(n / (n - 1)), v.d_population, kTenDecimals);
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, CohensD,
    testing::Values(CohenVector{kA, 1.5, 1.8516401995, 0.8100925873, 0.8660254038},
                    CohenVector{kB, 0.4, 0.8432740427, 0.4743416490, 0.5},
                    CohenVector{kC, 0.3, 0.5393598900, 0.5562148865, 0.5809475019},
                    CohenVector{kD, 2.4, 11.9275591244, 0.2012146806, 0.2120988965},
                    CohenVector{kNearSpatial, 0.5, 0.5010449332, 0.9979144920, 1.0},
                    CohenVector{kNearRetuned, 0.3208333333, 0.5186715947, 0.6185673876,
                                0.6198601108},
                    CohenVector{kNearOld, -0.0375, 0.5663599547, -0.0662123084, -0.0663506833}));

struct BootstrapVector {
  std::int64_t n, b, c;
  double mean, low, high, deviation, normal_low, normal_high, at_most_zero;
};
void PrintTo(const BootstrapVector& v, std::ostream* out) {
  *out << v.n << "_" << v.b << "_" << v.c;
}

class ExactBootstrapOfMean : public testing::TestWithParam<BootstrapVector> {};

TEST_P(ExactBootstrapOfMean, IsTheLimitOfInfinitelyManyResamples) {
  const BootstrapVector& v = GetParam();
  const ExactBootstrap result = bootstrap_exact(v.n, v.b, v.c, 0.95);
  EXPECT_NEAR(result.mean, v.mean, kSixDecimals);
  EXPECT_NEAR(result.interval.low, v.low, kSixDecimals);
  EXPECT_NEAR(result.interval.high, v.high, kSixDecimals);
  EXPECT_NEAR(result.standard_deviation, v.deviation, kSixDecimals);
  expect_relative(result.at_most_zero, v.at_most_zero, kPrinted3Digits);
  const double half = normal_critical(0.95) * result.standard_deviation;
  EXPECT_NEAR(result.mean - half, v.normal_low, kFourDecimals);
  EXPECT_NEAR(result.mean + half, v.normal_high, kFourDecimals);
}

TEST_P(ExactBootstrapOfMean, GivesTheSameIntervalAlone) {
  const BootstrapVector& v = GetParam();
  const Interval interval = bootstrap_mean_exact(v.n, v.b, v.c, 0.95);
  EXPECT_NEAR(interval.low, v.low, kSixDecimals);
  EXPECT_NEAR(interval.high, v.high, kSixDecimals);
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, ExactBootstrapOfMean,
    testing::Values(
        BootstrapVector{240, 34, 43, -0.0375, -0.108333, 0.033333, 0.036482, -0.1090, 0.0340,
                        0.8612},
        BootstrapVector{240, 83, 6, 0.320833, 0.254167, 0.387500, 0.033410, 0.2554, 0.3863,
                        3.634e-23},
        BootstrapVector{240, 120, 0, 0.5, 0.4375, 0.5625, 0.032275, 0.4367, 0.5633, 5.66e-73},
        BootstrapVector{150, 70, 0, 0.466667, 0.386667, 0.546667, 0.040734, 0.3868, 0.5465,
                        1.122e-41},
        BootstrapVector{24, 9, 0, 0.375, 0.208333, 0.583333, 0.098821, 0.1813, 0.5687, 1.262e-05},
        BootstrapVector{48, 18, 0, 0.375, 0.25, 0.520833, 0.069877, 0.2380, 0.5120, 1.593e-10},
        BootstrapVector{10, 5, 2, 0.3, -0.2, 0.8, 0.246982, -0.1841, 0.7841, 0.1572}));

struct HolmVector {
  std::vector<double> p, adjusted;
};
void PrintTo(const HolmVector& v, std::ostream* out) {
  *out << "m" << v.p.size() << "_first" << v.p[0];
}

class Holm : public testing::TestWithParam<HolmVector> {};

TEST_P(Holm, AdjustsInTheOrderGiven) {
  const std::vector<double> adjusted = holm_bonferroni(GetParam().p);
  ASSERT_EQ(adjusted.size(), GetParam().adjusted.size());
  for (std::size_t i = 0; i < adjusted.size(); ++i) {
    EXPECT_NEAR(adjusted[i], GetParam().adjusted[i], kDoubleRounding);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, Holm,
    testing::Values(HolmVector{{0.01, 0.04, 0.03, 0.005}, {0.03, 0.06, 0.06, 0.02}},
                    HolmVector{{0.018, 0.045, 0.0005}, {0.036, 0.045, 0.0015}},
                    HolmVector{{0.0156, 1.0, 1.0}, {0.0468, 1, 1}},
                    HolmVector{{0.02, 0.02, 0.02}, {0.06, 0.06, 0.06}}, HolmVector{{0.5}, {0.5}},
                    HolmVector{{0.001, 0.0125, 0.0126, 0.05, 0.9, 0.3},
                               {0.006, 0.0625, 0.0625, 0.15, 0.9, 0.6}}));

struct TostVector {
  std::int64_t n, b, c;
  double margin, difference, standard_error, z_low, z_high, p_wald, p_exact, upper;
};
void PrintTo(const TostVector& v, std::ostream* out) {
  *out << v.n << "_" << v.b << "_" << v.c << "_margin" << v.margin;
}

class TostOfPairedProportions : public testing::TestWithParam<TostVector> {};

TEST_P(TostOfPairedProportions, GivesTheWaldTestAndItsExactCompanion) {
  const TostVector& v = GetParam();
  const Tost result = tost_paired_proportions(v.n, v.b, v.c, v.margin);
  EXPECT_EQ(result.degenerate, v.standard_error == 0);
  EXPECT_NEAR(result.difference, v.difference, kEightDecimals);
  EXPECT_NEAR(result.standard_error, v.standard_error, kTenDecimals);
  EXPECT_NEAR(result.z_low, v.z_low, kEightDecimals);
  EXPECT_NEAR(result.z_high, v.z_high, kEightDecimals);
  expect_relative(result.p_wald, v.p_wald, kPrinted10Digits);
  expect_relative(result.p_exact, v.p_exact, kPrinted10Digits);
  EXPECT_NEAR(result.discordance_upper_95, v.upper, kSixDecimals);
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, TostOfPairedProportions,
    testing::Values(TostVector{96, 0, 0, 0.05, 0, 0, 0, 0, 0, 0.00726885671, 0.030724},
                    TostVector{12, 0, 0, 0.05, 0, 0, 0, 0, 0, 0.5403600877, 0.220922},
                    TostVector{12, 0, 0, 0.25, 0, 0, 0, 0, 0, 0.03167635202, 0.220922},
                    TostVector{96, 1, 0, 0.05, 0.01041667, 0.0103622712, 5.83044640, 3.81994764,
                               6.674000226e-05, 0.04399571166, 0.048462},
                    TostVector{96, 2, 1, 0.05, 0.01041667, 0.0180108454, 3.35446034, 2.19774988,
                               0.01398346748, 0.2872305844, 0.078787},
                    TostVector{200, 5, 3, 0.05, 0.01, 0.0141244469, 4.24795395, 2.83196930,
                               0.002313114496, 0.3270244634, 0.071014},
                    TostVector{400, 10, 10, 0.03, 0, 0.0111803399, 2.68328157, 2.68328157,
                               0.003645179046, 0.9895462582, 0.071829},
                    TostVector{150, 70, 0, 0.05, 0.46666667, 0.0407340062, 12.68391487,
                               -10.22896360, 1, 1, 0.537043},
                    TostVector{240, 34, 43, 0.1, -0.0375, 0.0364821351, 1.71316728, 3.76896801,
                               0.04334088499, 1, 0.373956},
                    TostVector{60, 1, 1, 0.1, 0, 0.0235702260, 4.24264069, 4.24264069,
                               1.10452485e-05, 0.05304508182, 0.101236}));

TEST(Normal, KeepsItsDigitsFarOut) {
  expect_relative(normal_cdf(-8.161983676), 1.64783374581099e-16, kNormalTail);
  expect_relative(normal_two_sided(10.952942272534438), 6.43236480618948e-28, kNormalTail);
}

// --- Tables decoded from printed numbers -----------------------------------------------------

TEST(PublishedTables, FirstPilotIsBeatenOn70Of150) {
  expect_relative(mcnemar_exact(70, 0), 1.694e-21, kPrinted4Digits);
}

TEST(PublishedTables, OcclusionPilotFollowsFromFifteenFalseVisible) {
  constexpr int kOccluded = 849, kFalseVisible = 15;
  expect_relative(mcnemar_exact(kOccluded - kFalseVisible, 0), 1.7459e-251, kPrinted4Digits);
}

TEST(PublishedTables, RecallContrastsFollowFromTheirDiscordantPairs) {
  expect_relative(wilcoxon_signed_rank(kNearSpatial).p, 6.43e-28, kPrinted3Digits);
  EXPECT_NEAR(cohens_d(kNearSpatial), 0.99791, kSixDecimals * 10);
  EXPECT_NEAR(wilcoxon_signed_rank(kNearRetuned).z, -8.16, 0.005);  // printed to two decimals
  EXPECT_NEAR(cohens_d(kNearRetuned), 0.61857, kSixDecimals * 10);
  expect_relative(wilcoxon_signed_rank(kNearRetuned).p, 3.4e-16, 0.015);  // printed to two digits
  EXPECT_NEAR(wilcoxon_signed_rank(kNearOld).p, 0.30644, kSixDecimals * 10);
  EXPECT_NEAR(cohens_d(kNearOld), -0.06621, kSixDecimals * 10);
}

TEST(PublishedTables, SpatialContrastIsTheOnlySplitWithItsMean) {
  // Of all splits with mean .5, only (120, 0) prints d = .998.
  for (std::size_t c = 0; c <= 60; ++c) {
    const double d = cohens_d(differences_of_counts(240, 120 + c, c));
    EXPECT_EQ(std::fabs(d - 0.998) < 0.0005, c == 0) << "c = " << c << ", d = " << d;
  }
}

TEST(PublishedTables, SmallStudiesFollowFromTheirDiscordantPairs) {
  expect_relative(mcnemar_exact(96, 0), 2.524e-29, kPrinted4Digits);
  expect_relative(mcnemar_exact(12, 0), 4.883e-4, kPrinted4Digits);
  EXPECT_EQ(mcnemar_exact(0, 1), 1);
  expect_relative(mcnemar_exact(2, 3), 1, kExactDyadic);
  expect_relative(mcnemar_exact(3, 2), 1, kExactDyadic);
  EXPECT_EQ(mcnemar_exact(9, 0), 0.00390625);
  EXPECT_LT(mcnemar_exact(11, 0), 1e-3);
  EXPECT_EQ(mcnemar_exact(7, 0), 0.015625);
  EXPECT_EQ(mcnemar_exact(6, 0), 0.03125);
  expect_relative(mcnemar_exact(10, 2), 0.038574, kPrinted4Digits / 10);
}

TEST(PublishedTables, ReturnAndResumeSurvivesHolmOverThreeTasks) {
  const std::vector<double> adjusted =
      holm_bonferroni({mcnemar_exact(7, 0), mcnemar_exact(3, 2), mcnemar_exact(0, 0)});
  EXPECT_NEAR(adjusted[0], 0.0469, kFourDecimals);
  EXPECT_EQ(adjusted[2], 1);
}

TEST(PublishedTables, PooledTasksHaveOneSplitThatPrintsTheirP) {
  // 52 against 44 of 54: c runs over all splits that leave 8 more for the first arm.
  for (std::int64_t c = 0; c <= 2; ++c) {
    const double p = mcnemar_exact(8 + c, c);
    EXPECT_EQ(std::fabs(p - 0.039) < 0.0005, c == 2);
  }
}

TEST(PublishedTables, TwelveControlsNeedAWideMarginToBeEquivalent) {
  EXPECT_GT(tost_paired_proportions(12, 0, 0, 0.220).p_exact, 0.05);
  EXPECT_LT(tost_paired_proportions(12, 0, 0, 0.221).p_exact, 0.05);
}

TEST(PublishedTables, ThreePValuesAllSurviveHolmAndFourNeedNot) {
  for (double p : holm_bonferroni({0.018, 0.045, 0.0005})) EXPECT_LT(p, 0.05);
  const std::vector<double> four = holm_bonferroni({0.018, 0.045, 0.0005, 0.9});
  EXPECT_GT(four[0], 0.05);
  EXPECT_GT(four[1], 0.05);
  EXPECT_LT(four[2], 0.05);
}

}  // namespace
}  // namespace sightline::host::stats
