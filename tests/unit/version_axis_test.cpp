// Versions of a world as an axis of a sweep.
#include <gtest/gtest.h>

#include <string>

#include "host/world/slw.h"
#include "support/errors.h"
#include "support/run_program.h"
#include "support/sweeps.h"

namespace sightline::tests {
namespace {

using host::SweepPlan;
using host::VoxelState;

class VersionAxis : public testing::Test {
 protected:
  /// A wall between observer and targets goes up in version 1 and gets a door in version 2.
  VersionAxis() {
    host::GridGeometry geometry;
    geometry.dims = {20, 10, 10};
    host::VersionedGrid versions{host::OccupancyGrid(geometry)};
    versions.edit({{{10, 0, 0}, {11, 10, 10}, VoxelState::kOccupied}});
    versions.edit({{{10, 4, 4}, {11, 6, 6}, VoxelState::kFree}});
    write_slw(versions, folder_ / "w.slw");
  }

  SweepPlan plan(const std::string& axis) const {
    return SweepPlan::parse("world: {file: " + (folder_ / "w.slw") + "}" + R"(
observers: {list: [[2.5, 5.5, 5.5]]}
targets: {list: [[17.5, 5.5, 5.5], [17.5, 0.5, 0.5], [17.5, 9.5, 9.5]]}
rays: cross
arms:
  sight: {predict: line_of_sight, visibility: {method: hdda}}
oracle: {method: dda}
axes:
  world.version: )" + axis,
                            "sweep.yaml", {});
  }

  TemporaryFolder folder_;
};

TEST_F(VersionAxis, AsksEachVersionOfTheFile) {
  const std::vector<SweepRow> rows = run_plan(plan("[0, 1, 2, latest]"));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(answers_of(rows, "sight", {"0"}).num_visible, 3);
  EXPECT_EQ(answers_of(rows, "sight", {"1"}).num_visible, 0);
  EXPECT_EQ(answers_of(rows, "sight", {"2"}).num_visible, 1);
  EXPECT_EQ(answers_of(rows, "sight", {"latest"}).num_visible, 1);
}

TEST_F(VersionAxis, RefusesAVersionTheFileLacksBeforeAnythingRuns) {
  const SweepPlan wrong = plan("[0, 3]");
  const std::string message = input_error_of([&] { host::plan_blocks(wrong); });
  EXPECT_NE(message.find("has no version 3: its latest is 2"), std::string::npos) << message;
  EXPECT_NE(message.find("world.version"), std::string::npos) << message;
}

}  // namespace
}  // namespace sightline::tests
