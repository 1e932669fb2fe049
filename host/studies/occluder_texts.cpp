#include "host/studies/occluder_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "host/truth/voxel_sight.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Cell = std::array<std::int64_t, 3>;

constexpr const char *kVisible = "VISIBLE", *kHidden = "HIDDEN";
constexpr const char* kInstructions =
    "You are asked whether a thing can be seen from where you stand, and told what is remembered "
    "of the place. Coordinates are metres. A straight line from your eyes to the thing that meets "
    "a solid box is blocked, and then the thing is hidden. Where nothing is told that hides it, "
    "take it for visible. End with a line that holds one word alone: VISIBLE or HIDDEN.";

/// Takes occupied voxels out of a copy of a grid, box by box.
class BoxTaker {
 public:
  explicit BoxTaker(const OccupancyGrid& grid)
      : dims_(grid.geometry().dims), left_(VoxelSight(grid).states()) {}

  /// The voxels of the box that begins at `lo`, [lo, hi).
  Cell take(const Cell& lo) {
    Cell hi{lo[0] + 1, lo[1] + 1, lo[2] + 1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (; hi[axis] < dims_[axis]; ++hi[axis]) {
        Cell next = lo;
        next[axis] = hi[axis];
        Cell end = hi;
        end[axis] = hi[axis] + 1;
        if (!is_occupied(next, end)) break;
      }
    }
    each(lo, hi, [&](std::size_t row, std::int64_t length) {
      std::fill_n(left_.begin() + static_cast<std::ptrdiff_t>(row), length, VoxelState::kFree);
      return true;
    });
    return hi;
  }

  bool is_left(const Cell& cell) const { return left_[index(cell)] == VoxelState::kOccupied; }
  const Cell& dims() const { return dims_; }

 private:
  std::size_t index(const Cell& cell) const {
    return static_cast<std::size_t>(cell[0] + dims_[0] * (cell[1] + dims_[1] * cell[2]));
  }
  /// Calls use(first, length) for the rows of [lo, hi) until it returns false; whether it did not.
  template <class Use>
  bool each(const Cell& lo, const Cell& hi, const Use& use) const {
    for (std::int64_t k = lo[2]; k < hi[2]; ++k) {
      for (std::int64_t j = lo[1]; j < hi[1]; ++j) {
        if (!use(index({lo[0], j, k}), hi[0] - lo[0])) return false;
      }
    }
    return true;
  }
  bool is_occupied(const Cell& lo, const Cell& hi) const {
    return each(lo, hi, [&](std::size_t row, std::int64_t length) {
      const auto first = left_.begin() + static_cast<std::ptrdiff_t>(row);
      return std::all_of(first, first + length,
                         [](VoxelState state) { return state == VoxelState::kOccupied; });
    });
  }

  Cell dims_;
  std::vector<VoxelState> left_;
};

/// How far apart two stretches of an axis are.
double gap(double low, double high, double other_low, double other_high) {
  return std::max({0.0, other_low - high, low - other_high});
}

/// Does the segment meet the closed box?
bool meets(const Vec3& from, const Vec3& to, const Bounds& box) {
  double enter = 0, leave = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double a = component(from, axis), b = component(to, axis);
    const double low = component(box.min, axis), high = component(box.max, axis);
    if (a == b) {
      if (a < low || a > high) return false;
      continue;
    }
    const double first = (low - a) / (b - a), second = (high - a) / (b - a);
    enter = std::max(enter, std::min(first, second));
    leave = std::min(leave, std::max(first, second));
  }
  return enter <= leave;
}

bool begins(const std::string& line, const char* words) { return line.rfind(words, 0) == 0; }

}  // namespace

std::vector<Bounds> boxes_of(const OccupancyGrid& grid) {
  const GridGeometry& geometry = grid.geometry();
  const auto corner = [&](const Cell& cell) {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      component(p, axis) =
          geometry.origin_m[i] + static_cast<double>(cell[i]) * geometry.voxel_m[i];
    }
    return p;
  };
  BoxTaker taker(grid);
  std::vector<Bounds> boxes;
  Cell lo;
  for (lo[2] = 0; lo[2] < taker.dims()[2]; ++lo[2]) {
    for (lo[1] = 0; lo[1] < taker.dims()[1]; ++lo[1]) {
      for (lo[0] = 0; lo[0] < taker.dims()[0]; ++lo[0]) {
        if (taker.is_left(lo)) boxes.push_back({corner(lo), corner(taker.take(lo))});
      }
    }
  }
  return boxes;
}

std::vector<Bounds> boxes_between(const std::vector<Bounds>& boxes, const Vec3& from_m,
                                  const Vec3& target_m, std::int64_t most) {
  std::vector<std::pair<double, std::size_t>> found;  // by square of the distance
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    double square = 0;
    bool is_between = true;
    for (int axis = 0; axis < 3 && is_between; ++axis) {
      const double a = component(from_m, axis), b = component(target_m, axis);
      const double low = component(boxes[i].min, axis), high = component(boxes[i].max, axis);
      is_between = low <= std::max(a, b) && high >= std::min(a, b);
      const double apart = gap(low, high, a, a);
      square += apart * apart;
    }
    if (is_between) found.emplace_back(square, i);
  }
  const auto count = std::min(found.size(), static_cast<std::size_t>(most));
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
  std::vector<Bounds> told;
  for (std::size_t i = 0; i < count; ++i) told.push_back(boxes[found[i].second]);
  return told;
}

Prompt occluder_prompt(const ToldOccluders& told, bool visible) {
  Prompt prompt;
  prompt.instructions = kInstructions;
  prompt.answers = {kVisible, kHidden};
  prompt.right = visible ? 0 : 1;
  std::string& text = prompt.question;
  text = "A thing is remembered.\n";
  if (told.has_places) {
    text += "You stand with your eyes at " + place_text(told.from_m) + ".\n";
    text += "The thing is at " + place_text(told.target_m) + ".\n";
  }
  for (const Bounds& box : told.boxes) text += "Solid: " + box_text(box) + ".\n";
  text += "Can you see the thing from where you stand? Answer with one word, VISIBLE or HIDDEN.";
  return prompt;
}

std::string read_occluder_prompt(const std::string& question) {
  std::vector<double> from, to;
  std::vector<Bounds> boxes;
  std::istringstream lines(question);
  for (std::string line; std::getline(lines, line);) {
    if (begins(line, "You stand")) from = numbers_in(line);
    if (begins(line, "The thing is at")) to = numbers_in(line);
    if (!begins(line, "Solid:")) continue;
    const std::vector<double> n = numbers_in(line);
    if (n.size() == 6) boxes.push_back({{n[0], n[2], n[4]}, {n[1], n[3], n[5]}});
  }
  if (from.size() != 3 || to.size() != 3) return kVisible;
  const Vec3 a{from[0], from[1], from[2]}, b{to[0], to[1], to[2]};
  const bool is_hidden =
      std::any_of(boxes.begin(), boxes.end(), [&](const Bounds& box) { return meets(a, b, box); });
  return is_hidden ? kHidden : kVisible;
}

}  // namespace sightline::host
