// Seven types of question to a world, and what an answer to each is.
//
// What Spatial Memory Must Store (2026), section 6.4: six that need geometry and one that text
// answers.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "host/world/world.h"

namespace sightline::host {

enum class QuestionType : std::uint8_t {
  kPresence,       ///< is such a thing within this circle?
  kOcclusion,      ///< can I see it from here?
  kRelation,       ///< is it in front, to the right, behind or to the left of me?
  kCoverage,       ///< was anything seen within this circle?
  kNearDuplicate,  ///< which of two equal things is the one here?
  kMultiRegion,    ///< which of two rooms holds more of them?
  kControl         ///< which memory says this? Text answers, wherever one stands
};
constexpr std::array<const char*, 7> kQuestionTypes = {
    "presence", "occlusion", "relation", "coverage", "near_duplicate", "multi_region", "control"};

/// Answers of a yes-or-no question.
constexpr int kNo = 0, kYes = 1;

struct Room {
  std::string name;
  Bounds bounds_m;
};

}  // namespace sightline::host
