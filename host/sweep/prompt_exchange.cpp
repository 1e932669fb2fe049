#include "host/sweep/prompt_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "host/config/suggest.h"
#include "host/memory/chat_lines.h"
#include "host/sweep/preregistration.h"
#include "host/sweep/study_experiment.h"

namespace sightline::host {
namespace {

/// One configuration, and what its arm is asked.
struct Asked {
  Configuration configuration;
  StudyExperiment experiment;
  std::size_t arm = 0;
  std::vector<Prompt> prompts;
  bool is_repeated = false;  ///< an earlier configuration has the same prompts
  std::string asked_as;      ///< its id, or this one's own: the first part of custom ids
};

std::size_t index_of(const std::string& arm, const std::vector<std::string>& arms) {
  const auto found = std::find(arms.begin(), arms.end(), arm);
  if (found == arms.end()) {
    throw InputError("the sweep has no arm \"" + arm + "\"; " + suggestion(arm, arms));
  }
  return static_cast<std::size_t>(found - arms.begin());
}

void check_has_study(const SweepPlan& plan) {
  if (kind_of(plan.resolved()) == ExperimentKind::kStudy) return;
  throw InputError(plan.name() +
                   ": has no study, and so no prompts; name a sweep file with study:");
}

Asked ask(const SweepPlan& plan, std::int64_t index, const std::string& arm, Device& device) {
  Asked asked;
  asked.configuration = plan.configuration(index);
  asked.experiment = parse_study_experiment(asked.configuration.settings);
  asked.arm = index_of(arm, asked.experiment.arms);
  asked.prompts = asked.experiment.study->prompts(asked.arm, device);
  if (asked.prompts.empty()) {
    throw InputError(
        "arm \"" + arm + "\" reads no text that a language model could be given" +
        (plan.num_configurations() > 1 ? " (configuration " + asked.configuration.id + ")" : "") +
        "; name one that does");
  }
  return asked;
}

/// All that an arm's prompts depend on (StudySettings), so that those of equal keys are the same
/// prompts: of configurations that differ in their baseline, say, or in another arm.
std::string prompts_key(const ConfigValue& settings, const std::string& arm) {
  std::string key = settings.at("study").canonical_json();
  key += settings.at("arms").at(arm).canonical_json();
  for (const char* name : {"seed", "replicate"}) {
    const ConfigValue* value = settings.find(name);
    key += "," + (value ? value->canonical_json() : "");
  }
  return key;
}

/// What the arm is asked in every configuration.
std::vector<Asked> ask_all(const SweepPlan& plan, const std::string& arm, Device& device) {
  check_has_study(plan);
  require_preregistration(plan);
  std::vector<Asked> all;
  std::map<std::string, std::string> asked_as;
  for (std::int64_t index = 0; index < plan.num_configurations(); ++index) {
    Asked& asked = all.emplace_back(ask(plan, index, arm, device));
    const Configuration& configuration = asked.configuration;
    const auto [first, is_new] =
        asked_as.try_emplace(prompts_key(configuration.settings, arm), configuration.id);
    asked.is_repeated = !is_new;
    asked.asked_as = first->second;
  }
  return all;
}

std::string custom_id(const Asked& asked, std::size_t trial) {
  return fmt::format("{}-{}-{:06}", asked.asked_as, id_text(asked.experiment.arms[asked.arm]),
                     trial);
}

/// The arm's answers from the texts; what it read to make its prompts stays counted.
void judge(const Asked& asked, const ChatAnswers& texts, ArmAnswers* answers, PromptScore* score) {
  answers->score.clear();
  answers->num_unanswered = 0;
  answers->right.assign(asked.prompts.size(), 0);
  for (std::size_t i = 0; i < asked.prompts.size(); ++i) {
    const Prompt& prompt = asked.prompts[i];
    const std::string id = custom_id(asked, i);
    const auto found = texts.find(id);
    std::vector<std::string>* lacking = nullptr;
    std::optional<std::size_t> said;
    if (found == texts.end()) {
      lacking = &score->missing;
    } else if (!found->second.text) {
      lacking = &score->failed;
    } else {
      said = read_answer(prompt.answers, *found->second.text);
      if (!said) lacking = &score->unparsed;
    }
    if (!asked.is_repeated) {
      ++score->num_prompts;
      if (lacking) lacking->push_back(id);
    }
    answers->num_unanswered += !said;
    answers->right[i] = said == prompt.right;
  }
}

void add_rows(const Asked& asked, const std::vector<ArmAnswers>& answers, RunData* run) {
  for (ResultRow& result : rows_of_study(asked.experiment, asked.configuration, answers)) {
    RunData::Row& row = run->rows.emplace_back();
    for (const ConfigValue::Entry& axis : asked.configuration.axis_settings) {
      row.axis_values.push_back(axis.second);
    }
    row.axis_labels = asked.configuration.axis_labels;
    row.result = std::move(result);
  }
  ++run->num_finished;
}

}  // namespace

std::string prompt_lines(const SweepPlan& plan, const PromptRequest& request, Device& device) {
  std::string lines;
  for (const Asked& asked : ask_all(plan, request.arm, device)) {
    if (asked.is_repeated) continue;
    for (std::size_t i = 0; i < asked.prompts.size(); ++i) {
      const Prompt& prompt = asked.prompts[i];
      lines +=
          chat_line({custom_id(asked, i), prompt.instructions, prompt.question}, request.model);
    }
  }
  return lines;
}

PromptScore score_answers(const SweepPlan& plan, const std::string& arm,
                          const std::string& answers_path, Device& device) {
  const std::vector<Asked> all = ask_all(plan, arm, device);
  std::set<std::string> known;
  for (const Asked& asked : all) {
    for (std::size_t i = 0; i < asked.prompts.size(); ++i) known.insert(custom_id(asked, i));
  }
  ChatAnswers texts;
  read_chat_answers(answers_path, &texts);
  check_answers_are_known(
      texts, [&](const std::string& id) { return known.count(id) > 0; }, "arm \"" + arm + "\"",
      "answers are scored with the sweep file, the overrides and the arm that the prompts were "
      "exported with");
  if (texts.empty()) throw InputError(answers_path + ": holds no answer");
  PromptScore score;
  score.run.name = plan.name();
  score.run.model_arm = arm;
  score.run.resolved = plan.resolved();
  score.run.axis_keys = plan.axis_keys();
  score.run.num_configurations = plan.num_configurations();
  for (const Asked& asked : all) {
    std::vector<ArmAnswers> answers = asked.experiment.study->run(device);
    judge(asked, texts, &answers.at(asked.arm), &score);
    add_rows(asked, answers, &score.run);
  }
  score.run.num_model_unanswered =
      static_cast<std::int64_t>(score.missing.size() + score.failed.size());
  return score;
}

}  // namespace sightline::host
