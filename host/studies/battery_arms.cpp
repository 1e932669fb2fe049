#include "host/studies/battery_arms.h"

#include <algorithm>

#include "host/memory/hashed_embedder.h"
#include "host/memory/recall.h"
#include "host/random.h"
#include "host/studies/battery_sight.h"
#include "host/studies/battery_texts.h"
#include "host/studies/scene_graph.h"
#include "index/spatial_index.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
constexpr int kNothing = BatteryAnswers::kNothing;

/// The anchors of all memories of all trials, one after the other; read when one is looked at.
class AnchorsOfAll {
 public:
  AnchorsOfAll(Anchors anchors, const std::vector<BatteryTrial>& trials)
      : of_observers_(anchors == Anchors::kObserver) {
    for (const BatteryTrial& trial : trials) {
      for (const RememberedThing& thing : trial.things) places_.push_back(&thing.place);
    }
    constexpr std::uint64_t kStream = 0x6273687566;  // "bshuf"
    RandomItem random(0, kStream, 0);
    if (anchors == Anchors::kShuffled) shuffle(&places_, &random);
  }

  const Vec3& operator[](std::size_t i) const {
    return of_observers_ ? places_[i]->seen_from_m() : places_[i]->thing_m();
  }

 private:
  bool of_observers_;
  std::vector<const MemoryPlace*> places_;
};

/// One trial as an arm sees it.
struct AskedTrial {
  const BatteryTrial& trial;
  std::size_t first = 0;  ///< of its memories, among all
  const AnchorsOfAll* anchors = nullptr;

  std::size_t size() const { return trial.things.size(); }
  Vec3 anchor(std::size_t i) const { return (*anchors)[first + i]; }
  bool mentions(std::size_t i) const {
    return trial.things[i].text.find(trial.object) != std::string::npos;
  }
  kernels::Pose pose() const {
    return make_pose_deg(Frame::kSceneYUp, trial.from_m, trial.yaw_deg, 0);
  }
  /// The memory whose sentence speaks of what is asked; the first of equal ones.
  int asked() const {
    for (std::size_t i = 0; i < size(); ++i) {
      if (mentions(i)) return static_cast<int>(i);
    }
    return kNothing;
  }
};

std::vector<AskedTrial> asked_of(const std::vector<BatteryTrial>& trials,
                                 const AnchorsOfAll* anchors) {
  std::vector<AskedTrial> asked;
  std::size_t first = 0;
  for (const BatteryTrial& trial : trials) {
    asked.push_back({trial, first, anchors});
    first += trial.things.size();
  }
  return asked;
}

// ---- recall: by sentence alone, or by place alone --------------------------------------------

MemoryTable store_of(const AskedTrial& asked, bool with_places) {
  MemoryTable memories;
  memories.width = kHashedWidth;
  append_rows(&memories, static_cast<std::int64_t>(asked.size()));
  std::vector<float>& embeddings = memories.embeddings.own();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const RememberedThing& thing = asked.trial.things[i];
    memories.id[i] = thing.id;
    memories.text[i] = thing.text;
    if (with_places) memories.anchor_m[i] = asked.anchor(i);
    const std::vector<float> embedding = hashed_embedding(thing.text);
    std::copy(embedding.begin(), embedding.end(),
              embeddings.begin() + static_cast<std::ptrdiff_t>(i * embedding.size()));
  }
  return memories;
}

std::vector<Recalled> recall_all(const AskedTrial& asked, ScorePart part, Device& device) {
  QueryTable query;
  query.width = kHashedWidth;
  query.embeddings = hashed_embedding(asked.trial.question);
  query.centre_m = {asked.trial.centre_m};
  query.now_s = {0};
  RecallRequest request;
  request.blend.weights = {};
  request.blend.weights[static_cast<std::size_t>(part)] = 1;
  request.k = static_cast<int>(asked.size());
  const MemoryTable memories = store_of(asked, part == ScorePart::kSpatial);
  return recall(memories, query, request, nullptr, device).front();
}

int from_text(QuestionType type, const AskedTrial& asked, Device& device) {
  const auto first =
      static_cast<std::size_t>(recall_all(asked, ScorePart::kRelevance, device).front().row);
  const std::int64_t id = asked.trial.things[first].id;
  switch (type) {
    case QuestionType::kPresence:
      return asked.mentions(first) ? kYes : kNo;
    case QuestionType::kOcclusion:
    case QuestionType::kCoverage:
      return kYes;  // what is remembered is taken for visible, for seen
    case QuestionType::kRelation:
      return static_cast<int>(id % 4);  // sentences tell no side
    case QuestionType::kMultiRegion:
      return static_cast<int>(id % 2);
    case QuestionType::kNearDuplicate:
    case QuestionType::kControl:
      break;
  }
  return static_cast<int>(first);
}

int from_coordinates(QuestionType type, const AskedTrial& asked, Device& device) {
  const std::vector<Recalled> nearest = recall_all(asked, ScorePart::kSpatial, device);
  if (type == QuestionType::kControl) return static_cast<int>(nearest.front().row);
  if (type == QuestionType::kNearDuplicate) {
    for (const Recalled& one : nearest) {
      if (asked.mentions(static_cast<std::size_t>(one.row))) return static_cast<int>(one.row);
    }
    return kNothing;
  }
  const bool any = std::any_of(nearest.begin(), nearest.end(), [&](const Recalled& one) {
    const bool counts =
        type == QuestionType::kCoverage || asked.mentions(static_cast<std::size_t>(one.row));
    return counts && one.distance_m <= asked.trial.radius_m;
  });
  return any ? kYes : kNo;
}

// ---- predicates over places ------------------------------------------------------------------

index::Point point_of(const Vec3& p) { return {p.x, p.y, p.z}; }

index::SpatialIndex index_of(const AskedTrial& asked) {
  std::vector<index::Point> points;
  for (std::size_t i = 0; i < asked.size(); ++i) points.push_back(point_of(asked.anchor(i)));
  return index::SpatialIndex(std::move(points));
}

bool any_within(QuestionType type, const AskedTrial& asked) {
  const index::Hits hits =
      index_of(asked).within(point_of(asked.trial.centre_m), asked.trial.radius_m);
  return std::any_of(hits.begin(), hits.end(), [&](const index::Hit& hit) {
    return type == QuestionType::kCoverage || asked.mentions(static_cast<std::size_t>(hit.row));
  });
}

int nearest_mentioned(const AskedTrial& asked) {
  const auto count = static_cast<std::int64_t>(asked.size());
  for (const index::Hit& hit : index_of(asked).nearest(point_of(asked.trial.centre_m), count)) {
    if (asked.mentions(static_cast<std::size_t>(hit.row))) return static_cast<int>(hit.row);
  }
  return kNothing;
}

int fuller_room(const AskedTrial& asked) {
  const index::SpatialIndex places = index_of(asked);
  std::vector<std::ptrdiff_t> counts;
  for (const Room& room : asked.trial.rooms) {
    const std::vector<std::int64_t> inside =
        places.inside({point_of(room.bounds_m.min), point_of(room.bounds_m.max)});
    counts.push_back(std::count_if(inside.begin(), inside.end(), [&](std::int64_t row) {
      return asked.mentions(static_cast<std::size_t>(row));
    }));
  }
  return counts[0] > counts[1] ? 0 : 1;
}

int from_predicates(QuestionType type, const AskedTrial& asked) {
  switch (type) {
    case QuestionType::kPresence:
    case QuestionType::kCoverage:
      return any_within(type, asked) ? kYes : kNo;
    case QuestionType::kRelation:
      return static_cast<int>(
          side_of(asked.pose(), asked.anchor(static_cast<std::size_t>(asked.asked()))));
    case QuestionType::kMultiRegion:
      return fuller_room(asked);
    case QuestionType::kNearDuplicate:
      return nearest_mentioned(asked);
    case QuestionType::kControl: {
      const index::Hits hits = index_of(asked).nearest(point_of(asked.trial.centre_m), 1);
      return static_cast<int>(hits.front().row);
    }
    case QuestionType::kOcclusion:
      break;
  }
  return kNothing;
}

int from_graph(QuestionType type, const AskedTrial& asked) {
  SceneGraph graph(Frame::kSceneYUp);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    graph.add_remembered(asked.trial.things[i].object, asked.anchor(i));
  }
  const std::vector<std::size_t> named = graph.named(asked.trial.object);
  switch (type) {
    case QuestionType::kPresence:
    case QuestionType::kNearDuplicate: {
      const bool anywhere = type == QuestionType::kNearDuplicate;
      constexpr double kEverywhere_m = 1e6;
      for (const std::size_t object :
           graph.near(asked.trial.centre_m, anywhere ? kEverywhere_m : asked.trial.radius_m)) {
        if (graph.object(object).name != asked.trial.object) continue;
        return anywhere ? static_cast<int>(object) : kYes;
      }
      return kNo;
    }
    case QuestionType::kRelation:
      return static_cast<int>(graph.side(named.front(), asked.pose()));
    case QuestionType::kMultiRegion: {
      for (const Room& room : asked.trial.rooms) graph.add_region(room.name, room.bounds_m);
      const auto count = [&](std::size_t region) {
        const std::vector<std::size_t> inside = graph.in(region);
        return std::count_if(inside.begin(), inside.end(), [&](std::size_t object) {
          return graph.object(object).name == asked.trial.object;
        });
      };
      return count(0) > count(1) ? 0 : 1;
    }
    case QuestionType::kControl:
    case QuestionType::kOcclusion:
    case QuestionType::kCoverage:
      break;
  }
  return kNothing;
}

// ---- text with coordinates in it -------------------------------------------------------------

Prompt prompt_of(QuestionType type, const AskedTrial& asked) {
  std::vector<Vec3> anchors;
  for (std::size_t i = 0; i < asked.size(); ++i) anchors.push_back(asked.anchor(i));
  return battery_prompt(type, asked.trial, anchors);
}

int from_prompt(const Prompt& prompt) {
  const auto said = read_answer(prompt.answers, read_battery_prompt(prompt.question));
  return said ? static_cast<int>(*said) : kNothing;
}

// ---- perception: of occlusion alone ----------------------------------------------------------

Looks looks_of(const std::vector<AskedTrial>& asked) {
  Looks looks;
  for (const AskedTrial& one : asked) {
    looks.poses.push_back(one.pose());
    looks.rays.observers.push_back(one.trial.from_m);
    looks.rays.targets.push_back(one.anchor(static_cast<std::size_t>(one.asked())));
  }
  return looks;
}

int answer_one(const BatteryArm& arm, QuestionType type, const AskedTrial& asked, Device& device) {
  switch (arm.answer) {
    case BatteryAnswer::kText:
      return from_text(type, asked, device);
    case BatteryAnswer::kCoordinates:
      return from_coordinates(type, asked, device);
    case BatteryAnswer::kSceneGraph:
      return from_graph(type, asked);
    case BatteryAnswer::kGeometry:
      return from_predicates(type, asked);
    case BatteryAnswer::kTextCoordinates:
      return from_prompt(prompt_of(type, asked));
    case BatteryAnswer::kCone:
    case BatteryAnswer::kConeLineOfSight:
    case BatteryAnswer::kRenderedView:
      break;
  }
  return kNothing;
}

}  // namespace

BatteryAnswers ask(const BatteryArm& arm, QuestionType type,
                   const std::vector<BatteryTrial>& trials, const World& world, Device& device) {
  const std::int64_t read_before = num_place_reads(trials);
  const AnchorsOfAll anchors(arm.anchors, trials);
  const std::vector<AskedTrial> asked = asked_of(trials, &anchors);
  BatteryAnswers answers;
  const bool looks = type == QuestionType::kOcclusion && arm.answer != BatteryAnswer::kText &&
                     arm.answer != BatteryAnswer::kTextCoordinates;
  if (looks) {
    answers.said = perceive(arm, looks_of(asked), world, device);
  } else {
    for (const AskedTrial& one : asked) {
      answers.said.push_back(answer_one(arm, type, one, device));
    }
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (answers.said[i] != kNothing) {
      answers.num_candidates += static_cast<std::int64_t>(asked[i].size());
    }
  }
  answers.coordinate_reads = num_place_reads(trials) - read_before;
  return answers;
}

void author_from_memories(QuestionType type, const World& world, Device& device,
                          std::vector<BatteryTrial>* trials) {
  BatteryArm geometry;
  geometry.answer = BatteryAnswer::kGeometry;
  const std::vector<int> said = ask(geometry, type, *trials, world, device).said;
  for (std::size_t i = 0; i < trials->size(); ++i) (*trials)[i].truth = said[i];
}

std::vector<Prompt> battery_prompts(const BatteryArm& arm, QuestionType type,
                                    const std::vector<BatteryTrial>& trials) {
  if (arm.answer != BatteryAnswer::kTextCoordinates) return {};
  const AnchorsOfAll anchors(arm.anchors, trials);
  std::vector<Prompt> prompts;
  for (const AskedTrial& one : asked_of(trials, &anchors)) prompts.push_back(prompt_of(type, one));
  return prompts;
}

std::vector<ArmAnswers> ask_all(const std::vector<BatteryArm>& arms, QuestionType type,
                                const std::vector<BatteryTrial>& trials, const World& world,
                                Device& device) {
  const std::int64_t truth_reads = num_place_reads(trials);  // so far, nobody else was there
  std::vector<ArmAnswers> all;
  for (const BatteryArm& arm : arms) {
    ArmAnswers& counted = all.emplace_back();
    counted.truth_reads = truth_reads;
    if (!applies(arm.answer, type)) continue;
    const BatteryAnswers answers = ask(arm, type, trials, world, device);
    counted.coordinate_reads = answers.coordinate_reads;
    counted.num_candidates = answers.num_candidates;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      counted.right.push_back(answers.said[i] == trials[i].truth);
      counted.num_unanswered += answers.said[i] == BatteryAnswers::kNothing;
    }
  }
  return all;
}

}  // namespace sightline::host
