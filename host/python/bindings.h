// The parts of the Python module. Each adds its classes and functions.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "host/device_choice.h"
#include "host/world/load.h"

namespace sightline::python {

/// A world with what its settings say of it.
struct PyWorld {
  host::WorldSpec spec;
  host::World world;
};

/// A device that calls from any thread may be given; they take turns.
struct PyDevice {
  PyDevice(host::DeviceChoice choice, int threads, std::int64_t place)
      : device(choice, threads, place) {}

  host::Device device;
  std::mutex in_use;
  std::atomic<std::thread::id> user{};  ///< the thread that has it in use
};

/// Runs `work` on a device without holding Python's lock: on `given`, a Device, or on one made for
/// the call, by its name ("cpu", "cuda:1") or for None. Ctrl-C stops it between the pieces of a
/// batch, as KeyboardInterrupt. Throws InputError for anything else, and RunError where `given` is
/// at work in this very thread: what Python calls meanwhile, such as a signal's handler, asked.
void on_device(const pybind11::object& given, const std::function<void(host::Device&)>& work);

/// Asks Python whether Ctrl-C was pressed; its error stays set for who catches Interrupted.
bool is_stop_requested();
/// A RuntimeWarning.
void warn(const std::string& text);

/// Throws InputError for a world without voxels.
const host::OccupancyGrid& grid_of(const PyWorld& world);

void bind_device(pybind11::module_& module);
void bind_world(pybind11::module_& module);
void bind_visibility(pybind11::module_& module);
void bind_memories(pybind11::module_& module);
void bind_views(pybind11::module_& module);
void bind_runs(pybind11::module_& module);

}  // namespace sightline::python
