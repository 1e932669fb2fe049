// OctoMap's own ray casting on its own map (Hornung et al. 2013, OctoMap), against the exact walk.
//
// castRay walks the same half-open voxels, but in floating point, with the direction normalised in
// single precision, and it looks at the voxels of both ends. Every answer that differs from ours is
// put in a class by the exact oracle; one that fits none would be a fault of ours.
#include <gtest/gtest.h>
#include <octomap/OcTree.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "host/world/load.h"
#include "host/world/visibility.h"
#include "support/rays.h"
#include "support/reference_data.h"

namespace sightline::tests {
namespace {

using kernels::Visibility;
using oracle::Index3;
using oracle::State;

constexpr std::uint64_t kSeed = 20260909;
constexpr int kBits = 8;       ///< ends of all rays lie on this lattice
constexpr int kFineBits = 16;  ///< on which near-ties are judged
constexpr std::int64_t kFineUnit = 1 << kFineBits;

/// How far castRay's path may lie from the exact one: ends rounded to single precision at 40 m
/// (2e-6 m each) and a direction good to 1e-7 over 40 m (5e-6 m), on voxels of 0.05 m or more.
constexpr double kNearTie_vox = 1.0 / 2048;
constexpr std::int64_t kNearTie = static_cast<std::int64_t>(kNearTie_vox * kFineUnit);

constexpr const char* kMap = "octomap_geb079/geb079.bt";

struct Tally {
  std::int64_t rays = 0, agree = 0, tie = 0, near_tie = 0, end_voxel = 0, unknown = 0,
               unclassified = 0;
};
std::ostream& operator<<(std::ostream& out, const Tally& t) {
  return out << t.rays << " rays: " << t.agree << " agree, " << t.tie << " tie, " << t.near_tie
             << " near-tie, " << t.end_voxel << " start or end voxel, " << t.unknown << " unknown, "
             << t.unclassified << " unclassified";
}

/// A voxel as a box on the fine lattice, grown by `margin` on all sides.
oracle::LatticeBox grown_box(const Index3& voxel, std::int64_t margin) {
  oracle::LatticeBox box{};
  for (int axis = 0; axis < 3; ++axis) {
    box.low[axis] = voxel[axis] * kFineUnit - margin;
    box.high[axis] = (voxel[axis] + 1) * kFineUnit + margin;
  }
  return box;
}

oracle::Segment to_fine(const oracle::Segment& coarse) {
  oracle::Segment fine = coarse;
  for (int axis = 0; axis < 3; ++axis) {
    fine.from[axis] *= 1 << (kFineBits - kBits);
    fine.to[axis] *= 1 << (kFineBits - kBits);
  }
  return fine;
}

/// The segment carried on for two voxels past its end.
oracle::Segment extended(oracle::Segment fine) {
  double run[3], length = 0;
  for (int axis = 0; axis < 3; ++axis) {
    run[axis] = static_cast<double>(fine.to[axis] - fine.from[axis]);
    length += run[axis] * run[axis];
  }
  for (int axis = 0; axis < 3; ++axis) {
    fine.to[axis] += std::llround(run[axis] / std::sqrt(length) * (2 << kFineBits));
  }
  return fine;
}

class OctomapMap : public testing::Test {
 protected:
  void SetUp() override {
    SIGHTLINE_REQUIRE_REFERENCE_DATA(kMap);
    tree_ = std::make_unique<octomap::OcTree>(reference_data(kMap));
    world_ = host::load_world(reference_data(kMap));
    const host::GridGeometry& geometry = world_.grid->geometry();
    frame_ = {geometry.origin_m, geometry.voxel_m};
    ASSERT_TRUE(tree_->coordToKeyChecked(to_point({0.5, 0.5, 0.5}), low_key_));
    dense_ = std::make_unique<DenseWorld>(geometry.dims, State::kUnknown);
    for (auto leaf = tree_->begin_leafs(); leaf != tree_->end_leafs(); ++leaf) add_leaf(leaf);
  }

  template <class Leaf>
  void add_leaf(const Leaf& leaf) {
    const octomap::OcTreeKey key = leaf.getIndexKey();
    const std::int64_t width = std::int64_t{1} << (tree_->getTreeDepth() - leaf.getDepth());
    Index3 low{}, high{};
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::int64_t{key[unsigned(axis)]} - low_key_[unsigned(axis)];
      high[axis] = low[axis] + width;
    }
    dense_->set_box(low, high, tree_->isNodeOccupied(*leaf) ? State::kOccupied : State::kFree);
  }

  /// A point given in voxels, as OctoMap takes it: metres, single precision.
  octomap::point3d to_point(const oracle::Point3& p_vox) const {
    float p[3];
    for (int axis = 0; axis < 3; ++axis) {
      p[axis] = static_cast<float>(frame_.origin_m[axis] + p_vox[axis] * frame_.voxel_m[axis]);
    }
    return {p[0], p[1], p[2]};
  }
  Index3 voxel_of(const octomap::point3d& point) const {
    const octomap::OcTreeKey key = tree_->coordToKey(point);
    return {std::int64_t{key[0]} - low_key_[0], std::int64_t{key[1]} - low_key_[1],
            std::int64_t{key[2]} - low_key_[2]};
  }

  host::World world_;
  oracle::Frame frame_;
  octomap::OcTreeKey low_key_;
  std::unique_ptr<octomap::OcTree> tree_;
  std::unique_ptr<DenseWorld> dense_;
};

TEST_F(OctomapMap, IsReadVoxelByVoxelAsOctomapHoldsIt) {
  const Index3& n = dense_->dims();
  for (std::int64_t z = 0; z < n[2]; ++z) {
    for (std::int64_t y = 0; y < n[1]; ++y) {
      for (std::int64_t x = 0; x < n[0]; ++x) {
        ASSERT_EQ(static_cast<int>(world_.grid->at(x, y, z)),
                  static_cast<int>(dense_->at({x, y, z})))
            << x << ' ' << y << ' ' << z;
      }
    }
  }
}

class OctomapCastRay : public OctomapMap, public testing::WithParamInterface<bool> {
 protected:
  /// Ends in random free voxels: at their centres, where rays meet edges, or anywhere inside.
  host::RayBatch make_free_rays(std::int64_t num_rays, bool centres) {
    const auto free_point = [&] {
      Index3 voxel{};
      do {
        for (int axis = 0; axis < 3; ++axis) {
          voxel[axis] = random_.integer(0, dense_->dims()[axis] - 1);
        }
      } while (dense_->at(voxel) != State::kFree);
      oracle::Point3 p{};
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t part = centres ? 128 : random_.integer(1, 255);
        p[axis] = static_cast<double>(voxel[axis]) + static_cast<double>(part) / (1 << kBits);
      }
      const octomap::point3d point = to_point(p);
      return kernels::Vec3{point.x(), point.y(), point.z()};
    };
    host::RayBatch rays;
    for (std::int64_t i = 0; i < num_rays; ++i) {
      rays.observers.push_back(free_point());
      rays.targets.push_back(free_point());
    }
    return rays;
  }

  /// What castRay says of a ray, and where it stopped.
  struct Cast {
    bool hit = false;
    Index3 voxel{};
  };
  Cast cast(const kernels::Vec3& from, const kernels::Vec3& to, bool ignore_unknown) const {
    const octomap::point3d origin(float(from.x), float(from.y), float(from.z));
    const octomap::point3d target(float(to.x), float(to.y), float(to.z));
    const octomap::point3d run = target - origin;
    octomap::point3d end = origin;
    // castRay compares the distance of voxel centres: one voxel more reaches the target's voxel.
    const double range_m = run.norm() + tree_->getResolution();
    const bool hit = tree_->castRay(origin, run, end, ignore_unknown, range_m);
    return {hit, voxel_of(end)};
  }

  /// Files a disagreement under its cause.
  void classify(const oracle::Segment& segment, Visibility ours, const Cast& theirs,
                bool ignore_unknown, Tally& tally) const {
    const oracle::Segment fine = to_fine(segment);
    const bool stopped_in_unknown = !ignore_unknown && !theirs.hit &&
                                    dense_->view().contains(theirs.voxel) &&
                                    dense_->at(theirs.voxel) == State::kUnknown;
    if (ours == Visibility::kHidden && stopped_in_unknown) {
      ++(touches(fine, grown_box(theirs.voxel, kNearTie)) ? tally.unknown : tally.unclassified);
    } else if (ours == Visibility::kHidden) {
      ++(only_slivers_block(segment, fine) ? tally.near_tie : tally.unclassified);
    } else if (theirs.voxel == oracle::voxel_of(segment.from, kBits) ||
               theirs.voxel == oracle::voxel_of(segment.to, kBits)) {
      ++tally.end_voxel;
    } else if (has_length_in(fine, grown_box(theirs.voxel, 0))) {
      ++tally.unclassified;
    } else if (touches(fine, grown_box(theirs.voxel, 0))) {
      ++tally.tie;
    } else if (touches(fine, grown_box(theirs.voxel, kNearTie))) {
      ++tally.near_tie;
    } else {
      const bool behind = touches(extended(fine), grown_box(theirs.voxel, kNearTie));
      ++(behind ? tally.end_voxel : tally.unclassified);
    }
  }

  /// Does the exact segment only clip occupied voxels by less than castRay's rounding?
  bool only_slivers_block(const oracle::Segment& segment, const oracle::Segment& fine) const {
    const Index3 from = oracle::voxel_of(segment.from, kBits);
    const Index3 to = oracle::voxel_of(segment.to, kBits);
    for (const Index3& voxel : visited_voxels(segment, kBits, oracle::Ties::kDiagonal)) {
      if (voxel == from || voxel == to || dense_->at(voxel) != State::kOccupied) continue;
      if (has_length_in(fine, grown_box(voxel, -kNearTie))) return false;
    }
    return true;
  }

  Tally compare(const host::RayBatch& rays, bool ignore_unknown) {
    host::Device device(host::DeviceChoice::kCpu);
    const auto ours = line_of_sight(world_, rays, {}, 0, device);
    const oracle::VoxelWorld truth = dense_->view();
    Tally tally;
    for (std::size_t i = 0; i < ours.size(); ++i, ++tally.rays) {
      const Cast theirs = cast(rays.observers[i], rays.targets[i], ignore_unknown);
      if (theirs.hit == (ours[i] == Visibility::kHidden)) {
        ++tally.agree;
        continue;
      }
      const oracle::Segment segment = to_segment(rays, i, frame_, kBits);
      EXPECT_EQ(ours[i], to_engine(oracle::line_of_sight(truth, segment, kBits, {})))
          << describe(rays, i);
      const std::int64_t before = tally.unclassified;
      classify(segment, ours[i], theirs, ignore_unknown, tally);
      EXPECT_EQ(tally.unclassified, before) << describe(rays, i);
    }
    return tally;
  }

  Random random_{kSeed};
};

TEST_P(OctomapCastRay, DiffersOnlyWhereItRoundsOrCountsOtherVoxels) {
  constexpr std::int64_t kRays = 20000;
  const bool centres = GetParam();
  const host::RayBatch rays = make_free_rays(kRays, centres);
  for (const bool ignore_unknown : {true, false}) {
    const Tally tally = compare(rays, ignore_unknown);
    std::cout << "castRay, " << (ignore_unknown ? "unknown ignored" : "stopped by unknown") << ", "
              << (centres ? "centre to centre" : "random ends") << ", seed " << kSeed << ": "
              << tally << std::endl;
    EXPECT_EQ(tally.unclassified, 0);
    // Nearly all; stopped by unknown space the two ask different questions of half the rays.
    EXPECT_GT(tally.agree, ignore_unknown ? tally.rays * 99 / 100 : tally.rays / 2);
    EXPECT_EQ(tally.unknown == 0, ignore_unknown);
  }
}

INSTANTIATE_TEST_SUITE_P(Ends, OctomapCastRay, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& kind) {
                           return std::string(kind.param ? "centres" : "random");
                         });

}  // namespace
}  // namespace sightline::tests
