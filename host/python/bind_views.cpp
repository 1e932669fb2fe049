#include <pybind11/stl.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/config/place.h"
#include "host/error.h"
#include "host/python/arrays.h"
#include "host/python/bindings.h"
#include "host/python/hit_items.h"
#include "host/python/settings.h"
#include "host/sweep/judge.h"
#include "host/world/view.h"

namespace sightline::python {

using namespace host;

namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

constexpr std::int64_t kNobody = -1, kMaxId = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMaxPixelBytes = std::int64_t{256} << 20;  ///< in memory beside the answers

std::vector<kernels::Pose> poses_of(const py::object& given, Frame frame) {
  refuse_masked(given, "poses");
  const Numbers rows = Numbers::ensure(given);
  if (!rows || rows.ndim() < 1 || rows.ndim() > 2 || rows.shape(rows.ndim() - 1) != 5) {
    PyErr_Clear();
    throw InputError("poses: is no array [n, 5] or [5] of x, y, z, yaw_deg, pitch_deg");
  }
  std::vector<kernels::Pose> poses;
  for (const double* row = rows.data(); row != rows.data() + rows.size(); row += 5) {
    at_place("poses[" + std::to_string(poses.size()) + "]", [&] {
      poses.push_back(make_pose_deg(frame, {row[0], row[1], row[2]}, row[3], row[4]));
    });
  }
  return poses;
}

/// Of voxels that rays can meet: the others, most of a world as a rule, need no label.
VoxelLabels labels_of(const py::object& given, const OccupancyGrid& grid) {
  VoxelLabels labels;
  if (given.is_none()) return labels;
  const auto& dims = grid.geometry().dims;
  const std::optional<Integers> ids = integers_of(given, "labels");
  const bool is_right = ids && ids->ndim() == 3 && ids->shape(0) == dims[0] &&
                        ids->shape(1) == dims[1] && ids->shape(2) == dims[2];
  if (!is_right) {
    throw InputError("labels: is no integer array of the world's shape, [" +
                     std::to_string(dims[0]) + ", " + std::to_string(dims[1]) + ", " +
                     std::to_string(dims[2]) + "], with an id for each voxel or -1");
  }
  const std::int64_t* id = ids->data();
  for (std::int64_t x = 0; x < dims[0]; ++x) {
    for (std::int64_t y = 0; y < dims[1]; ++y) {
      for (std::int64_t z = 0; z < dims[2]; ++z, ++id) {
        if (*id == kNobody || grid.at(x, y, z) == VoxelState::kFree) continue;
        if (*id < 0 || *id > kMaxId) {
          throw InputError("labels: " + std::to_string(*id) + " of voxel (" + std::to_string(x) +
                           ", " + std::to_string(y) + ", " + std::to_string(z) +
                           ") is no id; must be from 0 to " + std::to_string(kMaxId) +
                           ", or -1 for nobody's");
        }
        labels.add_voxel(grid, {x, y, z}, static_cast<std::int32_t>(*id));
      }
    }
  }
  return labels;
}

py::array render_of(const PyWorld& world, const py::object& given, const py::object& given_labels,
                    const CameraSettings& camera_settings, const py::object& device,
                    const py::kwargs& settings) {
  ConfigValue map = settings_of(settings, "render()");
  if (!map.find("method")) map.set_entry("method", ConfigValue::text("hdda"));
  const SightSettings sight = parse_sight(map, world.spec);
  refuse_idle_step(map);
  if (sight.area) map.at("target").fail("is for sweeps; a view shows what its pixels meet");
  const kernels::Camera camera = make_camera(camera_settings);
  const std::vector<kernels::Pose> poses = poses_of(given, world.world.frame);
  const VoxelLabels labels = labels_of(given_labels, grid_of(world));
  std::vector<py::ssize_t> shape{camera.height, camera.width};
  if (!is_single(given)) shape.insert(shape.begin(), static_cast<py::ssize_t>(poses.size()));
  py::array_t<PixelItem> pixels(shape);
  PixelItem* out = pixels.mutable_data();
  on_device(device, [&](Device& on) {
    render_views_in_blocks(world.world, poses, camera, sight.query, labels, kMaxPixelBytes, on,
                           [&](const Views& views) {
                             for (std::size_t i = 0; i < views.hits.size(); ++i) {
                               *out = item_of<PixelItem>(views.hits[i]);
                               out++->id = views.ids[i];
                             }
                           });
  });
  return std::move(pixels);
}

constexpr const char* kRenderDoc =
    "What cameras see: a structured array [n, height, width], or [height, width] of one pose,\n"
    "rows from the top left, with distance_m along the pixel's ray (infinite where nothing is\n"
    "met), voxel, normal, sight, through_unknown, and id (-1 where nobody's).\n\n"
    "poses: [n, 5] or [5] of x, y, z in metres, yaw_deg, pitch_deg. labels: an id for each voxel,\n"
    "or -1. Angles are full ones; vertical_deg=0: square pixels. Further arguments as of\n"
    "first_hits().";

}  // namespace

void bind_views(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(PixelItem, distance_m, voxel, normal, sight, through_unknown, id);
  module.def(
      "render",
      [](const PyWorld& world, const py::object& poses, const py::object& labels,
         std::int64_t width, std::int64_t height, double horizontal_deg, double vertical_deg,
         double range_m, const py::object& device, const py::kwargs& settings) {
        return render_of(world, poses, labels,
                         {width, height, horizontal_deg, vertical_deg, range_m}, device, settings);
      },
      py::arg("world"), py::arg("poses"), py::kw_only(), py::arg("labels") = py::none(),
      py::arg("width") = 640, py::arg("height") = 480, py::arg("horizontal_deg") = 90.0,
      py::arg("vertical_deg") = 0.0, py::arg("range_m") = 50.0, py::arg("device") = py::none(),
      kRenderDoc);
}

}  // namespace sightline::python
