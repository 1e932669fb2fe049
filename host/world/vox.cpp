#include "host/world/vox.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "host/error.h"
#include "host/world/byte_scan.h"
#include "host/world/extent.h"
#include "host/world/reframe.h"
#include "host/world/uniform_boxes.h"
#include "host/world/vox_scene.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;

constexpr std::int64_t kModelDim = 256;
constexpr std::int64_t kMaxModels = std::int64_t{1} << 16;
constexpr std::int64_t kMaxVoxels = std::int64_t{1} << 30;  ///< of all instances: a minute's work
constexpr std::int64_t kMaxCorner = std::int64_t{1} << 30;  ///< translations are 32 bits

// ---- reading ---------------------------------------------------------------------------------

struct Span {
  Index3 low, high;  ///< voxels, both included
};

Span span_of(const InputFile& file, const VoxScene& scene) {
  Span span;
  span.low.fill(std::numeric_limits<std::int64_t>::max());
  span.high.fill(std::numeric_limits<std::int64_t>::min());
  std::int64_t num_voxels = 0;
  for (const VoxInstance& instance : scene.instances) {
    const VoxModel& model = scene.models[instance.model];
    num_voxels += static_cast<std::int64_t>(model.voxels.size() / 4);
    const Index3 last{model.size[0] - 1, model.size[1] - 1, model.size[2] - 1};
    for (const Index3& corner : {Index3{0, 0, 0}, last}) {
      const Index3 at = instance.transform.voxel(corner, model.size);
      for (int axis = 0; axis < 3; ++axis) {
        span.low[axis] = std::min(span.low[axis], at[axis]);
        span.high[axis] = std::max(span.high[axis], at[axis]);
      }
    }
  }
  if (num_voxels > kMaxVoxels) {
    file.fail("shows its models so often that they have " + std::to_string(num_voxels) +
              " voxels; at most " + std::to_string(kMaxVoxels) + " can be read");
  }
  return span;
}

void set_voxels(const VoxScene& scene, const Index3& low, OccupancyGrid& grid) {
  for (const VoxInstance& instance : scene.instances) {
    const VoxModel& model = scene.models[instance.model];
    for (std::size_t i = 0; i < model.voxels.size(); i += 4) {
      const auto coordinate = [&](std::size_t axis) {
        return std::int64_t{static_cast<unsigned char>(model.voxels[i + axis])};
      };
      const Index3 at =
          instance.transform.voxel({coordinate(0), coordinate(1), coordinate(2)}, model.size);
      grid.set(at[0] - low[0], at[1] - low[1], at[2] - low[2], VoxelState::kOccupied);
    }
  }
}

// ---- writing ---------------------------------------------------------------------------------

void add_number(std::string& bytes, std::int64_t number) {
  const auto value = static_cast<std::uint32_t>(number);
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift));
}

void add_string(std::string& bytes, const std::string& text) {
  add_number(bytes, static_cast<std::int64_t>(text.size()));
  bytes += text;
}

void add_chunk(std::string& bytes, const char* id, const std::string& content) {
  bytes += id;
  add_number(bytes, static_cast<std::int64_t>(content.size()));
  add_number(bytes, 0);
  bytes += content;
}

/// A transform node without a rotation.
void add_transform(std::string& bytes, std::int64_t id, const Index3* move) {
  std::string content;
  add_number(content, id);
  add_number(content, 0);              // attributes
  add_number(content, id + 1);         // the child
  add_number(content, -1);             // reserved
  add_number(content, move ? 0 : -1);  // layer: the root has none
  add_number(content, 1);              // frames
  add_number(content, move ? 1 : 0);
  if (move) {
    add_string(content, "_t");
    add_string(content, std::to_string((*move)[0]) + " " + std::to_string((*move)[1]) + " " +
                            std::to_string((*move)[2]));
  }
  add_chunk(bytes, "nTRN", content);
}

void add_model(std::string& bytes, const OccupancyGrid& grid, const Index3& lo, const Index3& hi) {
  std::string size, voxels;
  std::int64_t count = 0;
  for (int axis = 0; axis < 3; ++axis) add_number(size, hi[axis] - lo[axis]);
  add_chunk(bytes, "SIZE", size);
  for (std::int64_t k = lo[2]; k < hi[2]; ++k) {
    for (std::int64_t j = lo[1]; j < hi[1]; ++j) {
      for (std::int64_t i = lo[0]; i < hi[0]; ++i) {
        if (grid.at(i, j, k) != VoxelState::kOccupied) continue;
        for (const std::int64_t offset : {i - lo[0], j - lo[1], k - lo[2]}) {
          voxels.push_back(static_cast<char>(offset));
        }
        voxels.push_back(1);  // the first colour
        ++count;
      }
    }
  }
  std::string content;
  add_number(content, count);
  add_chunk(bytes, "XYZI", content + voxels);
}

/// The models' chunks, and the middle of each in the file's space. The first and the last are there
/// even if empty: together they span the grid.
std::vector<Index3> add_models(std::string& bytes, const OccupancyGrid& grid,
                               const Index3& corner) {
  const Index3& dims = grid.geometry().dims;
  std::vector<Index3> middles;
  Index3 lo;
  for (lo[2] = 0; lo[2] < dims[2]; lo[2] += kModelDim) {
    for (lo[1] = 0; lo[1] < dims[1]; lo[1] += kModelDim) {
      for (lo[0] = 0; lo[0] < dims[0]; lo[0] += kModelDim) {
        Index3 hi, middle;
        bool is_last = true;
        for (int axis = 0; axis < 3; ++axis) {
          hi[axis] = std::min(dims[axis], lo[axis] + kModelDim);
          middle[axis] = corner[axis] + lo[axis] + (hi[axis] - lo[axis]) / 2;
          is_last = is_last && hi[axis] == dims[axis];
        }
        const auto state = uniform_state(grid, lo, hi);
        const bool is_empty = state == VoxelState::kFree || state == VoxelState::kUnknown;
        if (is_empty && !middles.empty() && !is_last) continue;
        add_model(bytes, grid, lo, hi);
        middles.push_back(middle);
      }
    }
  }
  return middles;
}

}  // namespace

Index3 vox_corner(const GridGeometry& geometry) {
  Index3 corner{0, 0, 0};
  for (int axis = 0; axis < 3; ++axis) {
    const double origin_vox = std::nearbyint(geometry.origin_m[axis] / geometry.voxel_m[axis]);
    // Further out, the file's integers end: the place is not kept, which the writer's caller tells.
    if (std::fabs(origin_vox) < static_cast<double>(kMaxCorner)) {
      corner[axis] = static_cast<std::int64_t>(origin_vox);
    }
  }
  return corner;
}

OccupancyGrid read_vox(const std::string& path, const Placement& placement) {
  InputFile file(path);
  const std::string content = read_content(file);
  const VoxScene scene = parse_vox(file, content);
  const Span span = span_of(file, scene);
  GridGeometry geometry = geometry_of(placement, Frame::kMapZUp);
  geometry.dims = checked_extent(file, span.low, span.high, "move its models together");
  if (!placement.origin_m) {
    for (int axis = 0; axis < 3; ++axis) {
      geometry.origin_m[axis] = static_cast<double>(span.low[axis]) * geometry.voxel_m[axis];
    }
  }
  OccupancyGrid grid(geometry);
  set_voxels(scene, span.low, grid);
  return grid;
}

void write_vox(const OccupancyGrid& grid, const std::string& path) {
  if (grid.geometry().frame != Frame::kMapZUp)
    return write_vox(in_frame(grid, Frame::kMapZUp), path);
  std::int64_t num_models = 1;
  for (const std::int64_t dim : grid.geometry().dims) num_models *= dim / kModelDim + 1;
  if (num_models > kMaxModels) {
    throw InputError(path + ": the world would be cut into " + std::to_string(num_models) +
                     " models of 256^3 voxels, at most " + std::to_string(kMaxModels) +
                     " can be written; write a .slw, or use larger voxels");
  }
  std::string chunks;
  const std::vector<Index3> middles = add_models(chunks, grid, vox_corner(grid.geometry()));
  add_transform(chunks, 0, nullptr);
  std::string group;
  add_number(group, 1);
  add_number(group, 0);
  add_number(group, static_cast<std::int64_t>(middles.size()));
  for (std::size_t i = 0; i < middles.size(); ++i)
    add_number(group, 2 + 2 * static_cast<std::int64_t>(i));
  add_chunk(chunks, "nGRP", group);
  for (std::size_t i = 0; i < middles.size(); ++i) {
    const std::int64_t id = 2 + 2 * static_cast<std::int64_t>(i);
    add_transform(chunks, id, &middles[i]);
    std::string shape;
    for (const std::int64_t number : {id + 1, std::int64_t{0}, std::int64_t{1},
                                      static_cast<std::int64_t>(i), std::int64_t{0}}) {
      add_number(shape, number);
    }
    add_chunk(chunks, "nSHP", shape);
  }
  constexpr std::size_t kMaxBytes = std::numeric_limits<std::uint32_t>::max();
  if (chunks.size() > kMaxBytes) {
    throw InputError(path + ": a .vox file ends at 4 GiB, this world needs more; write a .slw");
  }
  std::string head = "VOX ";
  add_number(head, 200);
  head += "MAIN";
  add_number(head, 0);
  add_number(head, static_cast<std::int64_t>(chunks.size()));
  OutputFile file(path);
  file.write(head.data(), head.size());
  file.write(chunks.data(), chunks.size());
  file.commit();
}

}  // namespace sightline::host
