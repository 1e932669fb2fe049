// Rendered views as pictures: how far, whose, and what it looks like.
#pragma once

#include <cstdint>

#include "host/world/image.h"
#include "host/world/view.h"

namespace sightline::host {

/// Distances along the pixels' rays in multiples of unit_m, rounded; 0: nothing within range.
/// Throws InputError if the camera's range does not fit 16 bits at this unit.
Image16 depth_picture(const Views& views, std::int64_t view, double unit_m);

/// Whose voxel each pixel shows: id + 1, 0 for nobody's. Throws InputError for an id above 65534.
Image16 id_picture(const Views& views, std::int64_t view);

/// Faces by their direction, darker with distance; things with an id in a hue of their own; the sky
/// where there is nothing, grey-blue where only unknown space is.
Image shaded_picture(const Views& views, std::int64_t view, Frame frame);

}  // namespace sightline::host
