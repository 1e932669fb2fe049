#include "host/meta_memory/question_set.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/memory/parallel_rows.h"
#include "host/meta_memory/question_words.h"
#include "host/random.h"

namespace sightline::host {
namespace {

constexpr std::uint64_t kWorldStream = stream_of("question worlds");
constexpr std::uint64_t kFormStream = stream_of("question forms");

constexpr const char* kSmallThings[]{
    "mug",      "water bottle", "book",   "newspaper", "backpack",     "umbrella",
    "hat",      "jacket",       "laptop", "basket",    "teddy bear",   "basketball",
    "football", "clock",        "broom",  "plant",     "traffic cone", "fire extinguisher",
    "ladder",   "bollard"};
constexpr const char* kLargeThings[]{"armchair",        "dining table",
                                     "bench",           "sofa",
                                     "wardrobe",        "piano",
                                     "vending machine", "trash bin",
                                     "recycling bin",   "drinking fountain",
                                     "bicycle rack",    "bicycle",
                                     "motorcycle",      "car",
                                     "mailbox",         "street lamp",
                                     "statue",          "fire hydrant",
                                     "newspaper stand", "emergency phone"};
struct Landmark {
  const char *class_name, *name;
};
constexpr Landmark kLandmarks[]{{"library", "Norris"},       {"stadium", "Ryan"},
                                {"museum", "Block"},         {"hospital", "Prentice"},
                                {"church", "Garrett"},       {"gym", "Patten"},
                                {"supermarket", "Dearborn"}, {"bank", "Wieboldt"},
                                {"post office", "Searle"},   {"train station", "Foster"}};
constexpr const char* kColours[]{"black",  "white", "grey", "red",
                                 "yellow", "green", "blue", "brown"};

ClassId class_named(const char* name) {
  const auto found = find_class(name);
  if (!found) throw InputError(std::string("the lexicon has no class \"") + name + "\"");
  return *found;
}

PlaceQuestionType type_of(PlaceRelation relation) {
  if (relation == PlaceRelation::kBasic) return PlaceQuestionType::kBasic;
  if (relation == PlaceRelation::kLocal) return PlaceQuestionType::kLocal;
  return PlaceQuestionType::kGlobal;
}

using MakeWorld = std::function<QuestionWorld(std::uint64_t)>;

/// For each sequence the first full world of its seeds.
std::vector<QuestionWorld> full_worlds(int num_sequences, std::uint64_t seed, int num_threads,
                                       const MakeWorld& make) {
  std::vector<QuestionWorld> worlds(static_cast<std::size_t>(std::max(0, num_sequences)));
  const auto make_one = [&](std::int64_t sequence) {
    RandomItem seeds(seed, kWorldStream, static_cast<std::uint64_t>(sequence));
    QuestionWorld& world = worlds[static_cast<std::size_t>(sequence)];
    for (int draw = 0; draw < kMostDraws && !world.is_full; ++draw) world = make(seeds());
  };
  for_each_row(num_sequences, num_threads, make_one, 1);
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    if (worlds[i].is_full) continue;
    throw InputError("sequence " + std::to_string(i) + ": none of " + std::to_string(kMostDraws) +
                     " walks can be asked all questions; give a campus with more landmarks and "
                     "things along its paths, or ask for fewer");
  }
  return worlds;
}

}  // namespace

PlantingSettings lexicon_planting() {
  PlantingSettings planting;
  for (const char* name : kSmallThings) planting.things.push_back({class_named(name), false});
  for (const char* name : kLargeThings) planting.things.push_back({class_named(name), true});
  for (const char* name : kColours) {
    const auto colour = find_attribute(name);
    if (!colour) throw InputError(std::string("the lexicon has no colour \"") + name + "\"");
    planting.colours.push_back(*colour);
  }
  for (const Landmark& landmark : kLandmarks) {
    planting.landmarks.push_back({class_named(landmark.class_name), landmark.name});
  }
  return planting;
}

QuestionWorld question_world(std::shared_ptr<const Campus> campus, CampusWalk walk,
                             std::uint64_t campus_key, std::uint64_t seed,
                             const PlaceQuestionSettings& settings) {
  QuestionWorld world;
  world.campus = std::move(campus);
  world.walk = std::move(walk);
  world.campus_key = campus_key;
  const PlaceOracle oracle(*world.campus, world.walk);
  const DrawnPlaceQuestions drawn = draw_place_questions(oracle, settings, seed);
  world.is_full = drawn.is_full;
  RandomItem forms(seed, kFormStream, 0);
  for (const DrawnPlaceQuestion& one : drawn.questions) {
    PlaceQuery asked;
    asked.query = query_of(one.question, oracle);
    const std::uint64_t form = forms();
    asked.query.take_me_there = one.question.relation == PlaceRelation::kBasic && form % 4 == 1;
    asked.text = question_text(asked.query, form);
    asked.type = type_of(one.question.relation);
    asked.question = one.question;
    asked.truth = one.truth;
    asked.seed = one.seed;
    world.questions.push_back(std::move(asked));
  }
  return world;
}

QuestionWorld grid_question_world(const GridCampusSettings& campus,
                                  const QuestionSetSettings& settings, std::uint64_t seed) {
  auto made = std::make_shared<const Campus>(make_grid_campus(campus, seed));
  CampusWalk walk = walk_campus(*made, settings.walk, seed);
  return question_world(std::move(made), std::move(walk), seed, seed, settings.questions);
}

std::vector<QuestionWorld> grid_question_set(const GridCampusSettings& campus,
                                             const QuestionSetSettings& settings,
                                             std::uint64_t seed, int num_threads) {
  return full_worlds(settings.num_sequences, seed, num_threads, [&](std::uint64_t drawn) {
    return grid_question_world(campus, settings, drawn);
  });
}

std::vector<QuestionWorld> campus_question_set(const std::shared_ptr<const Campus>& campus,
                                               const QuestionSetSettings& settings,
                                               std::uint64_t seed, int num_threads) {
  return full_worlds(settings.num_sequences, seed, num_threads, [&](std::uint64_t drawn) {
    return question_world(campus, walk_campus(*campus, settings.walk, drawn), seed, drawn,
                          settings.questions);
  });
}

std::vector<QuestionWorld> driven_question_set(const std::vector<double>& times_s,
                                               const std::vector<kernels::Vec3>& positions_m,
                                               const PlantingSettings& planting,
                                               const QuestionSetSettings& settings,
                                               std::uint64_t seed, int num_threads) {
  const std::vector<WalkPose> poses = driven_poses(times_s, positions_m);
  return full_worlds(settings.num_sequences, seed, num_threads, [&](std::uint64_t drawn) {
    auto campus = std::make_shared<const Campus>(make_driven_campus(positions_m, planting, drawn));
    CampusWalk walk = walk_of(*campus, poses, settings.walk);
    return question_world(std::move(campus), std::move(walk), drawn, drawn, settings.questions);
  });
}

}  // namespace sightline::host
