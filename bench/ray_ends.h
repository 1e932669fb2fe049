// A ray as engines in single precision take it.
#pragma once

namespace sightline::bench {

/// Endpoints in voxels, multiples of 1/256: exact in float, in double and on the lattice, so every
/// engine is asked the same question.
struct FloatRay {
  float from[3], to[3];
};

}  // namespace sightline::bench
