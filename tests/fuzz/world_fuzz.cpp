// World files of one format: SIGHTLINE_FUZZ_SUFFIX, as tests/fuzz/CMakeLists.txt lists them. What
// is read must be a sound world: written as .slw and read again, it is the same.
#include <optional>

#include "fuzz/fuzz.h"
#include "host/world/formats.h"
#include "host/world/load.h"
#include "host/world/slw.h"

namespace sightline::fuzz {
namespace {

/// Reading again a world that a small file makes huge (a box of free space) shows nothing more.
constexpr std::size_t kMaxBytes = std::size_t{1} << 22;

void check(const host::OccupancyGrid& grid, const std::string& path) {
  const host::OccupancyGrid::Counts counts = grid.count();
  require(counts.free + counts.occupied + counts.unknown == grid.num_voxels(),
          "voxels by state do not add up to all voxels");
  if (grid.bytes() > kMaxBytes) return;
  host::write_slw(grid, path);
  const host::OccupancyGrid again = host::read_slw(path);
  require(
      again.words() == grid.compacted().words() && again.geometry().dims == grid.geometry().dims,
      "a world written and read again is another one");
}

}  // namespace
}  // namespace sightline::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("world" SIGHTLINE_FUZZ_SUFFIX);
  static const std::string copy = input.folder() + "/copy.slw";
  host::World world;
  const std::string path = input.write(data, size);
  host::Placement placement;
  if (host::find_format(path)->voxel_m == host::Source::kRequired) {
    placement.voxel_m = {0.5, 0.5, 0.5};
  }
  if (!fuzz::accepts([&] { world = host::load_world(path, placement); })) return 0;
  fuzz::require(world.grid.has_value(), "a world file without a grid");
  fuzz::check(*world.grid, copy);
  return 0;
}
