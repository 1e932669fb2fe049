#include "host/sweep/claim_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "host/stats/paired.h"
#include "host/sweep/claim_intervals.h"

namespace sightline::host {
namespace {

constexpr double kPrintedDigits = 5e-6;  ///< relative: claims quote p values to six digits
constexpr double kLevel = 0.05;          ///< of the equivalence test

std::string with_p(std::int64_t b, std::int64_t c, double p) {
  return fmt::format("b = {}, c = {}, p = {:.6g}", b, c, p);
}

/// The larger p of the two rules: Wald's is too sure of few pairs. Without a discordant pair it has
/// no standard error, and the exact rule decides.
double cautious_p(const stats::Tost& test) {
  return test.degenerate ? test.p_exact : std::max(test.p_wald, test.p_exact);
}

/// Of the targets that the oracle sees: those only the arm, and only the baseline calls visible.
/// Known from the counts where one of the two is never wrong on them.
std::optional<std::pair<std::int64_t, std::int64_t>> control_changes(const Answers& arm,
                                                                     const Answers& baseline) {
  const auto wrong = [](const Answers& a) {
    return a.num_visible - (a.correct - (a.num_occluded - a.false_visible));
  };
  if (arm.said_unknown > 0 || baseline.said_unknown > 0) return std::nullopt;
  if (wrong(arm) > 0 && wrong(baseline) > 0) return std::nullopt;
  return std::make_pair(wrong(baseline), wrong(arm));
}

/// Rows of a run, by configuration and arm.
using RowsByPlace = std::map<std::pair<std::int64_t, std::string>, const RunData::Row*>;

RowsByPlace rows_by_place(const RunData& run) {
  RowsByPlace rows;
  for (const RunData::Row& row : run.rows) {
    rows.try_emplace({row.result.configuration, row.result.arm}, &row);
  }
  return rows;
}

void add_pairs(const DiscordantPairs& pairs, DiscordantPairs* all) {
  all->n += pairs.n;
  all->only_arm += pairs.only_arm;
  all->only_baseline += pairs.only_baseline;
}

}  // namespace

McNemarClaim mcnemar_of(const ConfigValue& value) {
  value.allow_only({"b", "c", "p"});
  McNemarClaim claim{value.at("b").as_integer(0), value.at("c").as_integer(0), {}};
  if (const ConfigValue* p = value.find("p")) claim.p = p->as_number(0, 1);
  return claim;
}

double margin_of(const ConfigValue& value) {
  value.allow_only({"margin"});
  const double margin = value.at("margin").as_number(0, 1);
  if (margin == 0 || margin == 1) value.at("margin").fail("must lie between 0 and 1");
  return margin;
}

void judge_mcnemar(const McNemarClaim& claim, const DiscordantPairs& pairs, ClaimResult* result) {
  result->expected = claim.p ? with_p(claim.b, claim.c, *claim.p)
                             : fmt::format("b = {}, c = {}", claim.b, claim.c);
  const double p = stats::mcnemar_exact(pairs.only_arm, pairs.only_baseline);
  result->found = with_p(pairs.only_arm, pairs.only_baseline, p);
  result->interval = difference_text(pairs_interval(pairs));
  result->holds = claim.b == pairs.only_arm && claim.c == pairs.only_baseline &&
                  (!claim.p || std::fabs(p - *claim.p) <= kPrintedDigits * *claim.p);
}

void judge_controls(double margin, const ConfigValue* where, const RunData& run,
                    ClaimResult* result) {
  result->expected = fmt::format("equivalent within {} in every configuration", margin);
  std::int64_t num_equivalent = 0, num_configurations = 0;
  // Configurations may ask about the same controls, so that their sum has no interval.
  DiscordantPairs all, worst;
  double worst_p = -1;
  const RowsByPlace rows = rows_by_place(run);
  for (const RunData::Row& row : run.rows) {
    if (row.result.arm != result->arm || !is_kept(row, where, run)) continue;
    const auto other = rows.find({row.result.configuration, baseline_of(row, run)});
    if (other == rows.end()) return;
    const Answers& answers = row.result.answers;
    const auto changes = control_changes(answers, other->second->result.answers);
    if (!changes || answers.num_visible == 0) return;
    const stats::Tost test = stats::tost_paired_proportions(answers.num_visible, changes->first,
                                                            changes->second, margin);
    const double p = cautious_p(test);
    const DiscordantPairs pairs{answers.num_visible, changes->first, changes->second};
    if (p > worst_p) worst = pairs;
    worst_p = std::max(worst_p, p);
    num_equivalent += p < kLevel;
    add_pairs(pairs, &all);
    ++num_configurations;
  }
  if (num_configurations == 0) return;
  result->found =
      fmt::format("{} of {} configurations, {} of {} controls changed, p <= {:.3g}", num_equivalent,
                  num_configurations, all.only_arm + all.only_baseline, all.n, worst_p);
  result->interval = difference_text(pairs_interval(worst));
  result->holds = num_equivalent == num_configurations;
}

void judge_equivalent(double margin, ExperimentKind kind, const std::vector<ClaimGroup>& groups,
                      ClaimResult* result) {
  result->expected = fmt::format("equivalent within {}", margin);
  double worst_p = -1;
  DiscordantPairs all, worst;
  for (const ClaimGroup& group : groups) {
    const DiscordantPairs pairs = measures_of(kind).pairs(group.total);
    if (pairs.n == 0) return;
    const stats::Tost test =
        stats::tost_paired_proportions(pairs.n, pairs.only_arm, pairs.only_baseline, margin);
    if (cautious_p(test) > worst_p) worst = pairs;
    worst_p = std::max(worst_p, cautious_p(test));
    add_pairs(pairs, &all);
  }
  result->found = fmt::format("{} of {} pairs differ, p <= {:.3g}",
                              all.only_arm + all.only_baseline, all.n, worst_p);
  result->interval = difference_text(pairs_interval(worst));
  result->holds = worst_p < kLevel;
}

}  // namespace sightline::host
