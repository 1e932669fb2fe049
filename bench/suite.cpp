#include "bench/suite.h"

#include <cstdio>

#include "host/error.h"

namespace sightline::bench {

Suite::Suite(const SuiteOptions& options) : options_(options) {
  worlds_.push_back(make_rooms(options.rooms_edge, kSeed));
  try {
    worlds_.push_back(load_building());
  } catch (const host::InputError& error) {
    std::fprintf(stderr, "world:building skipped: %s\n", error.what());
  }
}

const RaySet& Suite::ray_set(const BenchWorld& world, int set) {
  const std::string key = world.name + "/" + std::to_string(set);
  const auto known = ray_sets_.find(key);
  if (known != ray_sets_.end()) return known->second;
  return ray_sets_.emplace(key, make_ray_set(world, set, options_.rays, kSeed)).first->second;
}

void Suite::fail(benchmark::State& state, const std::string& what) {
  failed_ = true;
  state.SkipWithError(what.c_str());
}

}  // namespace sightline::bench
