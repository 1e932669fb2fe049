// Versions of a world as an axis of a sweep.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/world/load.h"
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

  SweepPlan plan(const std::string& axis, const std::vector<std::string>& overrides = {}) const {
    return SweepPlan::parse("world: {file: " + (folder_ / "w.slw") + "}" + R"(
observers: {list: [[2.5, 5.5, 5.5]]}
targets: {list: [[17.5, 5.5, 5.5], [17.5, 0.5, 0.5], [17.5, 9.5, 9.5]]}
rays: cross
arms:
  sight: {predict: line_of_sight, visibility: {method: hdda}}
oracle: {method: dda}
axes:
  world.version: )" + axis,
                            "sweep.yaml", overrides);
  }
  static void expect_refused(const SweepPlan& plan, const std::vector<std::string>& parts) {
    const std::string message = input_error_of([&] { host::plan_blocks(plan); });
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(VersionAxis, AsksEachVersionOfTheFile) {
  const std::vector<SweepRow> rows = run_plan(plan("[0, 1, latest]"));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(answers_of(rows, "sight", {"0"}).num_visible, 3);
  EXPECT_EQ(answers_of(rows, "sight", {"1"}).num_visible, 0);
  EXPECT_EQ(answers_of(rows, "sight", {"latest"}).num_visible, 1);
}

TEST_F(VersionAxis, RefusesAVersionTheFileLacksBeforeAnythingRuns) {
  const SweepPlan wrong = plan("[0, 3]");
  const std::string message = input_error_of([&] { host::plan_blocks(wrong); });
  EXPECT_NE(message.find("has no version 3: its latest is 2"), std::string::npos) << message;
  EXPECT_NE(message.find("world.version"), std::string::npos) << message;
}

TEST_F(VersionAxis, RefusesTwoNamesOfOneVersion) {
  const std::string file = folder_ / "w.slw";
  expect_refused(plan("[0, 2, latest]"),
                 {"sweep.yaml:9:25: axes.world.version[2]: 2 and latest of the axis "
                  "\"world.version\" give the same configuration: version 2 of " +
                  file + "; remove one of the two"});
  expect_refused(plan("[latest, 1, 2]"), {"axes.world.version[2]: latest and 2 of the axis"});
  expect_refused(plan("[latest, null]"), {"axes.world.version[1]: latest and null of the axis"});
  expect_refused(plan("{values: [2, latest], labels: [a, b]}"), {"2 and latest of the axis"});
  const std::string whole = "{file: " + file + ", version: 2}, {file: " + file + "}";
  expect_refused(plan("[0]", {"axes.world.version=null", "axes.world=[" + whole + "]"}),
                 {"the axis \"world\" give the same configuration: version 2 of"});
}

TEST_F(VersionAxis, RefusesTwoNamesOfOneVersionWhereMemoriesAreRecalled) {
  const SweepPlan recall = SweepPlan::parse(R"(
world: {file: )" + (folder_ / "w.slw") + R"(}
memories: {calibrated: {activities: 3, per_activity: 12, dimensions: 32}}
queries: {offset_m: 2}
arms: {vector: {recall: {weights: {relevance: 1}}}}
axes:
  world.version: [1, latest, 2]
)",
                                            "recall.yaml", {});
  expect_refused(recall, {"axes.world.version[2]: latest and 2 of the axis \"world.version\" give "
                          "the same configuration: version 2 of"});
}

TEST_F(VersionAxis, TakesNamesThatAreOneVersionOnlyWhereNobodyAsks) {
  write_slw(host::load_world(folder_ / "w.slw").versions->checkout(0), folder_ / "unedited.slw");
  const std::string files =
      "axes.world.file=[" + (folder_ / "w.slw") + ", " + (folder_ / "unedited.slw") + "]";
  expect_refused(plan("[0, latest]", {files}),
                 {"0 and latest of the axis \"world.version\"", "version 0 of"});
  const SweepPlan excluded = plan(
      "[0, latest]",
      {files, "exclude=[{world.file: " + (folder_ / "unedited.slw") + ", world.version: latest}]"});
  EXPECT_EQ(host::plan_blocks(excluded).size(), 3u);
}

}  // namespace
}  // namespace sightline::tests
