// All questions that a campus could be asked, good or not, for place_questions.cpp to choose from.
#pragma once

#include <vector>

#include "host/truth/place_oracle.h"

namespace sightline::host {

/// Every question of the kind. Global ones ask for classes of which at least `least_of_class` were
/// seen; local ones for three classes of things that were seen within kPlace_m less the margin.
std::vector<PlaceQuestion> candidate_questions(const PlaceOracle& oracle, PlaceRelation relation,
                                               double references_apart_m, int least_of_class);

/// Landmarks that were seen and that nothing else seen shares both class and name with, ascending.
std::vector<std::uint32_t> reference_landmarks(const PlaceOracle& oracle);

}  // namespace sightline::host
