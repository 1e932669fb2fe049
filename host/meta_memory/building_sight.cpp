#include "host/meta_memory/building_sight.h"

#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/geometries/polygon.hpp>
#include <boost/geometry/geometries/segment.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/memory/parallel_rows.h"
#include "host/world/visibility.h"

namespace sightline::host {
namespace {

namespace geometry = boost::geometry;
using PlanePoint = geometry::model::d2::point_xy<double>;
using Polygon = geometry::model::polygon<PlanePoint>;
using Segment = geometry::model::segment<PlanePoint>;
using Box = geometry::model::box<PlanePoint>;
using BoxOfRing = std::pair<Box, std::size_t>;
using Tree = geometry::index::rtree<BoxOfRing, geometry::index::quadratic<16>>;

PlanePoint over(const kernels::Vec3& place_m) { return {place_m.x, place_m.y}; }

Polygon polygon_of(const BuildingRing& ring, std::size_t number) {
  const std::string where = "building ring " + std::to_string(number);
  BuildingRing corners = ring;
  if (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
  if (corners.size() < 3) {
    throw InputError(where + " has " + std::to_string(corners.size()) +
                     " corners; an outline has at least 3");
  }
  Polygon polygon;
  for (const auto& [x, y] : corners) {
    if (!std::isfinite(x) || !std::isfinite(y)) throw InputError(where + " has an infinite corner");
    geometry::append(polygon.outer(), PlanePoint(x, y));
  }
  geometry::correct(polygon);  // closed, clockwise
  return polygon;
}

}  // namespace

struct BuildingSight::Impl {
  std::vector<Polygon> polygons;
  Tree tree;

  /// Calls `use(polygon)` for those whose boxes a shape meets, until it returns true; did it?
  template <typename Shape, typename Use>
  bool any_near(const Shape& shape, const Use& use) const {
    for (auto found = tree.qbegin(geometry::index::intersects(shape)); found != tree.qend();
         ++found) {
      if (use(polygons[found->second])) return true;
    }
    return false;
  }
};

BuildingSight::BuildingSight(const std::vector<BuildingRing>& rings)
    : impl_(std::make_unique<Impl>()) {
  std::vector<BoxOfRing> boxes;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    impl_->polygons.push_back(polygon_of(rings[i], i));
    boxes.emplace_back(geometry::return_envelope<Box>(impl_->polygons.back()), i);
  }
  impl_->tree = Tree(boxes);
}
BuildingSight::BuildingSight(BuildingSight&&) noexcept = default;
BuildingSight& BuildingSight::operator=(BuildingSight&&) noexcept = default;
BuildingSight::~BuildingSight() = default;

bool BuildingSight::is_free(const kernels::Vec3& from_m, const kernels::Vec3& to_m,
                            EndsInBuildings ends) const {
  const PlanePoint from = over(from_m), to = over(to_m);
  return !impl_->any_near(Segment(from, to), [&](const Polygon& polygon) {
    if (!geometry::intersects(Segment(from, to), polygon)) return false;
    return ends == EndsInBuildings::kBlocked ||
           !(geometry::covered_by(from, polygon) || geometry::covered_by(to, polygon));
  });
}

std::vector<std::uint8_t> BuildingSight::are_free(const std::vector<kernels::Vec3>& from_m,
                                                  const std::vector<kernels::Vec3>& to_m,
                                                  EndsInBuildings ends, int num_threads) const {
  if (from_m.size() != to_m.size()) {
    throw InputError("lines past buildings: " + std::to_string(from_m.size()) + " begin and " +
                     std::to_string(to_m.size()) + " end");
  }
  std::vector<std::uint8_t> free(from_m.size());
  for_each_row(static_cast<std::int64_t>(free.size()), num_threads, [&](std::int64_t row) {
    const auto i = static_cast<std::size_t>(row);
    free[i] = is_free(from_m[i], to_m[i], ends) ? 1 : 0;
  });
  return free;
}

bool BuildingSight::is_inside(const kernels::Vec3& place_m) const {
  const PlanePoint place = over(place_m);
  return impl_->any_near(
      place, [&](const Polygon& polygon) { return geometry::covered_by(place, polygon); });
}

IsFree free_of_buildings(const BuildingSight& sight, int num_threads) {
  return [&sight, num_threads](const std::vector<kernels::Vec3>& from_m,
                               const std::vector<kernels::Vec3>& to_m) {
    return sight.are_free(from_m, to_m, EndsInBuildings::kBlocked, num_threads);
  };
}

IsFree free_in_world(const World& world, double height_m, Device& device) {
  if (!world.grid || world.frame != Frame::kMapZUp) {
    throw InputError("world " + world.name +
                     ": ways need a voxel grid in which z points up (an OctoMap, or a world "
                     "converted with --frame z_up)");
  }
  return [&world, height_m, &device, turn = std::make_shared<std::mutex>()](
             const std::vector<kernels::Vec3>& from_m, const std::vector<kernels::Vec3>& to_m) {
    const std::lock_guard<std::mutex> lock(*turn);  // a device is for one thread at a time
    RayBatch rays;
    rays.observers = from_m;
    rays.targets = to_m;
    for (kernels::Vec3& end : rays.observers) end.z += height_m;
    for (kernels::Vec3& end : rays.targets) end.z += height_m;
    VisibilityQuery query;
    query.unknown = query.outside = kernels::SpacePolicy::kBlocks;
    std::vector<std::uint8_t> free;
    for (const kernels::Visibility sight : line_of_sight(world, rays, query, 0, device)) {
      free.push_back(sight == kernels::Visibility::kVisible ? 1 : 0);
    }
    return free;
  };
}

}  // namespace sightline::host
