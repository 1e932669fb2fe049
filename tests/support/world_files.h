// A folder of world and point files to be refused.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "host/world/load.h"
#include "host/world/npy.h"
#include "support/errors.h"
#include "support/run_program.h"

namespace sightline::tests {

class WorldFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }

  /// Of 20 x 30 x 40 voxels, a box of kBoxVoxels is occupied.
  static host::OccupancyGrid grid_with_a_box() {
    host::GridGeometry geometry;
    geometry.dims = {20, 30, 40};
    host::OccupancyGrid grid(geometry);
    grid.set_box({1, 2, 3}, {9, 20, 30}, host::VoxelState::kOccupied);
    return grid;
  }
  static constexpr std::int64_t kBoxVoxels = 8 * 18 * 27;

  /// Expects a refusal that names the file and says `part`.
  template <typename Read>
  void expect_refused(const std::string& name, const std::string& bytes, const std::string& part,
                      const Read& read) {
    write_text(path(name), bytes);
    const std::string message = input_error_of([&] { read(path(name)); });
    EXPECT_EQ(message.rfind(path(name) + ": ", 0), 0u) << message;
    EXPECT_NE(message.find(part), std::string::npos) << "wanted: " << part << "\nsaid: " << message;
  }
  void expect_bad_world(const std::string& name, const std::string& bytes,
                        const std::string& part) {
    expect_refused(name, bytes, part, [](const std::string& p) { host::load_world(p); });
  }
  void expect_bad_points(const std::string& bytes, const std::string& part) {
    expect_refused("p.npy", bytes, part, [](const std::string& p) { host::read_points_npy(p); });
  }

  TemporaryFolder folder_;
};

}  // namespace sightline::tests
