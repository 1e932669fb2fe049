// Files of questions: one a line, of the nine tasks.
//
//     {"scene": "A000", "id": "direction-0", "task": "direction", "target": "lamp",
//      "anchor": "sofa", "answer": ["north west", "near"]}
//
// What a task's question has, and its answer:
//
//     direction, persp.take   target, anchor             [direction, distance]
//     perc.dec                facts                      [name]
//     act2view                target, plan               [direction, distance]
//     view2act                facts, plan                none: the plan is one that leads there
//     alloc.map               names                      [[x, y], ...]
//     ment.rot                names, clockwise           [name, ...]
//     loc2view                target, origin, cell, view [direction, distance]
//     view2loc                facts, origin, view        [[x, y]]
//
// facts: [["lamp", "front-left", "near"], ...]; plan: ["Rotate(90)", "JumpTo(lamp)"]; origin: a
// door or "initial_pos"; cell: [x, y]; view: "north", "north east", ...; clockwise: true or false.
#pragma once

#include <string>
#include <vector>

#include "host/theory_of_space/scene.h"
#include "host/theory_of_space/task.h"

namespace sightline::host::tos {

struct SceneQuestion {
  std::string scene;  ///< its id
  std::string id;     ///< of the question; no two of a scene have the same
  TaskQuestion question;
};

/// Draws questions of all tasks for a scene (task_questions.h), by id: "direction-0".
std::vector<SceneQuestion> draw_scene_questions(const Scene& scene, int count_of_task,
                                                std::uint64_t seed, std::uint64_t number);

/// The line of a question, without its end; reading it back gives the same question.
std::string question_line(const SceneQuestion& question);

/// Throws InputError, naming file, line and key, on a line that is no question about one of these
/// scenes.
std::vector<SceneQuestion> read_questions(const std::string& path,
                                          const std::vector<Scene>& scenes);

}  // namespace sightline::host::tos
