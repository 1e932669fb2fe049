// Intervals of paired differences that others print.
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>

#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

constexpr double kThreeDecimals = 6e-4;  // absolute: half a unit of the 3rd decimal
constexpr double kFourDecimals = 6e-5;   // absolute: half a unit of the 4th decimal
constexpr double kEightDecimals = 6e-9;  // absolute: half a unit of the 8th decimal

struct DifferenceVector {
  std::int64_t n, b, c;
  double confidence, low, high, tolerance;
};
void PrintTo(const DifferenceVector& v, std::ostream* out) {
  *out << v.n << "_" << v.b << "_" << v.c;
}

class ScoreIntervalOfDifference : public testing::TestWithParam<DifferenceVector> {};

TEST_P(ScoreIntervalOfDifference, IsTangos) {
  const DifferenceVector& v = GetParam();
  const Interval interval = difference_interval(v.n, v.b, v.c, v.confidence);
  EXPECT_NEAR(interval.low, v.low, v.tolerance);
  EXPECT_NEAR(interval.high, v.high, v.tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, ScoreIntervalOfDifference,
    testing::Values(
        // Airway hyper-responsiveness before and after a transplantation (Bentur et al. 2009), in
        // Fagerland, Lydersen and Laake, Statistics in Medicine 33 (2014), 2850-2875, "Tango".
        DifferenceVector{21, 1, 7, 0.95, -0.517, -0.026, kThreeDecimals},
        // Complete response before and after a therapy (Cavo et al. 2012), in Fagerland, Lydersen
        // and Laake, Statistical Analysis of Contingency Tables (2017), chapter 8.
        DifferenceVector{161, 6, 16, 0.95, -0.1240, -0.0054, kFourDecimals},
        // The example of R. Newcombe's spreadsheet TANGO.
        DifferenceVector{50, 12, 2, 0.95, 0.0611, 0.3447, kFourDecimals},
        // scoreci.mp(25, 28, 618, 0.90) of the R package PropCIs, which takes c first.
        DifferenceVector{618, 28, 25, 0.90, -0.0148, 0.0247, kFourDecimals},
        // No discordant pair: z^2 / (n + z^2), z = 1.959964 (Tango 1998, appendix III).
        DifferenceVector{30, 0, 0, 0.95, -3.8414588 / 33.8414588, 3.8414588 / 33.8414588,
                         kEightDecimals}));

}  // namespace
}  // namespace sightline::host::stats
