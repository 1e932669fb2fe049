// What OpenStreetMap's kinds of places are called in the language of questions, and the landmarks
// that a map gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/lexicon.h"
#include "host/meta_memory/osm_campus.h"
#include "host/truth/campus.h"

namespace sightline::host {

/// The class of a kind such as "amenity=cafe": by its own row of the table, else by that of its key
/// ("shop=*"); none: the lexicon has no word for it.
std::optional<ClassId> class_of_osm_kind(const std::string& kind);

struct OsmLandmarks {
  std::vector<MapPlace> places;      ///< in the order of the tables, then of the buildings
  std::int64_t num_unnamed = 0;      ///< left out: nobody could ask for them
  std::int64_t num_unknown = 0;      ///< left out: named, of a kind without a class
  std::int64_t num_repeated = 0;     ///< left out: buildings named as a place before them is
  std::int64_t num_generalised = 0;  ///< have the class that theirs is one of
};

/// The named places and buildings of a map. A building stands at the mean of its corners. Where the
/// map has places of a class and of one that is one of it (a building, a library), all have the
/// wider: who asks for a building means the library too.
OsmLandmarks osm_landmarks(const OsmCampus& campus);

}  // namespace sightline::host
