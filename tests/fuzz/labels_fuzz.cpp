// Tables of labels: what is labelled lies in the grid.
#include "fuzz/fuzz.h"
#include "host/world/labels_csv.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("labels.csv");
  static const host::OccupancyGrid grid = [] {
    host::GridGeometry geometry;
    geometry.dims = {9, 70, 5};
    host::OccupancyGrid walls(geometry);
    walls.set_box({0, 30, 0}, {9, 33, 5}, host::VoxelState::kOccupied);
    return walls;
  }();
  host::VoxelLabels labels;
  const std::string& path = input.write(data, size);
  if (!fuzz::accepts([&] { labels = host::read_labels_csv(path, grid); })) return 0;
  for (const std::int64_t voxel : labels.voxels()) {
    fuzz::require(voxel >= 0 && voxel < grid.num_voxels(), "a label outside the grid");
  }
  return 0;
}
