// BM_Query/op:O/world:W/backend:B: what is seen, rather than whether, through the library's batch
// functions: first hits, visible fractions, rendered views and covered pixels, beside the plain
// line of sight of the same rays. Each is first checked against that.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/peaks.h"
#include "bench/suite.h"
#include "bench/truth.h"
#include "host/world/area_target.h"
#include "host/world/gaze.h"
#include "host/world/view.h"

namespace sightline::bench {
namespace {

using kernels::FirstHit;
using kernels::SampleCounts;
using kernels::Visibility;

constexpr int kSet = 2;  ///< pairs within 64 voxels
constexpr std::int64_t kMaxRays = 1 << 16;
constexpr std::size_t kNumViews = 8;

/// A world of the suite as the library has it, and rays in it.
struct Scene {
  host::World world;
  host::RayBatch rays;
  std::vector<kernels::Pose> poses;  ///< [num_rays]: from, looking at to
  double words_per_ray = 0;

  Scene(Suite& suite, const BenchWorld& bench_world) {
    world.name = bench_world.name;
    world.frame = host::Frame::kMapZUp;
    world.grid = bench_world.grid;
    const RaySet& set = suite.ray_set(bench_world, kSet);
    words_per_ray = bench::words_per_ray(bench_world.grid, set);
    const auto num_rays = static_cast<std::ptrdiff_t>(std::min(kMaxRays, set.size()));
    for (std::ptrdiff_t i = 0; i < num_rays; ++i) {
      rays.observers.push_back(in_metres(set.from[std::size_t(i)]));
      rays.targets.push_back(in_metres(set.to[std::size_t(i)]));
    }
    for (std::size_t i = 0; i < rays.observers.size(); ++i) {
      const kernels::Vec3 d = kernels::minus(rays.targets[i], rays.observers[i]);
      poses.push_back(host::make_pose(world.frame, rays.observers[i], std::atan2(d.y, d.x), 0));
    }
  }

  double voxel_m() const { return world.grid->geometry().voxel_m[0]; }  // cubes, all of them
  host::CameraSettings camera(std::int64_t width, std::int64_t height) const {
    constexpr double kRange_vox = 256;
    return {width, height, 90, 0, kRange_vox * voxel_m()};
  }

  std::vector<Visibility> line_of_sight(host::Device& device) const {
    return host::line_of_sight(world, rays, {}, 0, device);
  }

 private:
  kernels::Vec3 in_metres(kernels::Vec3 voxels) const {
    const host::GridGeometry& g = world.grid->geometry();
    return {g.origin_m[0] + voxels.x * g.voxel_m[0], g.origin_m[1] + voxels.y * g.voxel_m[1],
            g.origin_m[2] + voxels.z * g.voxel_m[2]};
  }
};

/// Makes the scene of a row when it is asked for, and keeps it for the rows that follow.
class Scenes {
 public:
  explicit Scenes(Suite& suite) : suite_(suite) {}
  const Scene& get(const BenchWorld& world) {
    if (!scene_ || scene_->world.name != world.name)
      scene_ = std::make_unique<Scene>(suite_, world);
    return *scene_;
  }

 private:
  Suite& suite_;
  std::unique_ptr<Scene> scene_;
};

void count(benchmark::State& state, std::size_t num_rays) {
  state.counters["rays_per_s"] = rate(state.iterations() * static_cast<std::int64_t>(num_rays));
}

/// Of rays that end where the scene's do, or at what they meet first.
void count_words(benchmark::State& state, const Scene& scene, const host::Device& device) {
  add_words(state,
            scene.words_per_ray * static_cast<double>(scene.poses.size()) *
                static_cast<double>(state.iterations()),
            device.is_gpu() ? 0 : device.num_threads());
}

void plain(benchmark::State& state, Suite&, const Scene& scene, host::Device& device) {
  for (auto _ : state) benchmark::DoNotOptimize(scene.line_of_sight(device));
  count(state, scene.poses.size());
  count_words(state, scene, device);
}

/// So many that points and answers lie beyond the caches: what a program in Python or C++ waits
/// for, from its metres to its answers.
void plain_of_many(benchmark::State& state, Suite& suite, const Scene& scene,
                   host::Device& device) {
  constexpr std::size_t kTimes = 64;
  const std::vector<Visibility> once = scene.line_of_sight(device);
  host::RayBatch many;
  std::vector<Visibility> expected;
  for (std::size_t k = 0; k < kTimes; ++k) {
    const host::RayBatch& rays = scene.rays;
    many.observers.insert(many.observers.end(), rays.observers.begin(), rays.observers.end());
    many.targets.insert(many.targets.end(), rays.targets.begin(), rays.targets.end());
    expected.insert(expected.end(), once.begin(), once.end());
  }
  const auto ask = [&] { return host::line_of_sight(scene.world, many, {}, 0, device); };
  if (ask() != expected) return suite.fail(state, "many rays are answered as few are not");
  for (auto _ : state) benchmark::DoNotOptimize(ask());
  count(state, expected.size());
  state.counters["bytes_per_s"] =
      rate(state.iterations() * static_cast<std::int64_t>(expected.size()) *
           static_cast<std::int64_t>(2 * sizeof(kernels::Vec3) + sizeof(Visibility)));
}

/// A hidden target is hidden by what the ray to it meets first.
void first_hits(benchmark::State& state, Suite& suite, const Scene& scene, host::Device& device) {
  const std::vector<FirstHit> hits = first_hit(scene.world, scene.rays, {}, device);
  const std::vector<Visibility> sight = scene.line_of_sight(device);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (sight[i] == Visibility::kHidden && hits[i].sight != Visibility::kHidden) {
      return suite.fail(state, "a hidden target whose ray meets nothing");
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(first_hit(scene.world, scene.rays, {}, device));
  }
  count(state, hits.size());
  count_words(state, scene, device);
}

void visible_fraction(benchmark::State& state, Suite& suite, const Scene& scene,
                      host::Device& device) {
  const double edge_m = 2 * scene.voxel_m();
  const host::AreaTarget area{{edge_m, edge_m, edge_m}, {2, 2, 2}};
  const auto ask = [&] { return visible_samples(scene.world, scene.rays, area, {}, 0, device); };
  const std::vector<SampleCounts> counts = ask();
  host::RayBatch samples;
  samples.targets = sample_points(scene.rays.targets, area);
  for (const kernels::Vec3& observer : scene.rays.observers) {
    samples.observers.insert(samples.observers.end(), std::size_t(area.num_samples()), observer);
  }
  const auto one_by_one = line_of_sight(scene.world, samples, {}, 0, device);
  std::vector<std::uint32_t> expected(counts.size(), 0);
  for (std::size_t i = 0; i < one_by_one.size(); ++i) {
    expected[i / std::size_t(area.num_samples())] += one_by_one[i] == Visibility::kVisible;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].visible != expected[i]) return suite.fail(state, "counts of samples differ");
  }
  for (auto _ : state) benchmark::DoNotOptimize(ask());
  count(state, one_by_one.size());
}

/// Pixels are rays.
void render(benchmark::State& state, Suite& suite, const Scene& scene, host::Device& device) {
  const std::vector<kernels::Pose> poses(
      scene.poses.begin(), scene.poses.begin() + std::min(kNumViews, scene.poses.size()));
  const kernels::Camera camera = host::make_camera(scene.camera(320, 240));
  const auto ask = [&] { return render_views(scene.world, poses, camera, {}, {}, device); };
  const host::Views views = ask();
  host::RayBatch middle;
  std::vector<FirstHit> expected;
  for (std::size_t view = 0; view < poses.size(); ++view) {
    middle.observers.push_back(poses[view].position);
    const std::int64_t pixel = 120 * 320 + 160;
    expected.push_back(views.hits[view * std::size_t(views.pixels_per_view()) + pixel]);
    const kernels::Pose& p = poses[view];
    const double right = camera.tan_horizontal / 320, down = camera.tan_vertical / 240;
    const kernels::Vec3 d{p.forward.x + right * p.right.x - down * p.up.x,
                          p.forward.y + right * p.right.y - down * p.up.y,
                          p.forward.z + right * p.right.z - down * p.up.z};
    const double scale = camera.range_m / std::sqrt(kernels::dot(d, d));
    middle.targets.push_back(
        {p.position.x + scale * d.x, p.position.y + scale * d.y, p.position.z + scale * d.z});
  }
  const std::vector<FirstHit> gazes = first_hit(scene.world, middle, {}, device);
  for (std::size_t view = 0; view < poses.size(); ++view) {
    // The two ends may be rounded differently by one lattice unit.
    if (gazes[view].sight != expected[view].sight ||
        (gazes[view].sight == Visibility::kHidden &&
         std::fabs(gazes[view].distance_m - expected[view].distance_m) > scene.voxel_m())) {
      return suite.fail(state, "the middle pixel is not the gaze through it");
    }
  }
  for (auto _ : state) benchmark::DoNotOptimize(ask());
  count(state, views.hits.size());
}

/// Rays are pixels tested; targets that are not in the picture cost none.
void covered(benchmark::State& state, Suite& suite, const Scene& scene, host::Device& device) {
  const kernels::Camera camera = host::make_camera(scene.camera(64, 48));
  const double edge_m = 2 * scene.voxel_m();
  const auto ask = [&](const host::World& world) {
    return covered_pixels(world, scene.poses, scene.rays, {edge_m, edge_m, edge_m}, camera, {},
                          device);
  };
  host::World empty = scene.world;
  empty.grid.emplace(scene.world.grid->geometry());
  const std::vector<SampleCounts> seen = ask(scene.world), all = ask(empty);
  std::int64_t num_pixels = 0, num_seen = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].visible > all[i].visible)
      return suite.fail(state, "walls make more pixels visible");
    num_pixels += all[i].visible;
    num_seen += seen[i].visible;
  }
  if (num_seen == 0 || num_seen == num_pixels) return suite.fail(state, "walls play no part");
  for (auto _ : state) benchmark::DoNotOptimize(ask(scene.world));
  state.counters["rays_per_s"] = rate(state.iterations() * num_pixels);
  state.counters["targets_per_s"] =
      rate(state.iterations() * static_cast<std::int64_t>(seen.size()));
}

using Query = void (*)(benchmark::State&, Suite&, const Scene&, host::Device&);

}  // namespace

void register_queries(Suite& suite) {
  const std::pair<const char*, Query> queries[] = {
      {"line_of_sight", plain},  {"line_of_sight_of_many", plain_of_many},
      {"first_hit", first_hits}, {"visible_fraction", visible_fraction},
      {"render", render},        {"covered_pixels", covered}};
  std::vector<host::DeviceChoice> choices{host::DeviceChoice::kCpu};
  if (!host::list_gpus().empty()) choices.push_back(host::DeviceChoice::kCuda);
  const auto scenes = std::make_shared<Scenes>(suite);
  for (const host::DeviceChoice choice : choices) {
    const auto device = std::make_shared<host::Device>(choice);
    for (const BenchWorld& world : suite.worlds()) {
      for (const auto& [name, query] : queries) {
        const std::string row = std::string("BM_Query/op:") + name + "/world:" + world.name +
                                "/backend:" + (device->is_gpu() ? "cuda" : "cpu");
        const Query ask = query;
        benchmark::RegisterBenchmark(row.c_str(),
                                     [=, &suite, &world](benchmark::State& state) {
                                       ask(state, suite, scenes->get(world), *device);
                                     })
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace sightline::bench
