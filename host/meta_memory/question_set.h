// The experiment's questions: walks over campuses, and for each 15 basic, 15 local and 15 global
// questions as queries, in English, and with their answers.
//
// Meta-Memory (Mao et al.), section V.A: SpaceLocQA, six sequences of 68 minutes in all and 270
// questions, is not public. host/truth/ draws what stands in for it and knows the answers; this
// gives it words.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/meta_memory/query.h"
#include "host/truth/place_questions.h"

namespace sightline::host {

enum class PlaceQuestionType : std::uint8_t { kBasic, kLocal, kGlobal };

struct PlaceQuery {
  Query query;
  std::string text;  ///< a question of the closed language that asks for it
  PlaceQuestionType type = PlaceQuestionType::kBasic;
  PlaceQuestion question;  ///< the same by classes and objects
  PlaceTruth truth;
  std::uint64_t seed = 0;  ///< that it was drawn with
};

/// One walk over one campus, what is asked about it, and the key of the campus for captions.
struct QuestionWorld {
  std::shared_ptr<const Campus> campus;
  CampusWalk walk;
  std::uint64_t campus_key = 0;
  std::vector<PlaceQuery> questions;
  bool is_full = false;  ///< as many of each kind as were asked for
};

/// 40 classes of small things in 8 colours and 10 landmarks of a class and a name each, by
/// lexicon.h. None of the classes is one of another's.
PlantingSettings lexicon_planting();

struct QuestionSetSettings {
  CampusWalkSettings walk;
  PlaceQuestionSettings questions;
  int num_sequences = 6;
};

/// The questions of a walk, in the order of PlaceRelation.
QuestionWorld question_world(std::shared_ptr<const Campus> campus, CampusWalk walk,
                             std::uint64_t campus_key, std::uint64_t seed,
                             const PlaceQuestionSettings& settings);

/// A drawn grid campus and a walk over it. The same arguments give the same bits.
QuestionWorld grid_question_world(const GridCampusSettings& campus,
                                  const QuestionSetSettings& settings, std::uint64_t seed);

/// Sequence i is a grid campus of its own: of the seeds that follow from (seed, i, 0), (seed, i,
/// 1),
/// ... the first whose world is full. On num_threads threads (0: all cores), to the same bits.
/// Throws InputError if kMostDraws seeds of a sequence give none.
std::vector<QuestionWorld> grid_question_set(const GridCampusSettings& campus,
                                             const QuestionSetSettings& settings,
                                             std::uint64_t seed, int num_threads = 0);
/// The same of walks over one campus.
std::vector<QuestionWorld> campus_question_set(const std::shared_ptr<const Campus>& campus,
                                               const QuestionSetSettings& settings,
                                               std::uint64_t seed, int num_threads = 0);
/// The same along a way that was driven (driven_poses()), among things planted anew each time.
std::vector<QuestionWorld> driven_question_set(const std::vector<double>& times_s,
                                               const std::vector<kernels::Vec3>& positions_m,
                                               const PlantingSettings& planting,
                                               const QuestionSetSettings& settings,
                                               std::uint64_t seed, int num_threads = 0);
constexpr int kMostDraws = 50;

}  // namespace sightline::host
