#include "host/report/study_page.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "host/report/axes.h"
#include "host/report/page.h"
#include "host/report/score_text.h"
#include "host/report/table.h"
#include "host/report/text.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Table::Kind;

constexpr double kLevel = 0.05;  ///< at which a difference is told as one

/// Does the arm score more than the baseline, or is it more often right?
bool has_more(const StudyDigest& digest, std::size_t arm, std::size_t group) {
  if (digest.shows_scores) return digest.score_gain(arm, group).sum > 0;
  const ResultRow& row = digest.at(arm, group);
  return row.study.only_arm_right > row.study.only_baseline_right;
}

/// Groups in which the arm has more than the baseline, and less, beyond chance.
struct Verdicts {
  std::vector<std::string> more, less;
};

Verdicts verdicts_of(const StudyDigest& digest, const std::vector<StudyComparison>& tests,
                     std::size_t arm) {
  Verdicts verdicts;
  for (const StudyComparison& test : tests) {
    if (test.arm != arm || !(test.p_adjusted < kLevel)) continue;
    const bool is_more = has_more(digest, arm, test.group);
    (is_more ? verdicts.more : verdicts.less).push_back(digest.group_name(test.group));
  }
  return verdicts;
}

ResultRow over_groups(const StudyDigest& digest, std::size_t arm) {
  ResultRow total;
  for (std::size_t group = 0; group < digest.num_groups_of_trials(); ++group) {
    const bool is_apart = std::find(digest.apart.begin(), digest.apart.end(),
                                    digest.groups[group]) != digest.apart.end();
    if (!is_apart) measures_of(ExperimentKind::kStudy).add(digest.at(arm, group), &total);
  }
  return total;
}

/// Of many measures a sentence tells the first: those below tell them all.
std::size_t num_told_measures(const StudyDigest& digest) {
  constexpr std::size_t kMostTold = 5, kFirst = 3;
  return digest.groups.size() <= kMostTold ? digest.groups.size() : kFirst;
}

/// "scout: information_gain 79.9 %, looks 8.87".
std::string measures_sentence(const StudyDigest& digest, std::size_t arm) {
  std::string text = digest.arms[arm] + ":";
  for (std::size_t group = 0; group < num_told_measures(digest); ++group) {
    const std::optional<Rate> rate = digest.rate_of(digest.at(arm, group));
    text += (group == 0 ? " " : ", ") + digest.groups[group] + " " +
            (rate ? digest.text_of(rate->value, group) : "not run");
  }
  return text;
}

std::string arm_sentence(const StudyDigest& digest, std::size_t arm) {
  if (digest.has_measures) return measures_sentence(digest, arm);
  const ResultRow total = over_groups(digest, arm);
  const std::optional<Rate> right = digest.rate_of(total);
  if (!right) return digest.arms[arm] + " is asked nothing";
  const std::string trials = count_text(total.study.num_trials) + " trials";
  if (digest.shows_scores) {
    return digest.arms[arm] + " scores " + digest.text_of(right->value, 0) + " over " + trials;
  }
  return digest.arms[arm] + " is right in " + percent_text(right->value) + " of " + trials;
}

/// Arms but the baseline that a page tells of one by one, in the order of the run.
std::vector<std::size_t> other_arms(const StudyDigest& digest) {
  std::vector<std::size_t> others(digest.arms.size());
  std::iota(others.begin(), others.end(), std::size_t{0});
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(digest.baselines.front()));
  return others;
}

/// Of many arms the best, and of the others from where to where they reach: a sentence about each
/// of thirty is not read. Takes the others out of `arms`.
std::string rest_in_words(const StudyDigest& digest, std::vector<std::size_t>* arms) {
  constexpr std::size_t kMostTold = 6, kBest = 3;
  if (arms->size() <= kMostTold || digest.has_measures) return "";
  const auto rate_of = [&](std::size_t arm) {
    const std::optional<Rate> rate = digest.rate_of(over_groups(digest, arm));
    if (!rate) return std::numeric_limits<double>::lowest();  // asked nothing: last
    return digest.sense_of(0).less_is_better ? -rate->value : rate->value;
  };
  const auto text_of = [&](std::size_t arm) {
    const std::optional<Rate> rate = digest.rate_of(over_groups(digest, arm));
    return digest.text_of(rate ? rate->value : 0, 0) + " (" + digest.arms[arm] + ")";
  };
  std::stable_sort(arms->begin(), arms->end(),
                   [&](std::size_t a, std::size_t b) { return rate_of(a) > rate_of(b); });
  const std::size_t first = (*arms)[kBest], last = arms->back();
  const std::string text = ". The other " + std::to_string(arms->size() - kBest) +
                           " arms reach from " + text_of(last) + " to " + text_of(first);
  arms->resize(kBest);
  return text;
}

/// "more often on presence and relation", "less often than text".
std::string verdict_text(const StudyDigest& digest, const char* how,
                         const std::vector<std::string>& groups) {
  if (groups.empty()) return "";
  const bool than_one = digest.groups.size() == 1;
  const bool than = than_one || digest.groups_are_baselines();
  return std::string(", ") + how + (than ? " than " : " on ") +
         (than_one ? digest.arms[digest.baselines[0]] : join_words(groups));
}

Json bars_of(const StudyDigest& digest, std::size_t arm) {
  Json y = Json::array(), low = Json::array(), high = Json::array();
  for (std::size_t group = 0; group < digest.num_groups_of_trials(); ++group) {
    const std::optional<Rate> right = digest.rate_of(digest.at(arm, group));
    y.push_back(right ? Json(right->value) : Json());
    low.push_back(right ? Json(right->interval.low) : Json());
    high.push_back(right ? Json(right->interval.high) : Json());
  }
  return {{"label", digest.arms[arm]}, {"color", arm}, {"y", y}, {"low", low}, {"high", high}};
}

/// " Of looks and steps less is better."
std::string costs_note(const StudyDigest& digest) {
  std::vector<std::string> costs;
  for (std::size_t group = 0; group < digest.num_groups_of_trials(); ++group) {
    if (digest.sense_of(group).less_is_better) costs.push_back(digest.shown_name(group));
  }
  if (costs.empty()) return "";
  return digest.has_measures ? " Of " + join_words(costs) + " less is better." : " Less is better.";
}

/// Of an arm's trials and the baseline's, pair by pair.
Rate difference_of(const StudyDigest& digest, std::size_t arm, std::size_t group) {
  if (digest.shows_scores) return *mean_within(digest.score_gain(arm, group), -1, 1);
  const ResultRow& row = digest.at(arm, group);
  const std::int64_t n = row.study.num_trials, b = row.study.only_arm_right,
                     c = row.study.only_baseline_right;
  return {static_cast<double>(b - c) / static_cast<double>(n), stats::difference_interval(n, b, c)};
}

std::string score_cell(const StudyDigest& digest, std::size_t arm, std::size_t group) {
  const std::optional<Rate> rate = digest.rate_of(digest.at(arm, group));
  return rate ? digest.text_of(rate->value, group) : "–";
}

std::vector<std::string> test_cells(const StudyDigest& digest, std::size_t arm, std::size_t group,
                                    const StudyComparison* test) {
  const ResultRow& row = digest.at(arm, group);
  const StudyAnswers& answers = row.study;
  const ScoreSense sense = digest.sense_of(group);
  const std::optional<Rate> range = digest.rate_of(row);
  std::vector<std::string> cells{digest.group_name(group),
                                 digest.arms[arm],
                                 count_text(answers.num_trials),
                                 score_cell(digest, arm, group),
                                 range ? score_range_text(sense, range->interval) : "–",
                                 count_text(answers.coordinate_reads),
                                 count_text(answers.num_candidates)};
  if (!test) {
    cells.insert(cells.end(),
                 {arm == digest.baselines[group] ? "baseline" : "", "", "", "", "", ""});
    return cells;
  }
  const Rate difference = difference_of(digest, arm, group);
  const stats::Interval& interval = difference.interval;
  cells.insert(
      cells.end(),
      {count_text(answers.only_arm_right), count_text(answers.only_baseline_right),
       score_gain_text(sense, difference.value),
       score_gain_text(sense, interval.low) + " to " + score_gain_text(sense, interval.high),
       p_value_text(test->p), p_value_text(test->p_adjusted)});
  return cells;
}

}  // namespace

std::string takeaway(const StudyDigest& digest) {
  if (digest.arms.empty()) return "Nothing has been run yet.";
  const std::vector<StudyComparison> tests = compare_with_baseline(digest);
  const std::size_t baseline = digest.baselines.front();
  std::string text = arm_sentence(digest, baseline);
  std::vector<std::size_t> told = other_arms(digest);
  const std::string rest = rest_in_words(digest, &told);
  for (const std::size_t arm : told) {
    text += "; " + arm_sentence(digest, arm);
    if (digest.has_measures) continue;
    const Verdicts verdicts = verdicts_of(digest, tests, arm);
    text += verdict_text(digest, digest.shows_scores ? "more" : "more often", verdicts.more) +
            verdict_text(digest, digest.shows_scores ? "less" : "less often", verdicts.less);
  }
  const std::size_t told_measures = num_told_measures(digest);
  if (digest.has_measures && told_measures < digest.groups.size()) {
    text +=
        "; and " + std::to_string(digest.groups.size() - told_measures) + " more measures, below";
  }
  const bool is_cost = !digest.has_measures && digest.sense_of(0).less_is_better;
  return text + rest + (is_cost ? "; less is better." : ".");
}

FigureData study_figure(const StudyDigest& digest) {
  FigureData figure;
  Json curves = Json::array(), ticks = Json::array();
  for (std::size_t group = 0; group < digest.num_groups_of_trials(); ++group) {
    const std::string note = score_note(digest.sense_of(group));
    ticks.push_back(digest.shown_name(group) + (note.empty() ? "" : "\n(" + note + ")"));
  }
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    curves.push_back(bars_of(digest, arm));
    figure.alt += digest.arms[arm] + ":";
    for (std::size_t group = 0; group < digest.num_groups_of_trials(); ++group) {
      const std::optional<Rate> right = digest.rate_of(digest.at(arm, group));
      figure.alt += (group == 0 ? " " : ", ") + digest.shown_name(group) + " " +
                    (right ? digest.text_of(right->value, group) : "nothing");
    }
    figure.alt += ". ";
  }
  figure.title = digest.shows_scores ? "Scores" : "Right answers";
  figure.caption = std::string("Bars are 95 % ") +
                   (digest.shows_scores ? kMeanIntervals : "Wilson intervals") + ".";
  if (digest.num_pooled_axes > 0) figure.caption += " Values of other axes are added up.";
  figure.drawing = {{"name", "right"},
                    {"kind", "groups"},
                    {"ylabel", digest.shows_scores ? "mean score" : "share of right answers"},
                    {"ticks", ticks},
                    {"curves", curves}};
  return figure;
}

std::string study_matrix_table(const StudyDigest& digest) {
  std::vector<Table::Column> columns{{"arm", Kind::kWord}};
  for (std::size_t group = 0; group < digest.num_groups_of_trials(); ++group) {
    columns.push_back({digest.shown_name(group), Kind::kNumber});
  }
  Table table(columns);
  bool has_gap = false, has_silence = false;
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    std::vector<std::string> cells{digest.arms[arm]};
    for (std::size_t group = 0; group < digest.num_groups_of_trials(); ++group) {
      const std::optional<Rate> right = digest.rate_of(digest.at(arm, group));
      const StudyAnswers& answers = digest.at(arm, group).study;
      const bool is_silent = right && answers.num_unanswered == answers.num_trials;
      has_gap = has_gap || !right;
      has_silence = has_silence || is_silent;
      cells.push_back(is_silent ? "unanswered" : score_cell(digest, arm, group));
    }
    table.add(cells);
  }
  return note(std::string(digest.shows_scores ? "Mean score." : "Share of right answers.") +
              (has_gap ? " A dash: the arm lacks what such questions need, and is asked none."
                       : "") +
              (has_silence ? " Unanswered: it was asked, and had nothing to say to any." : "")) +
         table.html();
}

std::string study_tests_table(const StudyDigest& digest) {
  const std::vector<StudyComparison> tests = compare_with_baseline(digest);
  const bool has_units =
      digest.shows_scores && std::any_of(digest.senses.begin(), digest.senses.end(), has_unit);
  std::vector<Table::Column> columns{
      {digest.group_keys.empty() ? "trials" : join_words(digest.group_keys), Kind::kWord},
      {"arm", Kind::kWord}};
  for (const char* name :
       {"trials", digest.shows_scores ? "score" : "right", "95 % CI", "places read",
        "memories scored", "only arm right", "only baseline right",
        has_units ? "difference (points, or as given)" : "difference (points)", "95 % CI", "p",
        "p adjusted"}) {
    columns.push_back({name, Kind::kNumber});
  }
  Table table(columns);
  std::size_t num_rows = 0;
  for (std::size_t group = 0; group < digest.groups.size(); ++group) {
    for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
      if (digest.at(arm, group).study.num_trials == 0 || ++num_rows > kMaxTableRows) continue;
      const auto test = std::find_if(tests.begin(), tests.end(), [&](const StudyComparison& one) {
        return one.arm == arm && one.group == group;
      });
      table.add(test_cells(digest, arm, group, test == tests.end() ? nullptr : &*test));
    }
  }
  const std::string baseline = digest.groups_are_baselines()
                                   ? "The baseline is the value of the axis"
                                   : "Baseline: " + digest.arms[digest.baselines.front()];
  if (digest.arms_are_measures) {
    return note(
               "The arms are scored by different things, which are not compared; claims on "
               "`correlation` tell how they go together.") +
           table.html();
  }
  return note(baseline +
              ". The same trials, asked of both; a positive difference means that the arm " +
              (digest.shows_scores ? "scores more." : "is right more often.") +
              costs_note(digest)) +
         table.html();
}

}  // namespace sightline::host::report
