#include "host/sweep/study_experiment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>

#include "host/config/place.h"
#include "host/config/plural.h"
#include "host/config/suggest.h"
#include "host/sweep/block_times.h"
#include "host/sweep/judge.h"
#include "host/sweep/settings.h"
#include "host/sweep/stopwatch.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

const StudyKind& kind_named(const ConfigValue::Entry& study) {
  const std::vector<StudyKind>& kinds = study_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const StudyKind& kind) { return study.first == kind.name; });
  if (found != kinds.end()) return *found;
  std::vector<std::string> names;
  for (const StudyKind& kind : kinds) names.emplace_back(kind.name);
  study.second.fail_at_key("there is no study \"" + study.first + "\"; " +
                           suggestion(study.first, names));
}

const ConfigValue::Entry& study_of(const ConfigValue& settings) {
  const ConfigValue& study = settings.at("study");
  if (study.entries().size() != 1) {
    std::string named;
    for (const ConfigValue::Entry& entry : study.entries()) {
      named += (named.empty() ? "" : ", ") + entry.first;
    }
    study.fail("must name one study and its settings, such as {battery: {type: occlusion}}" +
               (named.empty() ? std::string() : ", but names " + named));
  }
  return study.entries().front();
}

/// The text of a setting that names a file or, if none does, the innermost folder of it; nullptr:
/// the study's own default.
const ConfigValue* naming(const std::string& file, const ConfigValue& settings) {
  if (settings.is_text()) {
    const std::string text = settings.as_text();
    const bool is_folder = !text.empty() && file.rfind(text + "/", 0) == 0;
    return text == file || is_folder ? &settings : nullptr;
  }
  if (!settings.is_map()) return nullptr;
  const ConfigValue* best = nullptr;
  for (const ConfigValue::Entry& entry : settings.entries()) {
    const ConfigValue* here = naming(file, entry.second);
    if (here && (!best || here->as_text().size() > best->as_text().size())) best = here;
  }
  return best;
}

/// A file that cannot be read is told of at the setting that names it.
void check_files(const Study& study, const ConfigValue& settings) {
  for (const std::string& file : study.files()) {
    const ConfigValue* setting = naming(file, settings);
    at_place(setting ? setting->where() : "", [&] { InputFile opened(file); });
  }
}

std::size_t baseline_of(const ConfigValue& settings, const std::vector<std::string>& arms) {
  const ConfigValue* baseline = settings.find("baseline");
  return baseline ? index_of_arm(arms, *baseline) : 0;
}

/// Of sums of fractions: whole numbers, which add up to the same in any order.
std::int64_t whole_of(double fraction) {
  return std::llround(std::ldexp(fraction, RecallAnswers::kFractionBits));
}

double score_of(const ArmAnswers& arm, std::size_t trial) {
  return arm.score.empty() ? arm.right[trial] : arm.score[trial];
}

/// Adds what counts as one observation: an arm's score and its gain on the baseline. Who scores
/// higher is asked of the whole number: of doubles the last bits of equal sums would decide.
void add_score(double score, double gain, StudyAnswers* answers) {
  const std::int64_t whole_gain = whole_of(gain);
  answers->score_sum += whole_of(score);
  answers->score_square_sum += whole_of(score * score);
  answers->score_gain_sum += whole_gain;
  answers->score_gain_square_sum += whole_of(gain * gain);
  answers->scores_higher += whole_gain > 0;
  answers->scores_lower += whole_gain < 0;
}

StudyAnswers count(const ArmAnswers& arm, const ArmAnswers& baseline, bool is_one_observation) {
  StudyAnswers answers;
  answers.num_trials = static_cast<std::int64_t>(arm.right.size());
  answers.num_unanswered = arm.num_unanswered;
  answers.coordinate_reads = arm.coordinate_reads;
  answers.truth_reads = arm.truth_reads;
  answers.num_candidates = arm.num_candidates;
  answers.memory_size = arm.memory_size;
  answers.stored_bytes = arm.stored_bytes;
  double all_scores = 0, all_gains = 0;
  for (std::size_t i = 0; i < arm.right.size(); ++i) {
    answers.right += arm.right[i];
    const double score = score_of(arm, i);
    const double gain = baseline.right.empty() ? 0 : score - score_of(baseline, i);
    all_scores += score;
    all_gains += gain;
    if (!is_one_observation) add_score(score, gain, &answers);
    if (baseline.right.empty()) continue;
    answers.only_arm_right += arm.right[i] > baseline.right.at(i);
    answers.only_baseline_right += arm.right[i] < baseline.right.at(i);
  }
  if (is_one_observation && !arm.right.empty()) {
    const auto num_trials = static_cast<double>(arm.right.size());
    answers.num_observations = 1;
    add_score(all_scores / num_trials, all_gains / num_trials, &answers);
  }
  return answers;
}

}  // namespace

StudyExperiment parse_study_experiment(const ConfigValue& settings) {
  if (has_null(settings)) return parse_study_experiment(without_nulls(settings));
  settings.allow_only({"name", "description", "study", "arms", "metrics", "baseline", "seed",
                       "replicate", "report", "claims", "family"});
  StudyExperiment experiment;
  const ConfigValue::Entry& study = study_of(settings);
  const StudyKind& kind = kind_named(study);
  const ConfigValue& arms = settings.at("arms");
  if (arms.entries().empty()) arms.fail("needs at least one arm, such as text: {answer: text}");
  for (const ConfigValue::Entry& arm : arms.entries()) experiment.arms.push_back(arm.first);
  experiment.baseline = baseline_of(settings, experiment.arms);
  if (const ConfigValue* metrics = settings.find("metrics")) {
    for (const ConfigValue& name : metrics->items()) {
      name.as_choice({"accuracy", "score", "candidates", "mcnemar_p"});
    }
  }
  experiment.study = kind.make({study.second, arms.entries(), seed_of(settings)});
  check_files(*experiment.study, study.second);
  return experiment;
}

std::vector<ResultRow> rows_of_study(const StudyExperiment& experiment,
                                     const Configuration& configuration,
                                     const std::vector<ArmAnswers>& answers) {
  std::vector<ResultRow> rows;
  for (std::size_t arm = 0; arm < experiment.arms.size(); ++arm) {
    ResultRow& row = rows.emplace_back();
    row.configuration = configuration.index;
    row.configuration_id = configuration.id;
    row.arm = experiment.arms[arm];
    row.study = count(answers.at(arm), answers.at(experiment.baseline),
                      experiment.study->is_one_observation());
  }
  return rows;
}

/// An arm that lacks what such trials need is asked none: its scores are no numbers.
TrialTable study_trials(const std::string& configuration_id, const std::vector<std::string>& arms,
                        const std::shared_ptr<const std::vector<ArmAnswers>>& answers) {
  std::size_t num_trials = 0;
  const std::vector<std::int32_t>* numbers = &answers->front().trials;
  for (const ArmAnswers& arm : *answers) {
    num_trials = std::max(num_trials, arm.right.size());
    if (numbers->empty()) numbers = &arm.trials;
  }
  TrialTable table{configuration_id, static_cast<std::int64_t>(num_trials), {}};
  table.columns.push_back(
      trial_column<std::int32_t>("trial", [answers, numbers](std::size_t trial) {
        return numbers->empty() ? static_cast<std::int32_t>(trial) : numbers->at(trial);
      }));
  for (std::size_t i = 0; i < arms.size(); ++i) {
    table.columns.push_back(trial_column<bool>(arms[i] + ".right", [answers, i](std::size_t trial) {
      const std::vector<std::uint8_t>& right = (*answers)[i].right;
      return trial < right.size() && right[trial] != 0;
    }));
    table.columns.push_back(
        trial_column<double>(arms[i] + ".score", [answers, i](std::size_t trial) {
          const ArmAnswers& arm = (*answers)[i];
          return trial < arm.right.size() ? score_of(arm, trial)
                                          : std::numeric_limits<double>::quiet_NaN();
        }));
  }
  return table;
}

namespace {

/// Where trials are texts, a seed asks them again: pooled, they would pass for new evidence.
void check_no_repeats(const SweepPlan& plan, const Study& study) {
  if (!study.repeats()) return;
  for (const char* key : {"replicates", "axes.seed", "axes.replicate"}) {
    const ConfigValue* again = plan.resolved().find_path(key);
    if (!again || again->is_null()) continue;
    again->fail(
        "asks the same trials again, since this study's are texts that no seed changes; "
        "remove it, or vary what the study asks");
  }
}

}  // namespace

std::vector<Block> plan_study_blocks(const SweepPlan& plan) {
  std::vector<Block> blocks;
  std::unordered_map<std::string, std::size_t> of_work;  // by key
  for (std::int64_t i = 0; i < plan.num_configurations(); ++i) {
    const StudyExperiment experiment = parse_study_experiment(plan.settings(i));
    if (i == 0) check_no_repeats(plan, *experiment.study);
    const std::int64_t num_trials = experiment.study->num_trials();
    const std::string work = experiment.study->work_key();
    if (!work.empty()) {
      const auto [known, is_new] = of_work.try_emplace(work, blocks.size());
      if (!is_new) {
        Block& block = blocks[known->second];
        block.configurations.push_back(i);
        block.num_rays += num_trials;
        continue;
      }
    }
    Block& block = blocks.emplace_back();
    block.key = std::to_string(i);
    block.configurations = {i};
    block.num_rays = num_trials;
    block.cost = static_cast<double>(num_trials) * static_cast<double>(experiment.arms.size());
    block.files = experiment.study->files();
  }
  return blocks;
}

namespace {

/// Work that configurations have in common is done by the first of them.
void share(double seconds, std::vector<CostRow>* costs) {
  for (CostRow& cost : *costs) {
    cost.seconds = seconds / static_cast<double>(costs->size());
    cost.rays_per_s = static_cast<double>(cost.num_rays) / cost.seconds;
  }
}

}  // namespace

BlockResult run_study_block(const SweepPlan& plan, const Block& block, Device& device,
                            bool with_trials) {
  BlockResult result;
  result.num_configurations = block.configurations.size();
  const Stopwatch of_block;
  for (const std::int64_t index : block.configurations) {
    const Configuration configuration = plan.configuration(index);
    const StudyExperiment experiment = parse_study_experiment(configuration.settings);
    const Stopwatch watch;
    const auto all = std::make_shared<const std::vector<ArmAnswers>>(experiment.study->run(device));
    const std::vector<ArmAnswers>& answers = *all;
    const double share = watch.seconds() / static_cast<double>(answers.size());
    if (with_trials) {
      result.trials.push_back(study_trials(configuration.id, experiment.arms, all));
    }
    std::vector<ResultRow> rows = rows_of_study(experiment, configuration, answers);
    for (std::size_t arm = 0; arm < rows.size(); ++arm) {
      const double seconds = answers[arm].seconds > 0 ? answers[arm].seconds : share;
      const std::int64_t num_trials = rows[arm].study.num_trials;
      result.costs.push_back({configuration.id, rows[arm].arm, seconds, num_trials,
                              static_cast<double>(num_trials) / seconds, 0});
      result.rows.push_back(std::move(rows[arm]));
    }
  }
  if (block.configurations.size() > 1) share(of_block.seconds(), &result.costs);
  return result;
}

Estimate estimate_of_study(const SweepPlan& plan, const std::vector<Block>& blocks, Device& device,
                           const OnMeasure& on_measure) {
  Estimate result;
  for (const Block& block : blocks) result.num_rays += block.num_rays;
  result.seconds = seconds_of_blocks(blocks, [&](const Block& block) {
    if (on_measure) on_measure("running 1 of " + plural(blocks.size(), "block"));
    const Stopwatch watch;
    run_study_block(plan, block, device);
    BlockTime time;
    time.per_cost_s = watch.seconds() / std::max(block.cost, 1.0);
    return time;
  });
  return result;
}

}  // namespace sightline::host
