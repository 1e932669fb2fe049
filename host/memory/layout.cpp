#include "host/memory/layout.h"

#include <cmath>
#include <unordered_map>

#include "host/error.h"
#include "host/world/text_scan.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr int kMaxAttempts = 20'000;  ///< draws before a layout is said to have no room

bool are_apart(const Vec3& a, const Vec3& b, double apart_m) {
  const Vec3 d = kernels::minus(a, b);
  return kernels::dot(d, d) >= apart_m * apart_m;
}

/// Points in cells as wide as they must be apart: those too near a point are in 27 cells.
class ApartPoints {
 public:
  explicit ApartPoints(double apart_m) : apart_m_(apart_m) {}

  /// Keeps a point that is far enough from all kept before; false if it is not.
  bool add(const Vec3& p) {
    if (apart_m_ == 0) return true;
    const Cell home = {cell_at(p.x), cell_at(p.y), cell_at(p.z)};
    for (std::int64_t near = 0; near < 27; ++near) {
      const Cell cell = {home.x + near % 3 - 1, home.y + near / 3 % 3 - 1, home.z + near / 9 - 1};
      const auto found = cells_.find(key_of(cell));
      if (found == cells_.end()) continue;
      for (const Vec3& kept : found->second) {
        if (!are_apart(p, kept, apart_m_)) return false;
      }
    }
    cells_[key_of(home)].push_back(p);
    return true;
  }

 private:
  struct Cell {
    std::int64_t x, y, z;
  };

  std::int64_t cell_at(double at_m) const {
    return static_cast<std::int64_t>(std::floor(at_m / apart_m_));
  }
  /// Two cells may share a key: their points are compared by distance all the same.
  static std::uint64_t key_of(const Cell& cell) {
    std::uint64_t key = 0;
    for (const std::int64_t part : {cell.x, cell.y, cell.z}) {
      key = (key ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15u;
      key ^= key >> 32;
    }
    return key;
  }

  double apart_m_;
  std::unordered_map<std::uint64_t, std::vector<Vec3>> cells_;
};

Vec3 draw_point(const LatticeLayout& lattice, RandomItem& item) {
  Vec3 p;
  for (int axis = 0; axis < 3; ++axis) {
    const Interval& range = lattice.axes_m[axis];
    const auto steps = static_cast<std::uint64_t>(range.high - range.low);
    component(p, axis) = range.low + static_cast<double>(item.below(steps + 1));
  }
  return p;
}

Vec3 draw_point(const BoxLayout& box, RandomItem& item) {
  Vec3 p;
  for (int axis = 0; axis < 3; ++axis) {
    const Interval& range = box.axes_m[axis];
    component(p, axis) = range.low + item.uniform() * (range.high - range.low);
  }
  return p;
}

template <typename Layout>
std::vector<Vec3> draw_points(const Layout& layout, std::int64_t count,
                              const DrawStreams& streams) {
  ApartPoints kept(layout.apart_m);
  std::vector<Vec3> points;
  points.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    RandomItem item = streams.item(Draw::kLayout, i);
    Vec3 p = draw_point(layout, item);
    for (int attempt = 1; !kept.add(p); ++attempt) {
      if (attempt == kMaxAttempts) {
        throw InputError(std::to_string(kMaxAttempts) + " draws found no room for memory " +
                         std::to_string(i) + " of " + std::to_string(count) + ", " +
                         exact_text(layout.apart_m) +
                         " m from the others; widen the layout or lower apart_m");
      }
      p = draw_point(layout, item);
    }
    points.push_back(p);
  }
  return points;
}

}  // namespace

std::vector<Vec3> lay_out(const MemoryLayout& layout, std::int64_t count,
                          const DrawStreams& streams) {
  return std::visit([&](const auto& kind) { return draw_points(kind, count, streams); }, layout);
}

std::pair<Vec3, Vec3> lay_out_pair(const BoxLayout& box, std::int64_t pair,
                                   const DrawStreams& streams) {
  RandomItem item = streams.item(Draw::kLayout, pair);
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    const Vec3 first = draw_point(box, item), second = draw_point(box, item);
    if (are_apart(first, second, box.apart_m)) return {first, second};
  }
  throw InputError(std::to_string(kMaxAttempts) + " draws found no two points " +
                   exact_text(box.apart_m) + " m apart in the box; widen it or lower apart_m");
}

}  // namespace sightline::host
