#include "host/world/slw.h"

#include <xxhash.h>

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

constexpr char kMagic[8] = {'\x89', 'S', 'L', 'W', '\r', '\n', '\x1a', '\n'};
constexpr std::uint32_t kByteOrderMark = 0x01020304;
constexpr std::uint32_t kVersion = 1;

struct Header {
  char magic[8];
  std::uint32_t byte_order_mark;
  std::uint32_t version;
  std::uint32_t header_bytes;
  std::uint32_t frame;
  std::int64_t dims[3];
  double origin_m[3];
  double voxel_m[3];
  std::uint32_t occupied_root;
  std::uint32_t not_free_root;
  std::uint64_t num_words;
  std::uint64_t block_hash;
  std::uint64_t header_hash;
};
static_assert(sizeof(Header) == 128 && offsetof(Header, header_hash) == 120,
              "the header is written as it lies in memory");

std::uint64_t hash_of(const void* data, std::size_t num_bytes) { return XXH64(data, num_bytes, 0); }

void check_identity(const InputFile& file, const Header& header) {
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0) {
    file.fail("is not a Sightline world; `sightline world convert` writes one");
  }
  if (header.byte_order_mark != kByteOrderMark) {
    file.fail("was written on a machine with another byte order; convert the source map here");
  }
  if (header.version != kVersion) {
    file.fail("has format version " + std::to_string(header.version) + "; this program reads " +
              std::to_string(kVersion) + ", use the Sightline that wrote it or convert again");
  }
  if (header.header_bytes != sizeof(Header) ||
      hash_of(&header, offsetof(Header, header_hash)) != header.header_hash) {
    file.fail("has a damaged header (checksum mismatch); copy or convert it again");
  }
}

/// A header whose checksum holds may still have been written by a faulty program.
GridGeometry checked_geometry(const InputFile& file, const Header& header) {
  if (header.frame > 1) {
    file.fail("names the frame " + std::to_string(header.frame) +
              "; 0 (y up) or 1 (z up) are known");
  }
  GridGeometry geometry;
  geometry.frame = header.frame == 1 ? Frame::kMapZUp : Frame::kSceneYUp;
  for (int axis = 0; axis < 3; ++axis) {
    geometry.dims[axis] = header.dims[axis];
    geometry.origin_m[axis] = header.origin_m[axis];
    geometry.voxel_m[axis] = header.voxel_m[axis];
  }
  return geometry;
}

}  // namespace

OccupancyGrid read_slw(const std::string& path) {
  InputFile file(path);
  if (file.size_bytes() < sizeof(Header)) {
    file.fail("is too short for a Sightline world (" + std::to_string(file.size_bytes()) +
              " bytes); copy or convert it again");
  }
  Header header;
  file.read(&header, sizeof(header));
  check_identity(file, header);
  const std::uint64_t present = file.remaining_bytes();
  if (present % sizeof(std::uint64_t) != 0 || present / sizeof(std::uint64_t) != header.num_words) {
    file.fail("announces a block of " + std::to_string(header.num_words) + " words but holds " +
              std::to_string(present) + " bytes; it was cut short, copy or convert it again");
  }
  const GridGeometry geometry = checked_geometry(file, header);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(header.num_words));
  const std::size_t num_bytes = words.size() * sizeof(std::uint64_t);
  file.read(words.data(), num_bytes);
  if (hash_of(words.data(), num_bytes) != header.block_hash) {
    file.fail("has a damaged block (checksum mismatch); copy or convert it again");
  }
  try {
    return OccupancyGrid(geometry, std::move(words), header.occupied_root, header.not_free_root);
  } catch (const InputError& error) {
    file.fail(error.what());
  }
}

void write_slw(const OccupancyGrid& grid, const std::string& path) {
  Header header;
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.byte_order_mark = kByteOrderMark;
  header.version = kVersion;
  header.header_bytes = sizeof(Header);
  header.frame = grid.geometry().frame == Frame::kMapZUp ? 1 : 0;
  for (int axis = 0; axis < 3; ++axis) {
    header.dims[axis] = grid.geometry().dims[axis];
    header.origin_m[axis] = grid.geometry().origin_m[axis];
    header.voxel_m[axis] = grid.geometry().voxel_m[axis];
  }
  header.occupied_root = grid.layout().occupied.offset;
  header.not_free_root = grid.layout().not_free.offset;
  header.num_words = grid.words().size();
  header.block_hash = hash_of(grid.words().data(), grid.bytes());
  header.header_hash = hash_of(&header, offsetof(Header, header_hash));

  OutputFile file(path);
  file.write(&header, sizeof(header));
  file.write(grid.words().data(), grid.bytes());
  file.commit();
}

}  // namespace sightline::host
