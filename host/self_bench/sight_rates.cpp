#include "host/self_bench/sight_rates.h"

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "host/random.h"
#include "host/self_bench/peer_octomap.h"
#include "host/sweep/experiment.h"
#include "host/world/gaze.h"
#include "host/world/load.h"
#include "host/world/view.h"

namespace sightline::host::self_bench {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kSeed = 20261123;
constexpr std::int64_t kNumChecked = 1 << 14;
constexpr const char* kWorld = "{scene: village, solid: {grid: {voxel_m: 0.1}}}";
constexpr const char* kWorldText = "the village at 0.1 m";

/// A point of free space.
Vec3 free_point(const World& world, RandomItem& random) {
  const GridGeometry& g = world.grid->geometry();
  for (;;) {
    std::array<double, 3> p;
    std::array<std::int64_t, 3> voxel;
    for (std::size_t a = 0; a < 3; ++a) {
      p[a] = random.uniform() * static_cast<double>(g.dims[a]);
      voxel[a] = static_cast<std::int64_t>(p[a]);
      p[a] = g.origin_m[a] + p[a] * g.voxel_m[a];
    }
    if (world.grid->at(voxel[0], voxel[1], voxel[2]) == VoxelState::kFree) {
      return {p[0], p[1], p[2]};
    }
  }
}

RayBatch rays_between_free_points(const World& world, std::int64_t num_rays) {
  RayBatch rays;
  for (std::int64_t i = 0; i < num_rays; ++i) {
    RandomItem random(kSeed, 0, static_cast<std::uint64_t>(i));
    rays.observers.push_back(free_point(world, random));
    rays.targets.push_back(free_point(world, random));
  }
  return rays;
}

RayBatch first_rays(const RayBatch& rays, std::int64_t count) {
  RayBatch first;
  first.observers.assign(rays.observers.begin(), rays.observers.begin() + count);
  first.targets.assign(rays.targets.begin(), rays.targets.begin() + count);
  return first;
}

VisibilityQuery by(Method method) {
  VisibilityQuery query;
  query.method = method;
  return query;
}

/// Voxel and distance of each hit.
std::vector<double> voxels_of(const std::vector<kernels::FirstHit>& hits) {
  std::vector<double> numbers;
  for (const kernels::FirstHit& hit : hits) {
    for (const std::int32_t voxel : hit.voxel) numbers.push_back(voxel);
    numbers.push_back(hit.distance_m);
  }
  return numbers;
}

/// The voxels alone.
std::vector<std::array<std::int32_t, 3>> places_of(const std::vector<kernels::FirstHit>& hits) {
  std::vector<std::array<std::int32_t, 3>> places;
  for (const kernels::FirstHit& hit : hits) {
    places.push_back({hit.voxel[0], hit.voxel[1], hit.voxel[2]});
  }
  return places;
}

/// From the cameras through the middles of the pixels to their range, row by row.
RayBatch rays_of_pixels(const std::vector<kernels::Pose>& poses, const kernels::Camera& camera) {
  RayBatch rays;
  for (const kernels::Pose& pose : poses) {
    for (std::int32_t row = 0; row < camera.height; ++row) {
      for (std::int32_t column = 0; column < camera.width; ++column) {
        const double right = (2 * (column + 0.5) / camera.width - 1) * camera.tan_horizontal;
        const double up = (1 - 2 * (row + 0.5) / camera.height) * camera.tan_vertical;
        const Vec3 d{pose.forward.x + right * pose.right.x + up * pose.up.x,
                     pose.forward.y + right * pose.right.y + up * pose.up.y,
                     pose.forward.z + right * pose.right.z + up * pose.up.z};
        const double scale = camera.range_m / std::sqrt(kernels::dot(d, d));
        rays.observers.push_back(pose.position);
        rays.targets.push_back({pose.position.x + scale * d.x, pose.position.y + scale * d.y,
                                pose.position.z + scale * d.z});
      }
    }
  }
  return rays;
}

/// Of `ask`, which asks OctoMap the same `ours.size()` rays that we answered.
template <class Answer, class Ask>
PeerRate octomap_rate(const std::vector<Answer>& ours, const Runs& runs, const Ask& ask) {
  PeerRate peer;
  peer.name = OctoMapPeer::name();
  const std::vector<Answer> theirs = ask();
  std::int64_t differing = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) differing += ours[i] != theirs[i];
  peer.differs = static_cast<double>(differing) / static_cast<double>(theirs.size());
  peer.rate = runs.rate(static_cast<double>(ours.size()), ask);
  return peer;
}

/// Makes the peer, which takes a while, once there is something to compare it with.
CapabilityRate line_of_sight_rate(const World& world, const RayBatch& rays, Device& device,
                                  const Runs& runs, std::optional<OctoMapPeer>* octomap) {
  CapabilityRate rate;
  rate.name = "exact line of sight";
  rate.work = std::string("pairs of free points in ") + kWorldText;
  rate.unit = "rays";
  runs.start(rate.name);
  const RayBatch some = first_rays(rays, kNumChecked);
  const auto plain = line_of_sight(world, some, by(Method::kDda), 0, device);
  // Batches of this size take the way that all of them take.
  auto fast = line_of_sight(world, rays, by(Method::kHdda), 0, device);
  fast.resize(plain.size());
  require_equal(fast, plain, rate.name);
  runs.measure(
      static_cast<double>(rays.num_rays()),
      [&] { line_of_sight(world, rays, by(Method::kHdda), 0, device); }, &rate);
  std::vector<std::uint8_t> is_visible;
  for (const kernels::Visibility sight : plain) {
    is_visible.push_back(sight == kernels::Visibility::kVisible);
  }
  octomap->emplace(*world.grid);
  rate.peers.push_back(octomap_rate(
      is_visible, runs, [&] { return (*octomap)->visible(some, device.num_threads()); }));
  return rate;
}

CapabilityRate first_hit_rate(const World& world, const OctoMapPeer& octomap, const RayBatch& rays,
                              Device& device, const Runs& runs) {
  CapabilityRate rate;
  rate.name = "first hit";
  rate.work = std::string("the same rays, voxel, face and distance of what stops them");
  rate.unit = "rays";
  runs.start(rate.name);
  const RayBatch some = first_rays(rays, kNumChecked);
  const auto plain = first_hit(world, some, by(Method::kDda), device);
  auto fast = first_hit(world, rays, by(Method::kHdda), device);
  fast.resize(plain.size());
  require_equal(voxels_of(fast), voxels_of(plain), rate.name);
  runs.measure(
      static_cast<double>(rays.num_rays()),
      [&] { first_hit(world, rays, by(Method::kHdda), device); }, &rate);
  rate.peers.push_back(octomap_rate(
      places_of(plain), runs, [&] { return octomap.first_hits(some, device.num_threads()); }));
  return rate;
}

CapabilityRate march_rate(const World& world, const RayBatch& rays, Device& device,
                          const Runs& runs) {
  CapabilityRate rate;
  const std::vector<double> steps_m{1, 0.5, 0.3, 0.25, 0.1, 0.05};
  const RayBatch fewer = first_rays(rays, rays.num_rays() / 4);
  rate.name = "march at six steps";
  rate.work = "a quarter of these rays, sampled every 1 m to 0.05 m in one pass";
  rate.unit = "rays x steps";
  runs.start(rate.name);
  const RayBatch some = first_rays(rays, kNumChecked);
  const auto together = line_of_sight_steps(world, some, by(Method::kMarch), steps_m, device);
  for (std::size_t s = 0; s < steps_m.size(); ++s) {
    require_equal(together[s], line_of_sight(world, some, by(Method::kMarch), steps_m[s], device),
                  rate.name);
  }
  runs.measure(
      static_cast<double>(fewer.num_rays()) * static_cast<double>(steps_m.size()),
      [&] { line_of_sight_steps(world, fewer, by(Method::kMarch), steps_m, device); }, &rate);
  return rate;
}

CapabilityRate view_rate(const World& world, const OctoMapPeer& octomap, const RayBatch& rays,
                         Device& device, const Runs& runs) {
  constexpr std::size_t kNumViews = 8;
  CapabilityRate rate;
  rate.name = "rendered views";
  rate.work = "640 x 480 pixels from eight of these points: voxel, face, distance and label";
  rate.unit = "pixels";
  runs.start(rate.name);
  std::vector<kernels::Pose> poses;
  for (std::size_t i = 0; i < kNumViews; ++i) {
    poses.push_back(
        make_pose_deg(world.frame, rays.observers[i], 45.0 * static_cast<double>(i), 0));
  }
  const VoxelLabels no_labels;
  const kernels::Camera camera = make_camera({});
  CameraSettings small;
  small.width = 64;
  small.height = 48;
  const auto hits_by = [&](Method method) {
    return render_views(world, poses, make_camera(small), by(method), no_labels, device).hits;
  };
  const std::vector<kernels::FirstHit> plain = hits_by(Method::kDda);
  require_equal(voxels_of(hits_by(Method::kHdda)), voxels_of(plain), rate.name);
  const double pixels = static_cast<double>(kNumViews) * camera.width * camera.height;
  runs.measure(
      pixels, [&] { render_views(world, poses, camera, by(Method::kHdda), no_labels, device); },
      &rate);
  const RayBatch of_pixels = rays_of_pixels(poses, make_camera(small));
  rate.peers.push_back(octomap_rate(
      places_of(plain), runs, [&] { return octomap.first_hits(of_pixels, device.num_threads()); }));
  return rate;
}

}  // namespace

void measure_sight(Device& device, const Runs& runs, std::vector<CapabilityRate>* rates) {
  const World world = make_world(parse_world_spec(ConfigValue::parse_yaml(kWorld, "village")));
  constexpr std::int64_t kOnCpu = 1 << 18, kOnGpu = 1 << 23;  // what keeps either busy
  const RayBatch rays = rays_between_free_points(world, device.is_gpu() ? kOnGpu : kOnCpu);
  std::optional<OctoMapPeer> octomap;
  rates->push_back(line_of_sight_rate(world, rays, device, runs, &octomap));
  rates->push_back(first_hit_rate(world, *octomap, rays, device, runs));
  rates->push_back(march_rate(world, rays, device, runs));
  rates->push_back(view_rate(world, *octomap, rays, device, runs));
}

void measure_sweep(Device& device, const Runs& runs, std::vector<CapabilityRate>* rates) {
  constexpr const char* kSweep = R"(name: self
world: {scene: village}
observers: {random_free: {count: 100, height_m: 1.6}}
targets: {random_free: {count: 100, height_m: 1}}
visibility: {method: march, step_m: 0.25}
arms:
  text: {predict: visible}
  sight: {predict: line_of_sight}
baseline: text
axes:
  seed: {range: {start: 1, stop: 10, step: 1}}
  visibility.step_m: [1, 0.5, 0.25, 0.1]
)";
  CapabilityRate rate;
  rate.name = "sweep";
  rate.work = "configurations of two arms over 10,000 rays, judged against the exact walk";
  rate.unit = "configurations";
  runs.start(rate.name);
  const SweepPlan plan = SweepPlan::parse(kSweep, "the self-benchmark's sweep", {});
  const auto run_all = [&] {
    BlockRunner runner(plan, device);
    for (const Block& block : plan_blocks(plan)) runner.run(block);
  };
  runs.measure(static_cast<double>(plan.num_configurations()), run_all, &rate);
  rates->push_back(rate);
}

}  // namespace sightline::host::self_bench
