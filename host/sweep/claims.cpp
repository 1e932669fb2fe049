#include "host/sweep/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/config/suggest.h"
#include "host/stats/paired.h"
#include "host/sweep/answer_columns.h"
#include "host/sweep/results_csv.h"
#include "host/sweep/summary.h"

namespace sightline::host {
namespace {

constexpr double kPrintedDigits = 5e-6;  ///< relative: claims quote p values to six digits
constexpr double kLevel = 0.05;          ///< of the equivalence test
constexpr const char* kRates[] = {"accuracy", "false_visible_rate", "false_occluded_rate"};

bool is_rate(const std::string& name) {
  return std::find(std::begin(kRates), std::end(kRates), name) != std::end(kRates);
}

const AnswerColumn* find_count(const std::string& name) {
  const auto* column = std::find_if(kAnswerColumns.begin(), kAnswerColumns.end(),
                                    [&](const AnswerColumn& c) { return name == c.name; });
  return column == kAnswerColumns.end() ? nullptr : column;
}

/// The one entry of a claim that says what is claimed.
const ConfigValue::Entry& subject_of(const ConfigValue& claim) {
  const ConfigValue::Entry* subject = nullptr;
  std::vector<std::string> known{"text", "arm", "mcnemar", "controls"};
  known.insert(known.end(), std::begin(kRates), std::end(kRates));
  for (const AnswerColumn& column : kAnswerColumns) known.emplace_back(column.name);
  for (const ConfigValue::Entry& entry : claim.entries()) {
    if (entry.first == "text" || entry.first == "arm") continue;
    if (std::find(known.begin(), known.end(), entry.first) == known.end()) {
      entry.second.fail("unknown key \"" + entry.first + "\"; " + suggestion(entry.first, known));
    }
    if (subject) entry.second.fail("claims a second thing; make two claims of it");
    subject = &entry;
  }
  if (!subject) claim.fail("claims nothing; give accuracy, mcnemar, controls or a count");
  return *subject;
}

struct Bounds {
  double low = 0, high = 0;

  bool hold(double value) const { return value >= low && value <= high; }
  std::string text() const {
    return low == high ? fmt::format("= {}", low) : fmt::format("from {} to {}", low, high);
  }
};

/// A number, or {min, max}: shares for a rate, whole numbers for a count.
Bounds bounds_of(const std::string& name, const ConfigValue& value) {
  const auto read = [&](const ConfigValue& number) {
    return is_rate(name) ? number.as_number(0, 1) : static_cast<double>(number.as_integer(0));
  };
  if (!value.is_map()) return {read(value), read(value)};
  value.allow_only({"min", "max"});
  const Bounds bounds{read(value.at("min")), read(value.at("max"))};
  if (!(bounds.low <= bounds.high)) value.fail("needs min <= max");
  return bounds;
}

struct McNemarClaim {
  std::int64_t b, c;
  std::optional<double> p;
};

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

std::string with_p(std::int64_t b, std::int64_t c, double p) {
  return fmt::format("b = {}, c = {}, p = {:.6g}", b, c, p);
}

void judge_mcnemar(const McNemarClaim& claim, const Answers& total, ClaimResult* result) {
  result->expected = claim.p ? with_p(claim.b, claim.c, *claim.p)
                             : fmt::format("b = {}, c = {}", claim.b, claim.c);
  const double p = stats::mcnemar_exact(total.only_arm_right, total.only_baseline_right);
  result->found = with_p(total.only_arm_right, total.only_baseline_right, p);
  result->holds = claim.b == total.only_arm_right && claim.c == total.only_baseline_right &&
                  (!claim.p || std::fabs(p - *claim.p) <= kPrintedDigits * *claim.p);
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

void judge_controls(double margin, const RunData& run, const std::string& baseline,
                    ClaimResult* result) {
  result->expected = fmt::format("equivalent within {} in every configuration", margin);
  std::int64_t num_equivalent = 0, num_configurations = 0, changed = 0, controls = 0;
  double worst_p = 0;
  for (const RunData::Row& row : run.rows) {
    if (row.result.arm != result->arm) continue;
    const auto other =
        std::find_if(run.rows.begin(), run.rows.end(), [&](const RunData::Row& candidate) {
          return candidate.result.configuration == row.result.configuration &&
                 candidate.result.arm == baseline;
        });
    if (other == run.rows.end()) return;
    const Answers& answers = row.result.answers;
    const auto changes = control_changes(answers, other->result.answers);
    if (!changes || answers.num_visible == 0) return;
    const stats::Tost test = stats::tost_paired_proportions(answers.num_visible, changes->first,
                                                            changes->second, margin);
    // Without a discordant pair the Wald test has no standard error: the exact rule decides.
    const double p = test.degenerate ? test.p_exact : std::max(test.p_wald, test.p_exact);
    worst_p = std::max(worst_p, p);
    num_equivalent += p < kLevel;
    changed += changes->first + changes->second;
    controls += answers.num_visible;
    ++num_configurations;
  }
  if (num_configurations == 0) return;
  result->found = fmt::format("{} of {} configurations, {} of {} controls changed, p <= {:.3g}",
                              num_equivalent, num_configurations, changed, controls, worst_p);
  result->holds = num_equivalent == num_configurations;
}

void judge_number(const std::string& name, const Bounds& bounds, const Answers& total,
                  ClaimResult* result) {
  result->expected = name + " " + bounds.text();
  double value = 0;
  if (is_rate(name)) {
    const std::optional<Rate> rate = name == "accuracy"             ? accuracy(total)
                                     : name == "false_visible_rate" ? false_visible_rate(total)
                                                                    : false_occluded_rate(total);
    if (!rate) return;
    value = rate->value;
  } else {
    value = static_cast<double>(total.*find_count(name)->count);
  }
  result->found = fmt::format("{} = {}", name, value);
  result->holds = bounds.hold(value);
}

const ConfigValue* claims_in(const RunData& run) {
  return run.resolved.is_map() ? run.resolved.find("claims") : nullptr;
}

std::string baseline_of(const RunData& run) {
  const ConfigValue* baseline = run.resolved.find("baseline");
  return baseline ? baseline->as_text() : run.rows.front().result.arm;
}

}  // namespace

void check_claims(const ConfigValue& claims, const std::optional<std::vector<std::string>>& arms) {
  for (const ConfigValue& claim : claims.items()) {
    if (claim.at("text").as_text().empty()) claim.at("text").fail("must say what is claimed");
    const ConfigValue& arm = claim.at("arm");
    if (arms && std::find(arms->begin(), arms->end(), arm.as_text()) == arms->end()) {
      arm.fail("no arm is called \"" + arm.as_text() + "\"; " + suggestion(arm.as_text(), *arms));
    }
    const auto& [name, value] = subject_of(claim);
    if (name == "mcnemar") {
      mcnemar_of(value);
    } else if (name == "controls") {
      margin_of(value);
    } else {
      bounds_of(name, value);
    }
  }
}

std::vector<ClaimResult> evaluate_claims(const RunData& run) {
  std::vector<ClaimResult> results;
  const ConfigValue* claims = claims_in(run);
  if (!claims || claims->is_null()) return results;
  const std::vector<ArmSummary> arms = summarize_arms(run);
  for (const ConfigValue& claim : claims->items()) {
    ClaimResult& result = results.emplace_back();
    result.text = claim.at("text").as_text();
    result.arm = claim.at("arm").as_text();
    const auto& [name, value] = subject_of(claim);
    const auto arm = std::find_if(arms.begin(), arms.end(),
                                  [&](const ArmSummary& a) { return a.arm == result.arm; });
    if (!run.complete() || arm == arms.end()) continue;
    if (name == "mcnemar") {
      judge_mcnemar(mcnemar_of(value), arm->total, &result);
    } else if (name == "controls") {
      judge_controls(margin_of(value), run, baseline_of(run), &result);
    } else {
      judge_number(name, bounds_of(name, value), arm->total, &result);
    }
  }
  return results;
}

std::string claims_csv(const std::vector<ClaimResult>& claims) {
  std::string text = "claim,arm,expected,found,verdict\n";
  for (const ClaimResult& claim : claims) {
    text += fmt::format("{},{},{},{},{}\n", csv_field(claim.text), csv_field(claim.arm),
                        csv_field(claim.expected), csv_field(claim.found), claim.verdict());
  }
  return text;
}

}  // namespace sightline::host
