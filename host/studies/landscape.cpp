#include "host/studies/landscape.h"

#include <filesystem>
#include <utility>

#include "host/config/place.h"
#include "host/error.h"
#include "host/studies/landscape_arms.h"
#include "host/studies/landscape_graph.h"

namespace sightline::host {
namespace {

class LandscapeStudy final : public Study {
 public:
  LandscapeStudy(LandscapeTrialSettings trials, std::string file, std::string place,
                 std::vector<LandscapeArm> arms, TextEmbedder embedder)
      : trials_(std::move(trials)),
        file_(std::move(file)),
        place_(std::move(place)),
        arms_(std::move(arms)),
        embedder_(std::move(embedder)) {}

  std::int64_t num_trials() const override { return trials_.num_trials; }
  std::vector<std::string> files() const override {
    std::vector<std::string> files{file_};
    files.insert(files.end(), embedder_.files().begin(), embedder_.files().end());
    return files;
  }

  std::vector<ArmAnswers> run(Device& device) const override {
    const World world = battery_world();  // the truth asks its solids, arms its voxels
    const std::vector<LandscapeTrial> trials = trials_in(world, device);
    std::vector<ArmAnswers> answers;
    for (const LandscapeArm& arm : arms_) {
      answers.push_back(
          arm.kind == LandscapeArmKind::kGeometry
              ? answer_by_geometry(arm, trials_.type, trials, trials_.seed, world, device)
              : at_place(place_,
                         [&] { return answer_by_content(arm, trials_.type, trials, embedder_); }));
    }
    return answers;
  }

  std::vector<std::string> embedded_texts(Device& device) const override {
    std::vector<std::string> texts;
    for (const LandscapeTrial& trial : trials_in(battery_world(), device)) {
      texts.push_back(trial.question);
      for (const LandscapeNote& note : trial.notes) texts.push_back(note.text);
      const std::vector<std::string> more = texts_of_graph(trial.notes);
      texts.insert(texts.end(), more.begin(), more.end());
    }
    return texts;
  }

  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties(arms_.size());
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      ties[i].same_predicate = arms_[i].kind == LandscapeArmKind::kGeometry &&
                               arms_[i].anchors == Anchors::kSubject &&
                               trials_.type != LandscapeType::kControl;
    }
    return ties;
  }

 private:
  std::vector<LandscapeTrial> trials_in(const World& world, Device& device) const {
    return at_place(place_, [&] {
      return make_landscape_trials(trials_, read_landscape_texts(file_), world, device);
    });
  }

  LandscapeTrialSettings trials_;
  std::string file_, place_;
  std::vector<LandscapeArm> arms_;
  TextEmbedder embedder_;
};

/// Throws InputError, with what makes them, unless the list of texts and its embeddings are there.
void check_embedded(const std::string& stem) {
  for (const char* suffix : {".jsonl", ".npy"}) {
    std::error_code unreadable;
    if (std::filesystem::exists(stem + suffix, unreadable)) continue;
    throw InputError(stem + suffix +
                     " is not there. The trials write their texts: list them by `sightline texts "
                     "SWEEP.yaml -s study.landscape.embeddings=null --out " +
                     stem + ".jsonl`, embed them by `.venv/bin/python scripts/embed.py " + stem +
                     ".jsonl " + stem + ".npy --bge` (scripts/setup.sh --embed installs it)");
  }
}

}  // namespace

std::unique_ptr<Study> make_landscape(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only(
      {"texts", "domain", "type", "trials", "paraphrase", "truth_step_m", "embeddings"});
  LandscapeTrialSettings trials;
  trials.seed = settings.seed;
  trials.domain = study.at("domain").as_text();
  trials.type = static_cast<LandscapeType>(study.at("type").as_choice(
      {"occlusion", "relation", "near_duplicate", "multi_region", "control"}));
  constexpr std::int64_t kMostTrials = 1'000'000;
  constexpr double kFinest_m = 0.001, kCoarsest_m = 1;
  if (const ConfigValue* value = study.find("trials")) {
    trials.num_trials = value->as_integer(1, kMostTrials);
  }
  if (const ConfigValue* value = study.find("paraphrase")) {
    trials.paraphrase = value->as_number(0, 1);
  }
  if (const ConfigValue* value = study.find("truth_step_m")) {
    trials.truth_step_m = value->as_number(kFinest_m, kCoarsest_m);
  }
  std::string folder = "configs/corpora/landscape";
  if (const ConfigValue* value = study.find("texts")) folder = value->as_text();
  TextEmbedder embedder;
  const ConfigValue* embeddings = study.find("embeddings");
  if (embeddings && !embeddings->is_null()) {
    const std::string stem = embeddings->as_text() + "/texts";
    at_place(embeddings->where(), [&] {
      check_embedded(stem);
      embedder.add(stem + ".jsonl", TextEmbedder::read_list(stem + ".jsonl"), stem);
    });
  }
  std::vector<LandscapeArm> arms;
  for (const auto& [name, arm] : settings.arms) arms.push_back(parse_landscape_arm(arm, embedder));
  const std::string file = folder + "/" + trials.domain + ".jsonl";
  return std::make_unique<LandscapeStudy>(std::move(trials), file, study.where(), std::move(arms),
                                          std::move(embedder));
}

}  // namespace sightline::host
