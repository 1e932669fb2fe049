#include "host/sweep/claim_rival.h"

#include <fmt/format.h>

#include "host/sweep/claim_numbers.h"
#include "host/sweep/claim_rows.h"
#include "host/sweep/judge.h"

namespace sightline::host {
namespace {

double margin_of(const ConfigValue& value) {
  const ConfigValue* margin = value.find("margin");
  return margin ? margin->as_number(0, 1) : 0;
}

std::optional<double> rate_of_arm(const std::string& rate, const std::string& arm,
                                  const ConfigValue* where, const RunData& run) {
  const auto groups = claim_groups(run, arm, where, {});
  if (groups.empty()) return std::nullopt;
  return claim_value(run.kind(), rate, groups[0].total);
}

}  // namespace

void check_rival(const ConfigValue& value, ExperimentKind kind,
                 const std::optional<std::vector<std::string>>& arms) {
  value.allow_only({"rate", "arm", "margin"});
  const ConfigValue& rate = value.at("rate");
  if (!measures_of(kind).find_rate(rate.as_text())) rate.fail("is no rate of this sweep");
  if (arms) index_of_arm(*arms, value.at("arm"));
  value.at("arm").as_text();
  margin_of(value);
}

void judge_rival(const ConfigValue& value, const ConfigValue* where, const RunData& run,
                 ClaimResult* result) {
  const std::string rate = value.at("rate").as_text(), rival = value.at("arm").as_text();
  const double margin = margin_of(value);
  result->expected = fmt::format("{} at least that of {}", rate, rival);
  if (margin > 0) result->expected += fmt::format(" less {}", margin);
  const auto own = rate_of_arm(rate, result->arm, where, run);
  const auto other = rate_of_arm(rate, rival, where, run);
  if (!own || !other) return;
  result->found = fmt::format("{:.6g} against {:.6g}", *own, *other);
  result->holds = *own >= *other - margin;
}

}  // namespace sightline::host
