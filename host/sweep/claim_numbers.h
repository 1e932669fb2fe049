// Numbers that a claim may be about.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/sweep/measures.h"

namespace sightline::host {

/// A number of rows added up: a rate, a count or a paired statistic of the arm against its baseline
/// (Wilcoxon and Cohen's d over the differences +1, 0, -1 of the pairs). "wilcoxon_p" is the normal
/// approximation that the paper prints; "significant_win" goes by the exact test, "wilcoxon_win" by
/// that.
struct ClaimNumber {
  std::string name;
  double low = 0, high = 0;  ///< what the sweep file may claim of it
  bool is_whole = false;
  bool has_interval = false;  ///< a rate whose 95 % interval a claim may bound
};

/// Every name, for checks and suggestions.
std::vector<std::string> claim_number_names(ExperimentKind kind);
/// Throws nothing: nullopt for a name that is none.
std::optional<ClaimNumber> find_claim_number(ExperimentKind kind, const std::string& name);
/// Is it of the pairs that the arm and its baseline make?
bool is_paired_number(const std::string& name);
/// Is it a p value?
bool is_p_value(const std::string& name);
/// Of what a p value tests: in how many pairs more the arm does better than its baseline. Of a test
/// of scores, of which less may be better.
std::int64_t gain_of_test(ExperimentKind kind, const std::string& name, const ResultRow& total,
                          bool less_is_better);
/// "mcnemar_p" of "holm_p": the p whose family it adjusts; empty: it adjusts none.
std::string test_of_family(const std::string& name);
/// Two-sided p of the exact McNemar test, which is the exact sign test too. It is also what an
/// exact Wilcoxon test of the pairs gives: their differences have one size, and so one rank.
double exact_p_of(const DiscordantPairs& pairs);
/// Is a p at most 0.05?
bool is_significant(double p);
/// Is the p of the exact McNemar test? A claim that a difference's interval leaves out 0 needs it
/// as well: the interval is an approximation, and does so from four pairs in one direction on (p =
/// 0.125).
bool is_shown_by_exact_test(const DiscordantPairs& pairs);
/// None where there is nothing to count or too few pairs.
std::optional<double> claim_value(ExperimentKind kind, const std::string& name,
                                  const ResultRow& total);
/// The same of each total; "holm_p" is mcnemar_p adjusted over them all, and "holm_sign_p" sign_p.
/// Empty if one of them has no such number.
std::vector<double> claim_values(ExperimentKind kind, const std::string& name,
                                 const std::vector<ResultRow>& totals);

/// Is a number at least a bound, but for the last bits, which depend on the order of sums? A mean
/// of three 0.1 is at most 0.1.
inline bool is_at_least(double number, double bound) {
  constexpr double kRounding = 1e-12;
  return number >= bound - kRounding * std::fabs(bound);
}

}  // namespace sightline::host
