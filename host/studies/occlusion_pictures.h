// Pictures of voxels, and which targets show in them: how arms of render_as_recall.h render. Not
// for users of the library.
#pragma once

#include <cstdint>
#include <vector>

#include "host/world/view.h"

namespace sightline::host {

/// A small cube at a point, and how much of a picture it must take up to count as seen.
struct PictureRule {
  double box_m = 0.1;           ///< edge of the cube around a target
  std::int64_t min_pixels = 1;  ///< that show it
  double min_share = 0.5;       ///< of the pixels that it would take up with nothing in front
};

/// What one picture is asked.
struct Sighted {
  std::int64_t picture = 0;  ///< index into the poses; ascending over a list
  kernels::Vec3 target_m;
};

/// Renders a picture from every pose, whole, and says of each target, [num_asked], whether it shows
/// in its picture: whether enough pixels' rays meet its cube before anything else. A cube that
/// falls between the pixels, or that reaches behind the camera, does not show. Throws InputError.
std::vector<std::uint8_t> shows_in_pictures(const World& world,
                                            const std::vector<kernels::Pose>& poses,
                                            const kernels::Camera& camera, const PictureRule& rule,
                                            const std::vector<Sighted>& asked, Device& device);

/// A pose at a place that looks at another. In the frame's up axis or where both are one point: as
/// yaw 0 does.
kernels::Pose look_at(Frame frame, const kernels::Vec3& from_m, const kernels::Vec3& at_m);

}  // namespace sightline::host
