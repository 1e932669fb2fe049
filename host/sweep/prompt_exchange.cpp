#include "host/sweep/prompt_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>

#include "host/config/json_text.h"
#include "host/config/suggest.h"
#include "host/memory/json_lines.h"
#include "host/sweep/preregistration.h"
#include "host/sweep/study_experiment.h"

namespace sightline::host {
namespace {

using Json = nlohmann::json;

/// One configuration, and what its arm is asked.
struct Asked {
  Configuration configuration;
  StudyExperiment experiment;
  std::size_t arm = 0;
  std::vector<Prompt> prompts;
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

/// Letters, digits, '-' and '_' alone: some servers allow no more.
std::string custom_id(const Asked& asked, std::size_t trial) {
  std::string arm = asked.experiment.arms[asked.arm];
  for (char& c : arm) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  }
  return fmt::format("{}-{}-{:06}", asked.configuration.id, arm, trial);
}

/// What an answer's line says. No text: it failed.
struct AnswerLine {
  std::string id;
  std::optional<std::string> text;
};

/// The value at a path of keys; null where a part of it is missing or no map.
const Json* find(const Json& value, std::initializer_list<const char*> keys) {
  const Json* at = &value;
  for (const char* key : keys) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &at->at(key);
  }
  return at->is_null() ? nullptr : at;
}

std::optional<std::string> text_of(const Json& line) {
  constexpr int kOk = 200;
  if (find(line, {"error"})) return std::nullopt;
  const Json* status = find(line, {"response", "status_code"});
  if (status && *status != kOk) return std::nullopt;
  const Json* choices = find(line, {"response", "body", "choices"});
  if (!choices || !choices->is_array() || choices->empty()) return std::nullopt;
  const Json* content = find(choices->front(), {"message", "content"});
  if (!content || !content->is_string()) return std::nullopt;
  return content->get<std::string>();
}

AnswerLine read_line(const JsonLines& lines) {
  const Json& value = lines.value();
  const Json* id = find(value, {"custom_id"});
  if (!id || !id->is_string()) {
    throw InputError(lines.place() +
                     ": has no text custom_id; give the file that the batch wrote, a line "
                     "{\"custom_id\": ..., \"response\": ..., \"error\": ...} for each prompt");
  }
  if (!value.contains("response") && !value.contains("error")) {
    throw InputError(lines.place() +
                     ": holds neither response nor error; is this the file of "
                     "prompts? give the one with the answers");
  }
  return {id->get<std::string>(), text_of(value)};
}

using Texts = std::unordered_map<std::string, std::optional<std::string>>;

Texts read_answers(const std::string& path, const std::unordered_map<std::string, int>& known,
                   const std::string& arm) {
  Texts texts;
  JsonLines lines(path);
  while (lines.next()) {
    AnswerLine answer = read_line(lines);
    if (known.count(answer.id) == 0) {
      throw InputError(lines.place() + ": custom_id \"" + answer.id +
                       "\" is of no prompt of arm \"" + arm +
                       "\"; answers are scored with the sweep file, the overrides and the arm that "
                       "the prompts were exported with");
    }
    if (!texts.emplace(answer.id, std::move(answer.text)).second) {
      throw InputError(lines.place() + ": custom_id \"" + answer.id +
                       "\" is there twice; leave one answer to each prompt");
    }
  }
  return texts;
}

/// The arm's answers from the texts; what it read to make its prompts stays counted.
void judge(const Asked& asked, const Texts& texts, ArmAnswers* answers, PromptScore* score) {
  answers->score.clear();
  answers->num_unanswered = 0;
  answers->right.assign(asked.prompts.size(), 0);
  for (std::size_t i = 0; i < asked.prompts.size(); ++i) {
    const Prompt& prompt = asked.prompts[i];
    const std::string id = custom_id(asked, i);
    const auto found = texts.find(id);
    ++score->num_prompts;
    std::optional<std::size_t> said;
    if (found == texts.end()) {
      score->missing.push_back(id);
    } else if (!found->second) {
      score->failed.push_back(id);
    } else {
      said = read_answer(prompt.answers, *found->second);
      if (!said) score->unparsed.push_back(id);
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
  check_has_study(plan);
  require_preregistration(plan);
  std::string lines;
  for (std::int64_t index = 0; index < plan.num_configurations(); ++index) {
    const Asked asked = ask(plan, index, request.arm, device);
    for (std::size_t i = 0; i < asked.prompts.size(); ++i) {
      const Prompt& prompt = asked.prompts[i];
      nlohmann::ordered_json line;
      line["custom_id"] = custom_id(asked, i);
      line["method"] = "POST";
      line["url"] = "/v1/chat/completions";
      auto& body = line["body"];
      body["model"] = request.model;
      body["messages"] =
          nlohmann::ordered_json::array({{{"role", "system"}, {"content", prompt.instructions}},
                                         {{"role", "user"}, {"content", prompt.question}}});
      body["max_tokens"] = request.max_tokens;
      lines += json_text(line) + "\n";
    }
  }
  return lines;
}

PromptScore score_answers(const SweepPlan& plan, const std::string& arm,
                          const std::string& answers_path, Device& device) {
  check_has_study(plan);
  require_preregistration(plan);
  std::vector<Asked> all;
  std::unordered_map<std::string, int> known;
  for (std::int64_t index = 0; index < plan.num_configurations(); ++index) {
    all.push_back(ask(plan, index, arm, device));
    for (std::size_t i = 0; i < all.back().prompts.size(); ++i) ++known[custom_id(all.back(), i)];
  }
  const Texts texts = read_answers(answers_path, known, arm);
  if (texts.empty()) throw InputError(answers_path + ": holds no answer");
  PromptScore score;
  score.run.name = plan.name();
  score.run.resolved = plan.resolved();
  score.run.axis_keys = plan.axis_keys();
  score.run.num_configurations = plan.num_configurations();
  for (const Asked& asked : all) {
    std::vector<ArmAnswers> answers = asked.experiment.study->run(device);
    judge(asked, texts, &answers.at(asked.arm), &score);
    add_rows(asked, answers, &score.run);
  }
  return score;
}

}  // namespace sightline::host
