#include "host/theory_of_space/task_questions.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "host/random.h"
#include "host/theory_of_space/observation.h"
#include "host/theory_of_space/spatial_map.h"
#include "host/theory_of_space/task_solvers.h"

namespace sightline::host::tos {
namespace {

constexpr std::size_t kMostFacts = 3;

class QuestionDrawer {
 public:
  QuestionDrawer(const Scene& scene, TaskKind kind, std::uint64_t seed, std::uint64_t number)
      : scene_(scene),
        map_(true_map(scene)),
        kind_(kind),
        random_(seed, stream_of("theory of space: questions") + static_cast<std::uint64_t>(kind),
                number) {}

  std::optional<TaskQuestion> draw() {
    TaskQuestion question;
    question.kind = kind_;
    const auto is_drawn = [&] {
      switch (kind_) {
        case TaskKind::kDirection:
          return draw_direction(&question);
        case TaskKind::kPerspTake:
          return draw_persp_take(&question);
        case TaskKind::kPercDec:
          return draw_perc_dec(&question);
        case TaskKind::kAct2View:
          return draw_act2view(&question);
        case TaskKind::kView2Act:
          return draw_view2act(&question);
        case TaskKind::kAllocMap:
          return draw_alloc_map(&question);
        case TaskKind::kMentRot:
          return draw_ment_rot(&question);
        case TaskKind::kLoc2View:
          return draw_loc2view(&question);
        case TaskKind::kView2Loc:
          break;
      }
      return draw_view2loc(&question);
    };
    if (is_drawn()) return question;
    return std::nullopt;
  }

 private:
  int below(std::size_t n) { return static_cast<int>(random_.below(n)); }

  template <class Item>
  const Item& one_of(const std::vector<Item>& items) {
    return items[static_cast<std::size_t>(random_.below(items.size()))];
  }

  int some_object() { return below(scene_.objects.size()); }

  std::vector<std::string> some_objects(std::size_t count) {
    std::vector<std::string> names;
    for (const SceneObject& object : scene_.objects) names.push_back(object.name);
    shuffle(&names, &random_);
    names.resize(std::min(count, names.size()));
    return names;
  }

  /// Takes one of the facts as what is asked for.
  void ask_for(const std::vector<SeenFact>& facts, TaskQuestion* question) {
    const SeenFact& fact = one_of(facts);
    question->target = fact.name;
    question->answer_direction = name_of(fact.direction);
    question->answer_distance = fact.distance;
  }

  /// At most three of the facts, in the order in which they are seen.
  std::vector<SeenFact> some_facts(std::vector<SeenFact> facts) {
    while (facts.size() > kMostFacts) {
      facts.erase(facts.begin() + static_cast<std::ptrdiff_t>(random_.below(facts.size())));
    }
    return facts;
  }

  std::vector<SeenFact> without_doors(const std::vector<SeenFact>& facts) const {
    std::vector<SeenFact> objects;
    for (const SeenFact& fact : facts) {
      if (!scene_.is_door(scene_.item_named(fact.name))) objects.push_back(fact);
    }
    return objects;
  }

  bool draw_direction(TaskQuestion* question) {
    const std::vector<std::string> names = some_objects(2);
    if (names.size() < 2) return false;
    question->target = names[0], question->anchor = names[1];
    const Cell offset = map_.items[names[0]].cell - map_.items[names[1]].cell;
    question->answer_direction = name_of(cardinal_bin(offset));
    question->answer_distance = distance_bin(offset);
    return true;
  }

  /// What an object sees that faces somewhere.
  std::vector<SeenFact> view_of(int item) const {
    const SceneObject& object = scene_.object(item);
    if (!object.has_facing) return {};
    return facts_from(scene_, object.cell, {object.room, 0}, eighth_of(object.facing));
  }

  bool draw_persp_take(TaskQuestion* question) {
    const int item = some_object();
    const std::vector<SeenFact> facts = without_doors(view_of(item));
    if (facts.empty()) return false;
    question->anchor = scene_.name_of(item);
    ask_for(facts, question);
    return true;
  }

  bool draw_perc_dec(TaskQuestion* question) {
    const int item = some_object();
    question->facts = some_facts(view_of(item));
    question->answer_names = {scene_.name_of(item)};
    return !question->facts.empty() &&
           objects_that_see(map_, question->facts) == question->answer_names;
  }

  /// Jumps to things that can be seen from there, each after a turn towards it, and a last turn to
  /// where something is seen.
  bool draw_plan(int num_jumps, std::vector<Action>* plan, std::vector<SeenFact>* facts) {
    Pose pose = scene_.start;
    RoomSet before;  // the room that was left through a door
    for (int jump = 0; jump < num_jumps; ++jump) {
      const std::optional<int> item = draw_jump(pose, before);
      if (!item) return false;
      const Cell cell = scene_.cell_of(*item);
      turn_to(closest_heading(cell - pose.cell), &pose, plan);
      plan->push_back(Action::jump(*item));
      plan->back().name = scene_.name_of(*item);
      plan->back().item = -1;
      before = scene_.is_door(*item) ? pose.rooms : RoomSet{};
      pose.cell = cell, pose.rooms = scene_.rooms_of(*item);
    }
    std::vector<Heading> headings{Heading::kNorth, Heading::kEast, Heading::kSouth, Heading::kWest};
    shuffle(&headings, &random_);
    for (const Heading heading : headings) {
      *facts = facts_from(scene_, pose.cell, pose.rooms, eighth_of(heading));
      if (facts->empty()) continue;
      turn_to(heading, &pose, plan);
      return true;
    }
    return false;
  }

  static void turn_to(Heading heading, Pose* pose, std::vector<Action>* plan) {
    const int degrees = turn_between(pose->heading, heading);
    if (degrees != 0) plan->push_back(Action::rotate(degrees));
    pose->heading = heading;
  }

  /// Something that shares a room with the pose: in six of ten draws a door, if there is one; after
  /// a door rather something of the room that it leads to.
  std::optional<int> draw_jump(const Pose& pose, RoomSet before) {
    constexpr double kDoorShare = 0.6;
    std::vector<int> doors, objects, beyond;
    for (int item = 0; item < scene_.num_items(); ++item) {
      const RoomSet rooms = scene_.rooms_of(item);
      if (!rooms.meets(pose.rooms) || scene_.cell_of(item) == pose.cell) continue;
      (scene_.is_door(item) ? doors : objects).push_back(item);
      const bool is_beyond = !scene_.is_door(item) && before.first != 0 && !rooms.meets(before);
      if (is_beyond) beyond.push_back(item);
    }
    if (!beyond.empty()) return one_of(beyond);
    if (!doors.empty() && (objects.empty() || random_.uniform() < kDoorShare)) {
      return one_of(doors);
    }
    if (objects.empty()) return std::nullopt;
    return one_of(objects);
  }

  bool draw_act2view(TaskQuestion* question) {
    constexpr int kJumps = 2;
    std::vector<SeenFact> facts;
    if (!draw_plan(kJumps, &question->plan, &facts)) return false;
    ask_for(facts, question);
    return true;
  }

  bool draw_view2act(TaskQuestion* question) {
    constexpr int kJumps = 3;
    std::vector<SeenFact> facts;
    if (!draw_plan(kJumps, &question->plan, &facts)) return false;
    question->facts = some_facts(std::move(facts));
    return true;
  }

  bool draw_alloc_map(TaskQuestion* question) {
    question->names = some_objects(static_cast<std::size_t>(3 + below(3)));
    for (const std::string& name : question->names) {
      question->answer_cells.push_back(map_.items[name].cell);
    }
    return question->names.size() >= 3;
  }

  bool draw_ment_rot(TaskQuestion* question) {
    constexpr double kPi = 3.14159265358979323846, kNearNorth = 1e-3;
    const auto wanted = static_cast<std::size_t>(3 + below(3));
    question->is_clockwise = below(2) == 0;
    std::vector<std::string> pool;
    for (const double gap : {30.0, 15.0, 7.5, 1.0}) {
      pool.clear();
      std::vector<double> angles;
      for (const std::string& name : some_objects(scene_.objects.size())) {
        const Cell cell = map_.items[name].cell;
        const double angle = std::atan2(cell.x, cell.y) * 180 / kPi;
        const bool is_apart = std::all_of(angles.begin(), angles.end(), [&](double other) {
          return std::abs(std::remainder(angle - other, 360)) > gap;
        });
        if (std::abs(angle) <= kNearNorth || !is_apart || pool.size() == wanted) continue;
        pool.push_back(name), angles.push_back(angle);
      }
      if (pool.size() == wanted) break;
    }
    if (pool.size() < 3) return false;
    std::sort(pool.begin(), pool.end());
    question->names = pool;
    question->answer_names = in_order_of_turn(map_, pool, question->is_clockwise);
    return true;
  }

  /// A free cell, a view from there of two things at least, and where its cells are counted from.
  bool draw_pose(TaskQuestion* question, Cell* cell, std::vector<SeenFact>* facts) {
    const Mask& mask = scene_.mask;
    const Cell at{below(static_cast<std::size_t>(mask.width)),
                  below(static_cast<std::size_t>(mask.height))};
    const std::int8_t room = mask.at(at);
    if (room < 1 || room >= mask::kDoorAlongX || scene_.item_at(at) >= 0) return false;
    question->view = below(8);
    *facts = facts_from(scene_, at, {room, 0}, question->view);
    Cell origin = scene_.start.cell;
    if (!scene_.start.rooms.has(room)) {
      std::vector<int> doors;
      for (int door = scene_.num_objects(); door < scene_.num_items(); ++door) {
        if (scene_.rooms_of(door).has(room)) doors.push_back(door);
      }
      if (doors.empty()) return false;
      const int door = one_of(doors);
      origin = scene_.cell_of(door);
      question->origin = scene_.name_of(door);
    }
    *cell = at - origin;
    return facts->size() >= 2;
  }

  bool draw_loc2view(TaskQuestion* question) {
    std::vector<SeenFact> facts;
    if (!draw_pose(question, &question->cell, &facts)) return false;
    ask_for(facts, question);
    return true;
  }

  bool draw_view2loc(TaskQuestion* question) {
    Cell cell;
    std::vector<SeenFact> facts;
    if (!draw_pose(question, &cell, &facts)) return false;
    question->facts = some_facts(std::move(facts));
    question->answer_cells = {cell};
    return cells_that_see(map_, question->view, question->facts).size() == 1;
  }

  const Scene& scene_;
  SpatialMap map_;
  TaskKind kind_;
  RandomItem random_;
};

}  // namespace

std::vector<SeenFact> facts_from(const Scene& scene, Cell cell, RoomSet rooms, Eighth view) {
  std::vector<SeenFact> facts;
  for (int item = 0; item < scene.num_items(); ++item) {
    if (!is_visible(scene.cell_of(item), scene.rooms_of(item), cell, rooms, view,
                    FieldOfView::k90)) {
      continue;
    }
    const Cell offset = scene.cell_of(item) - cell;
    facts.push_back({scene.name_of(item), ego_bin(offset, view), distance_bin(offset)});
  }
  return facts;
}

bool follow_in_scene(const Scene& scene, const std::vector<Action>& plan, Pose* pose) {
  *pose = scene.start;
  for (const Action& action : plan) {
    if (action.kind == ActionKind::kRotate) {
      pose->heading = turned(pose->heading, action.degrees);
      continue;
    }
    const int item = action.item >= 0 ? action.item : scene.item_named(action.name);
    if (action.kind != ActionKind::kJump || item < 0 ||
        !is_visible(scene.cell_of(item), scene.rooms_of(item), pose->cell, pose->rooms,
                    eighth_of(pose->heading), FieldOfView::k90)) {
      return false;
    }
    pose->cell = scene.cell_of(item), pose->rooms = scene.rooms_of(item);
  }
  return true;
}

std::vector<TaskQuestion> draw_questions(const Scene& scene, TaskKind kind, int count,
                                         std::uint64_t seed, std::uint64_t number) {
  constexpr int kMostDraws = 400;  // of one question; about one in four fits where any does
  QuestionDrawer drawer(scene, kind, seed, number);
  std::vector<TaskQuestion> questions;
  if (scene.objects.empty()) return questions;
  for (int draws = 0; static_cast<int>(questions.size()) < count && draws < kMostDraws * count;
       ++draws) {
    std::optional<TaskQuestion> question = drawer.draw();
    if (question) questions.push_back(std::move(*question));
  }
  return questions;
}

}  // namespace sightline::host::tos
