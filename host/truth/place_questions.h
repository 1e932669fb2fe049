// Questions about where things are on a campus, drawn so that each has one right answer, and by a
// margin: what a robot that walked there is asked.
//
// Meta-Memory (Mao et al.), section V: 15 basic, 15 local and 15 global questions on each of six
// walks. A question is drawn only if
//
//     - its verdict (place_oracle.h) is clear, and stays the same, for kLocal with the same
//       members, when every object moves by jitter_m in a direction of its own, num_jitters times;
//     - of what a global question asks for, at least least_of_class things were seen, so that the
//       relation decides and not the class; what a basic one asks for was seen once;
//     - no two things that it could mean stand nearer than kToldApart_m;
//     - its references are landmarks told by class or name from all that was seen, and two of them
//       lie references_apart_m apart;
//     - every pose that sees the answer lies at most kSureView_m from the viewpoint, so that one
//     who
//       stands where the answer is seen is right within 15 m. Of kLocal: every pose that sees one
//       of each, and one of them must; and every pose within 7 m of which each is seen from some
//       pose lies at most kSecondPlace_m away.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/truth/place_oracle.h"

namespace sightline::host {

constexpr double kToldApart_m = 4, kSureView_m = 13, kSecondPlace_m = 20;

/// Both answers that there are, never to be mixed: where the thing is, and where one stands to see
/// it.
struct PlaceTruth {
  std::uint32_t object = 0;
  kernels::Vec3 object_m;
  std::vector<std::uint32_t> members;  ///< kLocal: all things of the place, as they were asked for
  /// The pose nearest to the object of those that see it. Of kLocal: of those that see all members,
  /// the one with the least sum of distances to them. Of equals the first.
  std::int32_t viewpoint_pose = 0;
  kernels::Vec3 viewpoint_m;
  std::vector<kernels::Vec3> way_m;  ///< kRoute, kKth: the route
};

struct DrawnPlaceQuestion {
  PlaceQuestion question;
  PlaceTruth truth;
  std::uint64_t seed = 0;  ///< that it was drawn with
};

struct PlaceQuestionSettings {
  std::array<int, kNumPlaceRelations> counts{15, 15, 3, 2, 3, 2, 2, 3};  ///< by PlaceRelation
  double references_apart_m = 50;
  int least_of_class = 3;
  int num_jitters = 20;
  double jitter_m = 1;
};

struct DrawnPlaceQuestions {
  std::vector<DrawnPlaceQuestion> questions;  ///< by relation, in the order drawn
  bool is_full = false;                       ///< as many of each as were asked for
};

/// All questions of a kind that the world could be asked are put in random order, and the first
/// good ones taken; those with an answer that another of the kind has come last. The same arguments
/// give the same bits.
DrawnPlaceQuestions draw_place_questions(const PlaceOracle& oracle,
                                         const PlaceQuestionSettings& settings, std::uint64_t seed);

}  // namespace sightline::host
