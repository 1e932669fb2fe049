#include "host/world/hits_file.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <iterator>

#include "host/world/binary_file.h"
#include "host/world/gaze.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

using kernels::FirstHit;
using kernels::Visibility;

/// One item of the array: packed, little-endian, in the order of kFields.
constexpr const char* kFields =
    "[('distance_m', '<f8'), ('voxel', '<i4', (3,)), ('normal', '|i1', (3,)), ('sight', '|u1'), "
    "('through_unknown', '|b1')";
constexpr std::size_t kItemBytes = 8 + 12 + 3 + 1 + 1;

std::array<std::int8_t, 3> normal_bytes(kernels::Face face) {
  const kernels::Vec3 n = normal_of(face);
  return {static_cast<std::int8_t>(n.x), static_cast<std::int8_t>(n.y),
          static_cast<std::int8_t>(n.z)};
}

void append(std::vector<char>& bytes, const void* data, std::size_t num_bytes) {
  const char* first = static_cast<const char*>(data);
  bytes.insert(bytes.end(), first, first + num_bytes);
}

void append_hit(std::vector<char>& bytes, const FirstHit& hit) {
  append(bytes, &hit.distance_m, sizeof hit.distance_m);
  append(bytes, hit.voxel, sizeof hit.voxel);
  append(bytes, normal_bytes(hit.face).data(), 3);
  bytes.push_back(static_cast<char>(hit.sight));
  bytes.push_back(static_cast<char>(hit.through_unknown));
}

}  // namespace

HitsNpyFile::HitsNpyFile(const std::string& path, bool has_ids,
                         const std::vector<std::int64_t>& shape)
    : file_(path), has_ids_(has_ids) {
  const std::string fields = std::string(kFields) + (has_ids ? ", ('id', '<i4')]" : "]");
  const std::string preamble = npy_preamble(fields, shape);
  file_.write(preamble.data(), preamble.size());
}

void HitsNpyFile::add(const std::vector<FirstHit>& hits, const std::vector<std::int32_t>& ids) {
  constexpr std::size_t kItemsAtATime = 1 << 16;
  std::vector<char> bytes;
  bytes.reserve(kItemsAtATime * (kItemBytes + sizeof(std::int32_t)));
  for (std::size_t i = 0; i < hits.size(); ++i) {
    append_hit(bytes, hits[i]);
    if (has_ids_) append(bytes, &ids[i], sizeof ids[i]);
    if ((i + 1) % kItemsAtATime == 0 || i + 1 == hits.size()) {
      file_.write(bytes.data(), bytes.size());
      bytes.clear();
    }
  }
}

void HitsNpyFile::commit() { file_.commit(); }

void write_hits_npy(const std::string& path, const std::vector<FirstHit>& hits,
                    const std::vector<std::int32_t>& ids, const std::vector<std::int64_t>& shape) {
  HitsNpyFile file(path, !ids.empty(), shape);
  file.add(hits, ids);
  file.commit();
}

void write_hits_csv(const std::string& path, const std::vector<FirstHit>& hits) {
  OutputFile file(path);
  std::string text = "ray,sight,distance_m,i,j,k,normal_x,normal_y,normal_z,through_unknown\n";
  constexpr std::size_t kBytesAtATime = 1 << 20;
  for (std::size_t ray = 0; ray < hits.size(); ++ray) {
    const FirstHit& hit = hits[ray];
    if (hit.sight == Visibility::kHidden) {
      const auto n = normal_bytes(hit.face);
      fmt::format_to(std::back_inserter(text), "{},hit,{},{},{},{},{},{},{},{}\n", ray,
                     hit.distance_m, hit.voxel[0], hit.voxel[1], hit.voxel[2], int{n[0]}, int{n[1]},
                     int{n[2]}, int{hit.through_unknown});
    } else {
      const char* sight = hit.sight == Visibility::kVisible ? "nothing" : "unknown";
      fmt::format_to(std::back_inserter(text), "{},{},,,,,,,,\n", ray, sight);
    }
    if (text.size() > kBytesAtATime) {
      file.write(text.data(), text.size());
      text.clear();
    }
  }
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace sightline::host
