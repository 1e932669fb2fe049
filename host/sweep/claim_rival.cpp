#include "host/sweep/claim_rival.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "host/stats/paired.h"
#include "host/sweep/claim_intervals.h"
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
  Rivals rivals{value.at("rate").as_text(), rival_arms(value), 0, false};
  if (const ConfigValue* margin = value.find("margin")) {
    rivals.margin = margin->as_number(0, 1);
    if (rivals.margin == 1) margin->fail("holds of every rate; give less");
  }
  if (const ConfigValue* interval = value.find("interval")) {
    rivals.by_interval = interval->as_bool();
  }
  return rivals;
}

std::optional<ResultRow> total_of_arm(const std::string& arm, const ConfigValue* where,
                                      const RunData& run) {
  const auto groups = claim_groups(run, arm, where, {});
  return groups.empty() ? std::nullopt : std::optional(groups[0].total);
}

/// What the axes say of each row of an arm: rates of other configurations are of other trials.
std::vector<std::vector<std::string>> places_of_rows(const std::string& arm,
                                                     const ConfigValue* where, const RunData& run) {
  std::vector<std::vector<std::string>> places;
  for (const RunData::Row& row : run.rows) {
    if (row.result.arm == arm && is_kept(row, where, run)) places.push_back(row.axis_labels);
  }
  return places;
}

/// Of the difference of a rate: of the pairs, where the rows have them, else as of other trials.
/// None of rates without an interval.
std::optional<stats::Interval> lead_interval(const RateColumn& column, bool is_paired,
                                             ExperimentKind kind, const ResultRow& own,
                                             const ResultRow& other) {
  const Measures& measures = measures_of(kind);
  if (!column.has_interval) return std::nullopt;
  if (is_paired && &column == &measures.rates.front()) return pairs_interval(measures.pairs(own));
  const bool is_score = column.name == std::string("score");
  if (is_paired && is_score) return claim_interval(kind, "score_delta", own);
  return newcombe_interval(*column.of(own), *column.of(other));
}

/// Of a lead whose interval leaves out 0: can an exact test not show it? Where the rows have the
/// pairs of the two arms, McNemar's of these. Else, of as many trials, by the smallest p that it
/// can have of such rates: if every trial that the other arm gets right is right for the own one,
/// too. Of another number of trials, Fisher's. A mean of scores counts nothing: of pairs, whose
/// scores are higher, by the sign test, and else no test but the interval.
bool is_doubted_by_exact_test(const RateColumn& column, bool is_paired, ExperimentKind kind,
                              const ResultRow& own, const ResultRow& other) {
  const Measures& measures = measures_of(kind);
  if (is_paired && &column == &measures.rates.front()) {
    return !is_shown_by_exact_test(measures.pairs(own));
  }
  if (column.count == nullptr) {
    if (!is_paired || !measures.score_signs) return false;
    const std::optional<DiscordantPairs> signs = measures.score_signs(own);
    return signs && (signs->only_arm <= signs->only_baseline || !is_shown_by_exact_test(*signs));
  }
  const Rate ours = *column.of(own), theirs = *column.of(other);
  const auto share = [](double value, std::int64_t total) {
    return std::llround(value * static_cast<double>(total));
  };
  if (ours.total == theirs.total) {
    const std::int64_t lead = share(ours.value - theirs.value, ours.total);
    return !is_shown_by_exact_test({ours.total, std::max<std::int64_t>(lead, 0), 0});
  }
  return !is_significant(stats::fisher_exact(share(ours.value, ours.total), ours.total,
                                             share(theirs.value, theirs.total), theirs.total));
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
  const std::optional<ResultRow> total = total_of_arm(arm, where, run);
  return total ? claim_value(run.kind(), count, *total) : std::nullopt;
}

void judge_count_rival(const CountRival& rival, const ConfigValue* where, const RunData& run,
                       ClaimResult* result) {
  result->expected =
      fmt::format("{} at least {}that of {}", rival.count,
                  rival.times == 1 ? "" : fmt::format("{} times ", rival.times), rival.arm);
  const auto own = count_of_arm(rival.count, result->arm, where, run);
  const auto other = count_of_arm(rival.count, rival.arm, where, run);
  if (!own || !other) return;
  if (*other == 0) {
    result->found =
        fmt::format("nothing: of {} there are none, and any count is as many", rival.arm);
    return;
  }
  result->found = fmt::format("{:.6g} against {:.6g}, {:.4g} times", *own, *other, *own / *other);
  result->holds = is_at_least(*own, rival.times * *other);
}

void judge_rate_rivals(const Rivals& rivals, const ConfigValue* where, const RunData& run,
                       ClaimResult* result) {
  const bool many = rivals.arms.size() > 1;
  result->expected =
      fmt::format("{}{} at least that of {}", rivals.rate,
                  rivals.by_interval ? ", by the interval of the difference," : "",
                  many ? fmt::format("each of {} arms", rivals.arms.size()) : rivals.arms.front());
  if (rivals.margin > 0) result->expected += fmt::format(" less {}", rivals.margin);
  const RateColumn& column = *measures_of(run.kind()).find_rate(rivals.rate);
  const std::optional<ResultRow> own_total = total_of_arm(result->arm, where, run);
  const std::optional<Rate> own = own_total ? column.of(*own_total) : std::nullopt;
  if (!own) return;
  const std::vector<std::string> baselines = baselines_of(result->arm, where, run);
  std::optional<double> least;
  std::string doubted;  // the rivals that an exact test does not tell the arm from
  for (const std::string& rival : rivals.arms) {
    const std::optional<ResultRow> total = total_of_arm(rival, where, run);
    const std::optional<Rate> other = total ? column.of(*total) : std::nullopt;
    if (!other) return;
    const bool is_paired = baselines == std::vector<std::string>{rival};
    const double lead =
        rivals.by_interval ? newcombe_interval(*own, *other).low : own->value - other->value;
    if (rivals.by_interval && rivals.margin == 0 && is_at_least(lead, 0) &&
        is_doubted_by_exact_test(column, is_paired, run.kind(), *own_total, *total)) {
      doubted += (doubted.empty() ? "" : ", ") + rival;
    }
    if (least && lead >= *least) continue;
    least = lead;
    result->interval = difference_text(
        lead_interval(column, is_paired && !rivals.by_interval, run.kind(), *own_total, *total));
    result->found = fmt::format("{:.6g} against {:.6g}", own->value, other->value);
    if (rivals.by_interval) result->found += fmt::format(" (ahead by {:.4f} or more)", lead);
    if (many) result->found += " of " + rival;
  }
  const bool is_ahead = is_at_least(*least, -rivals.margin);
  result->holds = is_ahead && doubted.empty();
  if (is_ahead && !doubted.empty()) {
    result->found += ", but an exact test does not show it against " + doubted;
  }
}

}  // namespace

std::vector<std::string> rival_arms(const ConfigValue& value) {
  const ConfigValue& arm = value.at("arm");
  if (!arm.is_list()) return {arm.as_text()};
  std::vector<std::string> arms;
  for (const ConfigValue& one : arm.items()) arms.push_back(one.as_text());
  if (arms.empty()) arm.fail("needs at least one arm");
  return arms;
}

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
  const auto own_places = places_of_rows(result->arm, where, run);
  for (const std::string& rival : rival_arms(value)) {
    if (places_of_rows(rival, where, run) == own_places) continue;
    result->expected = "at_least " + value.display();
    result->found = "nothing: " + rival + " was asked in other configurations";
    return;
  }
  if (value.find("count")) return judge_count_rival(count_rival_of(value), where, run, result);
  judge_rate_rivals(rivals_of(value), where, run, result);
}

}  // namespace sightline::host
