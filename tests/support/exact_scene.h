// Random worlds, rules and frames for tests that hold the exact methods against the oracle.
#pragma once

#include <string>

#include "host/world/visibility.h"
#include "support/random.h"
#include "support/worlds.h"

namespace sightline::tests {

inline host::VisibilityQuery exact_query(host::Method method, int lattice_bits,
                                         const oracle::Rules& rules) {
  host::VisibilityQuery query;
  query.method = method;
  query.lattice_bits = lattice_bits;
  query.unknown = to_engine(rules.unknown);
  query.outside = to_engine(rules.outside);
  query.tie_rule = to_engine(rules.ties);
  return query;
}

inline oracle::Rules random_rules(Random& random) {
  oracle::Rules rules;
  rules.unknown = static_cast<oracle::Policy>(random.integer(0, 2));
  rules.outside = static_cast<oracle::Policy>(random.integer(0, 2));
  rules.ties = random.chance(0.5) ? oracle::Ties::kDiagonal : oracle::Ties::kSupercover;
  return rules;
}

inline oracle::Frame random_frame(Random& random) {
  if (random.chance(0.5)) return {};
  return {{random.uniform(-20, 20), random.uniform(-20, 20), random.uniform(-20, 20)},
          {0.08, random.uniform(0.01, 2), 0.25}};
}

inline std::string describe_rules(const oracle::Rules& rules, int lattice_bits) {
  return "unknown " + std::to_string(static_cast<int>(rules.unknown)) + " outside " +
         std::to_string(static_cast<int>(rules.outside)) + " ties " +
         std::to_string(static_cast<int>(rules.ties)) + " bits " + std::to_string(lattice_bits);
}

/// A random world, dense for the oracle and packed for the engine.
struct Scene {
  Scene(WorldKind kind, const oracle::Index3& dims, bool with_unknown, Random& random)
      : frame(random_frame(random)),
        dense(make_world(kind, dims, with_unknown, random)),
        packed(to_engine(dense, frame)) {}

  oracle::Frame frame;
  DenseWorld dense;
  host::World packed;
};

}  // namespace sightline::tests
