// Does a solid share volume with a box? Exact tests for each kind of primitive.
#pragma once

#include <vector>

#include "host/world/world.h"

namespace sightline::host {

/// What openings leave of a solid, as pieces without openings that share no volume. Throws
/// InputError if an opening is not a box turned like its solid.
std::vector<kernels::Primitive> without_openings(const AnalyticSolid& set,
                                                 const kernels::Primitive& solid);

/// Do the interiors of a primitive (its openings left aside) and of an axis-aligned box meet?
bool meets(const kernels::Primitive& primitive, const Bounds& box);

}  // namespace sightline::host
