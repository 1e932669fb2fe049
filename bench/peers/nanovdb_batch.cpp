// BM_Batch/op:nanovdb_hdda/world:W/set:S/backend:B: NanoVDB's walk over the worlds and rays of the
// rows of BM_Batch/op:hdda, on all cores of the CPU and on the GPU, checked before it is timed.
//
// The grid is the mask that host/world writes as a .nvdb, with whole nodes as tiles: so this needs
// NanoVDB's headers alone.
#include <nanovdb/util/IO.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/backend.h"
#include "bench/peers/nanovdb_sight.h"
#include "bench/suite.h"
#include "bench/truth.h"
#include "host/world/nanovdb_world.h"
#include "kernels/for_each_cpu.h"

namespace sightline::bench {
namespace {

using Handle = nanovdb::GridHandle<nanovdb::HostBuffer>;

/// A file name of its own, which is gone with the object.
class TemporaryFile {
 public:
  TemporaryFile() {
    const int file = mkstemps(path_.data(), 5);  // ".nvdb"
    if (file < 0) throw std::runtime_error(path_ + ": cannot be written");
    close(file);
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/sightline_bench_XXXXXX.nvdb";
};

Handle make_mask(const host::OccupancyGrid& grid) {
  const TemporaryFile file;
  host::write_nanovdb(grid, file.path());
  return nanovdb::io::readGrid(file.path());
}

/// What rows share: neighbours ask for the same.
class Inputs {
 public:
  explicit Inputs(Suite& suite) : suite_(suite) {}

  const Handle& mask(const BenchWorld& world) {
    if (masked_ != &world) mask_ = make_mask(world.grid);
    masked_ = &world;
    return mask_;
  }
  const RaySet& rays(const BenchWorld& world, int set) {
    const auto wanted = std::make_pair(&world, set);
    if (wanted != held_) rays_ = make_ray_set(world, set, suite_.batch_rays(), kSeed);
    held_ = wanted;
    return rays_;
  }

 private:
  Suite& suite_;
  const BenchWorld* masked_ = nullptr;
  Handle mask_;
  std::pair<const BenchWorld*, int> held_{nullptr, 0};
  RaySet rays_;
};

/// On the GPU a copy in the backend's buffer 0.
const NanoMask* place_mask(Backend& backend, const Handle& mask, bool on_gpu) {
  if (!on_gpu) return mask.grid<nanovdb::ValueMask>();
  const std::vector<std::uint8_t> bytes(mask.data(), mask.data() + mask.size());
  return reinterpret_cast<const NanoMask*>(backend.input(0, bytes));
}

void run(Backend& backend, std::int64_t count, const NanoVdbSight& op, bool on_gpu) {
#ifdef SIGHTLINE_NANOVDB_CUDA
  if (on_gpu) return nanovdb_sight_cuda(backend.executor().stream, count, op);
#endif
  constexpr std::int64_t kPiece = 4096;
  const auto see = [&](std::int64_t begin, std::int64_t end) {
    const NanoMask::AccessorType accessor = op.grid->getAccessor();
    for (std::int64_t i = begin; i < end; ++i) {
      op.visible[i] = NanoVdbSight::sees(accessor, op.rays[i]) ? 1 : 0;
    }
  };
  kernels::for_each_piece(backend.executor(), count, see, kPiece);
}

/// wrong: the share of wrong answers, once it is known.
void sight(benchmark::State& state, Suite& suite, Inputs& inputs, Backend& backend,
           const BenchWorld& world, int set_number, std::optional<double>& wrong) {
  const bool on_gpu = backend.name() == "cuda";
  const RaySet& set = inputs.rays(world, set_number);
  const Handle& mask = inputs.mask(world);
  std::vector<std::uint8_t> visible(set.rays.size(), 2);
  const NanoVdbSight op{place_mask(backend, mask, on_gpu), backend.input(1, set.rays),
                        backend.output(visible)};
  const auto once = [&] { run(backend, set.size(), op, on_gpu); };
  backend.seconds(once);
  if (!wrong) {
    backend.fetch(visible);
    wrong = wrong_share(visible, world.grid, set);
  }
  if (*wrong > kRoundingMaxWrong) {
    return suite.fail(state, "wrong answers: " + std::to_string(*wrong) + " of all, more than " +
                                 std::to_string(kRoundingMaxWrong));
  }
  for (auto _ : state) state.SetIterationTime(backend.seconds(once));
  state.counters["rays_per_s"] = rate(state.iterations() * set.size());
  state.counters["wrong"] = *wrong;
  state.counters["bits_per_voxel"] = bits_per_voxel(mask.size(), world.grid);
}

}  // namespace

void register_nanovdb_batches(Suite& suite) {
  std::vector<std::shared_ptr<Backend>> backends{std::make_shared<Backend>(kernels::Backend::kCpu)};
#ifdef SIGHTLINE_NANOVDB_CUDA
  if (!host::list_gpus().empty()) {
    backends.push_back(std::make_shared<Backend>(kernels::Backend::kCuda));
  }
#endif
  const auto inputs = std::make_shared<Inputs>(suite);
  for (const BenchWorld& world : suite.worlds()) {
    for (int set = 1; set <= kNumRaySets; ++set) {
      for (const std::shared_ptr<Backend>& backend : backends) {
        const std::string name = "BM_Batch/op:nanovdb_hdda/world:" + world.name +
                                 "/set:" + std::to_string(set) + "/backend:" + backend->name();
        benchmark::RegisterBenchmark(
            name.c_str(),
            [=, &suite, &world, wrong = std::optional<double>()](benchmark::State& state) mutable {
              sight(state, suite, *inputs, *backend, world, set, wrong);
            })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace sightline::bench
