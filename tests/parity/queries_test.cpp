// First hits, areas, views and covered pixels: the GPU's answer is the CPU's, bit for bit.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/world/area_target.h"
#include "host/world/gaze.h"
#include "host/world/view.h"
#include "support/parity.h"
#include "support/rays.h"
#include "support/samples.h"

namespace sightline::tests {
namespace {

using host::Method;

constexpr std::uint64_t kSeed = 20260809;

class QueryParity : public OnBothBackends {
 protected:
  host::VisibilityQuery random_query(Method method) {
    host::VisibilityQuery query;
    query.method = method;
    query.unknown = static_cast<kernels::SpacePolicy>(random_.integer(0, 2));
    query.outside = static_cast<kernels::SpacePolicy>(random_.integer(0, 2));
    query.tie_rule = static_cast<kernels::TieRule>(random_.integer(0, 1));
    query.lattice_bits = static_cast<int>(random_.integer(0, 12));
    return query;
  }

  /// Calls check(world, dense, query) for every world and exact method.
  template <class Check>
  void in_every_world(const Check& check) {
    for (const WorldKind kind : kAllWorldKinds) {
      const DenseWorld dense = make_world(kind, {90, 70, 150}, true, random_);
      const host::World world = to_engine(dense, frame_);
      for (const Method method : {Method::kDda, Method::kHdda}) {
        SCOPED_TRACE(std::string(name_of(kind)) + ", seed " + std::to_string(kSeed));
        check(world, dense, random_query(method));
        if (HasFatalFailure()) return;
      }
    }
  }

  std::vector<kernels::Pose> poses_at(const std::vector<kernels::Vec3>& points) {
    std::vector<kernels::Pose> poses;
    for (const kernels::Vec3& at : points) {
      poses.push_back(make_pose(host::Frame::kSceneYUp, at, random_.uniform(-4, 4),
                                random_.uniform(-1.5, 1.5)));
    }
    return poses;
  }

  const oracle::Frame frame_{{-3, 1.5, 7}, {0.08, 0.11, 0.25}};
  Random random_{kSeed};
};

TEST_F(QueryParity, OfFirstHits) {
  in_every_world(
      [&](const host::World& world, const DenseWorld& dense, const host::VisibilityQuery& query) {
        for (const RayKind kind : kAllRayKinds) {
          const host::RayBatch rays =
              to_batch(make_rays(kind, dense.dims(), cases(2000), random_), frame_);
          for (const std::int64_t most : {0, 300}) {
            gpu_->set_max_rays_per_batch(most);
            ASSERT_EQ(first_hit(world, rays, query, cpu_), first_hit(world, rays, query, *gpu_))
                << name_of(kind);
          }
        }
      });
}

TEST_F(QueryParity, OfAreas) {
  const host::AreaTarget area{{1, 0.5, 2}, {3, 2, 2}};
  in_every_world(
      [&](const host::World& world, const DenseWorld& dense, host::VisibilityQuery query) {
        host::RayBatch rays =
            to_batch(make_rays(RayKind::kRandom, dense.dims(), cases(60), random_), frame_);
        rays.shape = kernels::RayShape::kCross;
        for (const std::int64_t most : {0, 500}) {
          gpu_->set_max_rays_per_batch(most);
          ASSERT_EQ(visible_samples(world, rays, area, query, 0, cpu_),
                    visible_samples(world, rays, area, query, 0, *gpu_));
          query.method = Method::kMarch;
          const std::vector<double> steps{0.05, 0.3, 1};
          ASSERT_EQ(visible_samples_steps(world, rays, area, query, steps, cpu_),
                    visible_samples_steps(world, rays, area, query, steps, *gpu_));
          query.method = Method::kHdda;
        }
      });
}

TEST_F(QueryParity, OfViewsAndTheirLabels) {
  const kernels::Camera camera = host::make_camera({64, 48, 80, 0, 20});
  in_every_world([&](const host::World& world, const DenseWorld& dense,
                     const host::VisibilityQuery& query) {
    const auto poses = poses_at(
        to_batch(make_rays(RayKind::kRandom, dense.dims(), cases(5), random_), frame_).observers);
    host::VoxelLabels labels;
    for (int i = 0; i < 1000; ++i) {
      labels.add_voxel(*world.grid,
                       {random_.integer(0, 89), random_.integer(0, 69), random_.integer(0, 149)},
                       static_cast<std::int32_t>(i % 17));
    }
    for (const std::int64_t most : {0, 1000}) {
      gpu_->set_max_rays_per_batch(most);
      const host::Views cpu = render_views(world, poses, camera, query, labels, cpu_);
      const host::Views gpu = render_views(world, poses, camera, query, labels, *gpu_);
      ASSERT_EQ(cpu.hits, gpu.hits);
      ASSERT_EQ(cpu.ids, gpu.ids);
    }
  });
}

TEST_F(QueryParity, OfCoveredPixels) {
  const kernels::Camera camera = host::make_camera({48, 32, 100, 0, 40});
  in_every_world(
      [&](const host::World& world, const DenseWorld& dense, const host::VisibilityQuery& query) {
        host::RayBatch rays =
            to_batch(make_rays(RayKind::kRandom, dense.dims(), cases(40), random_), frame_);
        rays.shape = kernels::RayShape::kCross;
        const auto poses = poses_at(rays.observers);
        for (const std::int64_t most : {0, 77}) {
          gpu_->set_max_rays_per_batch(most);
          ASSERT_EQ(covered_pixels(world, poses, rays, {1, 2, 0.5}, camera, query, cpu_),
                    covered_pixels(world, poses, rays, {1, 2, 0.5}, camera, query, *gpu_));
        }
      });
}

}  // namespace
}  // namespace sightline::tests
