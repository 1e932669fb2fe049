#include "support/worlds.h"

#include <algorithm>

namespace sightline::tests {
namespace {

using oracle::Index3;
using oracle::State;

void scatter(DenseWorld& world, double density, Random& random) {
  const Index3& n = world.dims();
  for (std::int64_t z = 0; z < n[2]; ++z) {
    for (std::int64_t y = 0; y < n[1]; ++y) {
      for (std::int64_t x = 0; x < n[0]; ++x) {
        if (random.chance(density)) world.set({x, y, z}, State::kOccupied);
      }
    }
  }
}

/// Occupies cubes of `size` voxels, aligned to their size, each with the given probability.
void place_blocks(DenseWorld& world, std::int64_t size, double density, State state,
                  Random& random) {
  const Index3& n = world.dims();
  for (std::int64_t z = 0; z < n[2]; z += size) {
    for (std::int64_t y = 0; y < n[1]; y += size) {
      for (std::int64_t x = 0; x < n[0]; x += size) {
        if (!random.chance(density)) continue;
        world.set_box({x, y, z}, {x + size, y + size, z + size}, state);
      }
    }
  }
}

/// Walls at a random place every 5 to 12 voxels across x and z, each with a door or two.
void build_rooms(DenseWorld& world, Random& random) {
  const Index3& n = world.dims();
  for (const int axis : {0, 2}) {
    const int along = 2 - axis;
    for (std::int64_t at = random.integer(2, 8); at < n[axis]; at += random.integer(5, 12)) {
      Index3 low{0, 0, 0}, high = n;
      low[axis] = at;
      high[axis] = at + 1;
      world.set_box(low, high, State::kOccupied);
      for (int door = 0; door < 2; ++door) {
        low[along] = random.integer(0, n[along] - 1);
        high[along] = low[along] + 2;
        high[1] = std::max<std::int64_t>(1, n[1] * 2 / 3);
        world.set_box(low, high, State::kFree);
      }
    }
  }
}

/// Turns free voxels of random boxes into unknown ones until about a third of the space is covered.
void hide_clumps(DenseWorld& world, Random& random) {
  const Index3& n = world.dims();
  const std::int64_t size = std::max<std::int64_t>(1, std::min({n[0], n[1], n[2]}) / 4);
  const std::int64_t clumps = n[0] * n[1] * n[2] / (size * size * size * 2) + 1;
  for (std::int64_t clump = 0; clump < clumps; ++clump) {
    Index3 low{}, voxel{};
    for (int axis = 0; axis < 3; ++axis) low[axis] = random.integer(0, n[axis] - 1);
    for (voxel[2] = low[2]; voxel[2] < std::min(low[2] + size, n[2]); ++voxel[2]) {
      for (voxel[1] = low[1]; voxel[1] < std::min(low[1] + size, n[1]); ++voxel[1]) {
        for (voxel[0] = low[0]; voxel[0] < std::min(low[0] + size, n[0]); ++voxel[0]) {
          if (world.at(voxel) == State::kFree) world.set(voxel, State::kUnknown);
        }
      }
    }
  }
}

/// Copies voxels [low, high): by one edit where all are alike, else halving the longest edge.
void pack_box(const DenseWorld& world, const Index3& low, const Index3& high,
              host::OccupancyGrid& grid) {
  const State state = world.at(low);
  if (world.is_uniform(low, high)) {
    if (state != State::kFree) grid.set_box(low, high, static_cast<host::VoxelState>(state));
    return;
  }
  int axis = 0;
  for (int other = 1; other < 3; ++other) {
    if (high[other] - low[other] > high[axis] - low[axis]) axis = other;
  }
  Index3 middle_low = low, middle_high = high;
  middle_low[axis] = middle_high[axis] = (low[axis] + high[axis]) / 2;
  pack_box(world, low, middle_high, grid);
  pack_box(world, middle_low, high, grid);
}

}  // namespace

DenseWorld::DenseWorld(const Index3& dims, State fill)
    : dims_(dims), states_(static_cast<std::size_t>(dims[0] * dims[1] * dims[2]), fill) {}

void DenseWorld::set_box(const Index3& low, const Index3& high, State state) {
  for (std::int64_t z = std::max<std::int64_t>(low[2], 0); z < std::min(high[2], dims_[2]); ++z) {
    for (std::int64_t y = std::max<std::int64_t>(low[1], 0); y < std::min(high[1], dims_[1]); ++y) {
      for (std::int64_t x = std::max<std::int64_t>(low[0], 0); x < std::min(high[0], dims_[0]);
           ++x) {
        set({x, y, z}, state);
      }
    }
  }
}

bool DenseWorld::is_uniform(const Index3& low, const Index3& high) const {
  const State state = at(low);
  for (std::int64_t z = low[2]; z < high[2]; ++z) {
    for (std::int64_t y = low[1]; y < high[1]; ++y) {
      const auto row = states_.begin() + static_cast<std::ptrdiff_t>(index({low[0], y, z}));
      const auto same = [state](State s) { return s == state; };
      if (!std::all_of(row, row + (high[0] - low[0]), same)) return false;
    }
  }
  return true;
}

oracle::VoxelWorld DenseWorld::view() const {
  return {dims_, [this](const Index3& voxel) { return at(voxel); }};
}

const char* name_of(WorldKind kind) {
  switch (kind) {
    case WorldKind::kEmpty:
      return "empty";
    case WorldKind::kFull:
      return "full";
    case WorldKind::kSparse:
      return "sparse";
    case WorldKind::kScattered:
      return "scattered";
    case WorldKind::kDense:
      return "dense";
    case WorldKind::kRooms:
      return "rooms";
    case WorldKind::kBlocks4:
      return "blocks of 4";
    case WorldKind::kBlocks16:
      return "blocks of 16";
    case WorldKind::kBlocks64:
      return "blocks of 64";
    case WorldKind::kOneVoxel:
      return "one voxel";
  }
  return "?";
}

DenseWorld make_world(WorldKind kind, const Index3& dims, bool with_unknown, Random& random) {
  DenseWorld world(dims, kind == WorldKind::kFull ? State::kOccupied : State::kFree);
  switch (kind) {
    case WorldKind::kEmpty:
    case WorldKind::kFull:
      break;
    case WorldKind::kSparse:
      scatter(world, 0.002, random);
      break;
    case WorldKind::kScattered:
      scatter(world, 0.05, random);
      break;
    case WorldKind::kDense:
      scatter(world, 0.4, random);
      break;
    case WorldKind::kRooms:
      build_rooms(world, random);
      break;
    case WorldKind::kBlocks4:
      place_blocks(world, 4, 0.05, State::kOccupied, random);
      break;
    case WorldKind::kBlocks16:
      place_blocks(world, 16, 0.1, State::kOccupied, random);
      break;
    case WorldKind::kBlocks64:
      place_blocks(world, 64, 0.15, State::kOccupied, random);
      break;
    case WorldKind::kOneVoxel:
      world.set({dims[0] / 2, dims[1] / 2, dims[2] / 2}, State::kOccupied);
      break;
  }
  if (with_unknown) hide_clumps(world, random);
  return world;
}

Index3 AxisMap::apply(const Index3& point, const Index3& extent) const {
  Index3 moved{};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t value = point[from[axis]];
    moved[axis] = mirrored[axis] ? extent[from[axis]] - value : value;
  }
  return moved;
}

std::vector<AxisMap> axis_permutations() {
  std::vector<AxisMap> maps;
  std::array<int, 3> axes{0, 1, 2};
  do {
    maps.push_back({axes, {false, false, false}});
  } while (std::next_permutation(axes.begin(), axes.end()));
  return maps;
}

std::vector<AxisMap> axis_symmetries() {
  std::vector<AxisMap> maps;
  for (const AxisMap& permutation : axis_permutations()) {
    for (int mirrors = 0; mirrors < 8; ++mirrors) {
      maps.push_back(
          {permutation.from, {(mirrors & 1) != 0, (mirrors & 2) != 0, (mirrors & 4) != 0}});
    }
  }
  return maps;
}

DenseWorld transformed(const DenseWorld& world, const AxisMap& map) {
  const Index3& n = world.dims();
  DenseWorld moved({n[map.from[0]], n[map.from[1]], n[map.from[2]]});
  const Index3 last{n[0] - 1, n[1] - 1, n[2] - 1};
  for (std::int64_t z = 0; z < n[2]; ++z) {
    for (std::int64_t y = 0; y < n[1]; ++y) {
      for (std::int64_t x = 0; x < n[0]; ++x) {
        moved.set(map.apply({x, y, z}, last), world.at({x, y, z}));
      }
    }
  }
  return moved;
}

host::OccupancyGrid to_grid(const DenseWorld& world, const oracle::Frame& frame) {
  constexpr std::int64_t kCube = 16;
  const Index3& n = world.dims();
  host::GridGeometry geometry;
  geometry.dims = n;
  geometry.origin_m = frame.origin_m;
  geometry.voxel_m = frame.voxel_m;
  host::OccupancyGrid grid(geometry);
  for (std::int64_t z = 0; z < n[2]; z += kCube) {
    for (std::int64_t y = 0; y < n[1]; y += kCube) {
      for (std::int64_t x = 0; x < n[0]; x += kCube) {
        pack_box(world, {x, y, z},
                 {std::min(x + kCube, n[0]), std::min(y + kCube, n[1]), std::min(z + kCube, n[2])},
                 grid);
      }
    }
  }
  return grid;
}

host::World to_engine(const DenseWorld& world, const oracle::Frame& frame) {
  host::World packed;
  packed.name = "test";
  const kernels::Vec3 low = to_engine(frame.origin_m);
  packed.bounds_m.min = low;
  packed.bounds_m.max = {low.x + frame.voxel_m[0] * static_cast<double>(world.dims()[0]),
                         low.y + frame.voxel_m[1] * static_cast<double>(world.dims()[1]),
                         low.z + frame.voxel_m[2] * static_cast<double>(world.dims()[2])};
  packed.grid = to_grid(world, frame);
  return packed;
}

}  // namespace sightline::tests
