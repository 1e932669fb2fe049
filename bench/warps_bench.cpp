// BM_WarpEffort/world:W/set:S: what persistent warps (kernels/warp_walk.h) do per ray, counted by
// the warp of 32 variables that runs their source on the CPU. The time says nothing of a GPU; the
// counters, times the instructions of each part as compiled, say how many a GPU will issue.
//
// BM_Device/op:hdda/shape:H/...: whole batches from and to host memory, as a program asks them.
#include <algorithm>
#include <memory>

#include "bench/suite.h"
#include "host/brick_tables.h"
#include "host/device.h"
#include "kernels/warp_cpu.h"

namespace sightline::bench {
namespace {

using kernels::Visibility;

kernels::ExactRules exact_rules() {
  kernels::ExactRules rules;
  rules.lattice_bits = kLatticeBits;
  return rules;
}

void warp_effort(benchmark::State& state, Suite& suite, const BenchWorld& world, int set_number) {
  const RaySet& set = suite.ray_set(world, set_number);
  const auto num_rays = static_cast<double>(set.size());
  host::BrickTables tables;
  kernels::GridView view = world.grid.view();
  constexpr std::int64_t kWorthAnyTable = std::int64_t{1} << 40;
  tables.add_to(&view, world.grid.host_grid(), exact_rules(), kWorthAnyTable, {});
  std::vector<Visibility> walked(set.rays.size()), expected(set.rays.size());
  const kernels::ExactLineOfSight op{view, set.lattice_from.data(), set.lattice_to.data(),
                                     {},   exact_rules(),           walked.data()};
  if (!cubes_serve(op)) return suite.fail(state, "no tables for this grid");
  line_of_sight_exact({}, world.grid.view(), op.observers, op.targets, {}, op.rules, set.size(),
                      expected.data());
  kernels::WarpEffort effort;
  for (auto _ : state) effort = walk_cpu(set.size(), kernels::SightJob(op));
  if (walked != expected) return suite.fail(state, "warps answer otherwise than the CPU");
  const auto per_ray = [&](std::int64_t count) {
    return benchmark::Counter(static_cast<double>(count) / num_rays);
  };
  state.counters["warp_steps_per_ray"] = per_ray(effort.steps);
  state.counters["lane_steps_per_ray"] = per_ray(effort.lane_steps);
  state.counters["busy_lanes"] =
      static_cast<double>(effort.lane_steps) / static_cast<double>(effort.steps);
  state.counters["begins_per_ray"] = per_ray(effort.begins);
  state.counters["votes_per_ray"] = per_ray(effort.votes);
  state.counters["left_to_op"] = static_cast<double>(effort.left) / num_rays;
}

/// A set of rays as a program names them.
struct ShapedRays {
  kernels::RayIndexing indexing;
  std::vector<kernels::LatticePoint> observers, targets;
  std::vector<std::int64_t> pairs;
  std::int64_t num_rays = 0;
};

ShapedRays shaped_rays(const RaySet& set, kernels::RayShape shape) {
  constexpr std::size_t kObservers = 256;
  ShapedRays rays{{}, set.lattice_from, set.lattice_to, {}, set.size()};
  rays.indexing.shape = shape;
  if (shape == kernels::RayShape::kPairs) {
    for (std::int64_t i = 0; i < set.size(); ++i) {
      rays.pairs.insert(rays.pairs.end(), {i, set.size() - 1 - i});
    }
    rays.indexing.pairs = rays.pairs.data();
  } else if (shape == kernels::RayShape::kCross) {
    const std::size_t num_observers = std::min(kObservers, rays.observers.size());
    rays.observers.resize(num_observers);
    rays.targets.resize(rays.targets.size() / num_observers);
    rays.indexing.num_targets = static_cast<std::int64_t>(rays.targets.size());
    rays.num_rays = static_cast<std::int64_t>(num_observers) * rays.indexing.num_targets;
  }
  return rays;
}

/// The rays of the world that was asked for last.
class HeldRays {
 public:
  const RaySet& get(const BenchWorld& world, std::int64_t num_rays) {
    if (of_ != &world) rays_ = make_ray_set(world, 1, num_rays, kSeed);
    of_ = &world;
    return rays_;
  }

 private:
  const BenchWorld* of_ = nullptr;
  RaySet rays_;
};

void device_batch(benchmark::State& state, Suite& suite, host::Device& device, HeldRays& held,
                  const BenchWorld& world, kernels::RayShape shape) {
  const ShapedRays rays = shaped_rays(held.get(world, suite.batch_rays()), shape);
  std::vector<Visibility> answers(static_cast<std::size_t>(rays.num_rays));
  std::vector<Visibility> expected(answers.size());
  const host::HostGrid grid = world.grid.host_grid();
  const auto ask = [&] {
    device.line_of_sight_exact(grid, rays.observers, rays.targets, rays.indexing, exact_rules(),
                               rays.num_rays, answers.data());
  };
  kernels::Executor scalar;
  scalar.instructions = kernels::InstructionSet::kPortable;
  line_of_sight_exact(scalar, world.grid.view(), rays.observers.data(), rays.targets.data(),
                      rays.indexing, exact_rules(), rays.num_rays, expected.data());
  ask();
  if (answers != expected) return suite.fail(state, "the device answers otherwise than the op");
  for (auto _ : state) ask();
  state.counters["rays_per_s"] = rate(state.iterations() * rays.num_rays);
}

constexpr struct {
  const char* name;
  kernels::RayShape shape;
} kShapes[] = {{"elementwise", kernels::RayShape::kElementwise},
               {"pairs", kernels::RayShape::kPairs},
               {"cross", kernels::RayShape::kCross}};

}  // namespace

void register_warps(Suite& suite) {
  for (const BenchWorld& world : suite.worlds()) {
    for (int set = 1; set <= kNumRaySets; ++set) {
      const std::string name = "BM_WarpEffort/world:" + world.name + "/set:" + std::to_string(set);
      benchmark::RegisterBenchmark(name.c_str(), [=, &suite, &world](benchmark::State& state) {
        warp_effort(state, suite, world, set);
      })->Iterations(1);
    }
  }
  std::vector<std::shared_ptr<host::Device>> devices{
      std::make_shared<host::Device>(host::DeviceChoice::kCpu)};
  if (!host::list_gpus().empty()) {
    devices.push_back(std::make_shared<host::Device>(host::DeviceChoice::kCuda));
  }
  const auto held = std::make_shared<HeldRays>();
  for (const BenchWorld& world : suite.worlds()) {
    for (const auto& [shape_name, shape] : kShapes) {
      for (const std::shared_ptr<host::Device>& device : devices) {
        const std::string name = "BM_Device/op:hdda/shape:" + std::string(shape_name) +
                                 "/world:" + world.name +
                                 "/backend:" + (device->is_gpu() ? "cuda" : "cpu");
        const kernels::RayShape how = shape;
        benchmark::RegisterBenchmark(name.c_str(),
                                     [=, &suite, &world](benchmark::State& state) {
                                       device_batch(state, suite, *device, *held, world, how);
                                     })
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace sightline::bench
