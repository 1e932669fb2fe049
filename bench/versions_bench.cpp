// Versions of the rooms world: what an edit costs, and whether a late version answers as fast as a
// world of its own.
#include <vector>

#include "bench/peaks.h"
#include "bench/suite.h"
#include "bench/truth.h"
#include "host/world/versioned_grid.h"

namespace sightline::bench {
namespace {

constexpr kernels::Executor kOneThread{kernels::Backend::kCpu, 1, nullptr};
constexpr int kNumEdits = 1000;

/// The next number of a counter-based sequence, in [0, bound).
std::int64_t draw(std::uint64_t& counter, std::int64_t bound) {
  std::uint64_t z = (counter += 0x9e3779b97f4a7c15u);  // splitmix64 (Steele, Lea and Flood 2014)
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::int64_t>((z ^ (z >> 31)) % static_cast<std::uint64_t>(bound));
}

/// Cubes of `edge` voxels at random places, occupied and freed in turn.
std::vector<host::Edit> make_edits(const host::OccupancyGrid& grid, std::int64_t edge) {
  std::vector<host::Edit> edits(kNumEdits);
  std::uint64_t counter = kSeed;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      edits[i].lo[a] = draw(counter, grid.geometry().dims[a] - edge + 1);
      edits[i].hi[a] = edits[i].lo[a] + edge;
    }
    edits[i].state = i % 2 == 0 ? host::VoxelState::kOccupied : host::VoxelState::kFree;
  }
  return edits;
}

/// Every edit a version of its own.
void edit_one_by_one(host::VersionedGrid& versions, const std::vector<host::Edit>& edits) {
  for (const host::Edit& edit : edits) versions.edit({edit});
}

/// The same edits, made in place.
host::OccupancyGrid edited(const host::OccupancyGrid& grid, const std::vector<host::Edit>& edits) {
  host::OccupancyGrid result = grid;
  for (const host::Edit& edit : edits) result.set_box(edit.lo, edit.hi, edit.state);
  return result;
}

void edit_world(benchmark::State& state, Suite& suite, const BenchWorld& world, std::int64_t edge) {
  const std::vector<host::Edit> edits = make_edits(world.grid, edge);
  host::VersionedGrid checked(world.grid);
  edit_one_by_one(checked, edits);
  if (checked.checkout(checked.latest()).words() != edited(world.grid, edits).compacted().words()) {
    return suite.fail(state, "the last version differs from the grid edited in place");
  }
  std::size_t bytes = 0;
  for (std::int64_t v = 1; v <= checked.latest(); ++v) bytes += checked.bytes(v);
  for (auto _ : state) {
    state.PauseTiming();
    host::VersionedGrid versions(world.grid);
    versions.edit({edits[0]});  // the block makes room for more
    state.ResumeTiming();
    edit_one_by_one(versions, edits);
  }
  state.counters["edits_per_s"] = rate(state.iterations() * kNumEdits);
  state.counters["bytes_per_edit"] = static_cast<double>(bytes) / kNumEdits;
}

/// Set 1 on the last of a thousand versions: where it lies, or checked out.
void line_of_sight(benchmark::State& state, Suite& suite, const BenchWorld& world,
                   bool checked_out) {
  host::VersionedGrid versions(world.grid);
  edit_one_by_one(versions, make_edits(world.grid, 8));
  const host::OccupancyGrid in_place = versions.grid(versions.latest());
  const host::OccupancyGrid own = in_place.compacted();
  const RaySet& set = suite.ray_set(world, 1);
  std::vector<kernels::Visibility> answers(set.rays.size()), expected(set.rays.size());
  const auto run = [&](const host::OccupancyGrid& grid, std::vector<kernels::Visibility>& out) {
    kernels::line_of_sight_exact(kOneThread, grid.view(), set.lattice_from.data(),
                                 set.lattice_to.data(), {}, {}, set.size(), out.data());
  };
  run(in_place, answers);
  run(own, expected);
  if (answers != expected) return suite.fail(state, "the version and its copy answer differently");
  for (auto _ : state) {
    run(checked_out ? own : in_place, answers);
    benchmark::DoNotOptimize(answers.data());
  }
  state.counters["rays_per_s"] = rate(state.iterations() * set.size());
  add_words(state, words_per_ray(own, set) * static_cast<double>(state.iterations() * set.size()));
}

}  // namespace

void register_versions(Suite& suite) {
  const BenchWorld& rooms = suite.worlds().front();
  const auto add = [&](const std::string& name, const auto& run) {
    benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond);
  };
  for (const std::int64_t edge : {1, 8}) {
    add("BM_EditWorld/world:rooms/edge_vox:" + std::to_string(edge),
        [&suite, &rooms, edge](benchmark::State& state) { edit_world(state, suite, rooms, edge); });
  }
  for (const bool checked_out : {false, true}) {
    add(std::string("BM_LineOfSightOfVersion1000/world:rooms/version:") +
            (checked_out ? "checked_out" : "in_place"),
        [&suite, &rooms, checked_out](benchmark::State& state) {
          line_of_sight(state, suite, rooms, checked_out);
        });
  }
}

}  // namespace sightline::bench
