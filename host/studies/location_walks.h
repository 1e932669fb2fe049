// A walk over a campus, what can be asked about it, and the memory that a robot has of it: what
// location_questions.h asks about.
#pragma once

#include <cstdint>
#include <vector>

#include "host/meta_memory/caption_noise.h"
#include "host/meta_memory/entries.h"
#include "host/meta_memory/memory_integration.h"
#include "host/meta_memory/question_set.h"
#include "host/meta_memory/topological_map.h"

namespace sightline::host {

/// Which walk.
struct WalkSettings {
  std::uint64_t seed = 1;
  std::int64_t sequence = 0;
};

struct RememberedWalk {
  QuestionWorld world;
  EntryTable entries;
  TopologicalMap map;

  /// Those of a type, in their order; they live as long as the walk.
  std::vector<const PlaceQuery*> questions_of(PlaceQuestionType type) const;
};

/// The same arguments give the same bits.
RememberedWalk remember_walk(const WalkSettings& settings, const CaptionNoise& noise);

/// Past the campus' buildings: the robot knows their outlines.
SightTest sight_over(const Campus& campus);

}  // namespace sightline::host
