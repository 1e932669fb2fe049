// BM_Batch/op:O/.../backend:B: one large batch on all cores of the CPU and on the GPU, the memory
// it reads in place, and lines of sight on one core too (.../threads:1); BM_Transfer: what bringing
// it there costs. Each backend must first answer as the scalar op on the CPU does, bit for bit.
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>

#include "bench/backend.h"
#include "bench/peaks.h"
#include "bench/suite.h"
#include "bench/truth.h"
#include "host/device.h"
#include "host/world/world.h"

namespace sightline::bench {
namespace {

using kernels::Executor;
using kernels::GridView;

/// Steps of the march, in voxels.
constexpr double kHalf_vox[] = {0.5};
constexpr double kSteps_vox[] = {0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4};
constexpr int kNumCones = 8;

/// The rays of one world and set, kept for the rows that follow: neighbours ask for the same.
class BatchRays {
 public:
  explicit BatchRays(Suite& suite) : suite_(suite) {}

  const RaySet& get(const BenchWorld& world, int set) {
    const std::string wanted = world.name + std::to_string(set);
    if (wanted != held_) rays_ = make_ray_set(world, set, suite_.batch_rays(), kSeed);
    held_ = wanted;
    return rays_;
  }

 private:
  Suite& suite_;
  std::string held_;
  RaySet rays_;
};

/// What is measured, from one repetition to the next.
struct Row {
  Suite& suite;
  std::shared_ptr<Backend> backend;
  bool is_checked = false;
  double words = 0;  ///< of all its rays, once they are counted
};

/// Does what `run(executor, inputs, out)` answers on a backend equal what the scalar op does?
template <class Answer, class Place, class Run>
bool answers_as_scalar(Backend& backend, std::int64_t num_rays, const Place& place,
                       const Run& run) {
  std::vector<Answer> answers(static_cast<std::size_t>(num_rays)), expected(answers.size());
  Backend reference(kernels::Backend::kCpu);
  Executor scalar;
  scalar.instructions = kernels::InstructionSet::kPortable;
  run(scalar, place(reference), expected.data());
  const auto inputs = place(backend);
  Answer* const out = backend.output(answers);
  backend.seconds([&] { run(backend.executor(), inputs, out); });
  backend.fetch(answers);
  return std::memcmp(answers.data(), expected.data(), answers.size() * sizeof(Answer)) == 0;
}

/// Checks what `run(executor, inputs, out)` answers on a backend, the row's first time, then times
/// it. `place(backend)` brings the inputs there; `Answer` is compared byte for byte.
template <class Answer, class Place, class Run>
void measure(benchmark::State& state, Row& row, std::int64_t num_rays, const Place& place,
             const Run& run) {
  Backend& backend = *row.backend;
  row.is_checked = row.is_checked || answers_as_scalar<Answer>(backend, num_rays, place, run);
  if (!row.is_checked) {
    return row.suite.fail(state, backend.name() + " answers otherwise than the scalar op");
  }
  std::vector<Answer> answers(static_cast<std::size_t>(num_rays));
  const auto inputs = place(backend);
  Answer* const out = backend.output(answers);
  const auto once = [&] { run(backend.executor(), inputs, out); };
  backend.seconds(once);
  for (auto _ : state) state.SetIterationTime(backend.seconds(once));
  state.counters["rays_per_s"] = rate(state.iterations() * num_rays);
}

template <class Point>
struct Ends {
  GridView grid;
  const Point *from, *to;
};

GridView place_grid(Backend& backend, const BenchWorld& world) {
  return {backend.input(0, world.grid.words()), world.grid.layout()};
}

/// The grid with a table of its bricks: waves on the CPU and persistent warps on a GPU walk by it.
GridView place_tabled_grid(Backend& backend, const BenchWorld& world) {
  GridView grid = place_grid(backend, world);
  std::vector<kernels::BrickRecord> table(
      static_cast<std::size_t>(kernels::brick_table_size(grid.layout)));
  fill_brick_table({}, world.grid.view().occupied(), table.data());
  grid.occupied_bricks = grid.not_free_bricks = backend.keep(3, std::move(table));
  return grid;
}

/// What exact walks of the set look at; a march has to look at it too.
void add_words_of(benchmark::State& state, Row& row, const BenchWorld& world, const RaySet& set) {
  if (row.words == 0) row.words = words_per_ray(world.grid, set) * static_cast<double>(set.size());
  add_words(state, row.words * static_cast<double>(state.iterations()), row.backend->num_threads());
}

/// By words, one thread a ray (`hdda_plain`), or as programs ask it (`hdda`).
void exact(benchmark::State& state, Row& row, const BenchWorld& world, const RaySet& set,
           bool is_plain) {
  Backend& backend = *row.backend;
  kernels::ExactRules rules;
  rules.lattice_bits = kLatticeBits;
  kernels::Workspace workspace;
  if (!is_plain) {
    workspace = backend.workspace(sight_workspace_bytes(backend.executor(), set.size()));
  }
  measure<kernels::Visibility>(
      state, row, set.size(),
      [&](Backend& b) {
        return Ends<kernels::LatticePoint>{
            is_plain ? place_grid(b, world) : place_tabled_grid(b, world),
            b.input(1, set.lattice_from), b.input(2, set.lattice_to)};
      },
      [&](const Executor& e, const auto& in, kernels::Visibility* out) {
        kernels::line_of_sight_exact(e, in.grid, in.from, in.to, {}, rules, set.size(), out,
                                     workspace);
      });
  add_words_of(state, row, world, set);
}

/// All steps in one pass, or one after the other, each in a pass of its own: then the last one's
/// answers are compared.
void march(benchmark::State& state, Row& row, const BenchWorld& world, const RaySet& set,
           const double* steps, int num_steps, int steps_of_pass) {
  const kernels::Workspace workspace =
      row.backend->workspace(sight_workspace_bytes(row.backend->executor(), set.size()));
  measure<kernels::StepAnswers>(
      state, row, set.size(),
      [&](Backend& b) {
        return Ends<kernels::Vec3>{place_tabled_grid(b, world), b.input(1, set.from),
                                   b.input(2, set.to)};
      },
      [&](const Executor& e, const auto& in, kernels::StepAnswers* out) {
        for (int k = 0; k < num_steps; k += steps_of_pass) {
          kernels::line_of_sight_march(e, in.grid, {}, in.from, in.to, {}, {}, steps + k,
                                       steps_of_pass, set.size(), out, workspace);
        }
      });
  add_words_of(state, row, world, set);
}

void field_of_view(benchmark::State& state, Row& row, const RaySet& set) {
  constexpr double kGoldenAngle_rad = 2.39996322972865332;  // spreads yaws evenly
  std::vector<kernels::Pose> poses;
  for (const kernels::Vec3& position : set.from) {
    const double yaw_rad = kGoldenAngle_rad * static_cast<double>(poses.size() % 65536);
    poses.push_back(host::make_pose(host::Frame::kMapZUp, position, yaw_rad, 0));
  }
  std::vector<kernels::FieldOfView> cones(kNumCones);
  for (int k = 0; k < kNumCones; ++k) cones[k].min_cos = 1 - (k + 1.0) / (kNumCones + 1);
  struct Inputs {
    const kernels::Pose* poses;
    const kernels::Vec3* targets;
  };
  measure<std::uint32_t>(
      state, row, set.size(),
      [&](Backend& b) {
        return Inputs{b.input(0, poses), b.input(1, set.to)};
      },
      [&](const Executor& e, const Inputs& in, std::uint32_t* out) {
        kernels::field_of_view(e, in.poses, in.targets, {}, cones.data(), kNumCones, set.size(),
                               out);
      });
  const double tests = static_cast<double>(state.iterations() * set.size());
  add_bytes(state, tests * kBytesOfAConeTest);
  add_peak_frac(state, tests * kBytesOfAConeTest, measured_peaks().bytes_per_s,
                row.backend->num_threads());
}

/// Ordinary (pageable) memory, which is what a batch comes from and goes to.
void transfer(benchmark::State& state, Suite& suite, std::size_t bytes, bool to_gpu) {
  host::gpu::Stream stream;
  host::gpu::Timer timer;
  host::gpu::Buffer buffer;
  std::vector<std::uint32_t> sent(bytes / sizeof(std::uint32_t)), received(sent.size());
  std::iota(sent.begin(), sent.end(), 1u);
  void* const device = buffer.reserve(bytes);
  stream.upload(device, sent.data(), bytes);
  stream.download(received.data(), device, bytes);
  stream.synchronize();
  if (sent != received) return suite.fail(state, "what came back is not what was sent");
  for (auto _ : state) {
    timer.start(stream);
    if (to_gpu) {
      stream.upload(device, sent.data(), bytes);
    } else {
      stream.download(received.data(), device, bytes);
    }
    timer.stop(stream);
    state.SetIterationTime(timer.seconds());
  }
  state.counters["bytes_per_s"] = rate(state.iterations() * static_cast<std::int64_t>(bytes));
}

using Backends = std::vector<std::shared_ptr<Backend>>;

template <class Run>
void add(const std::string& name, const Run& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Unit(benchmark::kMillisecond);
}

/// run(state, row)
template <class Run>
void add_row(const std::string& name, Suite& suite, const std::shared_ptr<Backend>& backend,
             const Run& run) {
  const auto row = std::make_shared<Row>(Row{suite, backend});
  add(name, [=](benchmark::State& state) { run(state, *row); });
}

void add_rays(Suite& suite, const BenchWorld& world, int set, const Backends& backends,
              const std::shared_ptr<BatchRays>& rays) {
  const std::string where = "/world:" + world.name + "/set:" + std::to_string(set);
  for (const std::shared_ptr<Backend>& backend : backends) {
    const auto add_op = [&](const std::string& op, const auto& run) {
      add_row("BM_Batch/op:" + op + where + "/backend:" + backend->name(), suite, backend, run);
    };
    for (const bool is_plain : {false, true}) {
      add_op(is_plain ? "hdda_plain" : "hdda", [=, &world](benchmark::State& state, Row& row) {
        exact(state, row, world, rays->get(world, set), is_plain);
      });
    }
    add_op("march", [=, &world](benchmark::State& state, Row& row) {
      march(state, row, world, rays->get(world, set), kHalf_vox, 1, 1);
    });
    if (set != 2) continue;
    add_op("march_8_steps", [=, &world](benchmark::State& state, Row& row) {
      march(state, row, world, rays->get(world, set), kSteps_vox, 8, 8);
    });
    add_op("march_8_passes", [=, &world](benchmark::State& state, Row& row) {
      march(state, row, world, rays->get(world, set), kSteps_vox, 8, 1);
    });
    if (world.name != "rooms") continue;  // walls play no part
    add_op("field_of_view_8_cones", [=, &world](benchmark::State& state, Row& row) {
      field_of_view(state, row, rays->get(world, set));
    });
  }
}

}  // namespace

void register_backends(Suite& suite) {
  const Backends backends = usable_backends();
  const auto one_thread = std::make_shared<Backend>(kernels::Backend::kCpu, 1);
  const auto rays = std::make_shared<BatchRays>(suite);
  for (const BenchWorld& world : suite.worlds()) {
    for (int set = 1; set <= kNumRaySets; ++set) {
      add_rays(suite, world, set, backends, rays);
      add_row("BM_Batch/op:hdda/world:" + world.name + "/set:" + std::to_string(set) +
                  "/backend:cpu/threads:1",
              suite, one_thread, [=, &world](benchmark::State& state, Row& row) {
                exact(state, row, world, rays->get(world, set), false);
              });
    }
  }
  if (backends.size() == 1) return;
  constexpr int kMebibyte = 1 << 20;
  for (const int mebibytes : {1, 16, 256}) {
    for (const bool to_gpu : {true, false}) {
      add(std::string("BM_Transfer/to:") + (to_gpu ? "gpu" : "host") +
              "/mebibytes:" + std::to_string(mebibytes),
          [=, &suite](benchmark::State& state) {
            transfer(state, suite, static_cast<std::size_t>(mebibytes) * kMebibyte, to_gpu);
          });
    }
  }
}

}  // namespace sightline::bench
