// What arms of several studies are told alike: where memories are anchored, and how to look.
#pragma once

#include <cstdint>

#include "host/config/value.h"
#include "host/world/visibility.h"

namespace sightline::host {

/// Which places the memories of an arm are anchored at. What Spatial Memory Must Store (2026),
/// section 6.9: a system that read the observer's place in place of the subject's answered from
/// there without an error.
enum class Anchors : std::uint8_t {
  kSubject,   ///< the thing's
  kObserver,  ///< where it was seen from
  kShuffled   ///< other memories', of any trial
};
/// Reads `anchors`: subject (default), observer or shuffled. Throws InputError.
Anchors parse_anchors(const ConfigValue& arm);

/// How an arm looks along a ray.
struct SightMethod {
  VisibilityQuery query;
  double step_m = 0;  ///< of a march

  bool is_march() const {
    return query.method == Method::kMarch || query.method == Method::kMarchUniform;
  }
};
/// Reads `method` (march, march_uniform, dda, hdda) and, of a march, `step_m`, over what is usual.
/// Throws InputError for a march without a step, and a step without a march.
SightMethod parse_sight_method(const ConfigValue& arm, const SightMethod& usual = {});

}  // namespace sightline::host
