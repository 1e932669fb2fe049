// Tails of the standard normal distribution, right to the last digits far out.
#pragma once

namespace sightline::host::stats {

/// P(Z <= z). Keeps its relative accuracy in the lower tail (Phi(-30) is about 5e-198, not 0).
double normal_cdf(double z);

/// P(|Z| >= |z|).
double normal_two_sided(double z);

/// The z with P(|Z| <= z) = confidence: 1.96 for 0.95. confidence in (0, 1).
double normal_critical(double confidence);

}  // namespace sightline::host::stats
