#include "host/world/terrain.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "host/random.h"
#include "host/world/scene_builder.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kNoiseStream = 0x7465727261696e;  // "terrain", and one for each octave
constexpr std::uint64_t kDigStream = 0x746572646967;      // "terdig"
constexpr std::uint64_t kTunnelStream = 0x74657274756e;   // "tertun"

/// Value noise in [0, 1): random values on a lattice of `spacing` cells, smoothed between.
class ValueNoise {
 public:
  ValueNoise(std::uint64_t seed, int octave, std::int64_t spacing)
      : seed_(seed),
        stream_(kNoiseStream + static_cast<std::uint64_t>(octave)),
        spacing_(spacing) {}

  double at(std::int64_t i, std::int64_t k) const {
    const double u = smooth(i % spacing_), v = smooth(k % spacing_);
    const std::int64_t a = i / spacing_, b = k / spacing_;
    const double low = value(a, b) + u * (value(a + 1, b) - value(a, b));
    const double high = value(a, b + 1) + u * (value(a + 1, b + 1) - value(a, b + 1));
    return low + v * (high - low);
  }

 private:
  double smooth(std::int64_t steps) const {
    const double t = static_cast<double>(steps) / static_cast<double>(spacing_);
    return t * t * (3 - 2 * t);
  }
  double value(std::int64_t a, std::int64_t b) const {
    constexpr std::int64_t kRow = std::int64_t{1} << 20;
    return RandomItem(seed_, stream_, static_cast<std::uint64_t>(a * kRow + b)).uniform();
  }

  std::uint64_t seed_, stream_;
  std::int64_t spacing_;
};

/// Cubes of the terrain, one byte each.
class Cubes {
 public:
  explicit Cubes(const TerrainOptions& options)
      : nx(cells(options.size_m.x)),
        ny(cells(options.size_m.y)),
        nz(cells(options.size_m.z)),
        solid_(static_cast<std::size_t>(nx * ny * nz)) {}

  std::uint8_t& at(std::int64_t i, std::int64_t j, std::int64_t k) {
    return solid_[static_cast<std::size_t>((i * nz + k) * ny + j)];
  }
  static double centre_m(std::int64_t cell) {
    return (static_cast<double>(cell) + 0.5) * kTerrainCell_m;
  }
  std::int64_t height(std::int64_t i, std::int64_t k) {
    std::int64_t j = ny;
    while (j > 0 && !at(i, j - 1, k)) --j;
    return j;
  }

  const std::int64_t nx, ny, nz;

 private:
  static std::int64_t cells(double length_m) {
    return static_cast<std::int64_t>(length_m / kTerrainCell_m);
  }
  std::vector<std::uint8_t> solid_;
};

void raise_hills(const TerrainOptions& options, Cubes* cubes) {
  constexpr std::int64_t kSpacing[] = {32, 16, 8};  // cells: 16, 8 and 4 m
  constexpr double kShare[] = {0.6, 0.3, 0.1};
  std::vector<ValueNoise> octaves;
  for (int i = 0; i < 3; ++i) octaves.emplace_back(options.seed, i, kSpacing[i]);
  for (std::int64_t i = 0; i < cubes->nx; ++i) {
    for (std::int64_t k = 0; k < cubes->nz; ++k) {
      double share = 0;
      for (std::size_t o = 0; o < 3; ++o) share += kShare[o] * octaves[o].at(i, k);
      const auto raised = static_cast<std::int64_t>(share * options.relief_m / kTerrainCell_m);
      const std::int64_t height = std::clamp<std::int64_t>(1 + raised, 1, cubes->ny);
      for (std::int64_t j = 0; j < height; ++j) cubes->at(i, j, k) = 1;
    }
  }
}

/// Takes away every cube but the lowest whose centre lies in the ball.
void dig(Vec3 centre_m, double radius_m, Cubes* cubes) {
  const auto first = [&](double middle_m) {
    return std::max<std::int64_t>(
        0, static_cast<std::int64_t>((middle_m - radius_m) / kTerrainCell_m));
  };
  const auto end = [&](double middle_m, std::int64_t count) {
    return std::min(count, 1 + static_cast<std::int64_t>((middle_m + radius_m) / kTerrainCell_m));
  };
  for (std::int64_t i = first(centre_m.x); i < end(centre_m.x, cubes->nx); ++i) {
    for (std::int64_t k = first(centre_m.z); k < end(centre_m.z, cubes->nz); ++k) {
      for (std::int64_t j = 1; j < cubes->ny; ++j) {
        const Vec3 d =
            kernels::minus({Cubes::centre_m(i), Cubes::centre_m(j), Cubes::centre_m(k)}, centre_m);
        if (kernels::dot(d, d) <= radius_m * radius_m) cubes->at(i, j, k) = 0;
      }
    }
  }
}

void dig_caves(const TerrainOptions& options, Cubes* cubes) {
  constexpr double kLeast_m = 1.5, kMost_m = 3;
  for (std::int64_t n = 0; n < options.num_digs; ++n) {
    RandomItem random(options.seed, kDigStream, static_cast<std::uint64_t>(n));
    const auto i = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(cubes->nx)));
    const auto k = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(cubes->nz)));
    const double radius_m = kLeast_m + (kMost_m - kLeast_m) * random.uniform();
    // From half a radius above the ground to a whole one below it: a bowl, or a cave with a roof.
    const double above_m = radius_m * (0.5 - 1.5 * random.uniform());
    const double y = static_cast<double>(cubes->height(i, k)) * kTerrainCell_m + above_m;
    dig({Cubes::centre_m(i), y, Cubes::centre_m(k)}, radius_m, cubes);
  }
}

void dig_tunnels(const TerrainOptions& options, Cubes* cubes) {
  constexpr double kRadius_m = 1.25, kAboveBottom_m = 1.5;
  for (std::int64_t n = 0; n < options.num_tunnels; ++n) {
    RandomItem random(options.seed, kTunnelStream, static_cast<std::uint64_t>(n));
    const bool along_x = random.below(2) == 0;
    const std::int64_t length = along_x ? cubes->nx : cubes->nz;
    const std::int64_t width = along_x ? cubes->nz : cubes->nx;
    const auto across = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(width)));
    const double at_m = Cubes::centre_m(across);
    for (std::int64_t along = 0; along < length; ++along) {
      const double along_m = Cubes::centre_m(along);
      dig(along_x ? Vec3{along_m, kAboveBottom_m, at_m} : Vec3{at_m, kAboveBottom_m, along_m},
          kRadius_m, cubes);
    }
  }
}

/// Columns of cubes, joined along z where neighbours have the same cubes.
void add_boxes(Cubes* cubes, SceneBuilder* scene) {
  const auto metres = [](std::int64_t cell) { return static_cast<double>(cell) * kTerrainCell_m; };
  const auto is_like = [&](std::int64_t i, std::int64_t k, std::int64_t other) {
    for (std::int64_t j = 0; j < cubes->ny; ++j) {
      if (cubes->at(i, j, k) != cubes->at(i, j, other)) return false;
    }
    return true;
  };
  for (std::int64_t i = 0; i < cubes->nx; ++i) {
    for (std::int64_t k = 0, end = 0; k < cubes->nz; k = end) {
      end = k + 1;
      while (end < cubes->nz && is_like(i, k, end)) ++end;
      for (std::int64_t j = 0, top = 0; j < cubes->ny; j = top + 1) {
        top = j;
        while (top < cubes->ny && cubes->at(i, top, k)) ++top;
        if (top == j) continue;
        scene->add_box(
            {{metres(i), metres(j), metres(k)}, {metres(i + 1), metres(top), metres(end)}});
      }
    }
  }
}

}  // namespace

Scene make_terrain(const TerrainOptions& options) {
  Cubes cubes(options);
  raise_hills(options, &cubes);
  dig_caves(options, &cubes);
  dig_tunnels(options, &cubes);
  SceneBuilder scene("terrain", Frame::kSceneYUp, {{0, 0, 0}, options.size_m});
  add_boxes(&cubes, &scene);
  return scene.build();
}

}  // namespace sightline::host
