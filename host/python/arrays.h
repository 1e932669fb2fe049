// NumPy arrays as the library takes them, and back.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::python {

namespace py = pybind11;

/// Points of an array-like [n, 3], or of one point [3]. Throws InputError naming `what` and the
/// shape for anything else.
std::vector<kernels::Vec3> points_of(const py::handle& given, const char* what);
/// [n, 3] in metres.
py::array_t<double> array_of(const std::vector<kernels::Vec3>& points);

/// Throws InputError naming `what` for a masked array: NumPy would give what is masked, too.
void refuse_masked(const py::handle& given, const char* what);
/// An array of integers, those beyond int64 as the largest of it; none of anything else. Throws as
/// refuse_masked does.
using Integers = py::array_t<std::int64_t, py::array::c_style>;
std::optional<Integers> integers_of(const py::handle& given, const char* what);

/// Is it one point or one vector rather than an array of them?
bool is_single(const py::handle& given);

/// Items as an array of that shape, which has as many items: else throws std::logic_error.
template <class T>
py::array_t<T> shaped(const std::vector<T>& items, const std::vector<py::ssize_t>& shape) {
  py::array_t<T> array(shape);
  if (static_cast<std::size_t>(array.size()) != items.size()) {
    throw std::logic_error("as many items as the shape has");
  }
  std::copy(items.begin(), items.end(), array.mutable_data());
  return array;
}

}  // namespace sightline::python
