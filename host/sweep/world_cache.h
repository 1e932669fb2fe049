// The last world made, since neighbouring blocks often share it.
#pragma once

#include <string>
#include <utility>

#include "host/config/place.h"
#include "host/sweep/shared_inputs.h"
#include "host/world/load.h"
#include "host/world/world.h"

namespace sightline::host {

class WorldCache {
 public:
  explicit WorldCache(const SharedInputs* shared = nullptr) : shared_(shared) {}

  /// The world of a spec. Throws InputError, at `place`, as make_world does.
  const World& of(const WorldSpec& spec, const std::string& place) {
    if (key_ != spec.canonical) {
      key_.clear();  // a world that fails to load must not pass for the last one
      const World* const known = shared_ ? shared_->all_versions(spec) : nullptr;
      world_ =
          at_place(place, [&] { return known ? choose_version(*known, spec) : make_world(spec); });
      key_ = spec.canonical;
    }
    return world_;
  }
  const World& last() const { return world_; }

 private:
  const SharedInputs* shared_;
  std::string key_;  ///< of `world_`; empty: none
  World world_;
};

}  // namespace sightline::host
