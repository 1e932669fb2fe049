#include "host/studies/navqa_questions.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/config/place.h"
#include "host/memory/parallel_rows.h"
#include "host/meta_memory/navqa.h"
#include "host/meta_memory/navqa_memory.h"

namespace sightline::host {
namespace {

constexpr double kPerKilometre = 1e-3;

struct NavqaSettings {
  std::string folder;
  std::optional<std::int64_t> run;  ///< none: all
  NavqaTruth truth = NavqaTruth::kSeenFrom;
  bool measures_errors = false;
  double within_m = 15;
  bool leaves_out_wrong = false;
  std::string captions, phrases;  ///< vectors; empty: none
};

class NavqaQuestions final : public Study {
 public:
  NavqaQuestions(NavqaSettings settings, Navqa navqa, std::optional<NavqaVectors> vectors,
                 std::vector<NavqaMethod> arms)
      : settings_(std::move(settings)),
        navqa_(std::move(navqa)),
        vectors_(std::move(vectors)),
        arms_(std::move(arms)) {
    for (const NavqaQuestion& question : navqa_.questions) {
      const bool is_asked = !settings_.run || question.sequence == *settings_.run;
      const bool has_truth = settings_.truth == NavqaTruth::kSeenFrom || question.object_m;
      if (is_asked && question.seen_from_m && has_truth) asked_.push_back(&question);
    }
  }

  std::int64_t num_trials() const override { return static_cast<std::int64_t>(asked_.size()); }
  bool repeats() const override { return true; }
  std::vector<std::string> files() const override {
    std::vector<std::string> files;
    for (const char* name :
         {"navqa_questions.tsv", "oc_navqa_positions.tsv", "captions_at_answers.jsonl"}) {
      files.push_back(settings_.folder + "/" + name);
    }
    for (const NavqaRun& run : navqa_.runs) {
      files.push_back(navqa_run_file(settings_.folder, run.sequence));
    }
    if (vectors_) files.insert(files.end(), {settings_.captions, settings_.phrases});
    return files;
  }
  std::vector<std::string> embedded_texts(Device&) const override { return navqa_texts(navqa_); }
  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties(arms_.size());
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
      ties[arm].same_predicate = arms_[arm] == NavqaMethod::kBest;
    }
    return ties;
  }

  std::vector<ArmAnswers> run(Device& device) const override {
    // [questions][arms]
    std::vector<std::vector<std::vector<NavqaError>>> errors(asked_.size());
    const auto ask = [&](std::int64_t trial) {
      const auto i = static_cast<std::size_t>(trial);
      for (const NavqaMethod method : arms_) {
        errors[i].push_back(errors_of(navqa_, *asked_[i], settings_.truth, method,
                                      vectors_ ? &*vectors_ : nullptr));
      }
    };
    for_each_row(num_trials(), device.num_threads(), ask, 1);
    std::vector<ArmAnswers> answers(arms_.size());
    for (std::size_t trial = 0; trial < errors.size(); ++trial) {
      const auto& of_question = errors[trial];
      const bool all_answer = std::all_of(of_question.begin(), of_question.end(),
                                          [](const auto& one) { return !one.empty(); });
      // An error that there is not has no mean; not to be right is an answer.
      if (settings_.measures_errors && !all_answer) continue;
      for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
        add(of_question[arm], &answers[arm]);
        answers[arm].trials.push_back(static_cast<std::int32_t>(trial));
      }
    }
    return answers;
  }

 private:
  void add(const std::vector<NavqaError>& errors, ArmAnswers* arm) const {
    double sum = 0, num_within = 0;
    for (const NavqaError& error : errors) {
      sum += std::min(error.space_m * kPerKilometre, 1.0);
      num_within += error.ground_m < settings_.within_m ? 1 : 0;
    }
    const auto n = static_cast<double>(errors.size());
    const double share = errors.empty() ? 0 : num_within / n;
    arm->right.push_back(share >= 1 ? 1 : 0);
    arm->score.push_back(settings_.measures_errors ? sum / n : share);
    arm->num_unanswered += errors.empty() ? 1 : 0;
    ++arm->coordinate_reads;
  }

  NavqaSettings settings_;
  Navqa navqa_;
  std::optional<NavqaVectors> vectors_;
  std::vector<NavqaMethod> arms_;
  std::vector<const NavqaQuestion*> asked_;  ///< of navqa_
};

NavqaSettings parse_settings(const ConfigValue& study) {
  study.allow_only(
      {"folder", "run", "truth", "measure", "within_m", "wrong_truth", "captions", "phrases"});
  NavqaSettings parsed;
  parsed.folder = study.at("folder").as_text();
  constexpr std::int64_t kMostRuns = 1'000'000;
  if (const ConfigValue* run = study.find("run")) {
    if (!run->is_text()) {
      parsed.run = run->as_integer(0, kMostRuns);
    } else if (run->as_text() != "all") {
      run->fail("must be all, or the number of a run, but is \"" + run->as_text() + "\"");
    }
  }
  if (const ConfigValue* truth = study.find("truth")) {
    parsed.truth = static_cast<NavqaTruth>(truth->as_choice({"robot", "thing"}));
  }
  if (const ConfigValue* measure = study.find("measure")) {
    parsed.measures_errors = measure->as_choice({"within", "error"}) == 1;
  }
  if (const ConfigValue* within = study.find("within_m")) parsed.within_m = within->as_positive();
  if (const ConfigValue* wrong = study.find("wrong_truth")) {
    parsed.leaves_out_wrong = wrong->as_choice({"kept", "left_out"}) == 1;
  }
  const ConfigValue *captions = study.find("captions"), *phrases = study.find("phrases");
  if ((captions == nullptr) != (phrases == nullptr)) {
    (captions ? captions : phrases)->fail_at_key("goes with the other of captions and phrases");
  }
  if (captions) parsed.captions = captions->as_text(), parsed.phrases = phrases->as_text();
  return parsed;
}

NavqaMethod parse_arm(const ConfigValue& arm, bool has_vectors) {
  const std::size_t answer =
      arm.at("answer").as_choice({"here", "random", "mean", "best", "bm25", "similar", "planner"});
  constexpr NavqaMethod kHashed[]{
      NavqaMethod::kCurrent, NavqaMethod::kRandom, NavqaMethod::kWindowMean, NavqaMethod::kBest,
      NavqaMethod::kBm25,    NavqaMethod::kHashed, NavqaMethod::kPlanned};
  const NavqaMethod method = kHashed[answer];
  const bool embeds = method == NavqaMethod::kHashed || method == NavqaMethod::kPlanned;
  arm.allow_only(embeds ? std::initializer_list<const char*>{"answer", "embedder"}
                        : std::initializer_list<const char*>{"answer"});
  if (const ConfigValue* embedder = arm.find("embedder")) {
    const bool is_hashed = embedder->as_choice({"hashed", "given"}) == 0;
    if (is_hashed) return method;
    if (!has_vectors) embedder->fail("needs captions and phrases of the study");
  }
  if (!embeds || !has_vectors) return method;
  return method == NavqaMethod::kHashed ? NavqaMethod::kVectors : NavqaMethod::kPlannedVectors;
}

void check_run(const ConfigValue& study, const Navqa& navqa, std::int64_t run) {
  std::string known;
  for (const NavqaRun& one : navqa.runs) {
    if (one.sequence == run) return;
    known += (known.empty() ? "" : ", ") + std::to_string(one.sequence);
  }
  study.at("run").fail("no question is asked of run " + std::to_string(run) + "; there are " +
                       known);
}

}  // namespace

std::unique_ptr<Study> make_navqa_questions(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  NavqaSettings parsed = parse_settings(study);
  std::vector<NavqaMethod> arms;
  for (const auto& arm : settings.arms) {
    arms.push_back(parse_arm(arm.second, !parsed.captions.empty()));
  }
  const std::string& folder = parsed.folder;
  if (!std::filesystem::is_directory(folder)) {
    study.at("folder").fail(folder +
                            ": is no folder; -s study.navqa_questions.folder=FOLDER names the one "
                            "that has NaVQA's questions (navqa_coda of the reference data)");
  }
  Navqa navqa = at_place(study.at("folder").where(), [&] { return read_navqa(folder); });
  if (parsed.run) check_run(study, navqa, *parsed.run);
  std::optional<NavqaVectors> vectors;
  if (!parsed.captions.empty()) {
    vectors = at_place(study.at("captions").where(),
                       [&] { return read_navqa_vectors(navqa, parsed.captions, parsed.phrases); });
  }
  if (parsed.leaves_out_wrong) navqa = without_out_of_run(navqa);
  return std::make_unique<NavqaQuestions>(std::move(parsed), std::move(navqa), std::move(vectors),
                                          std::move(arms));
}

}  // namespace sightline::host
