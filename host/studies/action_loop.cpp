#include "host/studies/action_loop.h"

#include <algorithm>
#include <optional>
#include <string>

#include "host/studies/note_prompt.h"
#include "host/studies/yard.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

/// Does the agent work on the object, whatever it decides? It does not where it refuses or defers.
bool works_anyway(NoteTask task) {
  return task == NoteTask::kResume || task == NoteTask::kUpstreamFix;
}

class Walk {
 public:
  Walk(const ActionLoop& loop, const NoteArm& arm, Device& device)
      : task_(loop.task),
        seed_(loop.seed),
        arm_(arm),
        store_(loop.store),
        yard_(store_.object_places_m),
        device_(device),
        waypoints_(yard_.waypoints()),
        eye_m_(waypoints_.front()) {}

  void meet_all(const std::vector<WordedScenario>& scenarios) {
    const std::size_t first = walked_.answers.right.size();
    walked_.answers.right.resize(first + scenarios.size());
    std::vector<std::size_t> left(scenarios.size());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
    while (!left.empty()) {
      const std::size_t next = left[plan(scenarios, left)];
      left.erase(std::find(left.begin(), left.end(), next));
      walked_.answers.right[first + next] = meet(scenarios[next]);
      walked_.order.push_back(first + next);
    }
  }

  WalkedLoop walked() const { return walked_; }

 private:
  const Vec3& place(std::int64_t object) const {
    return store_.object_places_m[static_cast<std::size_t>(object)];
  }

  /// The nearest of those that are wanted; none if none is.
  std::optional<std::size_t> nearest(const std::vector<Vec3>& places_m,
                                     const std::vector<bool>& wanted) const {
    std::optional<std::size_t> nearest;
    double least = 0;
    for (std::size_t i = 0; i < places_m.size(); ++i) {
      const Vec3 to = kernels::minus(places_m[i], eye_m_);
      const double d2 = kernels::dot(to, to);
      if (!wanted[i] || (nearest && d2 >= least)) continue;
      nearest = i;
      least = d2;
    }
    return nearest;
  }

  /// Looks around, and on from waypoint to waypoint: index into `left` of where it goes.
  std::size_t plan(const std::vector<WordedScenario>& scenarios,
                   const std::vector<std::size_t>& left) {
    std::vector<Vec3> places_m;
    for (const std::size_t i : left) {
      places_m.push_back(place(store_.object_index(scenarios[i].action.object)));
    }
    for (std::size_t look = 0; look <= waypoints_.size(); ++look) {
      if (look > 0) eye_m_ = waypoints_[next_waypoint_++ % waypoints_.size()];
      if (const auto seen = nearest(places_m, yard_.visible(eye_m_, places_m, device_))) {
        return *seen;
      }
    }
    return *nearest(places_m, std::vector<bool>(places_m.size(), true));
  }

  /// Goes there, remembers, decides and acts: was that right?
  bool meet(const WordedScenario& scenario) {
    const std::string& name = scenario.action.object;
    const std::int64_t object = store_.object_index(name);
    eye_m_ = {place(object).x, Yard::kEyes_m, place(object).z};
    const bool is_done = yard_.is_gone(place(object));
    const Prompt prompt = note_prompt(task_, situation(scenario.action, object),
                                      scenario.note.has_value() || is_done);
    const std::optional<std::size_t> said =
        read_answer(prompt.answers, answer_note_prompt(prompt.question, &reader_));
    constexpr std::size_t kWentOn = 1;
    const bool works = said == kWentOn || works_anyway(task_);
    if (works && !is_done) yard_.take_away(place(object));
    store_.add(
        works ? "The work on the " + name + " has been done." : "Left the " + name + " alone.",
        object, seed_);
    return said == prompt.right;
  }

  /// What the arm puts before the agent.
  NoteSituation situation(const Note& action, std::int64_t object) {
    NoteRecall recall(arm_, store_, embedder_, seed_);
    NoteSituation now{action.text, action.object, {}, arm_.is_bound()};
    for (const std::int64_t row : recall.surfaced(action.text, object)) {
      now.surfaced.push_back(store_.texts[static_cast<std::size_t>(row)]);
    }
    walked_.answers.coordinate_reads += recall.coordinate_reads();
    walked_.answers.num_candidates += recall.num_candidates();
    return now;
  }

  NoteTask task_;
  std::uint64_t seed_;
  NoteArm arm_;
  NoteStore store_;
  Yard yard_;
  Device& device_;
  std::vector<Vec3> waypoints_;
  std::size_t next_waypoint_ = 1;  ///< it begins at the first
  Vec3 eye_m_;
  TextEmbedder embedder_;  ///< hashes
  NoteReader reader_;
  WalkedLoop walked_;
};

}  // namespace

WalkedLoop walk(const ActionLoop& loop, const NoteArm& arm, Device& device) {
  Walk agent(loop, arm, device);
  for (const auto& round : loop.rounds) agent.meet_all(round);
  return agent.walked();
}

}  // namespace sightline::host
