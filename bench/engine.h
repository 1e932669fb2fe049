// What the line-of-sight benchmark measures: Sightline's methods, plain baselines, other libraries.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/ray_sets.h"
#include "host/world/occupancy_grid.h"

namespace sightline::bench {

/// One engine over one grid. Runs on the calling thread. A ray is visible iff no occupied voxel
/// stands between those of its ends; unknown space is free.
struct Engine {
  double bits_per_voxel = 0;
  /// Share of wrong answers above which the engine, or how it is called, must be broken. 0: exact,
  /// and its answers equal Sightline's tie rule as well.
  double max_wrong = 0;
  /// visible[i] = 1 or 0 for ray begin + i, begin + i < end.
  std::function<void(const RaySet& set, std::int64_t begin, std::int64_t end,
                     std::uint8_t* visible)>
      run;
};

struct EngineEntry {
  std::string name;
  Engine (*make)(const host::OccupancyGrid& grid);  ///< the engine may refer to the grid
};

/// Every engine of this build.
std::vector<EngineEntry> engine_entries();

// Sightline, in engines_sightline.cpp. Scalar: ray by ray, without the CPU's vectors.
Engine make_hdda(const host::OccupancyGrid& grid);
Engine make_hdda_avx2(const host::OccupancyGrid& grid);   ///< without longer vectors; needs AVX2
Engine make_hdda_words(const host::OccupancyGrid& grid);  ///< without tables: 64-bit integers
Engine make_hdda_scalar(const host::OccupancyGrid& grid);
Engine make_dda(const host::OccupancyGrid& grid);    ///< knows no vectors
Engine make_march(const host::OccupancyGrid& grid);  ///< samples every 0.5 voxel
Engine make_march_scalar(const host::OccupancyGrid& grid);

// Textbook methods over a flat bit array, in engines_flat.cpp.
Engine make_flat_walk(const host::OccupancyGrid& grid);
Engine make_flat_march(const host::OccupancyGrid& grid);  ///< samples every 0.5 voxel

// Other libraries, in peers/; only with SIGHTLINE_PEERS.
Engine make_octomap(const host::OccupancyGrid& grid);
Engine make_openvdb(const host::OccupancyGrid& grid);
Engine make_nanovdb(const host::OccupancyGrid& grid);
Engine make_embree(const host::OccupancyGrid& grid);
Engine make_embree_stream(const host::OccupancyGrid& grid);  ///< 256 rays a call

// What a wrong answer may come from, as the share of rays it changes at most.
constexpr double kRoundingMaxWrong = 0.002;  ///< a walk in float or double passes an edge wrongly
constexpr double kHalfStepMaxWrong = 0.03;   ///< samples 0.5 voxel apart miss corners

}  // namespace sightline::bench
