// Sightline worlds whose checksums are made right first: a mutation of the header, the block or the
// history would otherwise go no further than these.
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "fuzz/fuzz.h"
#include "host/world/slw.h"

namespace sightline::fuzz {
namespace {

// host/world/slw.h
constexpr std::size_t kFormatAt = 12, kWordsAt = 104, kBlockHashAt = 112, kHistoryBytesAt = 120,
                      kHistoryHashAt = 128;
constexpr std::uint32_t kHistory = 2;

template <class T>
T number_at(const std::vector<std::uint8_t>& bytes, std::size_t place) {
  T number;
  std::memcpy(&number, &bytes[place], sizeof number);
  return number;
}

void put(std::vector<std::uint8_t>& bytes, std::size_t place, std::uint64_t number) {
  std::memcpy(&bytes[place], &number, sizeof number);
}

void seal(std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t kShortHeader = 128, kLongHeader = 152;
  if (bytes.size() < kLongHeader) return;
  const bool is_history = number_at<std::uint32_t>(bytes, kFormatAt) == kHistory;
  const std::size_t header = is_history ? kLongHeader : kShortHeader;
  std::size_t block = bytes.size() - header;
  if (is_history) {
    block = std::min<std::uint64_t>(block / 8, number_at<std::uint64_t>(bytes, kWordsAt)) * 8;
    const std::size_t history = bytes.size() - header - block;
    put(bytes, kHistoryBytesAt, history);
    put(bytes, kHistoryHashAt, XXH64(bytes.data() + header + block, history, 0));
  }
  put(bytes, kBlockHashAt, XXH64(bytes.data() + header, block, 0));
  put(bytes, header - 8, XXH64(bytes.data(), header - 8, 0));
}

void check(const host::OccupancyGrid& grid) {
  const host::OccupancyGrid::Counts counts = grid.count();
  require(counts.free + counts.occupied + counts.unknown == grid.num_voxels(),
          "voxels by state do not add up to all voxels");
}

}  // namespace
}  // namespace sightline::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("world.slw");
  std::vector<std::uint8_t> bytes(data, data + size);
  fuzz::seal(bytes);
  std::optional<host::SlwWorld> world;
  const std::string& path = input.write(bytes.data(), bytes.size());
  if (!fuzz::accepts([&] { world = host::read_slw_world(path); })) return 0;
  fuzz::check(world->grid);
  if (!world->versions) return 0;
  // Every version is sound, and one more edit does not change those before it.
  host::VersionedGrid& versions = *world->versions;
  const std::int64_t latest = versions.latest();
  const std::int64_t some[] = {0, latest / 2, latest};
  for (const std::int64_t version : some) fuzz::check(versions.grid(version));
  versions.edit({host::edit_voxel(0, 0, 0, host::VoxelState::kOccupied)});
  fuzz::require(versions.checkout(latest).words() == world->grid.compacted().words(),
                "an edit changes an earlier version");
  return 0;
}
