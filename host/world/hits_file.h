// First hits and pixels as files for other programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/types.h"

namespace sightline::host {

/// Writes hits as a NumPy structured array of the given shape, in C order: distance_m (float64,
/// infinity without a hit), voxel (3 x int32), normal (3 x int8), sight (uint8: 1 nothing met, 0 a
/// hit, 2 only unknown space), through_unknown (bool) and, if there are ids, id (int32, -1:
/// nobody's). hits, and ids unless empty, have as many items as the shape.
void write_hits_npy(const std::string& path, const std::vector<kernels::FirstHit>& hits,
                    const std::vector<std::int32_t>& ids, const std::vector<std::int64_t>& shape);

/// The same as a table, one hit a line. Lines of rays without a hit leave its fields empty.
void write_hits_csv(const std::string& path, const std::vector<kernels::FirstHit>& hits);

}  // namespace sightline::host
