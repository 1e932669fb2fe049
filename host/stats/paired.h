// Tests and intervals of pairs and of proportions, on Boost.Math.
//
// Conventions fixed by the numbers of What Spatial Memory Must Store (2026), sections 4 to 6:
// exact McNemar two-sided binomial; Wilcoxon with zeros dropped, average ranks, tie-corrected
// variance and 0.5 continuity correction; Cohen's d with ddof = 1.
//
// Every function throws InputError on a negative count, a non-finite difference, or a probability
// outside its bounds, and names the value.
#pragma once

#include <cstdint>
#include <vector>

namespace sightline::host::stats {

struct Interval {
  double low = 0, high = 0;
};

/// Discordant pairs: `b` only the first arm right, `c` only the second. Returns the two-sided p.
/// The same is the exact sign test (Dixon and Mood, 1946) of pairs that can differ by more or less:
/// `b` of them in favour of the first, `c` of the second, ties left out.
double mcnemar_exact(std::int64_t b, std::int64_t c);

struct Wilcoxon {
  double w_plus = 0, w_minus = 0, variance = 0, z = 0, p = 1;
  std::int64_t num_nonzero = 0;
};
/// Signed-rank test of paired differences by its normal approximation. z belongs to the smaller
/// rank sum and is never positive; the effect's sign is that of w_plus - w_minus.
Wilcoxon wilcoxon_signed_rank(const std::vector<double>& differences, bool continuity = true);

constexpr std::int64_t kMaxExactRanks = 1000;
/// Two-sided p of the same test over all sign assignments, exactly: time cubic in the number of
/// nonzero differences, which is at most kMaxExactRanks.
double wilcoxon_exact(const std::vector<double>& differences);

struct PairedEffect {
  double mean = 0, standard_deviation = 0;  ///< ddof = 1
  double d = 0;                             ///< their ratio; NaN if the deviation is 0
};
/// Mean, deviation and Cohen's d of at least two paired differences.
PairedEffect paired_effect(const std::vector<double>& differences);
/// paired_effect(differences).d
double cohens_d(const std::vector<double>& differences);

constexpr std::int64_t kMaxResamples = 100'000'000;
/// Percentile bootstrap interval of the mean difference: num_resamples Philox draws keyed by seed.
Interval bootstrap_mean(const std::vector<double>& differences, double confidence,
                        std::int64_t num_resamples, std::uint64_t seed);

/// Bootstrap distribution of the mean of n differences of which b are +1, c are -1, the rest 0, in
/// the limit of infinitely many resamples.
struct ExactBootstrap {
  double mean = 0, standard_deviation = 0;
  double at_most_zero = 1;  ///< P(mean of a resample <= 0), to 1e-75 or so
  Interval interval;        ///< percentiles by the inverse distribution function
};
constexpr std::int64_t kMaxExactBootstrap = 10000;
/// By convolution of the multinomial, without ends below 1e-80: time grows with b + c, for
/// n = kMaxExactBootstrap to a tenth of a second.
ExactBootstrap bootstrap_exact(std::int64_t n, std::int64_t b, std::int64_t c, double confidence);
/// bootstrap_exact(...).interval
Interval bootstrap_mean_exact(std::int64_t n, std::int64_t b, std::int64_t c, double confidence);

/// Interval of the difference (b - c) / n of two paired proportions, of n pairs of which b and c
/// differ: Tango's score interval, for every n. It holds the differences that the score test does
/// not reject; of pairs that all agree, those up to z^2 / (n + z^2) either way. At few discordant
/// pairs it can leave out 0 where the exact McNemar test does not reject it: b = 4, c = 0.
/// T. Tango, Equivalence test and confidence interval for the difference in proportions for the
/// paired-sample design, Statistics in Medicine 17 (1998), 891-908.
Interval difference_interval(std::int64_t n, std::int64_t b, std::int64_t c,
                             double confidence = 0.95);

/// Which way the pairs differ, beyond doubt at 95 %: 1 where b is sure to be more, -1 where c is, 0
/// where neither is. The interval above and the exact McNemar test must both say so.
int sure_sign(std::int64_t n, std::int64_t b, std::int64_t c);

/// Two-sided p of Fisher's exact test that two proportions of independent trials, b1 of n1 and b2
/// of n2, are the same: the sum over all tables of these margins that are no likelier. Of more
/// than a million tables, where the tail of the normal distribution tells as much, that of the
/// pooled score test. Throws InputError if a count is negative or exceeds its n.
double fisher_exact(std::int64_t b1, std::int64_t n1, std::int64_t b2, std::int64_t n2);

/// Holm-Bonferroni adjusted p values, in the order given.
std::vector<double> holm_bonferroni(const std::vector<double>& p);

/// Equivalence of paired proportions within +-margin, margin in (0, 1).
struct Tost {
  double difference = 0, standard_error = 0, z_low = 0, z_high = 0;
  double p_wald = 1;   ///< 0 or 1 when the standard error is 0 (degenerate, see `degenerate`)
  double p_exact = 1;  ///< P(Bin(n, margin) <= b + c): the companion to quote when degenerate
  double discordance_upper_95 = 0;  ///< one-sided Clopper-Pearson bound on the discordant share
  bool degenerate = false;
};
Tost tost_paired_proportions(std::int64_t n, std::int64_t b, std::int64_t c, double margin);

/// Sums of n values, and of their squares.
struct Sums {
  std::int64_t n = 0;
  double sum = 0, squares = 0;
  double mean() const { return sum / static_cast<double>(n); }
};
/// Interval of a mean by Student's t with n - 1 degrees of freedom; of fewer than 2 values without
/// bounds.
Interval mean_interval(const Sums& sums, double confidence = 0.95);
/// The same of values that lie within [low, high], which the interval does not leave. Values that
/// are all equal have no spread to go by: of none that is otherwise among n, Wilson's interval says
/// that a share of up to z^2 / (n + z^2) may be, and these may be anywhere. Of n right answers that
/// is Wilson's interval, of n pairs that agree that of difference_interval.
Interval mean_interval_within(const Sums& sums, double low, double high, double confidence = 0.95);
/// Do the values differ, by more than keeping scores in steps of 2^-30 makes of equal ones?
bool has_spread(const Sums& sums);
/// Two-sided p of the exact sign test of n values that have one sign: 2^(1 - n).
double p_of_equal_signs(std::int64_t n);
/// Have the values an interval that means something? One has none, nor have a few equal ones, as
/// far as that test cannot tell them from chance.
bool tells_of_others(const Sums& sums);
/// Two-sided p of the mean being 0, by the same; 1 of fewer than 2 values. Values that are all
/// equal, as far as scores are kept, have no spread to go by: theirs is that of the exact sign
/// test.
double mean_is_zero(const Sums& sums);

/// Wilson score interval of a proportion; [0, 1] for n = 0.
Interval wilson(std::int64_t successes, std::int64_t n, double confidence = 0.95);

}  // namespace sightline::host::stats
