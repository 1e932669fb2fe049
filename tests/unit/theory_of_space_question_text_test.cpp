// Questions as language models are asked them, and files of questions.
#include <gtest/gtest.h>

#include "host/theory_of_space/plan_steps.h"
#include "host/theory_of_space/question_jsonl.h"
#include "host/theory_of_space/question_text.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/task_solvers.h"
#include "support/effort.h"
#include "support/errors.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

Scene two_rooms() { return parse_scene(kTwoRooms, "here"); }

template <class Check>
void for_each_question(int num_scenes, const Check& check) {
  constexpr int kOfTask = 3;
  for (int number = 0; number < num_scenes; ++number) {
    const auto place = static_cast<std::uint64_t>(number);
    const Scene scene = generate_scene({}, 17, place);
    for (const SceneQuestion& question : draw_scene_questions(scene, kOfTask, 5, place)) {
      check(scene, question);
    }
  }
}

// ---- plans told by what is seen ---------------------------------------------------------------

/// Two chairs and a door, all ahead of the start.
SpatialMap map_of_twins() {
  SpatialMap map;
  map.items["left chair"] = {{-1, 4}, std::nullopt, false};
  map.items["right chair"] = {{-1, 3}, std::nullopt, false};
  map.items["far door"] = {{-1, 2}, std::nullopt, true};
  return map;
}
bool one_room(const std::string&, const std::string&) { return true; }

TEST(PlanSteps, CountThoseThatFitFromTheNearest) {
  SpatialMap map = map_of_twins();
  map.items["left chair"].cell = {0, 4};
  map.items["right chair"].cell = {0, 3};
  map.items["third chair"] = {{1, 3}, std::nullopt, false};
  const auto steps = steps_of_plan(map, one_room, {{ActionKind::kJump, 0, -1, "left chair"}});
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps_text(*steps),
            "1. Jump to the object at front, mid distance, the 2nd nearest of 2.");
  EXPECT_EQ(plan_of_steps(map, one_room, *steps)->front().name, "left chair");
}

TEST(PlanSteps, SayNoPlaceOfWhatFitsAlone) {
  const auto steps = steps_of_plan(map_of_twins(), one_room,
                                   {{ActionKind::kJump, 0, -1, "far door"}, Action::rotate(-90)});
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps_text(*steps), "1. Jump to the door at front-left, mid distance.\n2. Rotate(-90)");
}

TEST(PlanSteps, TellNoPlanThatTheMapDoesNotAllow) {
  EXPECT_FALSE(steps_of_plan(map_of_twins(), one_room,
                             {Action::rotate(180), {ActionKind::kJump, 0, -1, "far door"}}));
  EXPECT_FALSE(
      steps_of_plan(map_of_twins(), one_room, {{ActionKind::kJump, 0, -1, "no such thing"}}));
}

TEST(PlanSteps, LeadToWhatFitsBestWhereNothingFits) {
  PlanStep step;
  step.is_jump = true;
  step.direction = EgoBin::kFrontSlightLeft;
  step.distance = DistanceBin::kFar;
  const auto plan = plan_of_steps(map_of_twins(), one_room, {step});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->front().name, "left chair") << "slightly far, the other is not";
  EXPECT_FALSE(plan_of_steps(SpatialMap{}, one_room, {step}));
}

TEST(PlanSteps, LeadOnTheTrueMapWhereThePlanLeads) {
  int num_with_place = 0;
  for_each_question(effort(150), [&](const Scene& scene, const SceneQuestion& asked) {
    if (asked.question.plan.empty()) return;
    const SpatialMap map = true_map(scene);
    const auto steps = steps_of_plan(map, shared_rooms_of(scene), asked.question.plan);
    ASSERT_TRUE(steps) << scene.id;
    const auto plan = plan_of_steps(map, shared_rooms_of(scene), *steps);
    ASSERT_TRUE(plan) << scene.id;
    EXPECT_EQ(actions_text(scene, *plan), actions_text(scene, asked.question.plan));
    for (const PlanStep& step : *steps) num_with_place += step.count > 1 ? 1 : 0;
  });
  EXPECT_GT(num_with_place, 0) << "no plan needed to count";
}

// ---- wording ----------------------------------------------------------------------------------

TEST(QuestionText, NeverNamesTheAnswer) {
  for_each_question(effort(40), [](const Scene& scene, const SceneQuestion& asked) {
    const TaskQuestion blind = without_answer(asked.question);
    const auto steps = steps_of_plan(true_map(scene), shared_rooms_of(scene), asked.question.plan);
    const std::string text = question_text(blind, *steps);
    EXPECT_EQ(text, question_text(asked.question, *steps)) << "the wording looks at the answer";
    if (asked.question.kind == TaskKind::kPercDec) {
      EXPECT_EQ(text.find(asked.question.answer_names[0] + ":"), std::string::npos) << text;
    }
    if (asked.question.kind == TaskKind::kAct2View) {
      for (const Action& action : asked.question.plan) {
        if (action.kind != ActionKind::kJump || action.name == asked.question.target) continue;
        EXPECT_EQ(text.find("the " + action.name), std::string::npos) << text;
      }
    }
  });
}

TEST(QuestionText, TellsAllThatSolvingTakes) {
  for_each_question(effort(20), [](const Scene& scene, const SceneQuestion& asked) {
    const TaskQuestion& question = asked.question;
    const auto steps = steps_of_plan(true_map(scene), shared_rooms_of(scene), question.plan);
    const std::string text = question_text(question, *steps);
    for (const std::string& name : question.names) EXPECT_NE(text.find(name), std::string::npos);
    for (const SeenFact& fact : question.facts) {
      EXPECT_NE(text.find(std::string(fact.name) + ": " + std::string(name_of(fact.direction))),
                std::string::npos)
          << text;
    }
    EXPECT_NE(text.find(question.target), std::string::npos);
    EXPECT_NE(text.find(question.anchor), std::string::npos);
    if (question.origin != kInitialPosition) {
      EXPECT_NE(text.find("from the " + question.origin), std::string::npos) << text;
    }
  });
}

TEST(QuestionText, SaysWhichWayOneTurns) {
  TaskQuestion question;
  question.kind = TaskKind::kMentRot;
  question.names = {"lamp", "sofa"};
  EXPECT_NE(question_text(question).find(", clockwise;"), std::string::npos);
  question.is_clockwise = false;
  EXPECT_NE(question_text(question).find(", counterclockwise;"), std::string::npos);
  EXPECT_NE(question_text(question).find("lamp, sofa?"), std::string::npos);
}

// ---- files ------------------------------------------------------------------------------------

TEST(QuestionFile, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  std::vector<Scene> scenes;
  std::string lines;
  std::vector<SceneQuestion> written;
  for_each_question(effort(20), [&](const Scene& scene, const SceneQuestion& question) {
    if (scenes.empty() || scenes.back().id != scene.id) scenes.push_back(scene);
    written.push_back(question);
    lines += question_line(question) + "\n";
  });
  write_text(folder / "questions.jsonl", lines);
  const std::vector<SceneQuestion> read = read_questions(folder / "questions.jsonl", scenes);
  ASSERT_EQ(read.size(), written.size());
  std::string again;
  for (std::size_t i = 0; i < read.size(); ++i) {
    again += question_line(read[i]) + "\n";
    EXPECT_EQ(answer_text(read[i].question), answer_text(written[i].question));
    EXPECT_EQ(solve(read[i].question, true_map(scenes[0])),
              solve(written[i].question, true_map(scenes[0])));
  }
  EXPECT_EQ(again, lines);
}

TEST(QuestionFile, SaysWhatIsWrongAndWhere) {
  const TemporaryFolder folder;
  const std::string path = folder / "questions.jsonl";
  const std::string good =
      R"({"scene": "two_rooms", "id": "q", "task": "direction", "target": "lamp", )"
      R"("anchor": "sofa", "answer": ["south east", "mid distance"]})";
  const auto error_of = [&](const std::string& line) {
    write_text(path, "\n" + line + "\n");
    return input_error_of([&] { read_questions(path, {two_rooms()}); });
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string line = good;
    const std::size_t at = line.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return line.replace(at, from.size(), to);
  };
  EXPECT_EQ(error_of(good), "no error");
  const std::vector<std::pair<std::string, std::string>> wrong{
      {with("two_rooms", "three_rooms"), "no scene has the id \"three_rooms\""},
      {with("\"direction\"", "\"directoin\""), "\"direction\""},
      {with("\"id\": \"q\"", "\"id\": \"\""), "id is empty"},
      {with("\"id\": \"q\", ", ""), "id is missing"},
      {with("\"target\": \"lamp\", ", ""), "target is missing"},
      {with("\"lamp\"", "\"ghost\""), "holds no \"ghost\""},
      {with("\"lamp\"", "7"), "target must be a text"},
      {with("anchor", "ancor"), "ancor"},
      {with("south east", "front"), "answer: \"front\""},
      {with(", \"mid distance\"", ""), "[direction, distance]"},
      {with("[\"south east\", \"mid distance\"]", "[]"), "not empty"},
      {good + "\n" + good, "two questions"},
      {"[1]", "scene is missing"},
      {R"({"scene": "two_rooms", "id": "q", "task": "view2act", "facts": [["lamp", "front", 3]], )"
       R"j("plan": ["Rotate(90)"]})j",
       "facts must be a text"},
      {R"({"scene": "two_rooms", "id": "q", "task": "view2act", "facts": [["lamp", "front"]], )"
       R"j("plan": ["Rotate(90)"]})j",
       "[name, direction, distance]"},
      {R"({"scene": "two_rooms", "id": "q", "task": "act2view", "target": "lamp", )"
       R"j("plan": ["JumpTo(desk)"], "answer": ["front", "near"]})j",
       "not seen there"},
      {R"({"scene": "two_rooms", "id": "q", "task": "act2view", "target": "lamp", )"
       R"j("plan": ["Fly(desk)"], "answer": ["front", "near"]})j",
       "neither Rotate(90)"},
      {R"({"scene": "two_rooms", "id": "q", "task": "act2view", "target": "lamp", )"
       R"j("plan": ["Rotate(45)"], "answer": ["front", "near"]})j",
       "plan: \"Rotate(45)\": one rotates by"},
      {R"({"scene": "two_rooms", "id": "q", "task": "act2view", "target": "lamp", )"
       R"j("plan": ["Rotate(-360)"], "answer": ["front", "near"]})j",
       "plan: \"Rotate(-360)\": one rotates by"},
      {R"({"scene": "two_rooms", "id": "q", "task": "alloc.map", "names": ["lamp", "sofa"], )"
       R"("answer": [[1, 2]]})",
       "answer has 1 parts"},
      {R"({"scene": "two_rooms", "id": "q", "task": "alloc.map", "names": ["lamp"], )"
       R"("answer": [[1, 2.5]]})",
       "two whole numbers"},
      {R"({"scene": "two_rooms", "id": "q", "task": "ment.rot", "names": ["lamp"], )"
       R"("clockwise": 1, "answer": ["lamp"]})",
       "true or false"}};
  for (const auto& [line, said] : wrong) {
    const std::string error = error_of(line);
    EXPECT_NE(error.find("questions.jsonl:"), std::string::npos) << line << "\n" << error;
    EXPECT_NE(error.find(said), std::string::npos) << line << "\n" << error;
  }
  write_text(path, "");
  EXPECT_NE(input_error_of([&] { read_questions(path, {two_rooms()}); }).find("no question"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
