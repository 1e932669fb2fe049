// The Python module `sightline`: line of sight, first hits, views and recall over NumPy arrays, and
// sweeps.
#include <pybind11/pybind11.h>

#include <string>
#include <utility>

#include "host/environment.h"
#include "host/error.h"
#include "host/python/bindings.h"

namespace py = pybind11;

namespace {

/// Messages of the library name what a terminal's user types.
std::string in_python(std::string text) {
  for (const auto& [option, argument] :
       {std::pair<std::string, std::string>{"--resume", "resume=True"},
        {"--trials", "trials=True"},
        {"--keep-going", "keep_going=True"}}) {
    for (std::size_t at = 0; (at = text.find(option, at)) != std::string::npos;) {
      text.replace(at, option.size(), argument);
    }
  }
  return text;
}

/// Bad input is a ValueError, as everywhere in Python; a stop by Ctrl-C has its own error set.
void translate(std::exception_ptr error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const sightline::host::InputError& bad) {
    PyErr_SetString(PyExc_ValueError, in_python(bad.what()).c_str());
  } catch (const sightline::host::Interrupted& stopped) {
    if (PyErr_Occurred() == nullptr)
      PyErr_SetString(PyExc_KeyboardInterrupt, in_python(stopped.what()).c_str());
  }
}

/// pybind11 before 2.12 misreads the arrays of NumPy 2, without an error.
void check_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  if (version.rfind("1.", 0) == 0) return;
  const std::string text =
      "sightline: built with pybind11 " + std::to_string(PYBIND11_VERSION_MAJOR) + "." +
      std::to_string(PYBIND11_VERSION_MINOR) + ", which cannot read the arrays of NumPy " +
      version + ". Use a Python with NumPy 1 (pip install 'numpy<2'), or install " +
      "the module with `pip install ./host/python`, which takes a newer pybind11";
  PyErr_SetString(PyExc_ImportError, text.c_str());
  throw py::error_already_set();
#endif
}

}  // namespace

PYBIND11_MODULE(sightline, module) {
  check_numpy();
  module.doc() =
      "Batch visibility and retrieval over voxel worlds, on CPU and GPU.\n\n"
      "Lengths are metres. Keyword arguments of World, line_of_sight, first_hits, render and "
      "recall\n"
      "are the keys of a sweep file's `world`, `visibility` and `recall`; wrong ones raise\n"
      "ValueError with the nearest right one. sweep() runs a whole sweep file.";
  module.attr("__version__") = sightline::host::build_info().version;
  py::register_exception_translator(translate);
  sightline::python::bind_device(module);
  sightline::python::bind_world(module);
  sightline::python::bind_visibility(module);
  sightline::python::bind_memories(module);
  sightline::python::bind_views(module);
  sightline::python::bind_runs(module);
}
