// Batches beside line of sight: several steps in one pass, fields of view, building a grid, and the
// boxes that rays from one place leave first.
#include <cmath>

#include "bench/peaks.h"
#include "bench/suite.h"
#include "bench/truth.h"
#include "host/brick_tables.h"
#include "host/world/world.h"
#include "kernels/empty_box.h"

namespace sightline::bench {
namespace {

constexpr kernels::Executor kOneThread{kernels::Backend::kCpu, 1, nullptr};
constexpr double kSteps_vox[] = {0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4};
constexpr int kNumSteps = 8;

/// Marches set 2 with all steps: in one pass, or in one pass per step. Bit k: hidden at step k.
void march(const kernels::GridView& grid, const RaySet& set, bool one_pass,
           std::vector<kernels::StepAnswers>& scratch, std::vector<std::uint32_t>& hidden) {
  const auto pass = [&](const double* steps, int num_steps) {
    kernels::line_of_sight_march(kOneThread, grid, {}, set.from.data(), set.to.data(), {}, {},
                                 steps, num_steps, set.size(), scratch.data());
  };
  std::fill(hidden.begin(), hidden.end(), 0u);
  const int steps_per_pass = one_pass ? kNumSteps : 1;
  for (int first = 0; first < kNumSteps; first += steps_per_pass) {
    pass(kSteps_vox + first, steps_per_pass);
    for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] |= scratch[i].hidden << first;
  }
}

void march_steps(benchmark::State& state, Suite& suite, const BenchWorld& world, bool one_pass) {
  const RaySet& set = suite.ray_set(world, 2);
  std::vector<kernels::StepAnswers> scratch(set.rays.size());
  std::vector<std::uint32_t> hidden(set.rays.size()), expected(set.rays.size());
  constexpr std::int64_t kWorthAnyTable = std::int64_t{1} << 40;
  host::BrickTables tables;
  kernels::GridView grid = world.grid.view();
  tables.add_to(&grid, world.grid.host_grid(), {}, kWorthAnyTable, kOneThread);
  march(grid, set, one_pass, scratch, hidden);
  march(world.grid.view(), set, !one_pass, scratch, expected);  // by words
  if (hidden != expected) return suite.fail(state, "one pass and eight passes differ");
  for (auto _ : state) march(grid, set, one_pass, scratch, hidden);
  state.counters["rays_per_s"] = rate(state.iterations() * set.size());
  add_words(state,
            words_per_ray(world.grid, set) * static_cast<double>(state.iterations() * set.size()));
}

/// Cones about the forward axis, from narrow to wide.
std::vector<kernels::FieldOfView> cones(int count) {
  std::vector<kernels::FieldOfView> fovs(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) fovs[k].min_cos = 1 - (k + 1.0) / (count + 1);
  return fovs;
}

/// The cone test again, as the angle between two vectors, well away from the cone's edge.
bool agrees_with_angle(const kernels::Pose& pose, kernels::Vec3 target, double min_cos,
                       bool inside) {
  constexpr double kEdge = 1e-9;  // of a cosine; rounding moves it by about 1e-15
  const double d[3] = {target.x - pose.position.x, target.y - pose.position.y,
                       target.z - pose.position.z};
  const double length = std::hypot(d[0], d[1], d[2]);
  if (length == 0) return inside;
  const double cosine =
      (d[0] * pose.forward.x + d[1] * pose.forward.y + d[2] * pose.forward.z) / length;
  return std::fabs(cosine - min_cos) < kEdge || (cosine > min_cos) == inside;
}

void field_of_view(benchmark::State& state, Suite& suite, const BenchWorld& world, int num_cones) {
  constexpr double kGoldenAngle_rad = 2.39996322972865332;  // spreads yaws evenly
  const RaySet& set = suite.ray_set(world, 2);
  std::vector<kernels::Pose> poses;
  for (const kernels::Vec3& position : set.from) {
    const double yaw_rad = kGoldenAngle_rad * static_cast<double>(poses.size());
    poses.push_back(host::make_pose(host::Frame::kMapZUp, position, yaw_rad, 0));
  }
  const std::vector<kernels::FieldOfView> fovs = cones(num_cones);
  std::vector<std::uint32_t> inside(set.rays.size());
  const auto run = [&] {
    kernels::field_of_view(kOneThread, poses.data(), set.to.data(), {}, fovs.data(), num_cones,
                           set.size(), inside.data());
  };
  run();
  for (std::size_t i = 0; i < inside.size(); ++i) {
    for (int k = 0; k < num_cones; ++k) {
      if (!agrees_with_angle(poses[i], set.to[i], fovs[k].min_cos, (inside[i] >> k) & 1u)) {
        return suite.fail(state, "a cone disagrees with the angle to the target");
      }
    }
  }
  for (auto _ : state) {
    run();
    benchmark::DoNotOptimize(inside.data());
  }
  state.counters["rays_per_s"] = rate(state.iterations() * set.size());
  const double tests = static_cast<double>(state.iterations() * set.size());
  add_bytes(state, tests * kBytesOfAConeTest);
  add_peak_frac(state, tests * kBytesOfAConeTest, measured_peaks().bytes_per_s);
}

/// Boxes and single voxels into an empty grid: the whole rooms world.
void build_grid(benchmark::State& state, Suite& suite, const BenchWorld& rooms) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    const BenchWorld built = make_rooms(suite.rooms_edge(), kSeed);
    bytes = built.grid.bytes();
    if (built.grid.words() != rooms.grid.words()) {
      return suite.fail(state, "the same edits built another grid");
    }
  }
  state.counters["voxels_per_s"] = rate(state.iterations() * rooms.grid.num_voxels());
  state.counters["bits_per_voxel"] = bits_per_voxel(bytes, rooms.grid);
  const double written = static_cast<double>(state.iterations()) * static_cast<double>(bytes);
  add_bytes(state, written);
  add_peak_frac(state, written, measured_peaks().bytes_per_s);
}

/// Boxes around the observers of set 1, all over the world.
void empty_box(benchmark::State& state, Suite& suite, const BenchWorld& world) {
  constexpr std::int64_t kWorthAnyTable = std::int64_t{1} << 40;
  kernels::GridView view = world.grid.view();
  host::BrickTables tables;
  tables.add_to(&view, world.grid.host_grid(), {}, kWorthAnyTable, kOneThread);
  const kernels::EmptyBoxes boxes(view, view.occupied_bricks);
  const std::vector<kernels::LatticePoint>& from = suite.ray_set(world, 1).lattice_from;
  const auto box_of = [&](std::size_t i) {
    return boxes.around(kernels::cell_of(from[i], kLatticeBits));
  };
  constexpr std::size_t kChecked = 100;
  for (std::size_t i = 0; i < kChecked; ++i) {
    const auto [low, high] = box_of(i);
    for (std::int32_t z = low.v[2]; z <= high.v[2]; ++z) {
      for (std::int32_t y = low.v[1]; y <= high.v[1]; ++y) {
        for (std::int32_t x = low.v[0]; x <= high.v[0]; ++x) {
          if (view.occupied().get(x, y, z)) return suite.fail(state, "a box is not empty");
        }
      }
    }
  }
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(box_of(next));
    next = next + 1 == from.size() ? 0 : next + 1;
  }
  state.counters["boxes_per_s"] = rate(state.iterations());
}

}  // namespace

void register_batches(Suite& suite) {
  for (const BenchWorld& world : suite.worlds()) {
    const auto add = [&](const std::string& name, const auto& run) {
      benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond);
    };
    for (const bool one_pass : {true, false}) {
      add("BM_MarchSteps/world:" + world.name + "/steps:8/passes:" + (one_pass ? "1" : "8"),
          [&suite, &world, one_pass](benchmark::State& state) {
            march_steps(state, suite, world, one_pass);
          });
    }
    add("BM_EmptyBox/world:" + world.name,
        [&suite, &world](benchmark::State& state) { empty_box(state, suite, world); });
    if (world.name != "rooms") continue;  // neither walls nor size matter to the rest
    for (const int num_cones : {1, 8}) {
      add("BM_FieldOfView/world:rooms/cones:" + std::to_string(num_cones),
          [&suite, &world, num_cones](benchmark::State& state) {
            field_of_view(state, suite, world, num_cones);
          });
    }
    add("BM_BuildGrid/world:rooms",
        [&suite, &world](benchmark::State& state) { build_grid(state, suite, world); });
  }
}

}  // namespace sightline::bench
