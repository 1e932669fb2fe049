// How right an answer in words is: the scorers of Theory of Space (ToS), B.4, with the leniency
// that the published scores have.
//
// Every score is in [0, 1]. What cannot be read scores 0.
#pragma once

#include <string_view>
#include <vector>

#include "host/theory_of_space/spatial_map.h"
#include "host/theory_of_space/task.h"

namespace sightline::host::tos {

struct ScoringOptions {
  /// No partial labels, no swapped order: "front" is not "front-left".
  bool is_strict = false;
  /// view2loc: a cell from which the facts are not seen scores 0.
  bool checks_facts = false;
};

/// `truth` is the true map of the scene.
double score_answer(const TaskQuestion& question, const SpatialMap& truth, std::string_view answer,
                    const ScoringOptions& options = {});

/// Half for each of direction and distance. As published, case, blanks and hyphens do not matter,
/// nor does the order of the two; a label also matches one that it is a word of, or that is a word
/// of it: "front" goes for every "front-...", "far" for "very far".
double score_direction_distance(std::string_view answer, std::string_view direction,
                                std::string_view distance, bool is_strict = false);
/// All names in order, whatever their case.
double score_names(std::string_view answer, const std::vector<std::string>& names);
/// The mean of exp(-RMSE / L), L being the root mean square of the true cells' lengths, and of the
/// share of pairs of cells, the origin being one, whose direction is right. 0 for too few or many.
double score_cells(std::string_view answer, const std::vector<Cell>& cells);
/// exp(-distance / |cell|); at the origin 1 or 0.
double score_cell(std::string_view answer, Cell cell);
/// 1 if the actions lead from the start to where all facts are seen; a rotation that is none
/// (is_rotation) leads nowhere. Rooms do not matter.
double score_plan(std::string_view answer, const SpatialMap& truth,
                  const std::vector<SeenFact>& facts);

/// Are all facts seen from a cell of the map? Rooms do not matter.
bool sees(const SpatialMap& map, Cell from, Eighth view, const std::vector<SeenFact>& facts);

/// Where actions lead on a map, jumps needing only that their aim is in the field of view; false if
/// one fails.
bool follow(const SpatialMap& map, const std::vector<Action>& actions, Cell* cell,
            Heading* heading);

}  // namespace sightline::host::tos
