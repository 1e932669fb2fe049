#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <string>

#include "host/device_choice.h"
#include "host/python/bindings.h"

namespace sightline::python {

namespace py = pybind11;
using host::Device;

namespace {

std::unique_ptr<Device> make_device(const std::string& choice, int threads) {
  const host::NamedDevice named = host::parse_device(choice);
  const std::int64_t num_gpus =
      named.gpu_idx < 0 ? 0 : static_cast<std::int64_t>(host::list_gpus().size());
  return std::make_unique<Device>(named.choice, threads, host::place_of(named, 0, num_gpus));
}

/// Asks Python whether Ctrl-C was pressed; its error stays set for who catches Interrupted.
bool is_stop_requested() {
  const py::gil_scoped_acquire lock;
  return PyErr_CheckSignals() != 0;
}

void warn(const std::string& text) {
  const py::gil_scoped_acquire lock;
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) PyErr_Clear();
}

}  // namespace

void on_device(Device* given, const std::function<void(Device&)>& work) {
  const py::gil_scoped_release unlocked;
  std::unique_ptr<Device> made;
  if (given == nullptr) made = std::make_unique<Device>();
  Device& device = given ? *given : *made;
  device.set_stop_requested(is_stop_requested);
  device.set_on_warning(warn);
  work(device);
}

void bind_device(py::module_& module) {
  py::class_<Device>(
      module, "Device",
      "Where batches run: a GPU ('cuda', or 'cuda:1' for the second), the CPU ('cpu'), "
      "or a GPU if there is one ('auto').\n\n"
      "Functions that are given none make one for the call. One that is kept keeps "
      "worlds on the GPU between calls. Use it in the thread that made it.")
      .def(py::init(&make_device), py::arg("choice") = "auto", py::arg("threads") = 0,
           "threads: of the CPU; 0 takes all cores.")
      .def_property_readonly("is_gpu", &Device::is_gpu)
      .def_property_readonly("description", &Device::description, "'CPU, 8 threads', 'NVIDIA H200'")
      .def_property_readonly("threads", &Device::num_threads)
      .def("__repr__",
           [](const Device& device) { return "<sightline.Device " + device.description() + ">"; });
}

}  // namespace sightline::python
