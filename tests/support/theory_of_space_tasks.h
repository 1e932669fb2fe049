// Questions of the conformance data of Theory of Space.
#pragma once

#include "host/theory_of_space/answer_words.h"
#include "host/theory_of_space/spatial_map.h"
#include "host/theory_of_space/task.h"
#include "support/theory_of_space.h"

namespace sightline::tests {

template <class Bin>
Bin bin_named(const std::string& name, int num_bins) {
  for (int bin = 0; bin < num_bins; ++bin) {
    if (host::tos::name_of(static_cast<Bin>(bin)) == name) return static_cast<Bin>(bin);
  }
  throw std::runtime_error("no bin is called " + name);
}

/// [["oven", "front-left", "near"], ...]
inline std::vector<host::tos::SeenFact> facts_of(const nlohmann::json& rows) {
  std::vector<host::tos::SeenFact> facts;
  for (const nlohmann::json& row : rows) {
    facts.push_back({row[0], bin_named<host::tos::EgoBin>(row[1], host::tos::kNumEgoBins),
                     bin_named<host::tos::DistanceBin>(row[2], host::tos::kNumDistanceBins)});
  }
  return facts;
}

inline std::vector<host::tos::Cell> cells_of(const nlohmann::json& rows) {
  std::vector<host::tos::Cell> cells;
  for (const nlohmann::json& row : rows) cells.push_back({row[0], row[1]});
  return cells;
}

}  // namespace sightline::tests
