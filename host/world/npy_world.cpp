#include "host/world/npy_world.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "host/error.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;

/// How the array's items lie in the file: slabs of one index of `slowest`, rows along `fastest`.
struct Order {
  int slowest, middle, fastest;
};
constexpr Order kCOrder{0, 1, 2};
constexpr Order kFortranOrder{2, 1, 0};

void check_is_world(const InputFile& file, const NpyHeader& header) {
  const bool right_type = (header.type == 'b' || header.type == 'u') && header.item_bytes == 1;
  if (!right_type || header.shape.size() != 3) {
    file.fail("holds " + header.type_name() + " " + header.shape_text() +
              "; a world must be bool or uint8 of shape (nx, ny, nz) with 0 free, 1 occupied, "
              "2 unknown");
  }
}

/// Sets the runs of equal state of one row of voxels that begins at `start`.
void set_row(OccupancyGrid& grid, const std::uint8_t* row, Index3 start, int axis) {
  const std::int64_t length = grid.geometry().dims[axis];
  for (std::int64_t from = 0; from < length;) {
    std::int64_t to = from + 1;
    while (to < length && row[to] == row[from]) ++to;
    if (row[from] != 0) {
      Index3 lo = start, hi{start[0] + 1, start[1] + 1, start[2] + 1};
      lo[axis] = from;
      hi[axis] = to;
      grid.set_box(lo, hi, static_cast<VoxelState>(row[from]));
    }
    from = to;
  }
}

/// What is wrong with the first value of a slab that names no state; empty if none is. `slow` is
/// the slab's index, `row` how long its rows are.
std::string fault_of(const std::uint8_t* slab, std::size_t size, Order order, std::int64_t slow,
                     std::int64_t row, bool is_bool) {
  const auto highest =
      static_cast<std::uint8_t>(is_bool ? VoxelState::kOccupied : VoxelState::kUnknown);
  const std::uint8_t* const bad =
      std::find_if(slab, slab + size, [highest](std::uint8_t state) { return state > highest; });
  if (bad == slab + size) return "";
  const std::int64_t offset = bad - slab;
  Index3 voxel;
  voxel[order.slowest] = slow;
  voxel[order.middle] = offset / row;
  voxel[order.fastest] = offset % row;
  return "holds the value " + std::to_string(*bad) + " at index (" + std::to_string(voxel[0]) +
         ", " + std::to_string(voxel[1]) + ", " + std::to_string(voxel[2]) + "); " +
         (is_bool ? "a boolean is 0 or 1" : "a voxel is 0 free, 1 occupied or 2 unknown");
}

/// Sets what is not free of one slab, whose index is `slow`.
void set_slab(OccupancyGrid& grid, const std::uint8_t* slab, Order order, std::int64_t slow) {
  const Index3& dims = grid.geometry().dims;
  for (std::int64_t middle = 0; middle < dims[order.middle]; ++middle) {
    Index3 start{0, 0, 0};
    start[order.slowest] = slow;
    start[order.middle] = middle;
    set_row(grid, slab + middle * dims[order.fastest], start, order.fastest);
  }
}

}  // namespace

OccupancyGrid read_grid_npy(const std::string& path, const Placement& placement) {
  InputFile file(path);
  const NpyHeader header = read_npy_header(file);
  check_is_world(file, header);
  GridGeometry geometry = geometry_of(placement, Frame::kSceneYUp);
  for (int axis = 0; axis < 3; ++axis) geometry.dims[axis] = header.shape[axis];
  if (header.num_items() == 0) file.fail("has shape " + header.shape_text() + ": no voxels");

  OccupancyGrid grid(geometry);
  const Order order = header.fortran_order ? kFortranOrder : kCOrder;
  const Index3& dims = geometry.dims;
  std::vector<std::uint8_t> slab(
      static_cast<std::size_t>(dims[order.middle] * dims[order.fastest]));
  for (std::int64_t slow = 0; slow < dims[order.slowest]; ++slow) {
    file.read(slab.data(), slab.size());
    const std::string fault =
        fault_of(slab.data(), slab.size(), order, slow, dims[order.fastest], header.type == 'b');
    if (!fault.empty()) file.fail(fault);
    set_slab(grid, slab.data(), order, slow);
  }
  return grid;
}

OccupancyGrid grid_of_states(const GridGeometry& geometry, const std::uint8_t* states) {
  OccupancyGrid grid(geometry);
  const Index3& dims = geometry.dims;
  const auto slab = static_cast<std::size_t>(dims[1] * dims[2]);
  for (std::int64_t i = 0; i < dims[0]; ++i, states += slab) {
    const std::string fault = fault_of(states, slab, kCOrder, i, dims[2], false);
    if (!fault.empty()) throw InputError("the array " + fault);
    set_slab(grid, states, kCOrder, i);
  }
  return grid;
}

void copy_states(const OccupancyGrid& grid, std::uint8_t* states) {
  const Index3& dims = grid.geometry().dims;
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    for (std::int64_t j = 0; j < dims[1]; ++j) {
      for (std::int64_t k = 0; k < dims[2]; ++k) {
        *states++ = static_cast<std::uint8_t>(grid.at(i, j, k));
      }
    }
  }
}

void write_grid_npy(const OccupancyGrid& grid, const std::string& path) {
  const Index3& dims = grid.geometry().dims;
  OutputFile file(path);
  const std::string preamble = npy_u8_preamble({dims[0], dims[1], dims[2]});
  file.expect(preamble.size() + static_cast<std::uint64_t>(grid.num_voxels()));
  file.write(preamble.data(), preamble.size());
  std::vector<std::uint8_t> row(static_cast<std::size_t>(dims[2]));
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    for (std::int64_t j = 0; j < dims[1]; ++j) {
      for (std::int64_t k = 0; k < dims[2]; ++k) {
        row[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(grid.at(i, j, k));
      }
      file.write(row.data(), row.size());
    }
  }
  file.commit();
}

}  // namespace sightline::host
