// Pictures of a scene: what an agent sees of it, and what it is told of how things look.
#pragma once

#include <string>
#include <vector>

#include "host/device.h"
#include "host/theory_of_space/scene_world.h"

namespace sightline::host::tos {

constexpr std::int64_t kViewSide_px = 384;  ///< Theory of Space (ToS), section 4.1 and B.1
constexpr double kViewRange_m = 60;         ///< beyond the diagonal of the largest mask

/// A view from each pose: 90 degrees wide and high, side_px square. What stands in a pose's own
/// cell is not there (observe() never tells of it), which opens the door that one stands in. The
/// ids are labels (scene_world.h).
Views scene_views(const Scene& scene, const std::vector<Pose>& poses, Device& device,
                  std::int64_t side_px = kViewSide_px);

/// The same views with the items' indices for ids.
Views with_item_ids(Views views);

/// "4,7,N": a cell of a room or a door, and a heading. Throws InputError for what is none.
Pose parse_pose(const Scene& scene, const std::string& text);
/// "4,7": a cell of a room. Throws likewise.
Cell parse_room_cell(const Scene& scene, const std::string& text);

/// Writes scene_views() as write_view_folder() does: depth, ids (an item's index), and colours in
/// the shaded picture; pixels.csv. Throws as it does.
void write_scene_views(const std::string& folder, const Scene& scene, const Views& views);
/// Throws InputError where that would replace a file that no render wrote.
void check_scene_views(const std::string& folder);

/// How near and far look, and how wide 22.5 degrees are: posts in a hall, blue, red and green at 1,
/// 2 and 3 cells straight ahead, and yellow at 2 cells, 22.5 degrees to the left. ToS, Figure 6.
Image distance_reference(Device& device, std::int64_t side_px = kViewSide_px);

/// How each object of a scene looks from the front and, if it faces anywhere, from its left side,
/// with its name. ToS, Figure 7.
Image orientation_reference(const Scene& scene, Device& device);

}  // namespace sightline::host::tos
