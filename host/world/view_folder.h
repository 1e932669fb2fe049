// Rendered views as a folder of files, which holds one render and no more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/world/hits_file.h"
#include "host/world/staged_files.h"
#include "host/world/view_pictures.h"

namespace sightline::host {

/// What a render writes.
struct ViewFiles {
  double depth_unit_m = 0.001;             ///< of the depth pictures
  std::optional<std::int64_t> min_pixels;  ///< pixels.csv: from as many a thing is visible
  bool hits = false;                       ///< views.npy
  std::vector<Image> shaded;               ///< [num_views] in place of shaded_picture()'s, if any
};

/// A render on its way into a folder: view_0000_depth.png, view_0000_id.png and
/// view_0000_shaded.png, and so on for each view, pixels.csv and views.npy. commit() takes away
/// what an earlier render wrote and this one did not, so that the folder tells of one render; files
/// that no render wrote stay. All is written to unfinished_render/ in the folder first and then put
/// in place: a render that fails leaves the folder as it was. One that is killed leaves
/// unfinished_render/, which the next render takes away.
class ViewFolder {
 public:
  /// Makes the folder if it is not there. Throws InputError, before anything is written, for a
  /// range that depth pictures cannot hold, for a folder that cannot be made, and as
  /// check_view_folder does.
  ViewFolder(const std::string& folder, const kernels::Camera& camera, std::int64_t num_views,
             Frame frame, ViewFiles files);

  /// The next views by that camera. Throws InputError for ids that pictures cannot hold, RunError
  /// when the disk is full or fails.
  void add(const Views& views);
  /// Once num_views are added. Throws RunError.
  void commit();

 private:
  void write_pictures(const Views& views, std::int64_t view);
  std::string path_of(const std::string& name) const { return staged_.path() + "/" + name; }

  std::string folder_;
  Frame frame_;
  ViewFiles files_;
  std::int64_t num_added_ = 0;
  StagedFiles staged_;
  std::string pixels_;                 ///< pixels.csv so far
  std::optional<HitsNpyFile> hits_{};  ///< views.npy, if asked for
};

/// Writes views that are all there, as ViewFolder does.
void write_view_folder(const std::string& folder, const Views& views, Frame frame,
                       const ViewFiles& files);

/// Throws InputError if a ViewFolder would replace or take away a file that no render wrote:
/// pixels.csv or views.npy that do not begin as a render's do, a picture in a folder without the
/// three of view 0 (unless a render was killed there), or another file in unfinished_render/.
void check_view_folder(const std::string& folder, const ViewFiles& files);

/// The files of the folder that a ViewFolder would replace or take away, however many views
/// there are; none if there is no such folder. For refusing to write over what is yet to be read.
std::vector<std::string> files_to_replace(const std::string& folder, const ViewFiles& files);

}  // namespace sightline::host
