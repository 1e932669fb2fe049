#include "host/python/arrays.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "host/error.h"
#include "host/huge_pages.h"

namespace sightline::python {
namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

Doubles doubles_of(const py::handle& given, const char* what) {
  refuse_masked(given, what);
  Doubles array = Doubles::ensure(given);
  if (!array) {
    PyErr_Clear();
    throw host::InputError(std::string(what) + ": is no array of numbers; give an array [n, 3]");
  }
  return array;
}

std::string shape_text(const py::array& array) {
  std::string text = "[";
  for (py::ssize_t axis = 0; axis < array.ndim(); ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(array.shape(axis));
  }
  return text + "]";
}

}  // namespace

void refuse_masked(const py::handle& given, const char* what) {
  if (!py::hasattr(given, "filled") || !py::hasattr(given, "mask")) return;
  throw host::InputError(std::string(what) + ": is a masked array; give what is not masked");
}

std::optional<Integers> integers_of(const py::handle& given, const char* what) {
  refuse_masked(given, what);
  py::array array = py::array::ensure(given);
  if (!array) PyErr_Clear();
  const char kind = array ? array.dtype().kind() : '?';
  if (kind != 'i' && kind != 'u') return std::nullopt;
  // A number beyond int64 must not become another one.
  if (kind == 'u') array = array.attr("clip")(0, std::numeric_limits<std::int64_t>::max());
  return Integers(array.attr("astype")("int64"));
}

bool is_single(const py::handle& given) {
  const py::array array = py::array::ensure(given);
  if (!array) PyErr_Clear();
  return array && array.ndim() == 1;
}

std::vector<kernels::Vec3> points_of(const py::handle& given, const char* what) {
  const Doubles array = doubles_of(given, what);
  const bool is_one = array.ndim() == 1 && array.shape(0) == 3;
  const bool are_many = array.ndim() == 2 && array.shape(1) == 3;
  if (!is_one && !are_many) {
    throw host::InputError(std::string(what) + ": has shape " + shape_text(array) +
                           "; points have shape [n, 3], one point [3]");
  }
  const auto num_points = static_cast<std::size_t>(array.size() / 3);
  std::vector<kernels::Vec3> points;
  points.reserve(num_points);
  host::prefer_huge_pages(points.data(), num_points * sizeof(kernels::Vec3));
  const double* numbers = array.data();
  for (std::size_t i = 0; i < num_points; ++i, numbers += 3) {
    points.push_back({numbers[0], numbers[1], numbers[2]});
  }
  return points;
}

py::array_t<double> array_of(const std::vector<kernels::Vec3>& points) {
  py::array_t<double> array({static_cast<py::ssize_t>(points.size()), py::ssize_t{3}});
  double* numbers = array.mutable_data();
  for (const kernels::Vec3& point : points) {
    *numbers++ = point.x;
    *numbers++ = point.y;
    *numbers++ = point.z;
  }
  return array;
}

}  // namespace sightline::python
