// Sightline worlds whose checksums are made right first: a mutation of the header or the block
// would otherwise go no further than these.
#include <xxhash.h>

#include <cstring>
#include <vector>

#include "fuzz/fuzz.h"
#include "host/world/slw.h"

namespace sightline::fuzz {
namespace {

// host/world/slw.h
constexpr std::size_t kHeaderBytes = 128, kBlockHashAt = 112, kHeaderHashAt = 120;

void seal(std::vector<std::uint8_t>& bytes) {
  if (bytes.size() < kHeaderBytes) return;
  const std::uint64_t block = XXH64(bytes.data() + kHeaderBytes, bytes.size() - kHeaderBytes, 0);
  std::memcpy(bytes.data() + kBlockHashAt, &block, sizeof block);
  const std::uint64_t header = XXH64(bytes.data(), kHeaderHashAt, 0);
  std::memcpy(bytes.data() + kHeaderHashAt, &header, sizeof header);
}

}  // namespace
}  // namespace sightline::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("world.slw");
  std::vector<std::uint8_t> bytes(data, data + size);
  fuzz::seal(bytes);
  fuzz::accepts([&] {
    const host::OccupancyGrid grid = host::read_slw(input.write(bytes.data(), bytes.size()));
    const host::OccupancyGrid::Counts counts = grid.count();
    fuzz::require(counts.free + counts.occupied + counts.unknown == grid.num_voxels(),
                  "voxels by state do not add up to all voxels");
  });
  return 0;
}
