#include "host/world/view_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPixels = "pixels.csv";
constexpr const char* kPixelsHeader = "view,id,pixels,visible\n";
constexpr const char* kHits = "views.npy";
constexpr const char* kStaged = "unfinished_render";

std::string picture_name(std::int64_t view, const char* kind) {
  return fmt::format("view_{:04}_{}.png", view, kind);
}

/// view, id, pixels and whether they are enough, for every id that view `view` shows, which is
/// number `number` of the folder.
std::string pixel_lines(const Views& views, std::int64_t view, std::int64_t number,
                        std::int64_t min_pixels) {
  std::string text;
  for (const auto& [id, pixels] : pixels_by_id(views, view)) {
    text += fmt::format("{},{},{},{}\n", number, id, pixels, int{pixels >= min_pixels});
  }
  return text;
}

/// Is this the name of a picture of a view?
bool is_picture(const std::string& name) {
  constexpr std::size_t kPrefix = 5, kMostDigits = 18;  // "view_"; what 64 bits hold
  std::size_t end = kPrefix;
  while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
  if (name.rfind("view_", 0) != 0 || end == kPrefix || end - kPrefix > kMostDigits) return false;
  const std::int64_t view = std::stoll(name.substr(kPrefix, end - kPrefix));
  const auto is_named = [&](const char* kind) { return name == picture_name(view, kind); };
  return is_named("depth") || is_named("id") || is_named("shaded");
}

/// Does the file begin as a render writes it? Its name alone may be anybody's.
bool begins_as_ours(const fs::path& file) {
  constexpr std::size_t kHeadBytes = 64;  // within which an array of hits names its first field
  std::string head(kHeadBytes, '\0');
  std::ifstream(file, std::ios::binary).read(head.data(), kHeadBytes);
  if (file.filename() == kPixels) return head.rfind(kPixelsHeader, 0) == 0;
  return head.find("('distance_m', '<f8')") != std::string::npos;
}

/// Does this file belong to a render: to one that writes `files`, or to an earlier one?
bool is_of_a_render(const fs::path& file, const ViewFiles& files) {
  const std::string name = file.filename().string();
  if (name == kPixels) return files.min_pixels || begins_as_ours(file);
  if (name == kHits) return files.hits || begins_as_ours(file);
  return is_picture(name);
}

bool holds_render(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / picture_name(0, "depth"), ignored) &&
         fs::exists(folder / picture_name(0, "id"), ignored) &&
         fs::exists(folder / picture_name(0, "shaded"), ignored);
}

/// A folder of a file's name would stand in its way.
void check_names(const std::string& folder, std::int64_t num_views, const ViewFiles& files) {
  if (!is_there(folder)) return;
  std::vector<std::string> names;
  for (std::int64_t view = 0; view < num_views; ++view) {
    for (const char* kind : {"depth", "id", "shaded"}) names.push_back(picture_name(view, kind));
  }
  if (files.min_pixels) names.emplace_back(kPixels);
  if (files.hits) names.emplace_back(kHits);
  for (const std::string& name : names) check_output_path(folder + "/" + name);
}

/// Is this the name of a file that a render fills in kStaged, half-written ones included?
bool is_staged_name(std::string name) {
  if (const std::string finished = finished_name(name); !finished.empty()) name = finished;
  return name == kPixels || name == kHits || is_picture(name);
}

void check_staged_files(const std::string& folder) {
  for (const std::string& path : staged_files(folder, kStaged)) {
    if (is_staged_name(fs::path(path).filename().string())) continue;
    throw InputError(path + ": the render would remove it, but no render wrote it; move it, or " +
                     "name another folder for the render");
  }
}

/// The folder, if such views can be written into it.
const std::string& checked(const std::string& folder, const kernels::Camera& camera,
                           std::int64_t num_views, const ViewFiles& files) {
  check_view_folder(folder, files);
  check_names(folder, num_views, files);
  check_depth_unit(camera, files.depth_unit_m);
  return folder;
}

std::vector<std::int64_t> shape_of(const kernels::Camera& camera, std::int64_t num_views) {
  return {num_views, camera.height, camera.width};
}

}  // namespace

ViewFolder::ViewFolder(const std::string& folder, const kernels::Camera& camera,
                       std::int64_t num_views, Frame frame, ViewFiles files)
    : folder_(folder),
      frame_(frame),
      files_(std::move(files)),
      staged_(checked(folder, camera, num_views, files_), kStaged) {
  if (files_.min_pixels) pixels_ = kPixelsHeader;
  if (files_.hits) hits_.emplace(path_of(kHits), true, shape_of(camera, num_views));
}

void ViewFolder::write_pictures(const Views& views, std::int64_t view) {
  const auto path = [&](const char* kind) { return path_of(picture_name(num_added_, kind)); };
  write_png(depth_picture(views, view, files_.depth_unit_m), path("depth"));
  write_png(id_picture(views, view), path("id"));
  write_png(files_.shaded.empty() ? shaded_picture(views, view, frame_)
                                  : files_.shaded[static_cast<std::size_t>(num_added_)],
            path("shaded"));
}

void ViewFolder::add(const Views& views) {
  for (std::int64_t view = 0; view < views.num_views(); ++view) {
    write_pictures(views, view);
    if (files_.min_pixels) pixels_ += pixel_lines(views, view, num_added_, *files_.min_pixels);
    ++num_added_;
  }
  if (hits_) hits_->add(views.hits, views.ids);
}

void ViewFolder::commit() {
  if (hits_) hits_->commit();
  if (files_.min_pixels) write_file(path_of(kPixels), pixels_);
  staged_.commit(files_to_replace(folder_, files_));
}

void write_view_folder(const std::string& folder, const Views& views, Frame frame,
                       const ViewFiles& files) {
  check_picture_ids(views.ids);
  ViewFolder out(folder, views.camera, views.num_views(), frame, files);
  out.add(views);
  out.commit();
}

void check_view_folder(const std::string& folder, const ViewFiles& files) {
  check_staged_files(folder);
  // A render that was killed may have left some of its pictures.
  const bool rendered = holds_render(folder) || has_staged_files(folder, kStaged);
  for (const std::string& path : files_to_replace(folder, files)) {
    if (is_picture(fs::path(path).filename().string()) ? rendered : begins_as_ours(path)) {
      continue;
    }
    throw InputError(path + ": the render would replace it, but no render wrote it; a folder " +
                     "holds one render: name another folder, or move the file");
  }
}

std::vector<std::string> files_to_replace(const std::string& folder, const ViewFiles& files) {
  std::vector<std::string> found;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file() || !is_of_a_render(entry.path(), files)) continue;
    found.push_back(entry.path().string());
  }
  return found;
}

}  // namespace sightline::host
