// What a sweep file says its run will show, and whether it did.
//
//     claims:
//       - {text: "text calls every hidden target visible", arm: text, false_visible_rate: 1}
//       - {text: "...", arm: march, accuracy: {min: 0.98, max: 1}}
//       - {text: "...", arm: march, false_visible: 0}                  # any count of results.csv
//       - {text: "...", arm: march, mcnemar: {b: 96, c: 0, p: 2.52435e-29}}
//       - {text: "...", arm: march, controls: {margin: 0.25}}
//
//       - {text: "...", arm: old, where: {queries.offset_m: [1, 3]}, by: [replicate], delta_low:
//       {min: 1e-6}}
//       - {text: "...", arm: old, by: [replicate], mean: true, cohens_d: {min: 0.95, max: 1.05}}
//       - {text: "...", arm: old, table: {rate: hit_rate, along: queries.offset_m,
//                                         expected: [[1, 0.32], [3, 0.28]], within: 0.05}}
//       - {text: "...", arm: old, falling: {rate: hit_rate, along: queries.offset_m, values: [1,
//       3]}}
//       - {text: "...", arm: new, at_least: {rate: hit_rate, arm: old, margin: 0.02}}
//       - {text: "...", arm: new, at_least: {rate: accuracy, arm: [old, older], interval: true}}
//
//       - {text: "...", arm: march, accuracy: {min: 0.98}, paper: "0.987"}
//       - {text: "...", paper: "0.990", needs_model: true}
//
// A number is a rate or a count of results.csv, or a paired statistic against the sweep's baseline:
// delta, delta_low and delta_high (its 95 % interval, by the exact bootstrap over pairs), cohens_d,
// wilcoxon_p, mcnemar_p, holm_p (the same, adjusted over the groups of `by`), significant_win (1 or
// 0: better, at 0.05 by the exact test); of a study's scores, which need not be 0 or 1:
// score_delta, score_delta_low and score_delta_high (95 % interval of the mean difference, by
// Student's t), sign_p (exact test of who scores higher) and holm_sign_p. It is taken of the rows
// that `where` keeps, added up; with `by`, of each group of them that shares those axes' values:
// every one must meet the bounds, or with `mean: true` their mean. A p value that is claimed to be
// at most so much is a claim that the arm is the better one, too, in every group, or with `mean` in
// all of them together; `{max: 0.05, side: worse}` claims that it is the worse one, and `side:
// either` that the two differ. A table compares rates along an
// axis with expected ones. `controls` holds if in every configuration the arm's answers to the
// targets that the oracle sees are equivalent to the baseline's within the margin (TOST,
// stats/paired.h); `equivalent: {margin: 0.05}` if in every group the arm and the baseline answer
// alike: their rates differ by less than the margin, and so many pairs at most (claim_pairs.h).
// Where an axis sets the baseline, an arm, the oracle, or how all arms look or recall (visibility,
// view, field_of_view, recall), its rows ask the same trials again, so that rates and tests need
// one of its values by `where`, each by `by`, or to be along it; else they are not tested, and of
// several baselines refused. An arm held against itself is not tested. Where the file declares a
// family (family.h), holm_p and holm_sign_p are adjusted over that. `at_least` compares a rate with
// another arm's, or with each of several, less a margin (absent: 0); with `interval: true` not the
// difference has to be that large but the lower end of its 95 % interval, made of both rates' own
// (Newcombe 1998, method 10), as if they were of other trials: it is too wide where the same trials
// are asked of both and answered alike. Or it compares a count with so many `times` another arm's:
// {count: stored_bytes, arm: new, times: 20}; against none it is not tested.
//
// `paper` is what the paper has there, a number or a few words; it is shown beside what is found,
// and decides nothing. `needs_model: true` says that a language model would have to answer, which a
// sweep has none of: such a claim is neither reproduced nor missed, needs no arm and claims no
// number, but tells the paper's. If it does name an arm and a number, then `sightline prompts
// score` judges it, for there a model has answered for the arm.
//
// What Spatial Memory Must Store (2026), section 6: a claim is fixed before the run, and a miss is
// told, not tuned away.
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
  /// Absent: the run has no such number (configurations are missing, or no target of that kind), or
  /// a model would have to answer.
  std::optional<bool> holds;
  bool needs_model = false;  ///< and no model has answered

  const char* verdict() const {
    if (needs_model) return "not testable without a model";
    return !holds ? "not tested" : *holds ? "reproduced" : "not reproduced";
  }
};

/// How many claims have each verdict.
struct VerdictCounts {
  std::int64_t reproduced = 0, not_reproduced = 0, not_tested = 0, needs_model = 0;

  std::int64_t total() const { return reproduced + not_reproduced + not_tested + needs_model; }
  VerdictCounts& operator+=(const VerdictCounts& other);
  /// "16 of 19 claims are reproduced, 2 are not, 1 are not testable without a model": the last two
  /// verdicts only where there are any. `of_what`: " of 2 runs".
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
