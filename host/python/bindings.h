// The parts of the Python module. Each adds its classes and functions.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>

#include "host/device.h"
#include "host/world/load.h"

namespace sightline::python {

/// A world with what its settings say of it.
struct PyWorld {
  host::WorldSpec spec;
  host::World world;
};

/// Runs `work` on a device without holding Python's lock: on `given`, or on one made for it. Ctrl-C
/// stops it between the pieces of a batch, as KeyboardInterrupt.
void on_device(host::Device* given, const std::function<void(host::Device&)>& work);

void bind_device(pybind11::module_& module);
void bind_world(pybind11::module_& module);
void bind_visibility(pybind11::module_& module);
void bind_memories(pybind11::module_& module);

}  // namespace sightline::python
