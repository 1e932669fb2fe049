#include "host/theory_of_space/question_jsonl.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/config/suggest.h"
#include "host/error.h"
#include "host/memory/json_lines.h"
#include "host/theory_of_space/answer_words.h"
#include "host/theory_of_space/task_questions.h"

namespace sightline::host::tos {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// What the lines of a task have beside scene, id and task.
const std::vector<std::string>& keys_of(TaskKind kind) {
  static const std::array<std::vector<std::string>, kNumTaskKinds> keys{
      {{"target", "anchor", "answer"},
       {"target", "anchor", "answer"},
       {"facts", "answer"},
       {"target", "plan", "answer"},
       {"facts", "plan"},
       {"names", "answer"},
       {"names", "clockwise", "answer"},
       {"target", "origin", "cell", "view", "answer"},
       {"facts", "origin", "view", "answer"}}};
  return keys[static_cast<std::size_t>(kind)];
}

bool is_view(TaskKind kind) {
  return kind == TaskKind::kDirection || kind == TaskKind::kPerspTake ||
         kind == TaskKind::kAct2View || kind == TaskKind::kLoc2View;
}
bool is_of_cells(TaskKind kind) {
  return kind == TaskKind::kAllocMap || kind == TaskKind::kView2Loc;
}

/// The value of an enumeration with `count` values that goes by that name.
template <class Named>
std::optional<Named> named(const std::string& name, int count) {
  for (int i = 0; i < count; ++i) {
    if (name_of(static_cast<Named>(i)) == name) return static_cast<Named>(i);
  }
  return std::nullopt;
}

OrderedJson answer_json(const TaskQuestion& question) {
  OrderedJson answer = OrderedJson::array();
  if (is_view(question.kind)) {
    return {question.answer_direction, std::string(name_of(question.answer_distance))};
  }
  for (const Cell cell : question.answer_cells) answer.push_back({cell.x, cell.y});
  for (const std::string& name : question.answer_names) answer.push_back(name);
  return answer;
}

OrderedJson value_of(const TaskQuestion& question, const std::string& key) {
  if (key == "target") return question.target;
  if (key == "anchor") return question.anchor;
  if (key == "origin") return question.origin;
  if (key == "names") return question.names;
  if (key == "clockwise") return question.is_clockwise;
  if (key == "cell") return {question.cell.x, question.cell.y};
  if (key == "view") return std::string(name_of(static_cast<CardinalBin>(question.view)));
  if (key == "answer") return answer_json(question);
  OrderedJson list = OrderedJson::array();
  if (key == "plan") {
    for (const Action& action : question.plan) list.push_back(action_text(Scene{}, action));
  } else {
    for (const SeenFact& fact : question.facts) {
      list.push_back(OrderedJson::array(
          {fact.name, std::string(name_of(fact.direction)), std::string(name_of(fact.distance))}));
    }
  }
  return list;
}

class QuestionReader {
 public:
  QuestionReader(const Json& line, std::string where, const std::map<std::string, Scene>& scenes)
      : line_(line), where_(std::move(where)), scenes_(scenes) {}

  SceneQuestion read() {
    SceneQuestion read;
    read.scene = text(member("scene"), "scene");
    read.id = text(member("id"), "id");
    const auto scene = scenes_.find(read.scene);
    if (scene == scenes_.end()) fail("no scene has the id \"" + read.scene + "\"");
    if (read.id.empty()) fail("id is empty; name the question, such as \"direction-0\"");
    scene_ = &scene->second;
    const auto kind = named<TaskKind>(text(member("task"), "task"), kNumTaskKinds);
    if (!kind) fail_of_task();
    read.question.kind = *kind;
    std::vector<std::string> keys{"scene", "id", "task"};
    keys.insert(keys.end(), keys_of(*kind).begin(), keys_of(*kind).end());
    const JsonObject checked(where_, line_, "", keys);  // names what is of no such question
    for (const std::string& key : keys_of(*kind)) read_member(key, &read.question);
    return read;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(where_ + ": " + message);
  }
  [[noreturn]] void fail_of_task() const {
    std::vector<std::string> tasks;
    for (int i = 0; i < kNumTaskKinds; ++i) tasks.emplace_back(name_of(static_cast<TaskKind>(i)));
    const std::string said = line_["task"].get<std::string>();
    fail("no task is called \"" + said + "\"; " + suggestion(said, tasks));
  }

  const Json& member(const char* key) const {
    if (!line_.contains(key)) fail(fmt::format("{} is missing", key));
    return line_[key];
  }
  std::string text(const Json& value, const char* what) const {
    if (!value.is_string()) fail(fmt::format("{} must be a text, not {}", what, json_text(value)));
    return value.get<std::string>();
  }
  const Json& list(const Json& value, const char* what) const {
    if (!value.is_array() || value.empty()) {
      fail(fmt::format("{} must be a list that is not empty, not {}", what, json_text(value)));
    }
    return value;
  }
  std::string item(const Json& value, const char* what) const {
    const std::string name = text(value, what);
    if (scene_->item_named(name) < 0) {
      fail(fmt::format("{}: scene \"{}\" holds no \"{}\"", what, scene_->id, name));
    }
    return name;
  }
  template <class Named>
  Named word(const Json& value, const char* what, int count) const {
    const std::string name = text(value, what);
    const std::optional<Named> found = named<Named>(name, count);
    if (!found) fail(fmt::format("{}: \"{}\" is none of its words", what, name));
    return *found;
  }
  Cell cell(const Json& value, const char* what) const {
    constexpr int kFarthest = 1000;
    Cell cell;
    if (!value.is_array() || value.size() != 2) fail_of_cell(what);
    for (const Json& number : value) {
      if (!number.is_number_integer() || number < -kFarthest || number > kFarthest) {
        fail_of_cell(what);
      }
    }
    cell.x = value[0], cell.y = value[1];
    return cell;
  }
  [[noreturn]] void fail_of_cell(const char* what) const {
    fail(fmt::format("{}: a cell is two whole numbers [x, y]", what));
  }

  void read_member(const std::string& key, TaskQuestion* question) const {
    const Json& value = member(key.c_str());
    if (key == "target") question->target = item(value, "target");
    if (key == "anchor") question->anchor = item(value, "anchor");
    if (key == "cell") question->cell = cell(value, "cell");
    if (key == "facts") read_facts(value, question);
    if (key == "plan") read_plan(value, question);
    if (key == "answer") read_answer(value, question);
    if (key == "origin") {
      const bool is_start = value == kInitialPosition;
      question->origin = is_start ? kInitialPosition : item(value, "origin");
    }
    if (key == "names") {
      for (const Json& name : list(value, "names")) question->names.push_back(item(name, "names"));
    }
    if (key == "view") {
      question->view = static_cast<Eighth>(word<CardinalBin>(value, "view", kNumCardinalBins));
    }
    if (key == "clockwise") {
      if (!value.is_boolean()) fail("clockwise must be true or false");
      question->is_clockwise = value.get<bool>();
    }
  }

  void read_facts(const Json& value, TaskQuestion* question) const {
    for (const Json& fact : list(value, "facts")) {
      if (!fact.is_array() || fact.size() != 3) {
        fail("facts: a fact is [name, direction, distance]");
      }
      question->facts.push_back({item(fact[0], "facts"),
                                 word<EgoBin>(fact[1], "facts", kNumEgoBins),
                                 word<DistanceBin>(fact[2], "facts", kNumDistanceBins)});
    }
  }

  void read_plan(const Json& value, TaskQuestion* question) const {
    for (const Json& step : list(value, "plan")) {
      const std::vector<Action> actions = plan_in(text(step, "plan"));
      if (actions.size() != 1) {
        fail("plan: " + json_text(step) + " is neither Rotate(90) nor JumpTo(name)");
      }
      if (actions[0].kind == ActionKind::kJump) item(actions[0].name, "plan");
      if (actions[0].kind == ActionKind::kRotate && !is_rotation(actions[0].degrees)) {
        fail("plan: " + json_text(step) +
             ": one rotates by 0, 90, 180 or 270, or as much the other way");
      }
      question->plan.push_back(actions[0]);
    }
    Pose pose;
    if (!follow_in_scene(*scene_, question->plan, &pose)) {
      fail("plan: one of its jumps is to what is not seen there");
    }
  }

  void read_answer(const Json& value, TaskQuestion* question) const {
    list(value, "answer");
    if (is_view(question->kind)) {
      if (value.size() != 2) fail("answer must be [direction, distance]");
      question->answer_direction =
          question->kind == TaskKind::kDirection
              ? name_of(word<CardinalBin>(value[0], "answer", kNumCardinalBins))
              : name_of(word<EgoBin>(value[0], "answer", kNumEgoBins));
      question->answer_distance = word<DistanceBin>(value[1], "answer", kNumDistanceBins);
      return;
    }
    for (const Json& one : value) {
      if (is_of_cells(question->kind)) {
        question->answer_cells.push_back(cell(one, "answer"));
      } else {
        question->answer_names.push_back(item(one, "answer"));
      }
    }
    const bool is_of_names =
        question->kind == TaskKind::kAllocMap || question->kind == TaskKind::kMentRot;
    const std::size_t wanted = is_of_names ? question->names.size() : 1;
    if (value.size() != wanted) {
      fail(fmt::format("answer has {} parts; the question asks for {}", value.size(), wanted));
    }
  }

  const Json& line_;
  std::string where_;
  const std::map<std::string, Scene>& scenes_;
  const Scene* scene_ = nullptr;
};

}  // namespace

std::vector<SceneQuestion> draw_scene_questions(const Scene& scene, int count_of_task,
                                                std::uint64_t seed, std::uint64_t number) {
  std::vector<SceneQuestion> all;
  for (int i = 0; i < kNumTaskKinds; ++i) {
    const auto kind = static_cast<TaskKind>(i);
    int place = 0;
    for (TaskQuestion& question : draw_questions(scene, kind, count_of_task, seed, number)) {
      all.push_back({scene.id, fmt::format("{}-{}", name_of(kind), place++), std::move(question)});
    }
  }
  return all;
}

std::string question_line(const SceneQuestion& question) {
  OrderedJson line;
  line["scene"] = question.scene;
  line["id"] = question.id;
  line["task"] = std::string(name_of(question.question.kind));
  for (const std::string& key : keys_of(question.question.kind)) {
    line[key] = value_of(question.question, key);
  }
  return json_text(line);
}

std::vector<SceneQuestion> read_questions(const std::string& path,
                                          const std::vector<Scene>& scenes) {
  std::map<std::string, Scene> by_id;
  for (const Scene& scene : scenes) by_id.emplace(scene.id, scene);
  JsonLines lines(path);
  std::vector<SceneQuestion> questions;
  std::set<std::pair<std::string, std::string>> ids;
  while (lines.next()) {
    questions.push_back(QuestionReader(lines.value(), lines.place(), by_id).read());
    const SceneQuestion& last = questions.back();
    if (!ids.emplace(last.scene, last.id).second) {
      throw InputError(lines.place() + ": two questions of scene \"" + last.scene +
                       "\" have the id \"" + last.id + "\"");
    }
  }
  if (questions.empty()) throw InputError(path + " holds no question; write one a line");
  return questions;
}

}  // namespace sightline::host::tos
