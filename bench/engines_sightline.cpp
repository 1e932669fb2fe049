#include <memory>

#include "bench/engine.h"
#include "host/brick_tables.h"

namespace sightline::bench {
namespace {

constexpr kernels::Executor kVectors{kernels::Backend::kCpu, 1, nullptr};
constexpr kernels::Executor kAvx2{kernels::Backend::kCpu, 1, nullptr,
                                  kernels::InstructionSet::kAvx2};
constexpr kernels::Executor kScalar{kernels::Backend::kCpu, 1, nullptr,
                                    kernels::InstructionSet::kPortable};
constexpr double kStep_vox = 0.5;
constexpr std::int64_t kManyRays = std::int64_t{1} << 40;  ///< worth any table

kernels::RayIndexing rays_from(std::int64_t begin) {
  kernels::RayIndexing rays;
  rays.first_ray = begin;
  return rays;
}

double bits_per_voxel(const host::OccupancyGrid& grid, const host::BrickTables& tables) {
  const double of_tables = 8.0 * static_cast<double>(tables.bytes());
  return grid.bits_per_voxel() + of_tables / static_cast<double>(grid.num_voxels());
}

Engine make_exact(const host::OccupancyGrid& grid, bool skip_empty_space,
                  const kernels::Executor& executor, bool with_tables = false) {
  kernels::ExactRules rules;
  rules.lattice_bits = kLatticeBits;
  rules.skip_empty_space = skip_empty_space;
  kernels::GridView view = grid.view();
  const auto tables = std::make_shared<host::BrickTables>();
  if (with_tables) tables->add_to(&view, grid.host_grid(), rules, kManyRays, executor);
  Engine engine;
  engine.bits_per_voxel = bits_per_voxel(grid, *tables);
  engine.run = [view, tables, rules, executor](const RaySet& set, std::int64_t begin,
                                               std::int64_t end, std::uint8_t* visible) {
    // With unknown space free the answers are kHidden = 0 and kVisible = 1.
    kernels::line_of_sight_exact(executor, view, set.lattice_from.data(), set.lattice_to.data(),
                                 rays_from(begin), rules, end - begin,
                                 reinterpret_cast<kernels::Visibility*>(visible));
  };
  return engine;
}

Engine make_march_with(const host::OccupancyGrid& grid, const kernels::Executor& executor) {
  kernels::GridView view = grid.view();
  const auto tables = std::make_shared<host::BrickTables>();
  tables->add_to(&view, grid.host_grid(), {}, kManyRays, executor);
  Engine engine;
  engine.bits_per_voxel = bits_per_voxel(grid, *tables);
  engine.max_wrong = kHalfStepMaxWrong;
  engine.run = [view, tables, executor, answers = std::vector<kernels::StepAnswers>()](
                   const RaySet& set, std::int64_t begin, std::int64_t end,
                   std::uint8_t* visible) mutable {
    answers.resize(static_cast<std::size_t>(end - begin));
    kernels::line_of_sight_march(executor, view, kernels::VoxelFrame{}, set.from.data(),
                                 set.to.data(), rays_from(begin), kernels::MarchRules{}, &kStep_vox,
                                 1, end - begin, answers.data());
    for (std::size_t i = 0; i < answers.size(); ++i) visible[i] = answers[i].hidden == 0 ? 1 : 0;
  };
  return engine;
}

}  // namespace

Engine make_hdda(const host::OccupancyGrid& grid) { return make_exact(grid, true, kVectors, true); }
Engine make_hdda_avx2(const host::OccupancyGrid& grid) {
  return make_exact(grid, true, kAvx2, true);
}
Engine make_hdda_words(const host::OccupancyGrid& grid) { return make_exact(grid, true, kVectors); }
Engine make_hdda_scalar(const host::OccupancyGrid& grid) { return make_exact(grid, true, kScalar); }
Engine make_dda(const host::OccupancyGrid& grid) { return make_exact(grid, false, kScalar); }

Engine make_march(const host::OccupancyGrid& grid) { return make_march_with(grid, kVectors); }
Engine make_march_scalar(const host::OccupancyGrid& grid) { return make_march_with(grid, kScalar); }

}  // namespace sightline::bench
