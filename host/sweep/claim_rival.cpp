#include "host/sweep/claim_rival.h"

#include <fmt/format.h>

#include <cmath>

#include "host/sweep/claim_rows.h"
#include "host/sweep/judge.h"
#include "host/sweep/measures.h"

namespace sightline::host {
namespace {

struct Rivals {
  std::string rate;
  std::vector<std::string> arms;
  double margin = 0;
  bool by_interval = false;
};

Rivals rivals_of(const ConfigValue& value) {
  value.allow_only({"rate", "arm", "margin", "interval"});
  Rivals rivals{value.at("rate").as_text(), {}, 0, false};
  const ConfigValue& arm = value.at("arm");
  if (arm.is_list()) {
    for (const ConfigValue& one : arm.items()) rivals.arms.push_back(one.as_text());
    if (rivals.arms.empty()) arm.fail("needs at least one arm");
  } else {
    rivals.arms.push_back(arm.as_text());
  }
  if (const ConfigValue* margin = value.find("margin")) rivals.margin = margin->as_number(0, 1);
  if (const ConfigValue* interval = value.find("interval")) {
    rivals.by_interval = interval->as_bool();
  }
  return rivals;
}

std::optional<Rate> rate_of_arm(const std::string& rate, const std::string& arm,
                                const ConfigValue* where, const RunData& run) {
  const auto groups = claim_groups(run, arm, where, {});
  if (groups.empty()) return std::nullopt;
  return measures_of(run.kind()).find_rate(rate)->of(groups[0].total);
}

/// The lower end of the 95 % interval of own - other (Newcombe 1998, method 10).
double least_difference(const Rate& own, const Rate& other) {
  return own.value - other.value -
         std::hypot(own.value - own.interval.low, other.interval.high - other.value);
}

}  // namespace

void check_rival(const ConfigValue& value, ExperimentKind kind,
                 const std::optional<std::vector<std::string>>& arms) {
  const Rivals rivals = rivals_of(value);
  const RateColumn* rate = measures_of(kind).find_rate(rivals.rate);
  if (!rate) value.at("rate").fail("is no rate of this sweep");
  if (rivals.by_interval && !rate->has_interval) {
    value.at("interval").fail("is for rates with an interval, which " + rivals.rate + " has not");
  }
  if (!arms) return;
  const ConfigValue& arm = value.at("arm");
  if (!arm.is_list()) index_of_arm(*arms, arm);
  if (!arm.is_list()) return;
  for (const ConfigValue& one : arm.items()) index_of_arm(*arms, one);
}

void judge_rival(const ConfigValue& value, const ConfigValue* where, const RunData& run,
                 ClaimResult* result) {
  const Rivals rivals = rivals_of(value);
  const bool many = rivals.arms.size() > 1;
  result->expected =
      fmt::format("{}{} at least that of {}", rivals.rate,
                  rivals.by_interval ? ", by the interval of the difference," : "",
                  many ? fmt::format("each of {} arms", rivals.arms.size()) : rivals.arms.front());
  if (rivals.margin > 0) result->expected += fmt::format(" less {}", rivals.margin);
  const auto own = rate_of_arm(rivals.rate, result->arm, where, run);
  if (!own) return;
  std::optional<double> least;
  for (const std::string& rival : rivals.arms) {
    const auto other = rate_of_arm(rivals.rate, rival, where, run);
    if (!other) return;
    const double lead =
        rivals.by_interval ? least_difference(*own, *other) : own->value - other->value;
    if (least && lead >= *least) continue;
    least = lead;
    result->found = fmt::format("{:.6g} against {:.6g}", own->value, other->value);
    if (rivals.by_interval) result->found += fmt::format(" (ahead by {:.4f} or more)", lead);
    if (many) result->found += " of " + rival;
  }
  result->holds = *least >= -rivals.margin;
}

}  // namespace sightline::host
