// --export DIR: the batches of BM_Batch/op:march for programs that march over a dense array.
#include "bench/backend.h"
#include "bench/export.h"
#include "bench/suite.h"

namespace sightline::bench {
namespace {

constexpr double kStep_vox = 0.5;  ///< of BM_Batch/op:march

/// Occupied voxels as 1, [x, y, z].
std::vector<std::uint8_t> dense(const host::OccupancyGrid& grid) {
  const auto& dims = grid.geometry().dims;
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.num_voxels()));
  for_each_occupied(grid, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    voxels[static_cast<std::size_t>((x * dims[1] + y) * dims[2] + z)] = 1;
  });
  return voxels;
}

void export_rays(const BenchWorld& world, const RaySet& set, const std::string& stem) {
  std::vector<float> ends;  // [num_rays, from or to, axis]
  for (const FloatRay& ray : set.rays) {
    ends.insert(ends.end(), ray.from, ray.from + 3);
    ends.insert(ends.end(), ray.to, ray.to + 3);
  }
  std::vector<kernels::StepAnswers> answers(set.rays.size());
  kernels::line_of_sight_march({}, world.grid.view(), {}, set.from.data(), set.to.data(), {}, {},
                               &kStep_vox, 1, set.size(), answers.data());
  std::vector<std::uint8_t> visible;
  for (const kernels::StepAnswers& answer : answers) visible.push_back(answer.hidden == 0);
  export_npy(stem + "_rays.npy", ends, {set.size(), 2, 3});
  export_npy(stem + "_march.npy", visible, {set.size()});
}

}  // namespace

void export_batches(Suite& suite, const std::string& folder) {
  for (const BenchWorld& world : suite.worlds()) {
    const auto& dims = world.grid.geometry().dims;
    const std::string stem = folder + "/world-" + world.name;
    export_npy(stem + ".npy", dense(world.grid), {dims[0], dims[1], dims[2]});
    for (const int set : {1, 2}) {
      export_rays(world, make_ray_set(world, set, suite.batch_rays(), kSeed),
                  stem + "_set-" + std::to_string(set));
    }
  }
}

}  // namespace sightline::bench
