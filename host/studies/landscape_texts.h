// The words of the landscape study: what notes and questions of one content domain are made of.
//
// A file of JSON lines, `{"kind": ..., "text": ...}`:
//
//     thing, material, activity   with a `paraphrase`; an activity with an `importance` from 1 to
//     10 note                        a frame with {material}, {thing} and {activity} question of a
//     `type`: a frame with {material}, {thing}, and {standpoint},
//                                 {region} and {other_region}, or {activity}
//     standpoint, region          in words; no text tells a place in metres
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sightline::host {

/// What a trial asks. What Spatial Memory Must Store (2026), section 6.5: four types that need
/// geometry, and a control that a text answers.
enum class LandscapeType : std::uint8_t {
  kOcclusion,      ///< can the named thing be seen from the standpoint?
  kRelation,       ///< on which side of the standpoint is it: front, right, back, left
  kNearDuplicate,  ///< which of two notes of equal text was made here?
  kMultiRegion,    ///< which of two regions holds more notes of equal text?
  kControl         ///< which note says this, in other words?
};
constexpr std::size_t kNumLandscapeTypes = 5;
constexpr std::array<const char*, kNumLandscapeTypes> kLandscapeTypeNames{
    "occlusion", "relation", "near_duplicate", "multi_region", "control"};

/// A part of a note, and the same in other words.
struct LandscapePhrase {
  std::string text, paraphrase;
  double importance =
      0;  ///< of an activity: 1 (mundane) to 10, as Generative Agents rates memories
};

struct LandscapeTexts {
  std::vector<LandscapePhrase> things, materials, activities;
  std::vector<std::string> notes, standpoints, regions;
  std::array<std::vector<std::string>, kNumLandscapeTypes> questions;  ///< by LandscapeType
};

/// Reads a domain. Throws InputError, with file and line, on a line that is none of the above, and
/// with the file where too little is left: at least 4 things and activities, 2 standpoints and
/// regions, and one of all else.
LandscapeTexts read_landscape_texts(const std::string& path);

/// What stands for a name in braces.
using LandscapeWords = std::vector<std::pair<const char*, std::string>>;

/// A frame with every {name} replaced; the first letter becomes a capital.
std::string fill_frame(const std::string& frame, const LandscapeWords& words);

}  // namespace sightline::host
