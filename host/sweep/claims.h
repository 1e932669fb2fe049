// What a sweep file says its run will show, and whether it did.
//
//     claims:
//       - {text: "text calls every hidden target visible", arm: text, false_visible_rate: 1}
//       - {text: "...", arm: march, accuracy: {min: 0.98, interval: true}}
//       - {text: "...", arm: march, false_visible: 0}
//       - {text: "...", arm: march, mcnemar: {b: 96, c: 0, p: 2.52435e-29}}
//       - {text: "...", arm: march, controls: {margin: 0.25}}
//       - {text: "...", arm: old, where: {queries.offset_m: [1, 3]}, by: [replicate],
//          delta_low: {min: 1e-6}}
//       - {text: "...", arm: old, by: [replicate], mean: true, cohens_d: {min: 0.95, max: 1.05}}
//       - {text: "...", arm: old, table: {rate: hit_rate, along: queries.offset_m,
//                                         expected: [[1, 0.32], [3, 0.28]], within: 0.05}}
//       - {text: "...", arm: old, falling: {rate: hit_rate, along: queries.offset_m,
//                                           values: [1, 3]}}
//       - {text: "...", arm: new, at_least: {rate: accuracy, arm: [old, older], interval: true}}
//       - {text: "...", arm: new, at_least: {count: stored_bytes, arm: old, times: 20}}
//       - {text: "...", paper: "0.990", needs_model: true}
//
// configs/README.md has a table of all keys. What they do not say:
//
// Rows. A claim is about the rows of its arm that `where` keeps, added up. With `by` they are added
// up for each value of those axes, and each of these groups must hold; with `mean: true` the mean
// of the groups' numbers must.
//
// Trials count once. An axis that sets the baseline, an arm, the oracle, or how all arms look or
// recall (visibility, view, field_of_view, recall) asks the same trials again at each value. Rates
// and tests must then pick one value by `where`, or list the axis under `by`, or go along it. Else
// the claim is not tested; if the axis is the baseline, the file is refused. Counts of what was
// done may be added up.
//
// Paired numbers compare an arm with its baseline, pair by pair: delta (difference of their rates),
// delta_low and delta_high (its 95 % interval, stats::difference_interval), cohens_d, wilcoxon_p,
// mcnemar_p, holm_p (mcnemar_p, adjusted over the groups of `by`, or over the family that the file
// declares, family.h), significant_win (1 if the arm is better and mcnemar_p is below 0.05, else 0)
// and wilcoxon_win (the same by wilcoxon_p: the verdict of What Spatial Memory Must Store, section
// 6.8, which also wants the bootstrap's interval of the mean difference off 0; where this p is
// below 0.05 it is, as its standard error is the smaller one). Of scores that need not be 0 or 1:
// score_delta, score_delta_low and score_delta_high (Student's t), sign_p (exact test of who scores
// higher) and holm_sign_p. An arm that is its own baseline is not tested.
//
// Claims that the interval of a difference leaves out 0 (delta_low at least 0 or more, delta_high
// at most 0 or less, at_least by interval without a margin) hold only if an exact test agrees, with
// a p of at most 0.05: McNemar's of pairs, Fisher's of rates of other numbers of trials. With
// `mean` the test is of the pairs of all groups, and its lead must be the claimed one; of groups
// that are the same trials again it is of each.
//
// A p value that is claimed to be at most so much also claims that the arm is the better one, in
// every group, or with `mean` in all of them together. `side: worse` claims that it is the worse
// one, `side: either` that the two differ.
//
// `interval: true` under a bound on a rate asks that its whole 95 % interval lie within the bounds.
// Under `at_least` it asks that of the interval of the difference, which is made of the intervals
// of both rates (Newcombe 1998, method 10) as if their trials were others: it is too wide where
// both arms are asked the same trials and answer alike.
//
// Equivalence: `controls` and `equivalent` are tests (TOST, claim_pairs.h).
//
// `paper` is what the paper has there, a number or words: it is shown, and decides nothing. Of a
// number that the interval of what was found leaves out it is told.
// `needs_model: true` marks what only a language model could show. Such a claim counts as neither
// reproduced nor missed. If it names an arm and a number, `sightline prompts score` judges it, for
// there a model has answered.
//
// A claim is fixed before the run, and a miss is told, not tuned away (What Spatial Memory Must
// Store, 2026, section 6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/sweep/store.h"

namespace sightline::host {

/// A claim and what the run says to it.
struct ClaimResult {
  std::string text;  ///< the file's words
  std::string arm;
  std::string where;     ///< the rows that it is about: "asked: hidden"; empty: all of the arm's
  std::string expected;  ///< "false_visible_rate = 1"
  std::string found;     ///< the same of this run
  /// 95 %, "0.446 to 0.584", one for each number found (claim_intervals.h); empty where none makes
  /// sense.
  std::string interval;
  std::string paper;  ///< what the file says that the paper has; empty if nothing
  /// Absent: the run cannot tell, for the reason in `found` (configurations are missing, say), or a
  /// model would have to answer.
  std::optional<bool> holds;
  bool needs_model = false;  ///< and no model has answered

  /// The paper's text; where it is a number that the interval leaves out, that says so.
  std::string paper_text() const;

  const char* verdict() const {
    if (needs_model) return "not testable without a model";
    return !holds ? "not tested" : *holds ? "reproduced" : "not reproduced";
  }
};

/// How many claims have each verdict.
struct VerdictCounts {
  std::int64_t reproduced = 0, not_reproduced = 0, not_tested = 0, needs_model = 0;

  std::int64_t total() const { return reproduced + not_reproduced + not_tested + needs_model; }
  /// Is every claim reproduced, but for those that only a model could show?
  bool all_hold() const { return not_reproduced == 0 && not_tested == 0; }
  VerdictCounts& operator+=(const VerdictCounts& other);
  /// "19 claims: 16 reproduced, 2 not reproduced, 1 not tested, 1 not testable without a model":
  /// the last two verdicts only where there are any. `of_what`: " of 2 runs", after the claims.
  std::string text(const std::string& of_what = "") const;
};
VerdictCounts count_verdicts(const std::vector<ClaimResult>& claims);

/// Throws InputError at the first claim that cannot be read. `arms`: names that a claim may give;
/// absent if axes set them. `settings`: what no axis sets.
void check_claims(const ConfigValue& claims, ExperimentKind kind,
                  const std::optional<std::vector<std::string>>& arms,
                  const std::vector<std::string>& axis_keys, const ConfigValue& settings);

/// The claims of a run's sweep file, in its order; empty if it makes none.
std::vector<ClaimResult> evaluate_claims(const RunData& run);

/// claim, arm, expected, found, verdict, interval_95, paper.
std::string claims_csv(const std::vector<ClaimResult>& claims);

}  // namespace sightline::host
