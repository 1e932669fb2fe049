// The scene of a `.vox` file (vox.h): its chunks parsed, its models placed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "host/world/binary_file.h"

namespace sightline::host {

struct VoxModel {
  std::array<std::int64_t, 3> size{0, 0, 0};  ///< voxels, each in [1, 256]
  std::string_view voxels;  ///< four bytes each: x, y, z, colour; all within the size
};

/// Axes permuted and mirrored, then moved: along axis a, the new coordinate is
/// sign[a] * old[from[a]] + move[a].
struct VoxTransform {
  std::array<int, 3> from{0, 1, 2};
  std::array<int, 3> sign{1, 1, 1};
  std::array<std::int64_t, 3> move{0, 0, 0};

  /// Where voxel p of a model lies, its pivot taken off first.
  std::array<std::int64_t, 3> voxel(const std::array<std::int64_t, 3>& p,
                                    const std::array<std::int64_t, 3>& size) const;
};

/// The transform that does `inner` first.
VoxTransform after(const VoxTransform& outer, const VoxTransform& inner);

struct VoxInstance {
  std::size_t model = 0;
  VoxTransform transform;
};

struct VoxScene {
  std::vector<VoxModel> models;
  std::vector<VoxInstance> instances;
};

/// Parses the content of a file; the models refer to it. Throws InputError.
VoxScene parse_vox(const InputFile& file, std::string_view content);

}  // namespace sightline::host
