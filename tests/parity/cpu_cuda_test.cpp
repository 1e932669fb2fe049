// Every op, at every index: the GPU's answer is the CPU's, bit for bit.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/gpu.h"
#include "host/world/sight_at.h"
#include "host/world/view.h"
#include "support/parity.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using host::Geometry;
using host::Method;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 20260808;

class Parity : public OnBothBackends {
 protected:
  void expect_equal_sight(const host::World& world, const host::RayBatch& rays,
                          const host::VisibilityQuery& query) {
    const bool marches = query.method == Method::kMarch || query.method == Method::kMarchUniform;
    const std::vector<double> steps =
        marches ? std::vector<double>{0.05, 0.1, 0.3, 1, 2.5} : std::vector<double>{0};
    if (marches) {
      const auto cpu = line_of_sight_steps(world, rays, query, steps, cpu_);
      const auto gpu = line_of_sight_steps(world, rays, query, steps, *gpu_);
      for (std::size_t k = 0; k < steps.size(); ++k) expect_equal(cpu[k], gpu[k], rays);
    } else {
      expect_equal(line_of_sight(world, rays, query, 0, cpu_),
                   line_of_sight(world, rays, query, 0, *gpu_), rays);
    }
  }

  static void expect_equal(const std::vector<kernels::Visibility>& cpu,
                           const std::vector<kernels::Visibility>& gpu,
                           const host::RayBatch& rays) {
    ASSERT_EQ(cpu.size(), gpu.size());
    for (std::size_t i = 0; i < cpu.size(); ++i) {
      const bool elementwise = rays.shape == kernels::RayShape::kElementwise;
      ASSERT_EQ(cpu[i], gpu[i]) << "seed " << kSeed << ", slot " << i << ' '
                                << (elementwise ? describe(rays, i) : "");
    }
  }

  Random random_{kSeed};
};

TEST_F(Parity, OfLineOfSightHoldsForEveryMethodWorldAndRay) {
  const oracle::Frame frame{{-3, 1.5, 7}, {0.08, 0.11, 0.25}};
  for (const WorldKind kind : kAllWorldKinds) {
    const DenseWorld dense = make_world(kind, {90, 70, 150}, true, random_);
    const host::World world = to_engine(dense, frame);
    for (const RayKind ray_kind : kAllRayKinds) {
      const host::RayBatch rays =
          to_batch(make_rays(ray_kind, dense.dims(), cases(3000), random_), frame);
      for (const Method method :
           {Method::kMarch, Method::kMarchUniform, Method::kDda, Method::kHdda}) {
        SCOPED_TRACE(std::string(name_of(kind)) + ", " + name_of(ray_kind));
        host::VisibilityQuery query;
        query.method = method;
        query.unknown = static_cast<kernels::SpacePolicy>(random_.integer(0, 2));
        query.outside = static_cast<kernels::SpacePolicy>(random_.integer(0, 2));
        query.tie_rule = static_cast<kernels::TieRule>(random_.integer(0, 1));
        query.end_rule = static_cast<kernels::EndRule>(random_.integer(0, 2));
        query.lattice_bits = static_cast<int>(random_.integer(0, 16));
        expect_equal_sight(world, rays, query);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(Parity, OfLineOfSightHoldsForEveryShapeAndSplit) {
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, true, random_);
  const host::World world = to_engine(dense);
  host::RayBatch cross = to_batch(make_rays(RayKind::kRandom, dense.dims(), 101, random_));
  cross.targets.resize(77);
  cross.shape = kernels::RayShape::kCross;
  host::RayBatch pairs = cross;
  pairs.shape = kernels::RayShape::kPairs;
  for (int i = 0; i < 5000; ++i) {
    pairs.pairs.insert(pairs.pairs.end(), {random_.integer(0, 100), random_.integer(0, 76)});
  }
  host::RayBatch elementwise = to_batch(make_rays(RayKind::kRandom, dense.dims(), 5000, random_));
  for (const std::int64_t most : {0, 1000, 4999, 77}) {
    gpu_->set_max_rays_per_batch(most);
    for (const Method method : {Method::kMarch, Method::kHdda}) {
      host::VisibilityQuery query;
      query.method = method;
      for (const host::RayBatch* rays : {&cross, &pairs, &elementwise}) {
        expect_equal_sight(world, *rays, query);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(Parity, HoldsAfterEveryEditOfTheGrid) {
  DenseWorld dense({40, 40, 40});
  host::World world = to_engine(dense);
  const host::RayBatch rays =
      to_batch(make_rays(RayKind::kRandom, dense.dims(), cases(2000), random_));
  for (int edit = 0; edit < 8; ++edit) {
    const std::int64_t at = random_.integer(0, 35);
    world.grid->set_box({at, 0, 0}, {at + 2, 30, 40},
                        static_cast<host::VoxelState>(random_.integer(0, 2)));
    expect_equal_sight(world, rays, {});
  }
}

TEST_F(Parity, HoldsForEveryVersionAndALaterOneSendsWhatItAppended) {
  const DenseWorld dense = make_world(WorldKind::kRooms, {200, 90, 150}, true, random_);
  host::World world = to_engine(dense);
  const host::RayBatch rays =
      to_batch(make_rays(RayKind::kRandom, dense.dims(), cases(3000), random_));
  host::VersionedGrid& versions = start_versions(world);
  expect_equal_sight(at_version(world, 0), rays, {});
  for (std::int64_t v = 1; v < 40; ++v) {
    const std::int64_t at = random_.integer(0, 180);
    versions.edit({{{at, 3, 3},
                    {at + random_.integer(1, 9), 40, 140},
                    static_cast<host::VoxelState>(random_.integer(0, 2))}});
    const std::int64_t before = gpu_->grid_bytes_sent();
    expect_equal_sight(at_version(world, v), rays, {});
    if (HasFatalFailure()) return;
    const std::int64_t sent = gpu_->grid_bytes_sent() - before;
    const host::HostGrid grid = versions.grid(v).host_grid();
    const std::size_t appended = grid.num_words - versions.version(v - 1).num_words;
    EXPECT_EQ(sent, static_cast<std::int64_t>(8 * (appended + grid.num_root_words))) << v;
  }
  std::vector<std::int64_t> asked(rays.observers.size());
  for (std::int64_t& v : asked) v = random_.integer(0, versions.latest());
  expect_equal(line_of_sight_at(world, rays, asked, {}, 0, cpu_),
               line_of_sight_at(world, rays, asked, {}, 0, *gpu_), rays);
}

/// A wall with a door, a turned box, a cylinder for each up axis, and a ball.
host::AnalyticSolid make_solid() {
  std::vector<kernels::Primitive> solids(5);
  solids[0].min = {9, 0, 0};
  solids[0].max = {9.5, 10, 20};
  solids[0].closed_faces = 0x15;
  solids[0].num_openings = 1;
  solids[1].kind = kernels::PrimitiveKind::kRotatedBox;
  solids[1].min = {3, 0, 3};
  solids[1].max = {5, 4, 4};
  solids[1].cos_turn = 0.8;
  solids[1].sin_turn = 0.6;
  for (int i : {2, 3}) {
    solids[std::size_t(i)].kind = kernels::PrimitiveKind::kCylinder;
    solids[std::size_t(i)].up_axis = static_cast<std::uint8_t>(i - 1);
    solids[std::size_t(i)].min = {12.0 + i, 0, 5};
    solids[std::size_t(i)].max = {14.0 + i, 6, 7};
  }
  solids[4].kind = kernels::PrimitiveKind::kSphere;
  solids[4].min = {4, 5, 12};
  solids[4].max = {8, 9, 16};
  kernels::Primitive door;
  door.min = {8, 0, 8};
  door.max = {10, 2.5, 11};
  return {solids, {door}};
}

template <class T>
const T* upload(host::gpu::Stream& stream, host::gpu::Buffer& buffer, const std::vector<T>& host) {
  void* device = buffer.reserve(host.size() * sizeof(T));
  stream.upload(device, host.data(), host.size() * sizeof(T));
  return static_cast<const T*>(device);
}

TEST_F(Parity, OfTheAnalyticMarchHolds) {
  host::World world;
  world.analytic = make_solid();
  const host::RayBatch rays =
      to_batch(make_rays(RayKind::kRandom, {20, 10, 20}, cases(20000), random_));
  for (const Method method : {Method::kMarch, Method::kMarchUniform}) {
    host::VisibilityQuery query;
    query.method = method;
    query.geometry = Geometry::kAnalytic;
    expect_equal_sight(world, rays, query);
  }
}

TEST_F(Parity, OfSolidAtHolds) {
  const host::AnalyticSolid solid = make_solid();
  std::vector<Vec3> points;
  for (int i = 0; i < 20000; ++i) {
    points.push_back({random_.uniform(0, 20), random_.uniform(0, 10), random_.uniform(0, 20)});
  }
  const auto num_points = static_cast<std::int64_t>(points.size());
  std::vector<std::uint8_t> cpu(points.size()), gpu(points.size());
  kernels::solid_at({}, solid.view(), points.data(), num_points, cpu.data());

  host::gpu::Stream stream;
  host::gpu::Buffer solids, openings, inputs, outputs;
  kernels::AnalyticView view = solid.view();
  view.solids = upload(stream, solids, solid.solids);
  view.openings = upload(stream, openings, solid.openings);
  const Vec3* device_points = upload(stream, inputs, points);
  auto* device_out = static_cast<std::uint8_t*>(outputs.reserve(gpu.size()));
  kernels::solid_at({host::gpu::backend(), 0, stream.handle()}, view, device_points, num_points,
                    device_out);
  stream.download(gpu.data(), device_out, gpu.size());
  stream.synchronize();
  EXPECT_EQ(cpu, gpu);
}

TEST_F(Parity, OfFieldOfViewHolds) {
  std::vector<kernels::Pose> poses;
  host::RayBatch rays;
  rays.shape = kernels::RayShape::kCross;
  for (int i = 0; i < 200; ++i) {
    const auto anywhere = [&] {
      return Vec3{random_.uniform(-5, 5), random_.uniform(-5, 5), random_.uniform(-5, 5)};
    };
    const host::Frame frame = random_.chance(0.5) ? host::Frame::kSceneYUp : host::Frame::kMapZUp;
    poses.push_back(make_pose(frame, anywhere(), random_.uniform(-4, 4), random_.uniform(-1, 1)));
    rays.targets.push_back(anywhere());
  }
  std::vector<kernels::FieldOfView> fovs(40);
  for (std::size_t k = 0; k < fovs.size(); ++k) {
    fovs[k].kind = static_cast<kernels::FieldOfViewKind>(k % 3);
    fovs[k].min_cos = random_.uniform(-1, 1);
    fovs[k].tan_horizontal = random_.uniform(0.1, 2);
    fovs[k].tan_vertical = random_.uniform(0.1, 2);
    fovs[k].far_m = random_.uniform(2, 20);
  }
  EXPECT_EQ(in_field_of_view(poses, rays, fovs, cpu_), in_field_of_view(poses, rays, fovs, *gpu_));
  const kernels::Camera camera = host::make_camera({640, 480, 80, 0, 30});
  const auto on_cpu = project(poses, rays, camera, cpu_),
             on_gpu = project(poses, rays, camera, *gpu_);
  ASSERT_EQ(on_cpu.size(), on_gpu.size());
  for (std::size_t i = 0; i < on_cpu.size(); ++i) {
    ASSERT_EQ(on_cpu[i].column, on_gpu[i].column) << i;
    ASSERT_EQ(on_cpu[i].row, on_gpu[i].row) << i;
    ASSERT_EQ(on_cpu[i].ahead_m, on_gpu[i].ahead_m) << i;
    ASSERT_EQ(on_cpu[i].is_inside, on_gpu[i].is_inside) << i;
  }
}

}  // namespace
}  // namespace sightline::tests
