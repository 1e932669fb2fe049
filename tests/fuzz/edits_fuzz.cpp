// Files of edits, in the format SIGHTLINE_FUZZ_SUFFIX: the last version is the grid edited in
// place.
#include "fuzz/fuzz.h"
#include "host/world/edit_file.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("edits" SIGHTLINE_FUZZ_SUFFIX);
  host::GridGeometry geometry;
  geometry.dims = {9, 70, 5};
  geometry.voxel_m = {0.5, 0.25, 1};
  std::vector<host::EditStep> steps;
  const std::string& path = input.write(data, size);
  if (!fuzz::accepts([&] { steps = host::read_edits(path, geometry); })) return 0;
  host::OccupancyGrid grid(geometry);
  host::VersionedGrid versions(grid);
  if (!fuzz::accepts([&] { host::apply_steps(versions, steps); })) return 0;
  for (const host::EditStep& step : steps) {
    for (const host::Edit& edit : step.edits) grid.set_box(edit.lo, edit.hi, edit.state);
  }
  fuzz::require(versions.checkout(versions.latest()).words() == grid.compacted().words(),
                "the last version is not the grid edited in place");
  return 0;
}
