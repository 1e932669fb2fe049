#include "host/sweep/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "host/config/suggest.h"
#include "host/sweep/claim_numbers.h"
#include "host/sweep/claim_pairs.h"
#include "host/sweep/claim_rival.h"
#include "host/sweep/claim_rows.h"
#include "host/sweep/results_csv.h"

namespace sightline::host {
namespace {

const std::vector<std::string>& test_names() {
  static const std::vector<std::string> names{"mcnemar", "controls", "equivalent",
                                              "table",   "falling",  "at_least"};
  return names;
}

/// The one entry of a claim that says what is claimed.
const ConfigValue::Entry& subject_of(const ConfigValue& claim, ExperimentKind kind) {
  static const std::vector<std::string> about{"text", "arm", "where", "by", "mean"};
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
  if (!subject) claim.fail("claims nothing; give a rate, a count, mcnemar, controls or a table");
  return *subject;
}

struct Bounds {
  double low = 0, high = 0;

  bool hold(double value) const { return value >= low && value <= high; }
  /// A bound that the number cannot pass is not told.
  std::string text(const ClaimNumber& number) const {
    if (low == high) return fmt::format("= {}", low);
    if (low <= number.low) return fmt::format("at most {}", high);
    if (high >= number.high) return fmt::format("at least {}", low);
    return fmt::format("from {} to {}", low, high);
  }
};

/// A number, or {min, max}, one of which may be absent.
Bounds bounds_of(const ClaimNumber& number, const ConfigValue& value) {
  const auto read = [&](const ConfigValue& bound) {
    if (!number.is_whole) return bound.as_number(number.low, number.high);
    return static_cast<double>(bound.as_integer(static_cast<std::int64_t>(number.low)));
  };
  if (!value.is_map()) return {read(value), read(value)};
  value.allow_only({"min", "max"});
  const ConfigValue *low = value.find("min"), *high = value.find("max");
  if (!low && !high) value.fail("needs min or max");
  const Bounds bounds{low ? read(*low) : number.low, high ? read(*high) : number.high};
  if (!(bounds.low <= bounds.high)) value.fail("needs min <= max");
  return bounds;
}

/// Rates of an arm along an axis, and how far from them the run's may be.
struct TableClaim {
  std::string rate, along;
  std::vector<ConfigValue> values;  ///< of the axis
  std::vector<double> expected;     ///< one per value
  double within = 1;
  std::optional<double> rms;  ///< of all the differences
};

/// {rate, along, expected: [[value, rate], ...], within, rms}
TableClaim table_of(const ConfigValue& value, ExperimentKind kind) {
  value.allow_only({"rate", "along", "expected", "within", "rms"});
  TableClaim table{value.at("rate").as_text(), value.at("along").as_text(), {}, {}, 1, {}};
  if (!measures_of(kind).find_rate(table.rate)) value.at("rate").fail("is no rate of this sweep");
  for (const ConfigValue& cell : value.at("expected").items()) {
    if (cell.items().size() != 2) cell.fail("must be [value of the axis, rate]");
    table.values.push_back(cell.items()[0]);
    table.expected.push_back(cell.items()[1].as_number(0, 1));
  }
  table.within = value.at("within").as_number(0, 1);
  if (const ConfigValue* rms = value.find("rms")) table.rms = rms->as_number(0, 1);
  return table;
}

/// {rate, along, values}: the rate is lower at each value of the axis than at the one before.
TableClaim falling_of(const ConfigValue& value, ExperimentKind kind) {
  value.allow_only({"rate", "along", "values"});
  TableClaim table{value.at("rate").as_text(), value.at("along").as_text(), {}, {}, 1, {}};
  if (!measures_of(kind).find_rate(table.rate)) value.at("rate").fail("is no rate of this sweep");
  table.values = value.at("values").items();
  if (table.values.size() < 2) value.at("values").fail("needs at least two values of the axis");
  return table;
}

/// A number of all groups, each for itself or in the mean.
void judge_number(const ClaimNumber& number, const Bounds& bounds, bool in_the_mean,
                  ExperimentKind kind, const std::vector<ClaimGroup>& groups, ClaimResult* result) {
  std::vector<ResultRow> totals;
  for (const ClaimGroup& group : groups) totals.push_back(group.total);
  const std::vector<double> values = claim_values(kind, number.name, totals);
  if (values.empty()) return;
  const bool many = groups.size() > 1;
  const std::string of = many ? fmt::format(" over {} groups", groups.size()) : "";
  if (in_the_mean) {
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    result->expected = "mean of " + number.name + " " + bounds.text(number);
    result->found = fmt::format("{:.6g}{}", mean, of);
    result->holds = bounds.hold(mean);
    return;
  }
  result->expected = number.name + " " + bounds.text(number) + (many ? " in every group" : "");
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  result->found = *low == *high
                      ? fmt::format("{} = {:.6g}{}", number.name, *low, of)
                      : fmt::format("{} from {:.6g} to {:.6g}{}", number.name, *low, *high, of);
  result->holds = bounds.hold(*low) && bounds.hold(*high);
}

/// The rates of an arm at the values of an axis; empty if the run lacks one of them.
std::vector<double> rates_along(const TableClaim& table, const ConfigValue* among,
                                const RunData& run, const std::string& arm) {
  std::vector<double> rates;
  for (const ConfigValue& value : table.values) {
    ConfigValue where = among ? *among : ConfigValue::map();
    where.set_entry(table.along, value);
    const auto groups = claim_groups(run, arm, &where, {});
    if (groups.empty()) return {};
    const std::optional<double> rate = claim_value(run.kind(), table.rate, groups[0].total);
    if (!rate) return {};
    rates.push_back(*rate);
  }
  return rates;
}

std::string joined(const std::vector<double>& values) {
  std::string text;
  for (const double value : values)
    text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", value);
  return text;
}

void judge_table(const TableClaim& table, const ConfigValue* among, const RunData& run,
                 ClaimResult* result) {
  const std::vector<double> rates = rates_along(table, among, run, result->arm);
  result->expected =
      fmt::format("{} {} within {}", table.rate, joined(table.expected), table.within);
  if (rates.empty()) return;
  double squares = 0, farthest = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double difference = std::fabs(rates[i] - table.expected[i]);
    squares += difference * difference;
    farthest = std::max(farthest, difference);
  }
  const double rms = std::sqrt(squares / static_cast<double>(rates.size()));
  if (table.rms) result->expected += fmt::format(", rms {}", *table.rms);
  result->found = fmt::format("{} (farthest {:.4f}, rms {:.4f})", joined(rates), farthest, rms);
  result->holds = farthest <= table.within && (!table.rms || rms <= *table.rms);
}

void judge_falling(const TableClaim& table, const ConfigValue* among, const RunData& run,
                   ClaimResult* result) {
  const std::vector<double> rates = rates_along(table, among, run, result->arm);
  result->expected = fmt::format("{} falls along {}", table.rate, table.along);
  if (rates.empty()) return;
  result->found = joined(rates);
  result->holds =
      std::adjacent_find(rates.begin(), rates.end(), std::less_equal<>()) == rates.end();
}

/// Keys of `by`.
std::vector<std::string> grouping_of(const ConfigValue& claim) {
  std::vector<std::string> keys;
  if (const ConfigValue* by = claim.find("by")) {
    for (const ConfigValue& key : by->items()) keys.push_back(key.as_text());
  }
  return keys;
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
  } else if (name == "at_least") {
    check_rival(value, kind, arms);
  } else {
    bounds_of(*find_claim_number(kind, name), value);
  }
}

const ConfigValue* claims_in(const RunData& run) {
  return run.resolved.is_map() ? run.resolved.find("claims") : nullptr;
}

std::string baseline_of(const RunData& run) {
  const ConfigValue* baseline = run.resolved.find("baseline");
  return baseline ? baseline->as_text() : run.rows.front().result.arm;
}

/// Empty where an axis sets it.
std::string only_baseline_of(const RunData& run) {
  const auto axis = std::find(run.axis_keys.begin(), run.axis_keys.end(), "baseline");
  return axis == run.axis_keys.end() ? baseline_of(run) : std::string();
}

void leave_untested(const std::string& name, const ConfigValue& value, ExperimentKind kind,
                    const std::string& why, ClaimResult* result) {
  const std::optional<ClaimNumber> number = find_claim_number(kind, name);
  result->expected =
      name + " " + (number ? bounds_of(*number, value).text(*number) : value.display());
  result->found = "nothing: " + why;
}

void judge_claim(const ConfigValue& claim, const RunData& run, ClaimResult* result) {
  const auto& [name, value] = subject_of(claim, run.kind());
  const std::vector<ClaimGroup> groups =
      claim_groups(run, result->arm, claim.find("where"), grouping_of(claim));
  const std::string missing = missing_rows(run, result->arm, claim.find("where"));
  if (!missing.empty()) return leave_untested(name, value, run.kind(), missing, result);
  const bool is_of_pairs = name == "mcnemar" || name == "equivalent" || is_paired_number(name);
  if (is_of_pairs && result->arm == only_baseline_of(run)) {
    return leave_untested(name, value, run.kind(), "the arm is the baseline itself", result);
  }
  if (name == "mcnemar") {
    const DiscordantPairs pairs = measures_of(run.kind()).pairs(groups[0].total);
    judge_mcnemar(mcnemar_of(value), pairs, result);
  } else if (name == "controls") {
    judge_controls(margin_of(value), run, baseline_of(run), result);
  } else if (name == "equivalent") {
    judge_equivalent(margin_of(value), run.kind(), groups, result);
  } else if (name == "table") {
    judge_table(table_of(value, run.kind()), claim.find("where"), run, result);
  } else if (name == "falling") {
    judge_falling(falling_of(value, run.kind()), claim.find("where"), run, result);
  } else if (name == "at_least") {
    judge_rival(value, claim.find("where"), run, result);
  } else {
    const ConfigValue* mean = claim.find("mean");
    const ClaimNumber number = *find_claim_number(run.kind(), name);
    judge_number(number, bounds_of(number, value), mean && mean->as_bool(), run.kind(), groups,
                 result);
  }
}

/// "asked: hidden, world: village or clutter".
std::string where_text(const ConfigValue* where) {
  std::string text;
  if (!where || where->is_null()) return text;
  for (const auto& [key, value] : where->entries()) {
    text += (text.empty() ? "" : ", ") + key.substr(key.find_last_of('.') + 1) + ": ";
    if (!value.is_list()) {
      text += value.display();
      continue;
    }
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      text += (i == 0 ? "" : " or ") + value.items()[i].display();
    }
  }
  return text;
}

}  // namespace

void check_claims(const ConfigValue& claims, ExperimentKind kind,
                  const std::optional<std::vector<std::string>>& arms,
                  const std::vector<std::string>& axis_keys, const ConfigValue& settings) {
  for (const ConfigValue& claim : claims.items()) {
    if (claim.at("text").as_text().empty()) claim.at("text").fail("must say what is claimed");
    const ConfigValue& arm = claim.at("arm");
    if (arms && std::find(arms->begin(), arms->end(), arm.as_text()) == arms->end()) {
      arm.fail("no arm is called \"" + arm.as_text() + "\"; " + suggestion(arm.as_text(), *arms));
    }
    check_subject(claim, kind, arms, axis_keys, settings);
    check_claim_rows(claim.find("where"), claim.find("by"), axis_keys, settings);
    const std::string& name = subject_of(claim, kind).first;
    const bool is_test = name != "equivalent" && std::find(test_names().begin(), test_names().end(),
                                                           name) != test_names().end();
    for (const char* key : {"by", "mean"}) {
      const ConfigValue* grouping = claim.find(key);
      if (grouping && is_test) grouping->fail("is for numbers, not for " + name);
    }
    if (const ConfigValue* mean = claim.find("mean")) {
      if (mean->as_bool() && !claim.find("by"))
        mean->fail("needs `by`: the axes whose groups it is over");
    }
  }
}

std::vector<ClaimResult> evaluate_claims(const RunData& run) {
  std::vector<ClaimResult> results;
  const ConfigValue* claims = claims_in(run);
  if (!claims || claims->is_null()) return results;
  for (const ConfigValue& claim : claims->items()) {
    ClaimResult& result = results.emplace_back();
    result.text = claim.at("text").as_text();
    result.arm = claim.at("arm").as_text();
    result.where = where_text(claim.find("where"));
    if (run.complete()) judge_claim(claim, run, &result);
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
