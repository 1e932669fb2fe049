#include "host/studies/retrieval_depth.h"

#include <algorithm>
#include <utility>

#include "host/config/place.h"
#include "host/studies/note_settings.h"
#include "host/studies/note_texts.h"

namespace sightline::host {
namespace {

class RetrievalDepth : public Study {
 public:
  explicit RetrievalDepth(NoteSettings settings) : settings_(std::move(settings)) {
    std::int64_t index = 0;
    for (const Scenario& scenario : read_scenarios(settings_.file("warning"))) {
      add_warning(word(scenario, index++, settings_.paraphrase));
    }
    index = 0;
    for (const Scenario& scenario : read_scenarios(settings_.file("resume"))) {
      const WordedScenario worded = word(scenario, index++, settings_.paraphrase);
      if (worded.note) notes_.push_back(*worded.note);
    }
    const std::vector<Note> episodes = read_episodes(settings_.file("episodes"));
    notes_.insert(notes_.end(), episodes.begin(), episodes.end());
  }

  bool repeats() const override { return true; }
  bool is_one_observation() const override { return true; }  ///< one wording of the scenarios
  std::int64_t num_trials() const override { return static_cast<std::int64_t>(trials_.size()); }
  std::vector<std::string> files() const override { return settings_.files; }

  std::vector<ArmAnswers> run(Device&) const override {
    const NoteStore store = make_note_store(notes_, {}, settings_.seed);
    std::vector<ArmAnswers> answers;
    for (const NoteArm& arm : settings_.arms) answers.push_back(ask(arm, store));
    return answers;
  }

  // What is right is the note on the object, and arms bound to it look there and nowhere else.
  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties;
    for (const NoteArm& arm : settings_.arms) {
      ties.push_back({std::nullopt, arm.surfaces_by_construction()});
    }
    return ties;
  }

 private:
  struct Trial {
    Note action;
    std::int64_t row;  ///< of the note on its object
  };

  void add_warning(const WordedScenario& scenario) {
    if (scenario.note) {
      trials_.push_back({scenario.action, static_cast<std::int64_t>(notes_.size())});
      notes_.push_back(*scenario.note);
    }
    notes_.insert(notes_.end(), scenario.others.begin(), scenario.others.end());
  }

  ArmAnswers ask(const NoteArm& arm, const NoteStore& store) const {
    NoteRecall recall(arm, store, settings_.embedder, settings_.seed);
    ArmAnswers answers;
    for (const Trial& trial : trials_) {
      const auto rows = recall.surfaced(trial.action.text, store.object_index(trial.action.object));
      answers.right.push_back(std::find(rows.begin(), rows.end(), trial.row) != rows.end());
    }
    answers.coordinate_reads = recall.coordinate_reads();
    answers.num_candidates = recall.num_candidates();
    return answers;
  }

  NoteSettings settings_;
  std::vector<Note> notes_;
  std::vector<Trial> trials_;
};

}  // namespace

std::unique_ptr<Study> make_retrieval_depth(const StudySettings& settings) {
  settings.study.allow_only({"texts", "paraphrase", "top_k", "embeddings"});
  NoteSettings parsed = parse_note_settings(settings, {"warning", "resume", "episodes"});
  return at_place(settings.study.at("texts").where(),
                  [&] { return std::make_unique<RetrievalDepth>(std::move(parsed)); });
}

}  // namespace sightline::host
