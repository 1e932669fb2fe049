// The texts of the storage medium, and who reads them without a language model. Not for users of
// the library: see storage_medium.h.
//
//     Remembered: A brass lantern was filled with oil and left burning.
//     The lantern is at x 12.30, y 1.20, z 7.85.
//     You stand with your eyes at x 3.10, y 1.60, z 5.00.
//     A wall fills x 9.50 to 10.50, y 0.00 to 4.00, z 0.00 to 9.00.
//     From where you stand the lantern is HIDDEN.
//     Can you see the lantern from where you stand? Answer with one word, VISIBLE or HIDDEN.
//
// Every arm is told the first and the last line; one line of a wall for each of its boxes.
#pragma once

#include <optional>
#include <string>

#include "host/studies/prompt.h"
#include "host/studies/storage_medium_trials.h"

namespace sightline::host {

enum class MediumContent : std::uint8_t {
  kSentence,
  kLabel,             ///< and whether it is visible
  kPlaces,            ///< and where the thing and the observer are
  kPlacesAndOccluder  ///< and the walls
};

/// What a prompt tells beside the sentence.
struct ToldPlaces {
  kernels::Vec3 place_m, from_m;
  std::vector<Bounds> walls;  ///< of kPlacesAndOccluder
};

/// Answers: VISIBLE, HIDDEN.
Prompt medium_prompt(const MediumTrial& trial, MediumContent content, const ToldPlaces& told);

/// The rule-based reader, the stand-in for the paper's language model: it sees the question's text
/// alone. A label that is there is the answer. Else the numbers of places and walls are parsed, and
/// HIDDEN is answered if the segment from eye to thing meets a box, its faces included. What is not
/// told does not hide: without places or walls, VISIBLE. Lines it does not know are passed over.
std::string read_medium_prompt(const std::string& question);

}  // namespace sightline::host
