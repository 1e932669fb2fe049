#include "bench/worlds.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "host/random.h"
#include "host/world/load.h"

namespace sightline::bench {
namespace {

using Corner = std::array<std::int64_t, 3>;

constexpr std::int64_t kStorey = 44;  // voxels from slab to slab

class RoomsBuilder {
 public:
  RoomsBuilder(std::int64_t edge, std::uint64_t seed)
      : edge_(edge),
        grid_({{edge, edge, edge}, {}, {1, 1, 1}, host::Frame::kMapZUp}),
        random_(seed, 0, 0) {}

  host::OccupancyGrid build() {
    for (std::int64_t floor = 0; floor < edge_; floor += kStorey) storey(floor);
    for (std::int64_t i = 0; i < edge_ * edge_ / 8; ++i) {
      grid_.set(draw(0, edge_ - 1), draw(0, edge_ - 1), draw(0, edge_ - 1),
                host::VoxelState::kOccupied);
    }
    return std::move(grid_);
  }

 private:
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    const std::uint64_t count = static_cast<std::uint64_t>(std::max(low, high) - low) + 1;
    return low + static_cast<std::int64_t>(random_.below(count));
  }
  void fill(const Corner& low, const Corner& high) {
    grid_.set_box(low, high, host::VoxelState::kOccupied);
  }
  void carve(const Corner& low, const Corner& high) {
    grid_.set_box(low, high, host::VoxelState::kFree);
  }

  /// Where walls stand along an axis: the two outer ones, and some at random distances between.
  std::vector<std::int64_t> wall_lines() {
    std::vector<std::int64_t> lines{0};
    while (lines.back() < edge_ - 1) {
      lines.push_back(std::min(edge_ - 1, lines.back() + draw(36, 112)));
    }
    return lines;
  }

  void storey(std::int64_t floor) {
    fill({0, 0, floor}, {edge_, edge_, floor + 1});
    for (int stairwell = 0; floor > 0 && stairwell < 5; ++stairwell) {
      const std::int64_t x = draw(0, edge_ - 24), y = draw(0, edge_ - 24);
      carve({x, y, floor}, {x + 22, y + 16, floor + 1});
    }
    const std::vector<std::int64_t> xs = wall_lines(), ys = wall_lines();
    walls(0, xs, ys, floor);
    walls(1, ys, xs, floor);
    for (std::size_t i = 0; i + 1 < xs.size(); ++i) {
      for (std::size_t j = 0; j + 1 < ys.size(); ++j) {
        const std::int64_t pieces = draw(1, 4);
        for (std::int64_t k = 0; k < pieces; ++k)
          furniture(xs[i], xs[i + 1], ys[j], ys[j + 1], floor);
      }
    }
  }

  /// Walls across axis `across`, each between two neighbours of `along`.
  void walls(int across, const std::vector<std::int64_t>& lines,
             const std::vector<std::int64_t>& along, std::int64_t floor) {
    for (const std::int64_t line : lines) {
      const bool outer = line == 0 || line == edge_ - 1;
      for (std::size_t k = 0; k + 1 < along.size(); ++k) {
        if (!outer && draw(0, 9) == 0) continue;  // two rooms in one
        wall(across, line, along[k], along[k + 1], floor, outer);
      }
    }
  }

  /// One voxel thick, with a window in an outer wall and a door in an inner one.
  void wall(int across, std::int64_t line, std::int64_t from, std::int64_t to, std::int64_t floor,
            bool outer) {
    const int along = 1 - across;
    Corner low{0, 0, floor}, high{0, 0, floor + kStorey};
    low[across] = line, high[across] = line + 1;
    low[along] = from, high[along] = to + 1;
    fill(low, high);
    const std::int64_t width = outer ? 16 : 10;
    low[along] = draw(from + 3, to - width - 3);
    high[along] = std::min(to, low[along] + width);
    low[2] = floor + (outer ? 14 : 1);
    high[2] = floor + (outer ? 30 : 24);
    carve(low, high);
  }

  /// A block, every second one hollow, on the floor of a room.
  void furniture(std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1,
                 std::int64_t floor) {
    const std::int64_t width = draw(4, 14), depth = draw(4, 14), height = draw(3, 16);
    const std::int64_t x = draw(x0 + 2, x1 - 16), y = draw(y0 + 2, y1 - 16), z = floor + 1;
    fill({x, y, z}, {x + width, y + depth, z + height});
    if (draw(0, 1) == 0) return;
    carve({x + 1, y + 1, z}, {x + width - 1, y + depth - 1, z + height - 1});
  }

  std::int64_t edge_;
  host::OccupancyGrid grid_;
  host::RandomItem random_;
};

}  // namespace

BenchWorld load_building() {
  const char* folder = std::getenv("SIGHTLINE_REFERENCE_DATA");
  const std::string data = folder != nullptr ? folder : SIGHTLINE_REFERENCE_DATA_DEFAULT;
  host::World world = host::load_world(data + "/octomap_geb079/geb079.bt");
  return {"building", std::move(*world.grid)};
}

BenchWorld make_rooms(std::int64_t edge, std::uint64_t seed) {
  return {"rooms", RoomsBuilder(edge, seed).build()};
}

}  // namespace sightline::bench
