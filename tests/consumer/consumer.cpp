// Who sees whom over a wall with a door? A world made by hand, asked by the exact walk; then a
// sweep over a built-in scene, with its report.
//
//   consumer DIR    DIR: the run's folder, which must not exist
//
// Exit code 1 if an answer is not the one drawn below, or the sweep fails.
#include <sightline/host/error.h>
#include <sightline/host/report/report.h>
#include <sightline/host/sweep/run.h>
#include <sightline/host/world/visibility.h>

#include <cstdio>
#include <exception>
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

/// One ray through the door, one into the wall.
bool sees_through_the_door_only(host::Device& device) {
  const host::World world = make_world();
  host::RayBatch rays;
  rays.observers = {{1.2, 1, 2.4}, {1.2, 1, 1.2}};
  rays.targets = {{4.2, 1, 2.4}, {4.2, 1, 1.2}};
  const std::vector<Visibility> seen = host::line_of_sight(world, rays, {}, 0, device);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    std::printf("ray %zu: %s\n", i, seen[i] == Visibility::kVisible ? "visible" : "hidden");
  }
  return seen == std::vector<Visibility>{Visibility::kVisible, Visibility::kHidden};
}

constexpr const char* kSweep = R"(
world: {scene: {name: clutter, seed: 1}}
observers: {random_free: {count: 5, height_m: 1.6}}
targets: {random_free: {count: 20, up_range_m: [0.2, 2]}}
arms:
  always: {predict: visible}
  march: {predict: line_of_sight}
oracle: {method: hdda}
baseline: always
axes: {visibility.step_m: [0.1, 0.4]}
)";

void sweep(host::Device& device, const char* folder) {
  host::SweepOptions options;
  options.output_directory = folder;
  const host::SweepPlan plan = host::SweepPlan::parse(kSweep, "consumer", {});
  const host::SweepSummary summary = host::run_sweep(plan, options, device);
  std::printf("%lld configurations on %s\n", static_cast<long long>(summary.ran),
              device.description().c_str());
  try {
    std::printf("%s\n", host::write_report(folder).c_str());
  } catch (const host::EnvironmentError& error) {
    std::printf("no report: %s\n", error.what());  // matplotlib draws it, if there is one
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: consumer DIR\n");
    return 2;
  }
  try {
    host::Device device(host::DeviceChoice::kCpu);
    sweep(device, argv[1]);
    return sees_through_the_door_only(device) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
