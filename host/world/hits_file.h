// First hits and pixels as files for other programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/world/binary_file.h"
#include "kernels/types.h"

namespace sightline::host {

/// A NumPy structured array of hits of the given shape, in C order, written part by part:
/// distance_m (float64, infinity without a hit), voxel (3 x int32), normal (3 x int8), sight
/// (uint8: 1 nothing met, 0 a hit, 2 only unknown space), through_unknown (bool) and, if has_ids,
/// id (int32, -1: nobody's). Throws as OutputFile does.
class HitsNpyFile {
 public:
  HitsNpyFile(const std::string& path, bool has_ids, const std::vector<std::int64_t>& shape);
  /// The next hits, and as many ids if there are any. All parts together have as many items as the
  /// shape.
  void add(const std::vector<kernels::FirstHit>& hits, const std::vector<std::int32_t>& ids);
  void commit();

 private:
  OutputFile file_;
  bool has_ids_;
};

/// Writes the whole array, with ids unless they are empty.
void write_hits_npy(const std::string& path, const std::vector<kernels::FirstHit>& hits,
                    const std::vector<std::int32_t>& ids, const std::vector<std::int64_t>& shape);

/// The same as a table, one hit a line. Lines of rays without a hit leave its fields empty.
void write_hits_csv(const std::string& path, const std::vector<kernels::FirstHit>& hits);

}  // namespace sightline::host
