// The benchmark of location questions: Google Benchmark's own options, and
//
//   --small   one walk instead of six, to see that it works
//
// BM_Questions/threads:T: Meta-Memory's experiment (section V.A) once: six walks of 68 minutes in
// all, 1,362 entries, 270 questions, captions and verifier with their default errors; planning,
// retrieval, second looks, maps and integration, from the parsed question to the answer. Memories
// without errors are asked first: every answer must be right; and on T threads answers must be
// those of one.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/arguments.h"
#include "bench/context.h"
#include "host/meta_memory/planner.h"
#include "host/studies/location_walks.h"

namespace sightline::bench {
namespace {

using host::AskedQuestion;
using host::PlaceAnswer;
using host::PlaceQuery;
using host::RememberedWalk;

/// A walk's memory, ready to be asked its 45 questions.
class Memory {
 public:
  Memory(int sequence, const char* noise)
      : walk_(remember(sequence, noise)),
        captions_(walk_.entries),
        semantic_(captions_),
        spatial_(captions_),
        verifier_(std::string(noise) == "perfect" ? host::OracleNoise{1, 1, 0}
                                                  : host::OracleNoise{}) {
    host::PlaceMemory memory;
    memory.captions = &captions_;
    memory.semantic = &semantic_;
    memory.spatial = &spatial_;
    memory.map = &walk_.map;
    memory.is_free = host::sight_over(*walk_.world.campus);
    const host::CaptionNoise errors = host::caption_noise_preset(noise);
    if (errors.similarity_sigma > 0) {
      memory.similarity_error = [errors](const std::string& text, std::int64_t row) {
        return host::similarity_noise(text, static_cast<std::uint64_t>(row), errors);
      };
    }
    host::PlannerOptions options;
    options.keeps_log = false;
    planner_.emplace(memory, &verifier_, options);
    for (const PlaceQuery& query : walk_.world.questions) {
      questions_.push_back({query.query, query.text, std::nullopt});
    }
  }

  std::vector<PlaceAnswer> answer(int threads) const {
    return planner_->answer_all(questions_, threads);
  }
  std::int64_t num_entries() const { return walk_.entries.size(); }
  std::int64_t num_questions() const { return static_cast<std::int64_t>(questions_.size()); }
  bool are_right(const std::vector<PlaceAnswer>& answers) const {
    constexpr double kRight_m = 15;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const auto apart =
          kernels::minus(answers[i].viewpoint_m, walk_.world.questions[i].truth.viewpoint_m);
      if (answers[i].entry < 0 || kernels::dot(apart, apart) >= kRight_m * kRight_m) return false;
    }
    return true;
  }

 private:
  static RememberedWalk remember(int sequence, const char* noise) {
    host::LocationWalkSettings settings;
    settings.sequence = sequence;
    return host::remember_walk(settings, host::caption_noise_preset(noise));
  }

  RememberedWalk walk_;
  host::CaptionIndex captions_;
  host::SemanticRetrieval semantic_;
  host::SpatialRange spatial_;
  host::OracleVerifier verifier_;
  std::optional<host::Planner> planner_;
  std::vector<AskedQuestion> questions_;
};

class QuestionsBench {
 public:
  explicit QuestionsBench(bool small) {
    for (int i = 0; i < (small ? 1 : 6); ++i) {
      walks_.push_back(std::make_unique<Memory>(i, "default"));
      perfect_.push_back(std::make_unique<Memory>(i, "perfect"));
    }
  }

  void run(benchmark::State& state, int threads) {
    const std::string fault = check(threads);
    if (!fault.empty()) {
      failed_ = true;
      return state.SkipWithError(fault.c_str());
    }
    for (auto _ : state) {
      for (const auto& walk : walks_) benchmark::DoNotOptimize(walk->answer(threads));
    }
    double num_entries = 0, num_questions = 0;
    for (const auto& walk : walks_) {
      num_entries += static_cast<double>(walk->num_entries());
      num_questions += static_cast<double>(walk->num_questions());
    }
    state.counters["entries"] = num_entries;
    state.counters["questions"] = num_questions;
    state.counters["questions_per_s"] = benchmark::Counter(
        static_cast<double>(state.iterations()) * num_questions, benchmark::Counter::kIsRate);
  }

  bool failed() const { return failed_; }

 private:
  /// Empty if the answers may be right.
  std::string check(int threads) const {
    for (const auto& walk : perfect_) {
      if (!walk->are_right(walk->answer(threads))) {
        return "a memory without errors gives a wrong answer";
      }
    }
    for (const auto& walk : walks_) {
      const std::vector<PlaceAnswer> one = walk->answer(1), several = walk->answer(threads);
      for (std::size_t i = 0; i < one.size(); ++i) {
        if (one[i].entry != several[i].entry || one[i].evidence != several[i].evidence) {
          return "another number of threads gives another answer";
        }
      }
    }
    return "";
  }

  std::vector<std::unique_ptr<Memory>> walks_, perfect_;
  bool failed_ = false;
};

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const bool small = sightline::bench::take_flag("--small", &argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  sightline::bench::add_context(small);
  sightline::bench::QuestionsBench bench(small);
  for (const int threads : {1, 2}) {
    const std::string name = "BM_Questions/threads:" + std::to_string(threads);
    benchmark::RegisterBenchmark(
        name.c_str(), [&bench, threads](benchmark::State& state) { bench.run(state, threads); })
        ->UseRealTime()
        ->MeasureProcessCPUTime()
        ->Unit(benchmark::kMillisecond);
  }
  const std::size_t num_run = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (num_run == 0) std::fprintf(stderr, "no benchmark matches the filter\n");
  return bench.failed() || num_run == 0 ? 1 : 0;
}
