// Who sees whom over a wall with a door? A world made by hand, asked by the exact walk, and the
// plan of a sweep. Exit code 1 if an answer is not the one drawn below.
#include <sightline/host/report/report.h>
#include <sightline/host/sweep/plan.h>
#include <sightline/host/world/visibility.h>
#include <sightline/kernels/kernels.h>

#include <cstdio>
#include <utility>
#include <vector>

namespace {

namespace host = sightline::host;
using sightline::kernels::Vec3;
using sightline::kernels::Visibility;

constexpr int kDoorBegin = 4, kDoorEnd = 6;  // voxels along z; the wall fills the rest

/// 10 x 4 x 10 voxels of 0.5 m; a wall at x = 5 with a door.
host::World make_world() {
  host::GridGeometry geometry;
  geometry.dims = {10, 4, 10};
  geometry.voxel_m = {0.5, 0.5, 0.5};
  host::OccupancyGrid grid(geometry);
  grid.set_box({5, 0, 0}, {6, 4, 10}, host::VoxelState::kOccupied);
  grid.set_box({5, 0, kDoorBegin}, {6, 4, kDoorEnd}, host::VoxelState::kFree);
  host::World world;
  world.name = "wall";
  world.grid = std::move(grid);
  return world;
}

}  // namespace

int main() {
  const host::World world = make_world();
  host::RayBatch rays;
  rays.observers = {{1.2, 1, 2.4}, {1.2, 1, 1.2}};
  rays.targets = {{4.2, 1, 2.4}, {4.2, 1, 1.2}};  // through the door, into the wall
  host::Device device(host::DeviceChoice::kCpu);
  const std::vector<Visibility> seen = host::line_of_sight(world, rays, {}, 0, device);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    std::printf("ray %zu: %s\n", i, seen[i] == Visibility::kVisible ? "visible" : "hidden");
  }
  const host::SweepPlan plan = host::SweepPlan::parse(
      "world: {scene: clutter}\narms: {a: {predict: visible}}\naxes: {visibility.step_m: [1, 2]}\n",
      "consumer", {});
  std::printf("%lld configurations on %s\n", static_cast<long long>(plan.num_configurations()),
              device.description().c_str());
  const bool right = seen == std::vector<Visibility>{Visibility::kVisible, Visibility::kHidden} &&
                     plan.num_configurations() == 2;
  return right ? 0 : 1;
}
