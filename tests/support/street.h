// A street, what stands along it, and a global question asked there.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "host/meta_memory/memory_integration.h"

namespace sightline::tests {

/// A street of 11 nodes along x from 0 to 100 m, and a side street north from x = 50.
inline host::TopologicalMap street() {
  constexpr double kStep_m = 10;
  std::vector<kernels::Vec3> nodes;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (int i = 0; i <= 10; ++i) nodes.push_back({kStep_m * i, 0, 0});
  for (int i = 0; i < 10; ++i) edges.emplace_back(i, i + 1);
  for (int i = 1; i <= 3; ++i) {
    nodes.push_back({50, kStep_m * i, 0});
    edges.emplace_back(i == 1 ? 5 : 9 + i, 10 + i);
  }
  return host::topological_map_of(nodes, edges);
}

inline host::Candidate at(double x, double y, double probability = 1) {
  host::Candidate candidate;
  candidate.position_m = {x, y, 0};
  candidate.probability = probability;
  return candidate;
}

inline host::CognitiveMap asked(host::GlobalQuery question, std::vector<host::Candidate> candidates,
                                std::vector<host::Landmark> landmarks = {{"a", {0, 0, 0}},
                                                                         {"b", {100, 0, 0}}},
                                const host::SightTest& is_free = {}) {
  return host::integrate(question, landmarks, std::move(candidates), street(), is_free, {});
}

inline host::GlobalQuery of(host::GlobalQuery::Relation relation) {
  host::GlobalQuery question;
  question.relation = relation;
  return question;
}

}  // namespace sightline::tests
