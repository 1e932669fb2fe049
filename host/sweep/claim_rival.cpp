#include "host/sweep/claim_rival.h"

#include <fmt/format.h>

#include "host/sweep/claim_numbers.h"
#include "host/sweep/claim_rows.h"
#include "host/sweep/judge.h"

namespace sightline::host {
namespace {

/// What is compared: a rate, or a count of which there must be so many times the rival's.
const ConfigValue& subject_of(const ConfigValue& value) {
  const ConfigValue* count = value.find("count");
  if (count && value.find("rate")) count->fail_at_key("compares a second thing beside the rate");
  return count ? *count : value.at("rate");
}

double times_of(const ConfigValue& value) {
  const ConfigValue* times = value.find("times");
  return times ? times->as_positive() : 1;
}

double margin_of(const ConfigValue& value) {
  const ConfigValue* margin = value.find("margin");
  return margin ? margin->as_number(0, 1) : 0;
}

std::optional<double> number_of_arm(const std::string& name, const std::string& arm,
                                    const ConfigValue* where, const RunData& run) {
  const auto groups = claim_groups(run, arm, where, {});
  if (groups.empty()) return std::nullopt;
  return claim_value(run.kind(), name, groups[0].total);
}

}  // namespace

void check_rival(const ConfigValue& value, ExperimentKind kind,
                 const std::optional<std::vector<std::string>>& arms) {
  value.allow_only({"rate", "count", "arm", "margin", "times"});
  const ConfigValue& subject = subject_of(value);
  const bool is_count = value.find("count") != nullptr;
  const Measures& measures = measures_of(kind);
  if (is_count && !measures.find_count(subject.as_text())) {
    subject.fail("is no count of this sweep");
  }
  if (!is_count && !measures.find_rate(subject.as_text())) {
    subject.fail("is no rate of this sweep");
  }
  for (const char* key : {"margin", "times"}) {
    const ConfigValue* given = value.find(key);
    const bool is_of_counts = std::string(key) == "times";
    if (given && is_of_counts != is_count) {
      given->fail_at_key(is_of_counts ? "is for a count; give count" : "is for a rate; give rate");
    }
  }
  times_of(value);
  if (arms) index_of_arm(*arms, value.at("arm"));
  value.at("arm").as_text();
  margin_of(value);
}

void judge_rival(const ConfigValue& value, const ConfigValue* where, const RunData& run,
                 ClaimResult* result) {
  const std::string name = subject_of(value).as_text(), rival = value.at("arm").as_text();
  const double margin = margin_of(value), times = times_of(value);
  result->expected = fmt::format("{} at least {}that of {}", name,
                                 times == 1 ? "" : fmt::format("{} times ", times), rival);
  if (margin > 0) result->expected += fmt::format(" less {}", margin);
  const auto own = number_of_arm(name, result->arm, where, run);
  const auto other = number_of_arm(name, rival, where, run);
  if (!own || !other) return;
  result->found = fmt::format("{:.6g} against {:.6g}", *own, *other);
  if (value.find("count") && *other > 0) {
    result->found += fmt::format(", {:.4g} times", *own / *other);
  }
  result->holds = *own >= times * *other - margin;
}

}  // namespace sightline::host
