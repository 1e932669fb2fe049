#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <string>
#include <utility>
#include <variant>

#include "host/error.h"
#include "host/python/bindings.h"
#include "host/python/settings.h"
#include "host/world/npy_world.h"

namespace sightline::python {

namespace py = pybind11;
using namespace host;

namespace {

using States = py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>;

PyWorld make(const py::object& file, const py::kwargs& settings) {
  PyWorld made;
  ConfigValue map = settings_of(settings, "World()");
  if (!file.is_none()) {
    map.set_entry("file", ConfigValue::text(path_of(file, "file")));
    map = map.with_mark({"World()", 0, 0});
  }
  made.spec = parse_world_spec(map);
  const py::gil_scoped_release unlocked;
  made.world = make_world(made.spec);
  return made;
}

Frame frame_of(const std::string& name) {
  if (name == "y_up") return Frame::kSceneYUp;
  if (name == "z_up") return Frame::kMapZUp;
  throw InputError("frame: '" + name + "' is neither y_up nor z_up");
}

PyWorld from_array(const py::array& states,
                   const std::variant<double, std::array<double, 3>>& voxel_m,
                   const std::array<double, 3>& origin_m, const std::string& frame) {
  const bool right_type = states.dtype().kind() == 'b' ||
                          (states.dtype().kind() == 'u' && states.dtype().itemsize() == 1);
  if (!right_type || states.ndim() != 3) {
    throw InputError(
        "World.from_array: a world is bool or uint8 [nx, ny, nz] with 0 free, 1 occupied, 2 "
        "unknown");
  }
  const States bytes(states);
  GridGeometry geometry;
  for (int axis = 0; axis < 3; ++axis) geometry.dims[axis] = bytes.shape(axis);
  geometry.origin_m = origin_m;
  geometry.frame = frame_of(frame);
  if (const double* edge_m = std::get_if<double>(&voxel_m)) {
    geometry.voxel_m.fill(*edge_m);
  } else {
    geometry.voxel_m = std::get<1>(voxel_m);
  }
  PyWorld made;
  made.spec.voxel_m = geometry.voxel_m[0];  // what parse_sight asks: it has a grid
  const std::uint8_t* data = bytes.data();
  const py::gil_scoped_release unlocked;
  made.world = world_of("array", grid_of_states(geometry, data));
  return made;
}

py::array_t<std::uint8_t> to_array(const PyWorld& self) {
  const OccupancyGrid& grid = grid_of(self);
  const auto& dims = grid.geometry().dims;
  py::array_t<std::uint8_t> states({dims[0], dims[1], dims[2]});
  std::uint8_t* out = states.mutable_data();
  const py::gil_scoped_release unlocked;
  copy_states(grid, out);
  return states;
}

PyWorld at(const PyWorld& self, std::int64_t version) {
  return {self.spec, at_version(self.world, version)};
}

std::int64_t num_versions(const PyWorld& self) {
  return self.world.versions ? self.world.versions->latest() + 1 : 1;
}

std::array<std::array<double, 3>, 2> bounds(const PyWorld& self) {
  const Bounds b = host::extent_of(self.world);
  return {{{b.min.x, b.min.y, b.min.z}, {b.max.x, b.max.y, b.max.z}}};
}

std::string text_of(const PyWorld& self) {
  std::string text = "<sightline.World " + self.world.name;
  if (self.world.grid) {
    const auto& dims = self.world.grid->geometry().dims;
    text += ", " + std::to_string(dims[0]) + " x " + std::to_string(dims[1]) + " x " +
            std::to_string(dims[2]) + " voxels";
  }
  return text + ">";
}

}  // namespace

const OccupancyGrid& grid_of(const PyWorld& self) {
  if (!self.world.grid) {
    throw InputError(self.world.name +
                     " has no voxels; make it with solid={'grid': {'voxel_m': ...}}");
  }
  return *self.world.grid;
}

void bind_world(py::module_& module) {
  py::class_<PyWorld>(module, "World",
                      "A voxel world, an analytic scene, or both.\n\n"
                      "World(file='map.bt'), World(file='map.npy', voxel_m=0.1, frame='z_up'),\n"
                      "World(scene='village', solid={'grid': {'voxel_m': 0.25}}), "
                      "World.from_array(states, voxel_m=0.1)")
      .def(py::init(&make), py::arg("file") = py::none(), "The keys of `world` in a sweep file.")
      .def_static("from_array", &from_array, py::arg("states"), py::kw_only(),
                  py::arg("voxel_m") = 1.0, py::arg("origin_m") = std::array<double, 3>{},
                  py::arg("frame") = "y_up",
                  "Of bool or uint8 [nx, ny, nz]: 0 free, 1 occupied, 2 unknown. voxel_m: one "
                  "number, or three; frame: y_up or z_up.")
      .def("to_array", &to_array, "uint8 [nx, ny, nz]: 0 free, 1 occupied, 2 unknown")
      .def(
          "save",
          [](const PyWorld& self, const py::object& path) {
            return save_world(self.world, path_of(path, "path"));
          },
          py::arg("path"),
          "Writes it in the format of the extension. Returns what the file does not say.")
      .def("at_version", &at, py::arg("version"), "The same world at another version.")
      .def_property_readonly("num_versions", &num_versions, "1 for a world that was never edited")
      .def_property_readonly("name", [](const PyWorld& self) { return self.world.name; })
      .def_property_readonly(
          "frame",
          [](const PyWorld& self) { return self.world.frame == Frame::kMapZUp ? "z_up" : "y_up"; })
      .def_property_readonly("bounds_m", &bounds, "Its low and its high corner")
      .def_property_readonly("shape",
                             [](const PyWorld& self) { return grid_of(self).geometry().dims; })
      .def_property_readonly("voxel_m",
                             [](const PyWorld& self) { return grid_of(self).geometry().voxel_m; })
      .def_property_readonly("origin_m",
                             [](const PyWorld& self) { return grid_of(self).geometry().origin_m; })
      .def("__repr__", &text_of);
}

}  // namespace sightline::python
