// Rendered views as pictures: how far, whose, and what it looks like.
#pragma once

#include <cstdint>
#include <map>

#include "host/world/image.h"
#include "host/world/view.h"

namespace sightline::host {

/// Throws InputError if the camera's range does not fit the 16 bits of a depth picture.
void check_depth_unit(const kernels::Camera& camera, double unit_m);

/// Distances along the pixels' rays in multiples of unit_m, rounded; 0: nothing within range.
/// Throws as check_depth_unit does.
Image16 depth_picture(const Views& views, std::int64_t view, double unit_m);

/// Throws InputError for an id above 65534, which no picture of ids can hold.
void check_picture_ids(const std::vector<std::int32_t>& ids);

/// Whose voxel each pixel shows: id + 1, 0 for nobody's. Throws InputError for an id above 65534.
Image16 id_picture(const Views& views, std::int64_t view);

/// What things with an id are coloured; others have color_of_id().
using IdColors = std::map<std::int32_t, Rgb>;

/// A light, greyish colour; those of neighbouring ids differ by the golden angle.
Rgb color_of_id(std::int32_t id);

/// Faces by their direction, darker with distance; things with an id in a colour of their own; the
/// sky where there is nothing, grey-blue where only unknown space is.
Image shaded_picture(const Views& views, std::int64_t view, Frame frame,
                     const IdColors& colors = {});

}  // namespace sightline::host
