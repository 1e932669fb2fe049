// Do beliefs stay what they were when the world has changed? Theory of Space (ToS), A.4.
#pragma once

#include <cstdint>
#include <optional>

#include "host/theory_of_space/bins.h"

namespace sightline::host::tos {

/// A place on the map, in cells; beliefs need not be whole cells.
struct Place {
  double x = 0, y = 0;
};

/// cos(angle between e and v) exp(-|now - before|^2 / (2 sigma^2)), e = now - truth being the error
/// that is left and v = before - truth the error of the old belief. 1: nothing was learnt; 0: all
/// was, or the old belief was right. `sigma`, in cells, is the root of the mean squared
/// distance by which beliefs about unchanged things are off; 0 stands for its limit, in which only
/// what did not move at all weighs.
///
/// The paper says that updating without a bias has a mean of about 0. It has not if errors have no
/// direction: a new belief that errs towards the old one is also nearer to it and weighs more. The
/// mean is isotropic_inertia().
double position_inertia(Place before, Place now, Place truth, double sigma);

/// 1 if the facing that is believed is still the old one, else 0.
double facing_inertia(std::optional<Heading> before, std::optional<Heading> now);

/// The mean of position_inertia() where the truth is off the old belief by `offset` times sigma,
/// and new beliefs are normal around the truth, off by sigma (root mean square), in no direction
/// more than in another; to 1e-6.
double isotropic_inertia(double offset);

/// The same mean, of drawn beliefs.
struct DrawnInertia {
  double mean = 0, standard_error = 0;
};
/// `num_draws` of at least 1; equal arguments give equal draws.
DrawnInertia drawn_isotropic_inertia(double offset, std::int64_t num_draws, std::uint64_t seed);

}  // namespace sightline::host::tos
