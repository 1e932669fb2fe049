#include "host/sweep/points.h"

#include <algorithm>
#include <cmath>

#include "host/config/number_text.h"
#include "host/config/place.h"
#include "host/error.h"
#include "host/random.h"
#include "host/sweep/pose_csv.h"
#include "host/world/floor.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr int kMaxAttempts = 20'000;  ///< draws before a world is said to have no free space

Vec3 place(const FrameAxes& axes, double across_0, double across_1, double up) {
  double xyz[3];
  xyz[axes.up_axis] = up;
  xyz[axes.up_axis == 0 ? 1 : 0] = across_0;
  xyz[axes.up_axis == 2 ? 1 : 2] = across_1;
  return {xyz[0], xyz[1], xyz[2]};
}

double component(Vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/// Tells free points from others: on a grid the voxel's state, else the analytic solid.
class FreeSpace {
 public:
  FreeSpace(const World& world, Geometry geometry)
      : grid_(world.grid && (geometry == Geometry::kGrid || !world.analytic) ? &*world.grid
                                                                             : nullptr),
        analytic_(world.analytic ? world.analytic->view() : kernels::AnalyticView{}) {
    if (grid_) frame_ = grid_->voxel_frame();
  }

  bool is_free(Vec3 p) const {
    if (!grid_) return !analytic_.solid_at(p);
    const std::array<std::int64_t, 3>& dims = grid_->geometry().dims;
    std::int64_t voxel[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double at = (component(p, axis) - frame_.origin_m[axis]) / frame_.voxel_m[axis];
      if (!(at >= 0 && at < static_cast<double>(dims[static_cast<std::size_t>(axis)])))
        return false;
      voxel[axis] = static_cast<std::int64_t>(at);
    }
    return grid_->at(voxel[0], voxel[1], voxel[2]) == VoxelState::kFree;
  }

  /// Free at the point and at eight points around it, `clearance_m` away and level with it.
  bool is_clear(Vec3 p, double clearance_m, const FrameAxes& axes) const {
    if (!is_free(p)) return false;
    if (clearance_m <= 0) return true;
    for (int right = -1; right <= 1; ++right) {
      for (int ahead = -1; ahead <= 1; ++ahead) {
        if (right == 0 && ahead == 0) continue;
        const double norm = clearance_m / std::sqrt(right * right + ahead * ahead);
        const double r = right * norm, a = ahead * norm;
        if (!is_free({p.x + r * axes.yaw_90.x + a * axes.yaw_0.x,
                      p.y + r * axes.yaw_90.y + a * axes.yaw_0.y,
                      p.z + r * axes.yaw_90.z + a * axes.yaw_0.z})) {
          return false;
        }
      }
    }
    return true;
  }

 private:
  const OccupancyGrid* grid_;
  kernels::AnalyticView analytic_;
  kernels::VoxelFrame frame_;
};

double scaled(double unit, Range range) { return range.low + unit * (range.high - range.low); }

/// One draw of a splitmix64 stream by its index: the state advances by a constant.
double splitmix64_unit(std::uint64_t state, std::uint64_t draw) {
  std::uint64_t z = state + (draw + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// ---- endless generators: points [first, first + count) -----------------------------------------

/// Metres of solid between two points, by samples in the middle of short pieces.
double solid_between_m(const kernels::AnalyticView& solid, Vec3 from, Vec3 to) {
  constexpr double kPiece_m = 0.005;
  const Vec3 d = kernels::minus(to, from);
  const double length_m = std::sqrt(kernels::dot(d, d));
  const auto num_pieces = static_cast<std::int64_t>(std::ceil(length_m / kPiece_m));
  std::int64_t num_solid = 0;
  for (std::int64_t i = 0; i < num_pieces; ++i) {
    const double part = (static_cast<double>(i) + 0.5) / static_cast<double>(num_pieces);
    num_solid += solid.solid_at({from.x + part * d.x, from.y + part * d.y, from.z + part * d.z});
  }
  return num_solid == 0
             ? 0
             : length_m * static_cast<double>(num_solid) / static_cast<double>(num_pieces);
}

bool is_behind(const UniformPoints& spec, const PointContext& context, Vec3 point) {
  if (!spec.solid_m) return true;
  const kernels::AnalyticView solid = context.world->analytic->view();
  if (solid.solid_at(point)) return false;
  const double solid_m = solid_between_m(solid, context.around->front(), point);
  return solid_m >= spec.solid_m->low && solid_m <= spec.solid_m->high;
}

std::vector<Vec3> draw(const UniformPoints& spec, const PointContext& context, std::int64_t first,
                       std::int64_t count) {
  if (spec.solid_m && !context.world->analytic) {
    throw InputError("solid_m asks the analytic solid; give world.solid: {analytic: true, ...}");
  }
  std::vector<Vec3> points(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    RandomItem item(spec.seed.value_or(context.seed), context.stream,
                    static_cast<std::uint64_t>(first + i));
    Vec3& point = points[static_cast<std::size_t>(i)];
    int attempt = 0;
    do {
      if (attempt++ == kMaxAttempts) {
        throw InputError(std::to_string(kMaxAttempts) +
                         " draws, and no point with solid_m metres of solid before it");
      }
      point.x = scaled(item.uniform(), spec.axes_m[0]);
      point.y = scaled(item.uniform(), spec.axes_m[1]);
      point.z = scaled(item.uniform(), spec.axes_m[2]);
    } while (!is_behind(spec, context, point));
  }
  return points;
}

std::vector<Vec3> draw(const Splitmix64Points& spec, const PointContext& context,
                       std::int64_t first, std::int64_t count) {
  const std::uint64_t state = context.seed * 100 + spec.stream;
  std::vector<Vec3> points(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t word = 3 * static_cast<std::uint64_t>(first + i);
    points[static_cast<std::size_t>(i)] = {
        scaled(splitmix64_unit(state, word), spec.axes_m[0]),
        scaled(splitmix64_unit(state, word + 1), spec.axes_m[1]),
        scaled(splitmix64_unit(state, word + 2), spec.axes_m[2])};
  }
  return points;
}

/// Draws one random free position after the other.
class FreePositions {
 public:
  FreePositions(const RandomFreePoints& spec, const PointContext& context)
      : spec_(spec),
        context_(context),
        space_(*context.world, context.geometry),
        axes_(frame_axes(context.world->frame)),
        across_{axes_.up_axis == 0 ? 1 : 0, axes_.up_axis == 2 ? 1 : 2} {
    const std::optional<double> known = spec.floor_m ? spec.floor_m : context.floor_m;
    floor_m_ = known ? *known : map_floor_m(*context.world);
    up_m_ = {floor_m_ + spec.up_m.low, floor_m_ + spec.up_m.high};
  }

  Vec3 draw(std::int64_t index) const {
    const Vec3* near =
        spec_.within_m ? &context_.around->at(static_cast<std::size_t>(index)) : nullptr;
    const Range ranges[2] = {across_range(0, near), across_range(1, near)};
    RandomItem item(spec_.seed.value_or(context_.seed), context_.stream,
                    static_cast<std::uint64_t>(index));
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      const double u = scaled(item.uniform(), ranges[0]), v = scaled(item.uniform(), ranges[1]);
      const Vec3 p = place(axes_, u, v, scaled(item.uniform(), up_m_));
      if (near && !is_within(p, *near)) continue;
      if (space_.is_clear(p, spec_.clearance_m, axes_)) return p;
    }
    fail_no_free_space();
  }

 private:
  Range across_range(int which, const Vec3* near) const {
    const Bounds& bounds = context_.world->bounds_m;
    Range range{component(bounds.min, across_[which]), component(bounds.max, across_[which])};
    if (near) {
      range.low = std::max(range.low, component(*near, across_[which]) - *spec_.within_m);
      range.high = std::min(range.high, component(*near, across_[which]) + *spec_.within_m);
    }
    return range;
  }

  bool is_within(Vec3 p, Vec3 near) const {
    const double u = component(p, across_[0]) - component(near, across_[0]);
    const double v = component(p, across_[1]) - component(near, across_[1]);
    return u * u + v * v <= *spec_.within_m * *spec_.within_m;
  }

  [[noreturn]] void fail_no_free_space() const {
    throw InputError(context_.world->name + " has no free position from " + short_text(up_m_.low) +
                     " to " + short_text(up_m_.high) + " m along its up axis (floor at " +
                     short_text(floor_m_) + " m; " + std::to_string(kMaxAttempts) +
                     " draws); set " + (spec_.has_range ? "up_range_m" : "height_m") +
                     " or floor_m");
  }

  const RandomFreePoints& spec_;
  const PointContext& context_;
  FreeSpace space_;
  FrameAxes axes_;
  int across_[2];
  double floor_m_ = 0;
  Range up_m_;
};

std::vector<Vec3> draw(const RandomFreePoints& spec, const PointContext& context,
                       std::int64_t first, std::int64_t count) {
  const FreePositions positions(spec, context);
  std::vector<Vec3> points;
  points.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = first; i < first + count; ++i) points.push_back(positions.draw(i));
  return points;
}

// ---- whole sets --------------------------------------------------------------------------------

PointSet generate(const ListPoints& spec, const PointContext&) { return {spec.points_m, {}, {}}; }

PointSet generate(const LatticePoints& spec, const PointContext&) {
  const auto at = [](const LatticePoints::Axis& axis, std::int64_t i) {
    return axis.start + static_cast<double>(i) * axis.step;
  };
  PointSet set;
  for (std::int64_t i = 0; i < spec.axes[0].count; ++i) {
    for (std::int64_t j = 0; j < spec.axes[1].count; ++j) {
      for (std::int64_t k = 0; k < spec.axes[2].count; ++k) {
        set.points_m.push_back({at(spec.axes[0], i), at(spec.axes[1], j), at(spec.axes[2], k)});
      }
    }
  }
  return set;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

PointSet generate(const FilePoints& spec, const PointContext&) {
  if (ends_with(spec.path, ".npy")) return {read_points_npy(spec.path), {}, {}};
  if (ends_with(spec.path, ".csv")) return read_poses_csv(spec.path);
  throw InputError(spec.path +
                   ": a point file is .npy ([N, 3]) or .csv (x, y, z, and maybe "
                   "yaw_deg, pitch_deg)");
}

PointSet generate(const UnionPoints& spec, const PointContext& context) {
  constexpr std::uint32_t kPartShift = 16;  // parts of one kind draw from streams of their own
  PointSet set;
  std::uint32_t part_idx = 0;
  for (const PointSpec& part : spec.parts) {
    PointContext part_context = context;
    part_context.stream += ++part_idx << kPartShift;
    const PointSet points = generate_points(part, part_context);
    if (!points.yaw_deg.empty()) {
      fail_at(part.place,
              "has headings, which a part of a union may not; use the file alone, or "
              "one without headings");
    }
    set.points_m.insert(set.points_m.end(), points.points_m.begin(), points.points_m.end());
  }
  return set;
}

template <class Endless>
PointSet generate(const Endless& spec, const PointContext& context) {
  return {draw(spec, context, 0, spec.count), {}, {}};
}

}  // namespace

PointSet generate_points(const PointSpec& spec, const PointContext& context) {
  const auto* parts = std::get_if<UnionPoints>(&spec.generator);
  if (parts != nullptr) return generate(*parts, context);  // each part tells its own place
  return at_place(spec.place, [&] {
    return std::visit([&](const auto& generator) { return generate(generator, context); },
                      spec.generator);
  });
}

bool is_endless(const PointSpec& spec) {
  return std::holds_alternative<RandomFreePoints>(spec.generator) ||
         std::holds_alternative<UniformPoints>(spec.generator) ||
         std::holds_alternative<Splitmix64Points>(spec.generator);
}

std::vector<Vec3> draw_points(const PointSpec& spec, const PointContext& context,
                              std::int64_t first, std::int64_t count) {
  if (const auto* free = std::get_if<RandomFreePoints>(&spec.generator)) {
    return at_place(spec.place, [&] { return draw(*free, context, first, count); });
  }
  if (const auto* uniform = std::get_if<UniformPoints>(&spec.generator)) {
    return at_place(spec.place, [&] { return draw(*uniform, context, first, count); });
  }
  return draw(std::get<Splitmix64Points>(spec.generator), context, first, count);
}

namespace {

std::int64_t count_of(const ListPoints& spec) {
  return static_cast<std::int64_t>(spec.points_m.size());
}
std::int64_t count_of(const LatticePoints& spec) {
  return spec.axes[0].count * spec.axes[1].count * spec.axes[2].count;
}
std::int64_t count_of(const FilePoints& spec) {
  return static_cast<std::int64_t>(generate(spec, {}).points_m.size());
}
std::int64_t count_of(const UnionPoints& spec) {
  std::int64_t total = 0;
  for (const PointSpec& part : spec.parts) total += num_points(part);
  return total;
}
template <class Endless>
std::int64_t count_of(const Endless& spec) {
  return spec.count;
}

}  // namespace

std::int64_t num_points(const PointSpec& spec) {
  const auto count = [](const auto& generator) { return count_of(generator); };
  if (std::holds_alternative<UnionPoints>(spec.generator)) return std::visit(count, spec.generator);
  return at_place(spec.place, [&] { return std::visit(count, spec.generator); });
}

void append_files(const PointSpec& spec, std::vector<std::string>* files) {
  if (const auto* file = std::get_if<FilePoints>(&spec.generator)) files->push_back(file->path);
  if (const auto* parts = std::get_if<UnionPoints>(&spec.generator)) {
    for (const PointSpec& part : parts->parts) append_files(part, files);
  }
}

}  // namespace sightline::host
