// Rendered views as a folder of files, which holds one render and no more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/world/view_pictures.h"

namespace sightline::host {

/// What a render writes.
struct ViewFiles {
  double depth_unit_m = 0.001;             ///< of the depth pictures
  std::optional<std::int64_t> min_pixels;  ///< pixels.csv: from as many a thing is visible
  bool hits = false;                       ///< views.npy
  std::vector<Image> shaded;               ///< [num_views] in place of shaded_picture()'s, if any
};

/// Writes view_0000_depth.png, view_0000_id.png and view_0000_shaded.png, and so on for each view,
/// pixels.csv and views.npy into the folder, which is made if it is not there, and takes away what
/// an earlier render wrote and this one did not, so that the folder tells of one render; files that
/// no render wrote stay. All of it is written to unfinished_render/ in the folder first and then
/// put in place: a render that fails leaves the folder as it was. One that is killed leaves
/// unfinished_render/, which the next render takes away. Throws InputError, before anything is
/// written, for views that a picture cannot hold, for a folder that cannot be made, and as
/// check_view_folder does; RunError when the disk is full or fails.
void write_view_folder(const std::string& folder, const Views& views, Frame frame,
                       const ViewFiles& files);

/// Throws InputError if write_view_folder would replace or take away a file that no render wrote:
/// pixels.csv or views.npy that do not begin as a render's do, a picture in a folder without the
/// three of view 0 (unless a render was killed there), or another file in unfinished_render/.
void check_view_folder(const std::string& folder, const ViewFiles& files);

/// The files of the folder that write_view_folder would replace or take away, however many views
/// there are; none if there is no such folder. For refusing to write over what is yet to be read.
std::vector<std::string> files_to_replace(const std::string& folder, const ViewFiles& files);

}  // namespace sightline::host
