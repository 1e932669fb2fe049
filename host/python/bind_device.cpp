#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <string>

#include "host/device_choice.h"
#include "host/error.h"
#include "host/python/bindings.h"

namespace sightline::python {

namespace py = pybind11;
using host::Device;

namespace {

std::unique_ptr<PyDevice> make_device(const std::string& choice, int threads) {
  const host::NamedDevice named = host::parse_device(choice);
  if (threads < 0) {
    throw host::InputError("threads: " + std::to_string(threads) +
                           " is below 0; 0 takes all cores");
  }
  const std::int64_t num_gpus =
      named.gpu_idx < 0 ? 0 : static_cast<std::int64_t>(host::list_gpus().size());
  return std::make_unique<PyDevice>(named.choice, threads, host::place_of(named, 0, num_gpus));
}

/// One call's turn on a device.
class Turn {
 public:
  explicit Turn(PyDevice& device) : device_(device) {
    const std::thread::id self = std::this_thread::get_id();
    if (device_.user == self) {
      throw host::RunError("device: is at work in this thread; give this call another, or none");
    }
    turn_ = std::unique_lock<std::mutex>(device_.in_use);
    device_.user = self;
  }
  ~Turn() { device_.user = std::thread::id(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  PyDevice& device_;
  std::unique_lock<std::mutex> turn_;
};

void run(Device& device, const std::function<void(Device&)>& work) {
  make_current(device);
  // Who is asked, a signal's handler say, may have asked another device meanwhile.
  device.set_stop_requested([&device] {
    const bool is_requested = is_stop_requested();
    make_current(device);
    return is_requested;
  });
  device.set_on_warning([&device](const std::string& text) {
    warn(text);
    make_current(device);
  });
  work(device);
}

}  // namespace

bool is_stop_requested() {
  const py::gil_scoped_acquire lock;
  return PyErr_CheckSignals() != 0;
}

void warn(const std::string& text) {
  const py::gil_scoped_acquire lock;
  const py::error_scope kept;  // Ctrl-C may be on its way
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) PyErr_Clear();
}

void on_device(const py::object& given, const std::function<void(Device&)>& work) {
  PyDevice* device = nullptr;
  std::string name = "auto";
  if (py::isinstance<PyDevice>(given)) {
    device = given.cast<PyDevice*>();
  } else if (py::isinstance<py::str>(given)) {
    name = given.cast<std::string>();
  } else if (!given.is_none()) {
    throw host::InputError("device: is " + py::repr(given).cast<std::string>() +
                           "; give a Device, or the name of one: 'cpu', 'cuda', 'cuda:1'");
  }
  const py::gil_scoped_release unlocked;
  const std::unique_ptr<PyDevice> made = device ? nullptr : make_device(name, 0);
  PyDevice& on = device ? *device : *made;
  const Turn turn(on);
  run(on.device, work);
}

void bind_device(py::module_& module) {
  py::class_<PyDevice>(
      module, "Device",
      "Where batches run: a GPU ('cuda', or 'cuda:1' for the second), the CPU ('cpu'), "
      "or a GPU if there is one ('auto').\n\n"
      "Functions that are given none, or a name, make one for the call. One that is kept keeps "
      "worlds on the GPU between calls. Calls of several threads take turns; give each thread a\n"
      "device of its own to have them work at once.")
      .def(py::init(&make_device), py::arg("choice") = "auto", py::arg("threads") = 0,
           "threads: of the CPU; 0 takes all cores.")
      .def_property_readonly("is_gpu", [](const PyDevice& d) { return d.device.is_gpu(); })
      .def_property_readonly(
          "description", [](const PyDevice& d) { return d.device.description(); },
          "'CPU, 8 threads', 'NVIDIA H200'")
      .def_property_readonly("threads", [](const PyDevice& d) { return d.device.num_threads(); })
      .def("__repr__",
           [](const PyDevice& d) { return "<sightline.Device " + d.device.description() + ">"; });
}

}  // namespace sightline::python
