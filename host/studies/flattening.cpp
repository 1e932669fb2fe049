#include "host/studies/flattening.h"

#include <utility>

#include "host/studies/note_reader.h"
#include "host/studies/note_settings.h"
#include "host/studies/note_texts.h"

namespace sightline::host {
namespace {

class Flattening : public Study {
 public:
  Flattening(NoteSettings settings, NoteTask task)
      : settings_(std::move(settings)),
        task_(task),
        path_(settings_.file(note_task_names()[static_cast<std::size_t>(task)])) {
    std::int64_t index = 0;
    for (const Scenario& scenario : read_scenarios(path_)) {
      scenarios_.push_back(word(scenario, index++, settings_.paraphrase));
    }
  }

  std::int64_t num_trials() const override { return static_cast<std::int64_t>(scenarios_.size()); }
  std::vector<std::string> files() const override { return {path_}; }

  std::vector<ArmAnswers> run(Device&) const override {
    const NoteStore store = make_store();
    NoteReader reader;
    std::vector<ArmAnswers> answers;
    for (const NoteArm& arm : settings_.arms) answers.push_back(ask(arm, store, &reader));
    return answers;
  }

 private:
  NoteStore make_store() const {
    std::vector<Note> notes;
    std::vector<std::string> acted_on;
    for (const WordedScenario& scenario : scenarios_) {
      acted_on.push_back(scenario.action.object);
      if (scenario.note) notes.push_back(*scenario.note);
      notes.insert(notes.end(), scenario.others.begin(), scenario.others.end());
    }
    return make_note_store(notes, acted_on, settings_.seed);
  }

  ArmAnswers ask(const NoteArm& arm, const NoteStore& store, NoteReader* reader) const {
    NoteRecall recall(arm, store, settings_.seed);
    ArmAnswers answers;
    for (const WordedScenario& scenario : scenarios_) {
      const Note& action = scenario.action;
      std::vector<std::string> surfaced;
      for (const std::int64_t row :
           recall.surfaced(action.text, store.object_index(action.object))) {
        surfaced.push_back(store.texts[static_cast<std::size_t>(row)]);
      }
      const bool held_back =
          reader->decides(task_, action.text, action.object, surfaced, arm.is_bound());
      answers.right.push_back(held_back == scenario.note.has_value());
    }
    answers.coordinate_reads = recall.coordinate_reads();
    answers.num_candidates = recall.num_candidates();
    return answers;
  }

  NoteSettings settings_;
  NoteTask task_;
  std::string path_;
  std::vector<WordedScenario> scenarios_;
};

}  // namespace

std::unique_ptr<Study> make_flattening(const StudySettings& settings) {
  settings.study.allow_only({"texts", "task", "paraphrase", "top_k"});
  const auto task = static_cast<NoteTask>(
      settings.study.at("task").as_choice({"warning", "resume", "upstream_fix", "handoff"}));
  return std::make_unique<Flattening>(parse_note_settings(settings), task);
}

}  // namespace sightline::host
