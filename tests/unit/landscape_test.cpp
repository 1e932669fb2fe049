// The landscape study: its words, the truth of its worlds, and who answers how.
#include "host/studies/landscape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "host/studies/landscape_arms.h"
#include "host/studies/scene_graph.h"
#include "support/errors.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/search.h"

namespace sightline {
namespace {

using namespace host;
using kernels::Vec3;
using tests::input_error_of;

constexpr std::int64_t kTrials = 160;
const std::vector<std::string> kDomains{"village", "library", "workshop"};
const std::vector<LandscapeType> kTypes{LandscapeType::kOcclusion, LandscapeType::kRelation,
                                        LandscapeType::kNearDuplicate, LandscapeType::kMultiRegion,
                                        LandscapeType::kControl};
const std::vector<std::string> kMethods{
    "bm25", "dense", "hybrid", "clusters", "generative_agents", "pagerank"};

std::string folder() { return tests::source_file("configs/corpora/landscape"); }

LandscapeTexts texts_of(const std::string& domain) {
  return read_landscape_texts(folder() + "/" + domain + ".jsonl");
}

std::vector<LandscapeTrial> trials_of(LandscapeType type, const std::string& domain = "village",
                                      std::int64_t num_trials = kTrials, double paraphrase = 0.7,
                                      std::uint64_t seed = 1) {
  LandscapeTrialSettings settings;
  settings.type = type;
  settings.domain = domain;
  settings.num_trials = num_trials;
  settings.paraphrase = paraphrase;
  settings.seed = seed;
  Device cpu(DeviceChoice::kCpu, 1);
  return make_landscape_trials(settings, texts_of(domain), battery_world(), cpu);
}

LandscapeArm arm_of(const std::string& yaml) {
  return parse_landscape_arm(ConfigValue::parse_yaml(yaml, "arm.yaml"), TextEmbedder());
}

double accuracy_of(const ArmAnswers& answers) {
  double right = 0;
  for (const std::uint8_t one : answers.right) right += one;
  return right / static_cast<double>(answers.right.size());
}

ArmAnswers content(const std::string& yaml, LandscapeType type,
                   const std::vector<LandscapeTrial>& trials) {
  return answer_by_content(arm_of("{answer: " + yaml + "}"), type, trials, TextEmbedder());
}

ArmAnswers geometry(const std::string& yaml, LandscapeType type,
                    const std::vector<LandscapeTrial>& trials) {
  Device cpu(DeviceChoice::kCpu, 1);
  return answer_by_geometry(arm_of("{answer: geometry" + yaml + "}"), type, trials, 1,
                            battery_world(), cpu);
}

TEST(LandscapeTexts, HoldNoDigitsAndNoBraces) {
  for (const std::string& domain : kDomains) {
    for (const LandscapeType type : kTypes) {
      for (const LandscapeTrial& trial : trials_of(type, domain)) {
        std::string all = trial.question;
        for (const LandscapeNote& note : trial.notes) all += note.text;
        EXPECT_EQ(all.find_first_of("0123456789{}"), std::string::npos) << all;
      }
    }
  }
}

TEST(LandscapeTexts, AreFilledIntoFrames) {
  EXPECT_EQ(fill_frame("{a} and {b}, {a}", {{"a", "one"}, {"b", "two"}}), "One and two, one");
  EXPECT_EQ(fill_frame("nothing {else}", {{"a", "one"}}), "Nothing {else}");
}

class LandscapeFile : public testing::Test {
 protected:
  std::string fault_of(const std::string& line) const {
    tests::write_text(folder_ / "d.jsonl", line + "\n");
    return input_error_of([&] { read_landscape_texts(folder_ / "d.jsonl"); });
  }
  tests::TemporaryFolder folder_;
};

TEST_F(LandscapeFile, IsRefusedWithItsLine) {
  EXPECT_NE(fault_of(R"({"kind": "thin", "text": "x"})").find("d.jsonl:1: kind is \"thin\""),
            std::string::npos);
  EXPECT_NE(fault_of(R"({"kind": "thing", "text": "x"})").find("paraphrase"), std::string::npos);
  EXPECT_NE(fault_of(R"({"kind": "note", "text": "{place}"})").find("{place}"), std::string::npos);
  EXPECT_NE(fault_of(R"({"kind": "note", "text": "{thing"})").find("brace"), std::string::npos);
  EXPECT_NE(fault_of(R"({"kind": "question", "type": "why", "text": "x"})").find("\"why\""),
            std::string::npos);
  EXPECT_NE(fault_of(R"({"kind": "activity", "text": "x", "paraphrase": "y", "importance": 11})")
                .find("from 1 to 10"),
            std::string::npos);
  EXPECT_NE(fault_of(R"({"kind": "region", "text": "x"})").find("holds 0 lines of kind thing"),
            std::string::npos);
}

TEST(LandscapeTrials, AskForAnotherThingEach) {
  for (const std::string& domain : kDomains) {
    std::set<std::string> keys;
    for (const LandscapeTrial& trial : trials_of(LandscapeType::kRelation, domain)) {
      EXPECT_TRUE(keys.insert(trial.object_key).second) << trial.object_key;
      EXPECT_EQ(trial.notes.size(), 4u);
      const auto is_asked_for = [&](const LandscapeNote& note) {
        return note.object_key == trial.object_key;
      };
      EXPECT_EQ(std::count_if(trial.notes.begin(), trial.notes.end(), is_asked_for), 1);
    }
  }
  EXPECT_NE(input_error_of([] {
              trials_of(LandscapeType::kRelation, "village", 641);
            }).find("640 pairs of a thing and a material"),
            std::string::npos);
}

TEST(LandscapeTrials, DependOnSeedAndNumberAlone) {
  for (const LandscapeType type : kTypes) {
    const auto few = trials_of(type, "library", 10), many = trials_of(type, "library", 50);
    const auto others = trials_of(type, "library", 10, 0.7, 2);
    int num_other = 0;
    for (std::size_t i = 0; i < few.size(); ++i) {
      EXPECT_EQ(few[i].question, many[i].question);
      EXPECT_EQ(few[i].scene.truth, many[i].scene.truth);
      EXPECT_EQ(few[i].notes.back().text, many[i].notes.back().text);
      EXPECT_EQ(few[i].scene.things_m[0].x, many[i].scene.things_m[0].x);
      num_other += few[i].scene.things_m[0].x == others[i].scene.things_m[0].x ? 0 : 1;
    }
    EXPECT_EQ(num_other, 10);
  }
}

/// Does the segment meet Pilot 2's wall outside its door? By slabs, in closed form.
bool crosses_wall(const Vec3& a, const Vec3& b) {
  const double enter = (9.5 - a.x) / (b.x - a.x), leave = (10.5 - a.x) / (b.x - a.x);
  if (b.x <= 9.5) return false;
  const double z_in = a.z + enter * (b.z - a.z);
  const double z_out = a.z + std::min(leave, 1.0) * (b.z - a.z);
  return std::min(z_in, z_out) < 9 || std::max(z_in, z_out) > 11;
}

TEST(LandscapeTruth, OfOcclusionIsThatOfTheWall) {
  // A march of 0.05 m may miss a chord through a corner of the door that is shorter.
  constexpr int kMissed = 2;
  int num_wrong = 0;
  double num_visible = 0;
  for (const std::string& domain : kDomains) {
    for (const LandscapeTrial& trial : trials_of(LandscapeType::kOcclusion, domain)) {
      const LandscapeScene& scene = trial.scene;
      const bool hidden = crosses_wall(scene.standpoint_m, scene.things_m[scene.subject]);
      num_wrong += (scene.truth == kNo) == hidden ? 0 : 1;
      num_visible += scene.truth == kYes ? 1 : 0;
    }
  }
  EXPECT_LE(num_wrong, kMissed);
  // 0.577 of 480 in 200 replications of the specification, 3 deviations.
  EXPECT_NEAR(num_visible / (3 * kTrials), 0.577, 0.068);
}

TEST(LandscapeTruth, OfRelationIsTheSideByProjections) {
  std::set<std::int64_t> sides;
  for (const LandscapeTrial& trial : trials_of(LandscapeType::kRelation)) {
    const LandscapeScene& scene = trial.scene;
    const kernels::Pose pose =
        make_pose_deg(Frame::kSceneYUp, scene.standpoint_m, scene.yaw_deg, 0);
    const Vec3 to = kernels::minus(scene.things_m[scene.subject], scene.standpoint_m);
    const double ahead = kernels::dot(to, pose.forward), right = kernels::dot(to, pose.right);
    const Side along = ahead > 0 ? Side::kFront : Side::kBehind;
    const Side across = right > 0 ? Side::kRight : Side::kLeft;
    const auto side = static_cast<std::int64_t>(std::abs(ahead) > std::abs(right) ? along : across);
    EXPECT_EQ(side, scene.truth);
    sides.insert(side);
  }
  EXPECT_EQ(sides.size(), 4u);
}

TEST(LandscapeTruth, OfRegionsIsWhereMoreStand) {
  for (const LandscapeTrial& trial : trials_of(LandscapeType::kMultiRegion)) {
    const LandscapeScene& scene = trial.scene;
    ASSERT_EQ(scene.regions.size(), 2u);
    int count[2] = {0, 0};
    for (const Vec3& p : scene.things_m) {
      for (int r = 0; r < 2; ++r) {
        const LandscapeRegion& region = scene.regions[static_cast<std::size_t>(r)];
        const bool in_x = p.x > region.min_x && p.x < region.max_x;
        count[r] += in_x && p.z > region.min_z && p.z < region.max_z ? 1 : 0;
      }
    }
    EXPECT_GE(std::min(count[0], count[1]), 1);
    EXPECT_EQ(count[1] > count[0] ? 1 : 0, scene.truth);
    EXPECT_NE(count[0], count[1]);
    for (const LandscapeNote& note : trial.notes) EXPECT_EQ(note.text, trial.notes[0].text);
  }
}

TEST(LandscapeTruth, OfNearDuplicatesIsWhereOneStands) {
  for (const LandscapeTrial& trial : trials_of(LandscapeType::kNearDuplicate)) {
    const LandscapeScene& scene = trial.scene;
    ASSERT_EQ(trial.notes.size(), 2u);
    EXPECT_EQ(trial.notes[0].text, trial.notes[1].text);
    const auto here = static_cast<std::size_t>(scene.truth);
    EXPECT_EQ(scene.things_m[here].x, scene.standpoint_m.x);
    EXPECT_EQ(scene.things_m[here].z, scene.standpoint_m.z);
    EXPECT_NE(scene.things_m[1 - here].x, scene.standpoint_m.x);
  }
}

class LandscapeContent : public tests::WithFaiss {};

TEST_F(LandscapeContent, FindsWhatAQuestionSaysInTheNotesWords) {
  // In the words of the note itself a method that does not find it is broken. Generative Agents
  // weighs age and importance as much.
  constexpr double kNearlyAll = 0.97;
  const auto trials = trials_of(LandscapeType::kControl, "village", kTrials, 0);
  for (const std::string& method : kMethods) {
    if (method == "generative_agents") continue;
    EXPECT_GE(accuracy_of(content(method, LandscapeType::kControl, trials)), kNearlyAll) << method;
  }
  const std::string relevance = "generative_agents, weights: {recency: 0, importance: 0}";
  EXPECT_GE(accuracy_of(content(relevance, LandscapeType::kControl, trials)), kNearlyAll);
}

TEST_F(LandscapeContent, ReadsNoPlace) {
  for (const LandscapeType type : kTypes) {
    std::vector<LandscapeTrial> trials = trials_of(type);
    std::vector<LandscapeTrial> moved = trials;
    for (LandscapeTrial& trial : moved) {
      std::reverse(trial.scene.things_m.begin(), trial.scene.things_m.end());
      for (LandscapeRegion& region : trial.scene.regions) region = {};
      trial.scene.standpoint_m = {};
      trial.observers_m.clear();
    }
    for (const std::string& method : kMethods) {
      const ArmAnswers answers = content(method, type, trials);
      EXPECT_EQ(answers.coordinate_reads, 0);
      EXPECT_GT(answers.num_candidates, 0);
      EXPECT_EQ(answers.right, content(method, type, moved).right) << method;
    }
  }
}

/// Two notes of one text; the second is newer and less important.
LandscapeTrial twins() {
  LandscapeTrial trial;
  trial.scene.num_options = 2;
  trial.scene.truth = 1;
  LandscapeNote note;
  note.text = "Beside the oak bench, a dog sleeps.";
  note.thing = "bench";
  note.material = "oak";
  note.activity = "a dog sleeps";
  note.age_h = 10;
  note.importance = 5;
  trial.notes = {note, note};
  trial.notes[1].age_h = 1;
  trial.notes[1].importance = 3;
  trial.question = "Where does the dog sleep?";
  return trial;
}

TEST_F(LandscapeContent, BreaksTiesToTheFirstNote) {
  for (const std::string method : {"bm25", "dense", "hybrid", "clusters", "pagerank"}) {
    EXPECT_EQ(accuracy_of(content(method, LandscapeType::kNearDuplicate, {twins()})), 0) << method;
  }
}

TEST_F(LandscapeContent, OfGenerativeAgentsWeighsAgeAndImportance) {
  const auto second_wins = [](const std::string& weights) {
    return accuracy_of(content("generative_agents, weights: " + weights,
                               LandscapeType::kNearDuplicate, {twins()})) == 1;
  };
  EXPECT_TRUE(second_wins("{importance: 0.9}"));
  EXPECT_FALSE(second_wins("{recency: 0.9}"));
  EXPECT_FALSE(second_wins("{}")) << "1 and 1: a tie, to the first";
}

TEST_F(LandscapeContent, OfAGraphFollowsSharedPhrases) {
  // Both notes of the bench rank alike, before the kettle's: the first of them is first.
  LandscapeTrial trial = twins();
  trial.notes.push_back(trial.notes[0]);
  trial.notes[0].thing = "kettle";
  trial.notes[0].material = "tin";
  trial.notes[0].activity = "water boils";
  trial.notes[0].text = "Beside the tin kettle, water boils.";
  trial.question = "bench";
  trial.scene.num_options = 3;
  trial.scene.truth = 1;
  EXPECT_EQ(accuracy_of(content("pagerank", LandscapeType::kControl, {trial})), 1);
  trial.question = "boils";
  trial.scene.truth = 0;
  EXPECT_EQ(accuracy_of(content("pagerank", LandscapeType::kControl, {trial})), 1);
}

TEST(LandscapeGeometry, AnswersByAnchors) {
  for (const std::string& domain : kDomains) {
    for (const LandscapeType type : kTypes) {
      if (type == LandscapeType::kControl) continue;
      const auto trials = trials_of(type, domain);
      const ArmAnswers exact = geometry(", method: hdda", type, trials);
      EXPECT_GE(accuracy_of(exact), type == LandscapeType::kOcclusion ? 0.99 : 1.0);
      EXPECT_GE(exact.coordinate_reads, kTrials);
    }
  }
}

TEST(LandscapeGeometry, IsWrongOfAnchorsThatAreNotTheThings) {
  constexpr double kNoBetter = 0.75;
  for (const std::string anchors : {"observer", "shuffled"}) {
    for (const LandscapeType type : kTypes) {
      if (type == LandscapeType::kControl) continue;
      const ArmAnswers answers = geometry(", anchors: " + anchors, type, trials_of(type));
      EXPECT_LT(accuracy_of(answers), kNoBetter) << anchors << " " << static_cast<int>(type);
    }
  }
}

TEST(LandscapeGeometry, LeapsOverWallsByLongSteps) {
  const auto trials = trials_of(LandscapeType::kOcclusion);
  const std::string march = ", method: march, step_m: ";
  EXPECT_GE(accuracy_of(geometry(march + "0.5", LandscapeType::kOcclusion, trials)), 0.97);
  EXPECT_LT(accuracy_of(geometry(march + "5", LandscapeType::kOcclusion, trials)), 0.9);
}

TEST(LandscapeArm, IsRefusedAtItsKey) {
  const auto fault_of = [](const std::string& yaml) {
    return input_error_of([&] { arm_of(yaml); });
  };
  EXPECT_NE(fault_of("{answer: bm52}").find("answer"), std::string::npos);
  EXPECT_NE(fault_of("{}").find("answer"), std::string::npos);
  EXPECT_NE(fault_of("{answer: dense, anchors: subject}").find("anchors"), std::string::npos);
  EXPECT_NE(fault_of("{answer: geometry, anchors: walls}").find("anchors"), std::string::npos);
  EXPECT_NE(fault_of("{answer: geometry, method: hdda, step_m: 1}").find("step_m"),
            std::string::npos);
  EXPECT_NE(fault_of("{answer: pagerank, damping: 1}").find("damping"), std::string::npos);
  EXPECT_NE(fault_of("{answer: clusters, num_clusters: 0}").find("num_clusters"),
            std::string::npos);
}

class LandscapeStudy : public testing::Test {
 protected:
  std::string fault_of(const std::string& study) const {
    return input_error_of([&] {
      const ConfigValue map = ConfigValue::parse_yaml(study, "study.yaml");
      const ConfigValue arms = ConfigValue::parse_yaml("{a: {answer: dense}}", "arms.yaml");
      Device cpu(DeviceChoice::kCpu, 1);
      make_landscape({map, arms.entries(), 1})->run(cpu);
    });
  }
};

TEST_F(LandscapeStudy, IsRefusedAtItsKey) {
  EXPECT_NE(fault_of("{type: control}").find("domain"), std::string::npos);
  EXPECT_NE(fault_of("{domain: village, type: contol}").find("control"), std::string::npos);
  EXPECT_NE(fault_of("{domain: village, type: control, trials: 0}").find("trials"),
            std::string::npos);
  const std::string none = fault_of("{texts: /nowhere, domain: village, type: control}");
  EXPECT_NE(none.find("/nowhere/village.jsonl"), std::string::npos) << none;
  EXPECT_NE(none.find("study.yaml"), std::string::npos) << none;
}

TEST_F(LandscapeStudy, AsksEveryArmInItsOrder) {
  const ConfigValue map = ConfigValue::parse_yaml(
      "{texts: " + folder() + ", domain: workshop, type: near_duplicate, trials: 20}", "s.yaml");
  const ConfigValue arms =
      ConfigValue::parse_yaml("{near: {answer: geometry}, words: {answer: bm25}}", "arms.yaml");
  const std::unique_ptr<Study> study = make_landscape({map, arms.entries(), 1});
  EXPECT_EQ(study->num_trials(), 20);
  EXPECT_EQ(study->files(), std::vector<std::string>{folder() + "/workshop.jsonl"});
  Device cpu(DeviceChoice::kCpu, 1);
  const std::vector<ArmAnswers> answers = study->run(cpu);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(accuracy_of(answers[0]), 1);
  EXPECT_EQ(answers[0].coordinate_reads, 40);
  EXPECT_EQ(answers[1].coordinate_reads, 0);
  EXPECT_LT(accuracy_of(answers[1]), 1);
}

}  // namespace
}  // namespace sightline
