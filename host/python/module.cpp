// The Python module `sightline`: line of sight, first hits and recall over NumPy arrays.
#include <pybind11/pybind11.h>

#include "host/environment.h"
#include "host/error.h"
#include "host/python/bindings.h"

namespace py = pybind11;

namespace {

/// Bad input is a ValueError, as everywhere in Python; a stop by Ctrl-C has its own error set.
void translate(std::exception_ptr error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const sightline::host::InputError& bad) {
    PyErr_SetString(PyExc_ValueError, bad.what());
  } catch (const sightline::host::Interrupted& stopped) {
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_KeyboardInterrupt, stopped.what());
  }
}

}  // namespace

PYBIND11_MODULE(sightline, module) {
  module.doc() =
      "Batch visibility and retrieval over voxel worlds, on CPU and GPU.\n\n"
      "Lengths are metres. Keyword arguments of World, line_of_sight, first_hits and recall are\n"
      "the keys of a sweep file's `world`, `visibility` and `recall`; wrong ones raise ValueError\n"
      "with the nearest right one.";
  module.attr("__version__") = sightline::host::build_info().version;
  py::register_exception_translator(translate);
  sightline::python::bind_device(module);
  sightline::python::bind_world(module);
  sightline::python::bind_visibility(module);
  sightline::python::bind_memories(module);
}
