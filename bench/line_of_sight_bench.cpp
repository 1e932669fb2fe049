// BM_LineOfSight/world:W/set:S/engine:E, one thread.
#include <memory>
#include <utility>

#include "bench/engine.h"
#include "bench/peaks.h"
#include "bench/suite.h"
#include "bench/truth.h"

namespace sightline::bench {
namespace {

constexpr std::int64_t kRaysPerRun = 4096;
/// Runs visit the pieces of a set in this stride, so that a slow engine, which sees only some of a
/// sorted set, sees them from all over the world. Odd: it reaches all of 2^n pieces.
constexpr std::int64_t kPieceStride = 11;

/// Builds engines and finds truths when first asked, and remembers them.
class Checker {
 public:
  explicit Checker(Suite& suite) : suite_(suite) {}

  const Engine& engine(const BenchWorld& world, const EngineEntry& entry) {
    auto& engine = engines_[world.name + "/" + entry.name];
    if (!engine) engine = std::make_unique<Engine>(entry.make(world.grid));
    return *engine;
  }
  const Truth& truth(const BenchWorld& world, int set) {
    auto& truth = truths_[world.name + "/" + std::to_string(set)];
    if (!truth) truth = std::make_unique<Truth>(find_truth(world.grid, suite_.ray_set(world, set)));
    return *truth;
  }
  double words(const BenchWorld& world, int set) {
    const auto [known, is_new] = words_.emplace(world.name + "/" + std::to_string(set), 0);
    if (is_new) known->second = words_per_ray(world.grid, suite_.ray_set(world, set));
    return known->second;
  }
  double wrong(const BenchWorld& world, int set, const EngineEntry& entry) {
    const std::string key = world.name + "/" + std::to_string(set) + "/" + entry.name;
    const auto known = wrong_.find(key);
    if (known != wrong_.end()) return known->second;
    const double share =
        wrong_share(engine(world, entry), suite_.ray_set(world, set), truth(world, set));
    return wrong_.emplace(key, share).first->second;
  }

 private:
  Suite& suite_;
  std::map<std::string, std::unique_ptr<Engine>> engines_;
  std::map<std::string, std::unique_ptr<Truth>> truths_;
  std::map<std::string, double> wrong_, words_;
};

void line_of_sight(benchmark::State& state, Suite& suite, Checker& checker, const BenchWorld& world,
                   int set_number, const EngineEntry& entry) {
  const RaySet& set = suite.ray_set(world, set_number);
  const Engine& engine = checker.engine(world, entry);
  if (!checker.truth(world, set_number).consistent) {
    return suite.fail(state, "Sightline's exact methods contradict each other");
  }
  const double wrong = checker.wrong(world, set_number, entry);
  if (wrong > engine.max_wrong) {
    return suite.fail(state, "wrong answers: " + std::to_string(wrong) + " of all, more than " +
                                 std::to_string(engine.max_wrong));
  }

  std::vector<std::uint8_t> visible(kRaysPerRun);
  const std::int64_t num_pieces = (set.size() + kRaysPerRun - 1) / kRaysPerRun;
  std::int64_t rays = 0, piece = 0;
  for (auto _ : state) {
    const std::int64_t begin = piece * kRaysPerRun;
    const std::int64_t end = std::min(set.size(), begin + kRaysPerRun);
    engine.run(set, begin, end, visible.data());
    benchmark::DoNotOptimize(visible.data());
    rays += end - begin;
    piece = (piece + kPieceStride) % num_pieces;
  }
  state.counters["rays_per_s"] = rate(rays);
  add_words(state, static_cast<double>(rays) * checker.words(world, set_number));
  state.counters["bits_per_voxel"] = engine.bits_per_voxel;
  state.counters["wrong"] = wrong;
}

}  // namespace

void register_line_of_sight(Suite& suite) {
  const auto checker = std::make_shared<Checker>(suite);
  for (const BenchWorld& world : suite.worlds()) {
    for (int set = 1; set <= kNumRaySets; ++set) {
      for (const EngineEntry& entry : engine_entries()) {
        const std::string name = "BM_LineOfSight/world:" + world.name +
                                 "/set:" + std::to_string(set) + "/engine:" + entry.name;
        benchmark::RegisterBenchmark(name.c_str(), [=, &suite, &world](benchmark::State& state) {
          line_of_sight(state, suite, *checker, world, set, entry);
        })->Unit(benchmark::kMicrosecond);
      }
    }
  }
}

}  // namespace sightline::bench
