// Empty boxes around voxels (kernels/empty_box.h), from which many rays start.
#include "kernels/empty_box.h"

#include <gtest/gtest.h>

#include <array>

#include "support/vectors.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using kernels::Cell;
using kernels::CellBox;
using kernels::EmptyBoxes;

constexpr std::int32_t kReach = EmptyBoxes::kMostReach_vox;

auto seen_from(const Cell& voxel) {
  return [=] { return voxel; };
}

class EmptyBox : public testing::Test {
 protected:
  EmptyBox() : grid_(host::GridGeometry{{kDims[0], kDims[1], kDims[2]}}) {}

  void fill(const std::array<std::int64_t, 3>& low, const std::array<std::int64_t, 3>& high) {
    grid_.set_box(low, high, host::VoxelState::kOccupied);
  }
  /// Fills a voxel near another one, two above it along z.
  void furnish(const std::array<std::int64_t, 3>& voxel) {
    fill({voxel[0], voxel[1], voxel[2] + 2}, {voxel[0] + 1, voxel[1] + 1, voxel[2] + 3});
  }
  EmptyBoxes boxes() {
    const kernels::GridView view = with_tables(grid_, &tables_);
    return {view, view.occupied_bricks};
  }
  kernels::SharedBox shared_box() {
    const kernels::GridView view = with_tables(grid_, &tables_);
    return {view, view.occupied_bricks};
  }
  static void expect_box(const CellBox& box, const oracle::Index3& low,
                         const oracle::Index3& high) {
    for (std::size_t a = 0; a < 3; ++a) {
      EXPECT_EQ(box.low.v[a], low[a]) << "axis " << a;
      EXPECT_EQ(box.high.v[a], high[a]) << "axis " << a;
    }
  }

  static constexpr std::int64_t kDims[3] = {100, 90, 110};
  host::OccupancyGrid grid_;
  host::BrickTables tables_;
};

TEST_F(EmptyBox, EndsAtWhatStandsAround) {
  fill({30, 0, 0}, {31, 90, 110});  // walls, off the faces of words
  fill({71, 0, 0}, {72, 90, 110});
  fill({0, 22, 0}, {100, 23, 110});
  fill({0, 0, 70}, {100, 90, 71});
  expect_box(boxes().around({{50, 40, 45}}), {31, 23, 45 - kReach}, {70, 72, 69});
}

TEST_F(EmptyBox, EndsWithTheGridAndItsReach) {
  expect_box(boxes().around({{3, 85, 50}}), {0, 85 - kReach, 50 - kReach},
             {3 + kReach, 89, 50 + kReach});
}

TEST_F(EmptyBox, OfOneVoxelBetweenOthers) {
  fill({10, 10, 10}, {13, 13, 13});
  grid_.set(11, 11, 11, host::VoxelState::kFree);
  expect_box(boxes().around({{11, 11, 11}}), {11, 11, 11}, {11, 11, 11});
}

constexpr std::int64_t kMany = kernels::SharedBox::kRaysWorthABox;
constexpr int kBatch = 32;

TEST_F(EmptyBox, IsSharedWhereManyRaysStart) {
  furnish({50, 40, 46});
  kernels::SharedBox shared = shared_box();
  const Cell start{{50, 40, 46}}, other{{50, 40, 45}};
  EXPECT_FALSE(shared.serves(other, other, kBatch, seen_from(start)));  // others before long
  EXPECT_FALSE(shared.serves(start, other, kBatch, seen_from(start)));
  EXPECT_FALSE(shared.serves(start, start, kBatch, seen_from(kernels::SharedBox::kNowhere)));
  ASSERT_TRUE(shared.serves(start, start, kBatch, seen_from(start)));
  const CellBox box = shared.box();
  expect_box(box, {50 - kReach, 40 - kReach, 46 - kReach}, {50 + kReach, 40 + kReach, 47});
  const Cell corner{{box.low.v[0], box.high.v[1], 46}};
  const Cell beyond{{box.low.v[0], box.high.v[1] + 1, 46}};
  const auto nobody = seen_from(kernels::SharedBox::kNowhere);
  EXPECT_TRUE(shared.serves(corner, beyond, kBatch, nobody));
  EXPECT_TRUE(shared.serves(beyond, corner, kBatch, nobody));
  EXPECT_FALSE(shared.serves(beyond, beyond, kBatch, nobody));
}

// However observers take turns.
TEST_F(EmptyBox, IsNotLookedForAgainBeforeManyRays) {
  const Cell starts[2] = {{{20, 40, 46}}, {{80, 40, 46}}};
  for (const Cell& start : starts) furnish({start.v[0], start.v[1], start.v[2]});
  kernels::SharedBox shared = shared_box();
  int num_boxes = 0;
  std::int32_t middle = -1;
  for (std::int64_t ray = 0; ray < 10 * kMany; ray += kBatch) {
    const Cell& start = starts[ray / kBatch % 2];
    if (!shared.serves(start, start, kBatch, seen_from(start))) continue;
    const CellBox& box = shared.box();
    num_boxes += box.low.v[0] + box.high.v[0] != middle;
    middle = box.low.v[0] + box.high.v[0];
  }
  EXPECT_GT(num_boxes, 1);
  EXPECT_LE(num_boxes, 10);
}

TEST_F(EmptyBox, IsNotForRaysFromOutsideOrFromVoxelsThatAreSet) {
  fill({10, 10, 10}, {11, 11, 11});
  kernels::SharedBox shared = shared_box();
  for (const Cell& voxel : {Cell{{10, 10, 10}}, Cell{{-1, 5, 5}}, Cell{{5, 90, 5}},
                            Cell{{1 << 30, 5, 5}}, kernels::SharedBox::kNowhere}) {
    EXPECT_FALSE(shared.serves(voxel, voxel, kBatch, seen_from(voxel))) << voxel.v[0];
  }
  const Cell above{{10, 10, 11}};
  EXPECT_TRUE(shared.serves(above, above, kBatch, seen_from(above)));
}

// Which has a cube about as large.
TEST_F(EmptyBox, IsNotForRaysFromWhereAllIsEmpty) {
  fill({0, 0, 0}, {1, 1, 1});
  kernels::SharedBox shared = shared_box();
  const Cell far{{70, 40, 46}};
  EXPECT_FALSE(shared.serves(far, far, kBatch, seen_from(far)));
}

// A box is empty, holds its voxel, and no face of it could move by a voxel.
TEST(EmptyBoxOfEveryWorld, IsEmptyAndAsLargeAsItGets) {
  Random random{20261201};
  for (const WorldKind kind : kAllWorldKinds) {
    SCOPED_TRACE(name_of(kind));
    const DenseWorld dense = make_world(kind, {90, 70, 150}, true, random);
    const host::World world = to_engine(dense);
    host::BrickTables tables;
    const kernels::GridView view = with_tables(*world.grid, &tables);
    for (const bool occupied : {true, false}) {
      const kernels::PlaneView plane = occupied ? view.occupied() : view.not_free();
      const EmptyBoxes boxes(view, occupied ? view.occupied_bricks : view.not_free_bricks);
      const auto num_set = [&](const CellBox& box) {
        std::int64_t num = 0;
        for (std::int32_t z = box.low.v[2]; z <= box.high.v[2]; ++z) {
          for (std::int32_t y = box.low.v[1]; y <= box.high.v[1]; ++y) {
            for (std::int32_t x = box.low.v[0]; x <= box.high.v[0]; ++x) num += plane.get(x, y, z);
          }
        }
        return num;
      };
      for (int i = 0; i < 40; ++i) {
        Cell voxel;
        for (std::size_t a = 0; a < 3; ++a) {
          voxel.v[a] = static_cast<std::int32_t>(random.integer(0, dense.dims()[a] - 1));
        }
        if (plane.get(voxel.v[0], voxel.v[1], voxel.v[2])) continue;
        const CellBox box = boxes.around(voxel);
        ASSERT_EQ(num_set(box), 0);
        ASSERT_TRUE(box.holds(voxel));
        for (std::size_t a = 0; a < 3; ++a) {
          CellBox below = box, above = box;
          const std::int32_t low = below.low.v[a] = below.high.v[a] = box.low.v[a] - 1;
          const std::int32_t high = above.low.v[a] = above.high.v[a] = box.high.v[a] + 1;
          EXPECT_TRUE(low < 0 || voxel.v[a] - low > kReach || num_set(below) > 0);
          EXPECT_TRUE(high >= dense.dims()[a] || high - voxel.v[a] > kReach || num_set(above) > 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace sightline::tests
