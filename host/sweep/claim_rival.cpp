#include "host/sweep/claim_rival.h"

#include <fmt/format.h>

#include <cmath>

#include "host/sweep/claim_numbers.h"
#include "host/sweep/claim_rows.h"
#include "host/sweep/judge.h"
#include "host/sweep/measures.h"

namespace sightline::host {
namespace {

/// {rate, arm: one or a list, margin, interval}.
struct Rivals {
  std::string rate;
  std::vector<std::string> arms;
  double margin = 0;
  bool by_interval = false;
};

Rivals rivals_of(const ConfigValue& value) {
  const ConfigValue* times = value.find("times");
  if (times) times->fail_at_key("is for a count; give count");
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

/// {count, arm, times}.
struct CountRival {
  std::string count, arm;
  double times = 1;
};

CountRival count_rival_of(const ConfigValue& value) {
  for (const char* key : {"margin", "interval"}) {
    if (const ConfigValue* given = value.find(key)) given->fail_at_key("is for a rate; give rate");
  }
  value.allow_only({"count", "arm", "times"});
  CountRival rival{value.at("count").as_text(), value.at("arm").as_text(), 1};
  if (const ConfigValue* times = value.find("times")) rival.times = times->as_positive();
  return rival;
}

std::optional<double> count_of_arm(const std::string& count, const std::string& arm,
                                   const ConfigValue* where, const RunData& run) {
  const auto groups = claim_groups(run, arm, where, {});
  if (groups.empty()) return std::nullopt;
  return claim_value(run.kind(), count, groups[0].total);
}

void judge_count_rival(const CountRival& rival, const ConfigValue* where, const RunData& run,
                       ClaimResult* result) {
  result->expected =
      fmt::format("{} at least {}that of {}", rival.count,
                  rival.times == 1 ? "" : fmt::format("{} times ", rival.times), rival.arm);
  const auto own = count_of_arm(rival.count, result->arm, where, run);
  const auto other = count_of_arm(rival.count, rival.arm, where, run);
  if (!own || !other) return;
  result->found = fmt::format("{:.6g} against {:.6g}", *own, *other);
  if (*other > 0) result->found += fmt::format(", {:.4g} times", *own / *other);
  result->holds = *own >= rival.times * *other;
}

}  // namespace

void check_rival(const ConfigValue& value, ExperimentKind kind,
                 const std::optional<std::vector<std::string>>& arms) {
  if (const ConfigValue* count = value.find("count")) {
    if (value.find("rate")) count->fail_at_key("compares a second thing beside the rate");
    const CountRival rival = count_rival_of(value);
    if (!measures_of(kind).find_count(rival.count)) count->fail("is no count of this sweep");
    if (arms) index_of_arm(*arms, value.at("arm"));
    return;
  }
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
  if (value.find("count")) return judge_count_rival(count_rival_of(value), where, run, result);
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
