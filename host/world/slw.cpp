#include "host/world/slw.h"

#include <xxhash.h>

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/slw_history.h"

namespace sightline::host {
namespace {

constexpr char kMagic[8] = {'\x89', 'S', 'L', 'W', '\r', '\n', '\x1a', '\n'};
constexpr std::uint32_t kByteOrderMark = 0x01020304;
constexpr std::uint32_t kOneGrid = 1, kHistory = 2;  // format versions

/// The longer header, of a history; that of one grid has none of the three numbers before its hash.
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
  std::uint64_t history_bytes;
  std::uint64_t history_hash;
  std::uint64_t num_versions;
  std::uint64_t header_hash;
};
constexpr std::size_t kCommonBytes = offsetof(Header, history_bytes);
constexpr std::size_t kHashBytes = sizeof(std::uint64_t);
static_assert(sizeof(Header) == 152 && kCommonBytes == 120,
              "the header is written as it lies in memory");

std::size_t header_bytes_of(std::uint32_t version) {
  return version == kOneGrid ? kCommonBytes + kHashBytes : sizeof(Header);
}

std::uint64_t hash_of(const void* data, std::size_t num_bytes) { return XXH64(data, num_bytes, 0); }

Header read_header(InputFile& file) {
  if (file.size_bytes() < header_bytes_of(kOneGrid)) {
    file.fail("is too short for a Sightline world (" + std::to_string(file.size_bytes()) +
              " bytes); copy or convert it again");
  }
  Header header{};
  file.read(&header, kCommonBytes);
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0) {
    file.fail("is not a Sightline world; `sightline world convert` writes one");
  }
  if (header.byte_order_mark != kByteOrderMark) {
    file.fail("was written on a machine with another byte order; convert the source map here");
  }
  if (header.version != kOneGrid && header.version != kHistory) {
    file.fail("has format version " + std::to_string(header.version) +
              "; this program reads 1 and 2, use the Sightline that wrote it or convert again");
  }
  const std::size_t num_bytes = header_bytes_of(header.version);
  if (header.version == kHistory) {
    file.read(&header.history_bytes, num_bytes - kCommonBytes - kHashBytes);
  }
  file.read(&header.header_hash, kHashBytes);
  if (header.header_bytes != num_bytes ||
      hash_of(&header, num_bytes - kHashBytes) != header.header_hash) {
    file.fail("has a damaged header (checksum mismatch); copy or convert it again");
  }
  if (header.version == kOneGrid) header.num_versions = 1;
  return header;
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

/// Reads what a header announces, and compares it with its checksum.
template <class Vector>
Vector read_checked(InputFile& file, std::uint64_t count, std::uint64_t hash, const char* what) {
  Vector data(static_cast<std::size_t>(count));
  const std::size_t num_bytes = data.size() * sizeof(typename Vector::value_type);
  file.read(data.data(), num_bytes);
  if (hash_of(data.data(), num_bytes) != hash) {
    file.fail(std::string("has a damaged ") + what +
              " (checksum mismatch); copy or convert it again");
  }
  return data;
}

/// Before any memory is taken.
void check_size(InputFile& file, const Header& header) {
  constexpr std::uint64_t kWord = sizeof(std::uint64_t);
  const std::uint64_t present = file.remaining_bytes();
  const bool fits = header.num_words <= present / kWord &&
                    header.num_words * kWord + header.history_bytes == present;
  if (fits) return;
  const std::string history =
      header.version == kOneGrid ? "" : " and a history of " + std::to_string(header.history_bytes);
  file.fail("announces a block of " + std::to_string(header.num_words) + " words" + history +
            " but holds " + std::to_string(present) +
            " bytes; it was cut short, copy or convert it again");
}

Header make_header(std::uint32_t version, const GridGeometry& geometry,
                   const kernels::GridLayout& layout, Words words) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.byte_order_mark = kByteOrderMark;
  header.version = version;
  header.header_bytes = static_cast<std::uint32_t>(header_bytes_of(version));
  header.frame = geometry.frame == Frame::kMapZUp ? 1 : 0;
  for (int axis = 0; axis < 3; ++axis) {
    header.dims[axis] = geometry.dims[axis];
    header.origin_m[axis] = geometry.origin_m[axis];
    header.voxel_m[axis] = geometry.voxel_m[axis];
  }
  header.occupied_root = layout.occupied.offset;
  header.not_free_root = layout.not_free.offset;
  header.num_words = words.size();
  header.block_hash = hash_of(words.data(), words.size() * sizeof(std::uint64_t));
  return header;
}

void write_header(OutputFile& file, const Header& header) {
  const std::size_t hashed = header.header_bytes - kHashBytes;
  const std::uint64_t hash = hash_of(&header, hashed);
  file.write(&header, hashed);
  file.write(&hash, kHashBytes);
}

}  // namespace

SlwWorld read_slw_world(const std::string& path) {
  InputFile file(path);
  const Header header = read_header(file);
  check_size(file, header);
  const GridGeometry geometry = checked_geometry(file, header);
  auto words = read_checked<WordVector>(file, header.num_words, header.block_hash, "block");
  std::vector<char> history;
  if (header.version == kHistory) {
    history =
        read_checked<std::vector<char>>(file, header.history_bytes, header.history_hash, "history");
  }
  try {
    if (header.version == kOneGrid) {
      return {OccupancyGrid(geometry, std::move(words), header.occupied_root, header.not_free_root),
              nullptr};
    }
    auto versions = std::make_shared<VersionedGrid>(geometry, PackedBlock(std::move(words)),
                                                    header.occupied_root, header.not_free_root,
                                                    read_history(history, header.num_versions));
    OccupancyGrid latest = versions->grid(versions->latest());
    return {std::move(latest), std::move(versions)};
  } catch (const InputError& error) {
    file.fail(error.what());
  }
}

OccupancyGrid read_slw(const std::string& path) { return read_slw_world(path).grid; }

std::int64_t slw_num_versions(const std::string& path) {
  InputFile file(path);
  return static_cast<std::int64_t>(read_header(file).num_versions);
}

void write_slw(const OccupancyGrid& grid, const std::string& path) {
  const OccupancyGrid compact = grid.compacted();
  OutputFile file(path);
  write_header(file, make_header(kOneGrid, grid.geometry(), compact.layout(), compact.words()));
  file.write(compact.words().data(), compact.bytes());
  file.commit();
}

void write_slw(const VersionedGrid& versions, const std::string& path) {
  const Words words = versions.words();
  const std::string history = write_history(versions);
  Header header = make_header(kHistory, versions.geometry(), versions.first_layout(), words);
  header.history_bytes = history.size();
  header.history_hash = hash_of(history.data(), history.size());
  header.num_versions = static_cast<std::uint64_t>(versions.num_versions());
  OutputFile file(path);
  write_header(file, header);
  file.write(words.data(), words.size() * sizeof(std::uint64_t));
  file.write(history.data(), history.size());
  file.commit();
}

}  // namespace sightline::host
