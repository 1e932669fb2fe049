// The study of scenes that change behind an explorer's back, as configs/ has it but smaller: what
// its arms that need no solver score is told by the tour alone, which is followed here by the rule
// of what is in view.
#include "host/studies/space_changes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/false_belief.h"
#include "host/theory_of_space/false_belief_phase.h"
#include "host/theory_of_space/scene_generator.h"
#include "support/places.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using host::ArmAnswers;
using host::ConfigValue;

constexpr std::uint64_t kSeed = 3;
constexpr std::int64_t kScenes = 12;
constexpr double kRounding = 1e-12;  ///< of sums of four numbers

/// The study of configs/theory_of_space_false_belief.yaml with fewer scenes.
class FewScenes {
 public:
  FewScenes()
      : file_(ConfigValue::load_yaml(source_file("configs/theory_of_space_false_belief.yaml"))) {
    set("study.space_changes.scenes.count", ConfigValue::integer(kScenes));
  }
  void set(const std::string& path, const ConfigValue& value) { file_.set_path(path, value); }

  const ConfigValue& measures() const { return file_.at("axes").at("study.space_changes.measure"); }

  std::vector<double> scores(const std::string& measure, const std::string& arm) {
    set("study.space_changes.measure", ConfigValue::text(measure));
    const std::vector<ConfigValue::Entry> arms{{arm, file_.at("arms").at(arm)}};
    const auto study =
        host::make_space_changes({file_.at("study").at("space_changes"), arms, kSeed});
    EXPECT_EQ(study->num_trials(), kScenes);
    host::Device device(host::DeviceChoice::kCpu, 1);
    return study->run(device).at(0).score;
  }

 private:
  ConfigValue file_;
};

/// What the second exploration of a scene sees of what changed.
struct Tour {
  Scene scene;
  std::vector<SceneChange> changes;
  std::vector<bool> is_seen;  ///< of each change
  int num_turns = 0, num_seen = 0;
  int num_looks = 0, looks_when_all_seen = 0;  ///< up to the last that is seen at all

  double share_seen() const { return num_seen / static_cast<double>(changes.size()); }
  bool has_seen(bool moved) const {
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (is_seen[i] && changes[i].moved == moved) return true;
    }
    return false;
  }
};

/// In one's room, within 45 degrees of straight ahead, and not where one stands.
bool is_in_view(const Pose& pose, Cell cell, int room) {
  const Cell ahead = vector_of(pose.heading), off = cell - pose.cell;
  const int forward = off.x * ahead.x + off.y * ahead.y;
  const int aside = std::abs(off.x * ahead.y - off.y * ahead.x);
  return (pose.rooms.first == room || pose.rooms.second == room) && forward > 0 && aside <= forward;
}

Tour tour_of(std::uint64_t number, const std::string& explorer, int budget) {
  Tour tour;
  tour.scene = generate_scene({}, kSeed, number);
  tour.changes = draw_changes(tour.scene, {}, kSeed, number);
  tour.is_seen.resize(tour.changes.size());
  const Scene after = changed_scene(tour.scene, tour.changes);
  EpisodeOptions options;
  options.budget = budget;
  const auto tourist = make_explorer(explorer, after, options, Profile::kCode, 0, "here");
  explore(after, tourist.get(), options, Profile::kCode,
          [&](const Episode& episode, const RevisingBelief&) {
            ++tour.num_turns;
            if (!episode.last().observation) return;
            ++tour.num_looks;
            for (std::size_t i = 0; i < tour.changes.size(); ++i) {
              const Cell cell = tour.changes[i].cell;
              if (tour.is_seen[i] || !is_in_view(episode.pose(), cell, after.mask.at(cell))) {
                continue;
              }
              tour.is_seen[i] = true;
              ++tour.num_seen;
              tour.looks_when_all_seen = tour.num_looks;
            }
          });
  return tour;
}

std::vector<Tour> tours_of(const std::string& explorer, int budget) {
  std::vector<Tour> tours;
  for (std::uint64_t number = 0; number < static_cast<std::uint64_t>(kScenes); ++number) {
    tours.push_back(tour_of(number, explorer, budget));
  }
  return tours;
}

template <class Score>
void expect_scores(const std::vector<double>& scores, const std::vector<Tour>& tours,
                   const std::string& what, const Score& score) {
  ASSERT_EQ(scores.size(), tours.size()) << what;
  for (std::size_t i = 0; i < tours.size(); ++i) {
    EXPECT_NEAR(scores[i], score(tours[i]), kRounding) << what << ", scene " << i;
  }
}

double f1(double num_right, double num_true, double num_said) {
  return num_right == 0 ? 0 : 2 * num_right / (num_true + num_said);
}

/// In 15 turns SCOUT sees everything; in five it does not.
TEST(SpaceChanges, WhoIsToldTheTruthSaysWhatItSees) {
  FewScenes study;
  for (const int budget : {15, 5}) {
    study.set("study.space_changes.budget", ConfigValue::integer(budget));
    const std::vector<Tour> tours = tours_of("scout", budget);
    const auto expect = [&](const char* measure, const auto& score) {
      expect_scores(study.scores(measure, "exact"), tours,
                    std::string(measure) + " in " + std::to_string(budget), score);
    };
    const auto num_seen = [](const Tour& tour, bool moved) {
      int count = 0;
      for (std::size_t i = 0; i < tour.changes.size(); ++i) {
        count += tour.is_seen[i] && tour.changes[i].moved == moved ? 1 : 0;
      }
      return count;
    };
    expect("f1", [](const Tour& t) { return f1(t.num_seen, 4, t.num_seen); });
    for (const bool moved : {true, false}) {
      expect(moved ? "f1_moved" : "f1_rotated",
             [&](const Tour& t) { return f1(num_seen(t, moved), 2, num_seen(t, moved)); });
    }
    expect("correctness", [](const Tour& t) { return t.share_seen(); });
    expect("inertia", [](const Tour&) { return 0.5; });
    expect("facing_inertia", [](const Tour&) { return 0; });
    int num_unseen = 0;
    for (const Tour& tour : tours) num_unseen += 4 - tour.num_seen;
    EXPECT_EQ(num_unseen > 0, budget == 5);
  }
}

/// STRATEGIST with queries knows every cell of the first scene; who then learns nothing believes
/// what was true: exp(-d / L) of what moved, L being the root mean square of how far objects are
/// from the start.
TEST(SpaceChanges, WhoLearnsNothingIsAsWrongAsTheSceneHasChanged) {
  FewScenes study;
  study.set("arms.stale.explorer", ConfigValue::text("strategist_queries"));
  for (const int budget : {15, 4}) {
    study.set("study.space_changes.budget", ConfigValue::integer(budget));
    const std::vector<Tour> tours = tours_of("strategist_queries", budget);
    const auto expect = [&](const char* measure, const auto& score) {
      expect_scores(study.scores(measure, "stale"), tours,
                    std::string(measure) + " in " + std::to_string(budget), score);
    };
    expect("correctness", [](const Tour& t) {
      double squared = 0;
      for (const SceneObject& object : t.scene.objects) {
        squared += std::pow(object.cell.x - t.scene.start.cell.x, 2) +
                   std::pow(object.cell.y - t.scene.start.cell.y, 2);
      }
      const double scale = std::sqrt(squared / static_cast<double>(t.scene.objects.size()));
      double sum = 0;
      for (std::size_t i = 0; i < t.changes.size(); ++i) {
        if (!t.is_seen[i] || !t.changes[i].moved) continue;
        const Cell from = t.scene.cell_of(t.changes[i].item), to = t.changes[i].cell;
        sum += std::exp(-std::hypot(to.x - from.x, to.y - from.y) / scale);
      }
      return sum / static_cast<double>(t.changes.size());
    });
    expect("inertia", [](const Tour& t) { return t.has_seen(true) ? 1 : 0.5; });
    expect("facing_inertia", [](const Tour& t) { return t.has_seen(false) ? 1 : 0; });
    for (const char* measure : {"f1", "f1_moved", "f1_rotated"}) {
      expect(measure, [](const Tour&) { return 0; });
    }
  }
}

/// Turns count the last, which says that all is done; looks after the last changed thing was seen
/// are redundant.
TEST(SpaceChanges, StepsAndRedundancyAreThoseOfTheTour) {
  FewScenes study;
  for (const int budget : {15, 5}) {
    study.set("study.space_changes.budget", ConfigValue::integer(budget));
    for (const auto& [arm, explorer] :
         {std::pair("revises", "scout"), std::pair("revises_strategist", "strategist"),
          std::pair("exact", "scout")}) {
      const std::vector<Tour> tours = tours_of(explorer, budget);
      expect_scores(study.scores("steps", arm), tours, arm,
                    [&](const Tour& t) { return t.num_turns / static_cast<double>(budget); });
      expect_scores(study.scores("redundancy", arm), tours, arm, [&](const Tour& t) {
        return (t.num_looks - t.looks_when_all_seen) / static_cast<double>(budget);
      });
    }
  }
}

/// Who knew every cell and sees every cell again finds all that changed, and keeps no old facing.
TEST(SpaceChanges, WhoRevisesWhatItKnewFindsAllThatChanged) {
  FewScenes study;
  study.set("arms.revises.explorer", ConfigValue::text("strategist_queries"));
  constexpr int kEnough = 200;  // turns
  study.set("study.space_changes.budget", ConfigValue::integer(kEnough));
  for (const char* measure : {"f1", "f1_moved", "f1_rotated"}) {
    for (const double score : study.scores(measure, "revises")) EXPECT_EQ(score, 1) << measure;
  }
  for (const double score : study.scores("facing_inertia", "revises")) EXPECT_EQ(score, 0);
}

/// `paper` is another belief than `code`, and the one of both explorations.
TEST(SpaceChanges, TheProfileOfTheEpisodeIsThatOfTheBelief) {
  FewScenes study;
  std::vector<double> found[2];
  for (const Profile profile : {Profile::kCode, Profile::kPaper}) {
    const bool is_paper = profile == Profile::kPaper;
    study.set("study.space_changes.episode.profile",
              ConfigValue::text(is_paper ? "paper" : "code"));
    std::vector<double>& scores = found[is_paper ? 1 : 0];
    scores = study.scores("correctness", "revises");
    for (std::uint64_t number = 0; number < scores.size(); ++number) {
      const Scene scene = generate_scene({}, kSeed, number);
      FalseBeliefSettings phase;
      phase.profile = profile;
      phase.seed = number;
      const auto changes = draw_changes(scene, {}, kSeed, number);
      EXPECT_EQ(scores[number], run_false_belief(scene, changes, phase).correctness) << number;
    }
  }
  EXPECT_NE(found[0], found[1]);
}

/// Every measure that the file varies is one, and every arm has a score of each trial in [0, 1].
TEST(SpaceChanges, AllMeasuresOfTheFileAreShares) {
  FewScenes study;
  EXPECT_EQ(study.measures().items().size(), 8U);
  for (const ConfigValue& measure : study.measures().items()) {
    for (const char* arm : {"revises", "revises_strategist", "revises_gain", "stale", "exact"}) {
      const std::vector<double> scores = study.scores(measure.as_text(), arm);
      EXPECT_EQ(scores.size(), static_cast<std::size_t>(kScenes));
      for (const double score : scores) EXPECT_TRUE(score >= 0 && score <= 1) << score;
    }
  }
}

}  // namespace
}  // namespace sightline::tests
