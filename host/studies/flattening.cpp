#include "host/studies/flattening.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "host/config/place.h"
#include "host/error.h"
#include "host/studies/action_loop.h"
#include "host/studies/note_prompt.h"
#include "host/studies/note_reader.h"
#include "host/studies/note_settings.h"
#include "host/studies/note_texts.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

class Flattening : public Study {
 public:
  Flattening(NoteSettings settings, NoteTask task, std::int64_t num_rounds)
      : settings_(std::move(settings)), task_(task), num_rounds_(num_rounds) {
    const std::vector<Scenario> scenarios = read_scenarios(settings_.files.front());
    rounds_.resize(static_cast<std::size_t>(std::max<std::int64_t>(num_rounds_, 1)));
    for (std::size_t round = 0; round < rounds_.size(); ++round) {
      const std::int64_t set = settings_.paraphrase + static_cast<std::int64_t>(round);
      for (std::size_t i = 0; i < scenarios.size(); ++i) {
        rounds_[round].push_back(word(scenarios[i], static_cast<std::int64_t>(i), set));
      }
    }
  }

  /// In a loop the seed lays out the ground, and so the way.
  bool repeats() const override { return num_rounds_ == 0; }
  bool is_one_observation() const override { return true; }  ///< one wording of the scenarios
  std::int64_t num_trials() const override {
    return static_cast<std::int64_t>(rounds_.size() * rounds_.front().size());
  }
  std::vector<std::string> files() const override { return settings_.files; }

  std::vector<ArmAnswers> run(Device& device) const override {
    const NoteStore store = make_store();
    NoteReader reader;
    std::vector<ArmAnswers> answers;
    for (const NoteArm& arm : settings_.arms) {
      answers.push_back(num_rounds_ > 0
                            ? walk({task_, rounds_, store, settings_.seed}, arm, device).answers
                            : ask(arm, store, &reader));
    }
    return answers;
  }

  /// A bound arm surfaces the note on the object, and the reader goes by it.
  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties;
    for (const NoteArm& arm : settings_.arms) {
      ties.push_back({std::nullopt, arm.surfaces_by_construction()});
    }
    return ties;
  }

  /// None for an agent that walks: what it is told next depends on what it did.
  std::vector<Prompt> prompts(std::size_t arm, Device&) const override {
    std::vector<Prompt> prompts;
    if (num_rounds_ > 0) {
      throw InputError(
          "study.flattening.loop: what a round asks depends on the answers before it, so that no "
          "file holds all its prompts; leave out loop");
    }
    const NoteStore store = make_store();
    NoteRecall recall(settings_.arms.at(arm), store, settings_.embedder, settings_.seed);
    for (const NoteSituation& now : situations(settings_.arms[arm], store, &recall)) {
      prompts.push_back(note_prompt(task_, now, holds_back(prompts.size())));
    }
    return prompts;
  }

 private:
  NoteStore make_store() const {
    std::vector<Note> notes;
    std::vector<std::string> acted_on;
    for (const WordedScenario& scenario : rounds_.front()) {
      acted_on.push_back(scenario.action.object);
      if (scenario.note) notes.push_back(*scenario.note);
      notes.insert(notes.end(), scenario.others.begin(), scenario.others.end());
    }
    return make_note_store(notes, acted_on, settings_.seed);
  }

  /// What an arm puts before the agent, action by action.
  std::vector<NoteSituation> situations(const NoteArm& arm, const NoteStore& store,
                                        NoteRecall* recall) const {
    std::vector<NoteSituation> all;
    for (const WordedScenario& scenario : rounds_.front()) {
      const Note& action = scenario.action;
      NoteSituation& now = all.emplace_back();
      now.action = action.text;
      now.object = action.object;
      now.is_bound = arm.is_bound();
      for (const std::int64_t row :
           recall->surfaced(action.text, store.object_index(action.object))) {
        now.surfaced.push_back(store.texts[static_cast<std::size_t>(row)]);
      }
    }
    return all;
  }

  bool holds_back(std::size_t trial) const { return rounds_.front()[trial].note.has_value(); }

  ArmAnswers ask(const NoteArm& arm, const NoteStore& store, NoteReader* reader) const {
    NoteRecall recall(arm, store, settings_.embedder, settings_.seed);
    ArmAnswers answers;
    for (const NoteSituation& now : situations(arm, store, &recall)) {
      const Prompt prompt = note_prompt(task_, now, holds_back(answers.right.size()));
      const std::string said = answer_note_prompt(prompt.question, reader);
      answers.right.push_back(read_answer(prompt.answers, said) == prompt.right);
    }
    answers.coordinate_reads = recall.coordinate_reads();
    answers.num_candidates = recall.num_candidates();
    return answers;
  }

  NoteSettings settings_;
  NoteTask task_;
  std::int64_t num_rounds_;                          ///< 0: each action is asked once, by itself
  std::vector<std::vector<WordedScenario>> rounds_;  ///< one, unless the agent walks
};

/// Tasks stand in one table, and so are embedded by one model. Throws InputError at the folder of
/// embeddings where another task's have another width than those that were read.
void check_widths(const ConfigValue& embeddings, const TextEmbedder& embedder) {
  for (const std::string& task : note_task_names()) {
    const std::string path = embeddings.as_text() + "/" + task + ".npy";
    std::error_code unreadable;
    if (!std::filesystem::exists(path, unreadable)) continue;
    at_place(embeddings.where(), [&] {
      const NpyTable table(path);
      if (table.num_columns() == embedder.width()) return;
      table.fail("has " + std::to_string(table.num_columns()) + " dimensions, " +
                 embedder.files().back() + " " + std::to_string(embedder.width()) +
                 "; embed the texts of all tasks alike");
    });
  }
}

}  // namespace

std::unique_ptr<Study> make_flattening(const StudySettings& settings) {
  constexpr std::int64_t kMaxRounds = 100;
  settings.study.allow_only({"texts", "task", "paraphrase", "top_k", "embeddings", "loop"});
  const auto task = static_cast<NoteTask>(
      settings.study.at("task").as_choice({"warning", "resume", "upstream_fix", "handoff"}));
  const std::string name = note_task_names()[static_cast<std::size_t>(task)];
  std::int64_t num_rounds = 0;
  if (const ConfigValue* loop = settings.study.find("loop")) {
    loop->allow_only({"rounds"});
    num_rounds = loop->at("rounds").as_integer(1, kMaxRounds);
    const ConfigValue* embeddings = settings.study.find("embeddings");
    if (embeddings && !embeddings->is_null()) {
      loop->fail("makes memories that no file of embeddings has; leave out embeddings");
    }
  }
  NoteSettings parsed = parse_note_settings(settings, {name});
  if (!parsed.embedder.hashes()) check_widths(settings.study.at("embeddings"), parsed.embedder);
  return at_place(settings.study.at("texts").where(), [&] {
    return std::make_unique<Flattening>(std::move(parsed), task, num_rounds);
  });
}

}  // namespace sightline::host
