#include "host/sweep/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "host/config/plural.h"
#include "host/config/suggest.h"
#include "host/sweep/claim_bounds.h"
#include "host/sweep/claim_correlation.h"
#include "host/sweep/claim_numbers.h"
#include "host/sweep/claim_pairs.h"
#include "host/sweep/claim_rival.h"
#include "host/sweep/claim_rows.h"
#include "host/sweep/claim_tables.h"
#include "host/sweep/family.h"
#include "host/sweep/judge.h"
#include "host/sweep/results_csv.h"

namespace sightline::host {
namespace {

const std::vector<std::string>& test_names() {
  static const std::vector<std::string> names{"mcnemar", "controls", "equivalent", "table",
                                              "falling", "at_least", "correlation"};
  return names;
}

/// The one entry of a claim that says what is claimed; nullptr: none does.
const ConfigValue::Entry* find_subject(const ConfigValue& claim, ExperimentKind kind) {
  static const std::vector<std::string> about{"text", "arm",   "where",      "by",
                                              "mean", "paper", "needs_model"};
  const ConfigValue::Entry* subject = nullptr;
  std::vector<std::string> known = claim_number_names(kind);
  known.insert(known.end(), test_names().begin(), test_names().end());
  known.insert(known.end(), about.begin(), about.end());
  for (const ConfigValue::Entry& entry : claim.entries()) {
    if (std::find(about.begin(), about.end(), entry.first) != about.end()) continue;
    if (std::find(known.begin(), known.end(), entry.first) == known.end()) {
      entry.second.fail("unknown key \"" + entry.first + "\"; " + suggestion(entry.first, known));
    }
    if (subject) entry.second.fail("claims a second thing; make two claims of it");
    subject = &entry;
  }
  return subject;
}

const ConfigValue::Entry& subject_of(const ConfigValue& claim, ExperimentKind kind) {
  const ConfigValue::Entry* subject = find_subject(claim, kind);
  if (!subject) claim.fail("claims nothing; give a rate, a count, mcnemar, controls or a table");
  return *subject;
}

bool asks_a_model(const ConfigValue& claim) {
  const ConfigValue* needs = claim.find("needs_model");
  return needs && needs->as_bool();
}

/// What the paper has: a number, or words.
std::string paper_text(const ConfigValue& claim) {
  const ConfigValue* paper = claim.find("paper");
  if (!paper) return "";
  const std::string text = paper->is_number() ? paper->display() : paper->as_text();
  if (text.empty()) paper->fail("must say what the paper has; give a number, or leave it out");
  return text;
}

/// Of a claim that no program can test: it has the paper's number, and none of its own.
void check_model_claim(const ConfigValue& claim) {
  claim.allow_only({"text", "arm", "paper", "needs_model"});
}

/// Keys of `by`.
std::vector<std::string> grouping_of(const ConfigValue& claim) {
  std::vector<std::string> keys;
  if (const ConfigValue* by = claim.find("by")) {
    for (const ConfigValue& key : by->items()) keys.push_back(key.as_text());
  }
  return keys;
}

/// Is it about the pairs of an arm's answers and its baseline's?
bool is_of_pairs(ExperimentKind kind, const std::string& name, const ConfigValue& value) {
  const ConfigValue* rival = name == "at_least" ? value.find("count") : nullptr;
  const CountColumn* count = measures_of(kind).find_count(rival ? rival->as_text() : name);
  return name == "mcnemar" || name == "equivalent" || name == "controls" || name == "correlation" ||
         is_paired_number(name) || (count && count->is_of_pairs());
}

/// May rows of the same trials be added up for it? Counts of what was done may, and of answers
/// those of which there are to be none; `controls` looks at every configuration by itself.
bool may_add_repeats(ExperimentKind kind, const std::string& name, const ConfigValue& value) {
  if (name == "controls") return true;
  if (is_of_pairs(kind, name, value)) return false;
  const ConfigValue* rival = name == "at_least" ? value.find("count") : nullptr;
  const CountColumn* count = measures_of(kind).find_count(rival ? rival->as_text() : name);
  if (!count) return false;
  if (count->is_of_work()) return true;
  return !rival && bounds_of(*find_claim_number(kind, name), value).high == 0;
}

/// Where an axis sets the baseline, its rows ask the same trials again: added up, they would pass
/// for more evidence than there is.
void check_baseline_is_one(const ConfigValue& claim, ExperimentKind kind,
                           const std::vector<std::string>& axis_keys) {
  if (std::find(axis_keys.begin(), axis_keys.end(), "baseline") == axis_keys.end()) return;
  const ConfigValue::Entry& subject = subject_of(claim, kind);
  const bool may_add = may_add_repeats(kind, subject.first, subject.second);
  const ConfigValue* along = subject.second.is_map() ? subject.second.find("along") : nullptr;
  const bool is_along = along && along->as_text() == "baseline";
  if (may_add || is_along || tells_apart(claim, "baseline")) return;
  claim.fail(
      "adds up rows of several baselines, which are the same trials; say where: {baseline: "
      "ARM}, or by: [baseline]");
}

void check_subject(const ConfigValue& claim, ExperimentKind kind,
                   const std::optional<std::vector<std::string>>& arms,
                   const std::vector<std::string>& axis_keys, const ConfigValue& settings) {
  // Named one by one: clang's lambdas cannot hold structured bindings.
  const ConfigValue::Entry& subject = subject_of(claim, kind);
  const std::string& name = subject.first;
  const ConfigValue& value = subject.second;
  const auto check_axis = [&](const TableClaim& table) {
    check_claim_key(value.at("along"), table.along, axis_keys, settings);
    const ConfigValue* where = claim.find("where");
    const ConfigValue* wanted = where ? where->find(table.along) : nullptr;
    if (wanted) wanted->fail_at_key("is what the rates are along; leave it out");
  };
  if (name == "mcnemar") {
    mcnemar_of(value);
  } else if (name == "controls") {
    if (kind != ExperimentKind::kVisibility) value.fail("is a claim about visibility");
    margin_of(value);
  } else if (name == "equivalent") {
    margin_of(value);
  } else if (name == "table") {
    check_axis(table_of(value, kind));
  } else if (name == "falling") {
    check_axis(falling_of(value, kind));
  } else if (name == "correlation") {
    correlation_of(value, kind);
  } else if (name == "at_least") {
    check_rival(value, kind, arms);
    const std::vector<std::string> rivals = rival_arms(value);
    if (std::find(rivals.begin(), rivals.end(), claim.at("arm").as_text()) != rivals.end()) {
      value.at("arm").fail("is the claim's own arm; name another");
    }
  } else {
    bounds_of(*find_claim_number(kind, name), value);
  }
}

const ConfigValue* claims_in(const RunData& run) {
  return run.resolved.is_map() ? run.resolved.find("claims") : nullptr;
}

/// Is the arm that a model answered among those that the claim compares its own with?
bool is_compared_with_model(const ConfigValue& claim, const std::string& name,
                            const ConfigValue& value, const RunData& run) {
  if (run.model_arm.empty()) return false;
  std::vector<std::string> others;
  if (is_of_pairs(run.kind(), name, value)) {
    others = baselines_of(claim.at("arm").as_text(), claim.find("where"), run);
  }
  if (name == "at_least") {
    for (const std::string& rival : rival_arms(value)) others.push_back(rival);
  }
  return std::find(others.begin(), others.end(), run.model_arm) != others.end();
}

void leave_untested(const std::string& name, const ConfigValue& value, ExperimentKind kind,
                    const std::string& why, ClaimResult* result) {
  const std::optional<ClaimNumber> number =
      name == "correlation" ? std::optional(correlation_number()) : find_claim_number(kind, name);
  result->expected = name + " " + (number ? bounds_of(*number, value).text() : value.display());
  result->found = "nothing: " + why;
}

/// The axes that a claim's numbers are each of one value of.
std::vector<std::string> told_apart_by(const ConfigValue& claim, const ConfigValue& value) {
  std::vector<std::string> keys = grouping_of(claim);
  const ConfigValue* along = value.is_map() ? value.find("along") : nullptr;
  if (along) keys.push_back(along->as_text());
  return keys;
}

/// The axis whose rows, added up, would be the same trials several times; empty: none.
std::string axis_that_repeats(const ConfigValue& claim, const std::string& name,
                              const ConfigValue& value, const RunData& run) {
  if (may_add_repeats(run.kind(), name, value)) return "";
  return axis_of_repeated_trials(run, claim.at("arm").as_text(), claim.find("where"),
                                 told_apart_by(claim, value));
}

/// "1 of 3 configurations failed, 1 is missing".
std::string incomplete_text(const RunData& run) {
  const auto failed = static_cast<std::int64_t>(run.failures.size());
  const std::int64_t missing = run.num_configurations - run.num_finished - failed;
  const std::string of = " of " + plural(run.num_configurations, "configuration");
  if (missing <= 0) return std::to_string(failed) + of + " failed";
  const char* are = missing == 1 ? " is missing" : " are missing";
  if (failed == 0) return std::to_string(missing) + of + are;
  return std::to_string(failed) + of + " failed, " + std::to_string(missing) + are;
}

/// Why this run cannot judge a claim, whatever its numbers are; empty: it can.
std::string reason_untested(const ConfigValue& claim, const std::string& name,
                            const ConfigValue& value, const RunData& run,
                            const ClaimResult& result) {
  const bool is_of_model = !run.model_arm.empty() && run.model_arm == result.arm;
  if (is_of_model && !asks_a_model(claim)) return "a model has answered for this arm";
  if (is_of_model && run.num_model_unanswered > 0) {
    return plural(run.num_model_unanswered, "prompt has", "prompts have") +
           " no answer yet; score again when all have one";
  }
  if (result.needs_model) return "a language model would have to answer";
  if (!run.complete()) return incomplete_text(run);
  const ConfigValue* where = claim.find("where");
  const std::string missing = missing_rows(run, result.arm, where, grouping_of(claim));
  if (!missing.empty()) return missing;
  if (!asks_a_model(claim) && is_compared_with_model(claim, name, value, run)) {
    return "a model has answered for " + run.model_arm + ", which it is against";
  }
  const std::vector<std::string> baselines = baselines_of(result.arm, where, run);
  const bool is_baseline =
      std::find(baselines.begin(), baselines.end(), result.arm) != baselines.end();
  if (is_of_pairs(run.kind(), name, value) && is_baseline) return "the arm is the baseline itself";
  const std::string axis = axis_that_repeats(claim, name, value, run);
  if (axis.empty()) return "";
  return "these rows repeat the same trials at several values of " + axis +
         ": pick one with `where`, or list the axis under `by`";
}

void judge_claim(const ConfigValue& claim, const RunData& run, ClaimResult* result) {
  const auto& [name, value] = subject_of(claim, run.kind());
  std::string reason = reason_untested(claim, name, value, run, *result);
  if (!reason.empty()) return leave_untested(name, value, run.kind(), reason, result);
  const ConfigValue* where = claim.find("where");
  std::vector<ClaimGroup> groups = claim_groups(run, result->arm, where, grouping_of(claim));
  if (!test_of_family(name).empty()) {
    if (!asks_a_model(claim)) reason = model_in_family(run);
    if (!reason.empty()) return leave_untested(name, value, run.kind(), reason, result);
    reason = find_p_in_family(run, result->arm, name, where, &groups);
    if (!reason.empty()) return leave_untested(name, value, run.kind(), reason, result);
  }
  const ConfigValue* mean = claim.find("mean");
  const bool in_the_mean = mean && mean->as_bool();
  if (name == "mcnemar") {
    const DiscordantPairs pairs = measures_of(run.kind()).pairs(groups[0].total);
    if (pairs.n > 0) judge_mcnemar(mcnemar_of(value), pairs, result);
  } else if (name == "controls") {
    judge_controls(margin_of(value), where, run, result);
  } else if (name == "equivalent") {
    judge_equivalent(margin_of(value), run.kind(), groups, result);
  } else if (name == "table") {
    judge_table(table_of(value, run.kind()), where, run, result);
  } else if (name == "falling") {
    judge_falling(falling_of(value, run.kind()), where, run, result);
  } else if (name == "correlation") {
    judge_correlation(correlation_of(value, run.kind()), where, grouping_of(claim), run, result);
  } else if (name == "at_least") {
    judge_rival(value, where, run, result);
  } else {
    const ClaimBounds bounds = bounds_of(*find_claim_number(run.kind(), name), value);
    const std::string repeats =
        in_the_mean ? axis_of_repeated_trials(run, result->arm, where, {}) : std::string();
    if (bounds.by_interval && !repeats.empty()) {
      reason = "the groups repeat the same trials at several values of " + repeats +
               ", whose spread is no interval: pick one with `where`";
      return leave_untested(name, value, run.kind(), reason, result);
    }
    const GroupView view = !in_the_mean      ? GroupView::kEach
                           : repeats.empty() ? GroupView::kMean
                                             : GroupView::kMeanOfRepeats;
    judge_number(bounds, view, run.kind(), groups, result);
  }
  // Sums and means of rows of the same trials have no interval that tells anything.
  const std::vector<std::string> apart =
      in_the_mean ? std::vector<std::string>() : told_apart_by(claim, value);
  if (name != "controls" && !axis_of_repeated_trials(run, result->arm, where, apart).empty()) {
    result->interval.clear();
  }
  if (!result->holds && result->expected.empty()) {
    leave_untested(name, value, run.kind(), "there was nothing to count, or too little", result);
  }
}

/// Whoever gives other arms on the command line than the file's claims are about.
std::string advice_on_other_arms(const ConfigValue& settings) {
  const ConfigValue* arms = settings.find("arms");
  const bool is_overridden = arms && arms->where().rfind("-s ", 0) == 0;
  return is_overridden ? "; -s claims=null leaves out what the file claims of its own arms" : "";
}

}  // namespace

void check_claims(const ConfigValue& claims, ExperimentKind kind,
                  const std::optional<std::vector<std::string>>& arms,
                  const std::vector<std::string>& axis_keys, const ConfigValue& settings) {
  for (const ConfigValue& claim : claims.items()) {
    if (claim.at("text").as_text().empty()) claim.at("text").fail("must say what is claimed");
    paper_text(claim);
    if (asks_a_model(claim)) claim.at("paper");
    const bool is_of_nothing = asks_a_model(claim) && !find_subject(claim, kind);
    if (is_of_nothing) check_model_claim(claim);
    if (is_of_nothing && !claim.find("arm")) continue;
    const ConfigValue& arm = claim.at("arm");
    if (arms && std::find(arms->begin(), arms->end(), arm.as_text()) == arms->end()) {
      arm.fail("no arm is called \"" + arm.as_text() + "\"; " + suggestion(arm.as_text(), *arms) +
               advice_on_other_arms(settings));
    }
    if (is_of_nothing) continue;
    check_subject(claim, kind, arms, axis_keys, settings);
    check_claim_rows(claim.find("where"), claim.find("by"), axis_keys, settings);
    if (arms) check_baselines(claim.find("where"), *arms);
    check_baseline_is_one(claim, kind, axis_keys);
    const std::string& name = subject_of(claim, kind).first;
    const bool is_test =
        std::find(test_names().begin(), test_names().end(), name) != test_names().end();
    const bool is_of_groups = !is_test || name == "equivalent" || name == "correlation";
    const ConfigValue *by = claim.find("by"), *mean = claim.find("mean");
    if (by && by->items().empty()) by->fail("names no axis; leave it out");
    if (by && !is_of_groups) by->fail("is for numbers, not for " + name);
    if (mean && is_test) mean->fail("is for numbers, not for " + name);
    if (mean && mean->as_bool() && !by) mean->fail("needs `by`: the axes whose groups it is over");
  }
}

std::vector<ClaimResult> evaluate_claims(const RunData& run) {
  std::vector<ClaimResult> results;
  const ConfigValue* claims = claims_in(run);
  if (!claims || claims->is_null()) return results;
  for (const ConfigValue& claim : claims->items()) {
    ClaimResult& result = results.emplace_back();
    result.text = claim.at("text").as_text();
    if (const ConfigValue* arm = claim.find("arm")) result.arm = arm->as_text();
    result.where = where_text(claim.find("where"));
    result.paper = paper_text(claim);
    const bool is_of_nothing = !find_subject(claim, run.kind());
    result.needs_model = asks_a_model(claim) &&
                         (is_of_nothing || run.model_arm.empty() || run.model_arm != result.arm);
    if (!is_of_nothing) judge_claim(claim, run, &result);
  }
  return results;
}

VerdictCounts& VerdictCounts::operator+=(const VerdictCounts& other) {
  reproduced += other.reproduced;
  not_reproduced += other.not_reproduced;
  not_tested += other.not_tested;
  needs_model += other.needs_model;
  return *this;
}

std::string VerdictCounts::text(const std::string& of_what) const {
  std::string text = fmt::format("{}{}: {} reproduced, {} not reproduced", plural(total(), "claim"),
                                 of_what, reproduced, not_reproduced);
  if (not_tested > 0) text += fmt::format(", {} not tested", not_tested);
  if (needs_model > 0) text += fmt::format(", {} not testable without a model", needs_model);
  return text;
}

std::string ClaimResult::paper_text() const {
  double low = 0, high = 0, number = 0;
  int end = 0;
  const bool is_number = std::sscanf(paper.c_str(), "%lf%n", &number, &end) == 1 &&
                         end == static_cast<int>(paper.size());
  const bool is_one = std::sscanf(interval.c_str(), "%lf to %lf%n", &low, &high, &end) == 2 &&
                      end == static_cast<int>(interval.size());
  // The mean of many groups is known better than one number of a paper's would be.
  const bool is_of_groups = expected.rfind("mean of ", 0) == 0;
  const bool is_outside = is_number && is_one && !is_of_groups && (number < low || number > high);
  return is_outside ? paper + ", outside that interval" : paper;
}

VerdictCounts count_verdicts(const std::vector<ClaimResult>& claims) {
  VerdictCounts counts;
  for (const ClaimResult& claim : claims) {
    ++(claim.needs_model ? counts.needs_model
       : !claim.holds    ? counts.not_tested
       : *claim.holds    ? counts.reproduced
                         : counts.not_reproduced);
  }
  return counts;
}

std::string claims_csv(const std::vector<ClaimResult>& claims) {
  std::string text = "claim,arm,expected,found,verdict,interval_95,paper\n";
  for (const ClaimResult& claim : claims) {
    text += fmt::format("{},{},{},{},{},{},{}\n", csv_field(claim.text), csv_field(claim.arm),
                        csv_field(claim.expected), csv_field(claim.found), claim.verdict(),
                        csv_field(claim.interval), csv_field(claim.paper));
  }
  return text;
}

}  // namespace sightline::host
