// BM_RecallBatch/op:O/shape:S/method:M/backend:B: ranks, the five best and cosines of a whole shape
// on all cores of the CPU and on the GPU, the memory that they read in place. The GPU does them by
// tiles, ranks and lists by its matrix units too, ranks under a whole lattice of mixes by its
// lines, and for comparison all by the plain ops. Each must first answer as the CPU's vectors do,
// whose answers BM_Recall compares with plain loops. `bands` is what marks the memories that a list
// of many mixes can hold, and collects them.
#include <algorithm>
#include <cstring>

#include "bench/backend.h"
#include "bench/recall_suite.h"
#include "host/bands.h"
#include "host/gathered_top.h"
#include "host/line_tiles.h"
#include "kernels/arena.h"

namespace sightline::bench {
namespace {

using kernels::Executor;
using kernels::Scored;

/// The features of all queries of a shape, made when first needed: for a GPU the few queries that
/// recall_blends.cpp times are too few.
class WholeShape {
 public:
  explicit WholeShape(RecallCase& of) : of_(of) {}

  const RecallData& data() { return of_.data(); }
  const RecallFeatures& features() {
    if (!features_) {
      features_ = std::make_unique<RecallFeatures>(data(), data().shape.num_queries, kScale_m);
    }
    return *features_;
  }
  std::int64_t num_queries() { return data().shape.num_queries; }
  std::int64_t num_slots() { return num_queries() * data().shape.num_mixes; }

  /// The blend with its columns where the backend reads.
  kernels::BlendView view(Backend& backend) {
    kernels::BlendView view = features().view(data());
    const std::vector<std::int32_t>* const columns[kBlendFeatures] = {
        &features().cosine, &features().proximity, &features().recency, &data().importance,
        &data().staleness};
    for (int f = 0; f < kBlendFeatures; ++f)
      view.features[f].values = backend.input(f, *columns[f]);
    return view;
  }
  const std::int32_t* mixes(Backend& backend) { return backend.input(5, data().mixes); }
  const std::int64_t* targets(Backend& backend) { return backend.input(6, data().targets); }

 private:
  RecallCase& of_;
  std::unique_ptr<RecallFeatures> features_;
};

/// What is measured, from one repetition to the next.
struct Row {
  RecallSuite& suite;
  std::shared_ptr<Backend> backend;
  enum class By { kTiles, kMatrix, kPlain } by;
  bool is_checked = false;

  /// On the CPU, for other code to agree, by vectors.
  bool by_matrix(const Executor& executor) const {
    return by == By::kMatrix && executor.backend == kernels::Backend::kCuda;
  }
};

/// Checks what run(backend, executor, out) answers, the row's first time, then times it. It returns
/// a function that queues the work, so that bringing the inputs there is not timed. The answers;
/// none if they are wrong.
template <class Answer, class Run>
std::vector<Answer> measure(benchmark::State& state, Row& row, std::int64_t num_answers,
                            const Run& run) {
  Backend& backend = *row.backend;
  std::vector<Answer> answers(static_cast<std::size_t>(num_answers));
  Executor executor = backend.executor();
  if (row.by == Row::By::kPlain) executor.instructions = kernels::InstructionSet::kPortable;
  const auto once = run(backend, executor, backend.output(answers));
  backend.seconds(once);
  if (!row.is_checked) {
    backend.fetch(answers);
    std::vector<Answer> expected(answers.size());
    Backend cpu(kernels::Backend::kCpu);
    run(cpu, cpu.executor(), expected.data())();
    row.is_checked =
        std::memcmp(answers.data(), expected.data(), answers.size() * sizeof(Answer)) == 0;
  }
  if (!row.is_checked) {
    row.suite.fail(state, backend.name() + " answers otherwise than the vectors of the CPU");
    return {};
  }
  for (auto _ : state) state.SetIterationTime(backend.seconds(once));
  backend.fetch(answers);
  return answers;
}

void ranks(benchmark::State& state, Row& row, WholeShape& of) {
  const std::int64_t num_queries = of.num_queries(), num_mixes = of.data().shape.num_mixes;
  measure<std::int32_t>(
      state, row, of.num_slots(),
      [&](Backend& b, const Executor& executor, std::int32_t* out) -> std::function<void()> {
        const kernels::BlendView view = of.view(b);
        const std::int32_t* const mixes = of.mixes(b);
        const std::int64_t* const targets = of.targets(b);
        if (row.by_matrix(executor)) {
          const kernels::Workspace workspace =
              b.workspace(kernels::matrix_workspace_bytes(view, num_queries, num_mixes));
          return [=] {
            kernels::matrix_ranks(executor, view, targets, num_queries, mixes, num_mixes, out,
                                  workspace);
          };
        }
        const kernels::Workspace workspace =
            b.workspace(target_ranks_workspace_bytes(executor, view, num_queries, num_mixes));
        return [=] {
          target_ranks(executor, view, targets, num_queries, mixes, num_mixes, out, workspace);
        };
      });
  count_scores(state, of.data(), num_queries, row.backend->num_threads());
}

/// The tiles of lines where the backend reads.
kernels::LineTilesView place_tiles(Backend& backend, const host::LineTiles& tiles) {
  kernels::LineTilesView view = tiles.view();
  view.step = backend.input(7, tiles.step);
  view.way = backend.input(8, tiles.way);
  view.firsts = backend.input(9, tiles.firsts);
  view.parts = backend.input(10, tiles.parts);
  view.slots = backend.input(11, tiles.slots);
  return view;
}

void ranks_by_lines(benchmark::State& state, Row& row, WholeShape& of) {
  const std::int64_t num_queries = of.num_queries();
  const auto lines = host::find_mix_lines(of.data().mixes, kBlendFeatures);
  const auto tiles = host::find_line_tiles(of.data().mixes, kBlendFeatures);
  if (!lines || !tiles) return row.suite.fail(state, "the lattice has no lines worth it");
  measure<std::int32_t>(
      state, row, of.num_slots(),
      [&](Backend& b, const Executor& executor, std::int32_t* out) -> std::function<void()> {
        const kernels::BlendView view = of.view(b);
        const std::int64_t* const targets = of.targets(b);
        if (executor.backend == kernels::Backend::kCpu) {
          return [=, &lines] {
            target_ranks(executor, view, targets, num_queries, lines->view(), out);
          };
        }
        const kernels::LineTilesView placed = place_tiles(b, *tiles);
        const kernels::Workspace workspace =
            b.workspace(target_ranks_workspace_bytes(view, num_queries, placed));
        return [=] { target_ranks(executor, view, targets, num_queries, placed, out, workspace); };
      });
  count_scores(state, of.data(), num_queries, row.backend->num_threads());
}

void tops(benchmark::State& state, Row& row, WholeShape& of) {
  const std::int64_t num_queries = of.num_queries(), num_mixes = of.data().shape.num_mixes;
  measure<Scored>(
      state, row, of.num_slots() * kTop,
      [&](Backend& b, const Executor& executor, Scored* out) -> std::function<void()> {
        const kernels::BlendView view = of.view(b);
        const std::int32_t* const mixes = of.mixes(b);
        if (row.by_matrix(executor)) {
          const kernels::Workspace workspace =
              b.workspace(kernels::matrix_tops_workspace_bytes(view, num_queries, num_mixes, kTop));
          return [=] {
            kernels::matrix_tops(executor, view, num_queries, mixes, num_mixes, kTop, out,
                                 workspace);
          };
        }
        const kernels::Workspace workspace =
            b.workspace(top_memories_workspace_bytes(executor, view, num_queries, num_mixes, kTop));
        return [=] {
          top_memories(executor, view, num_queries, mixes, num_mixes, kTop, out, workspace);
        };
      });
  count_scores(state, of.data(), num_queries, row.backend->num_threads());
}

// ---- bands, as host/gathered_top.h finds them --------------------------------------------------

/// Where what is found on the way to marks lies, in a workspace; null where only bytes are counted.
struct BandArrays {
  Scored* lists;
  std::int32_t* places;
  std::int32_t* first;
  kernels::Workspace inner;

  BandArrays(std::int64_t num_queries, std::int64_t num_marks, const host::PivotPlan& plan,
             std::int64_t inner_bytes, kernels::Arena* from)
      : lists(from->take<Scored>(num_queries * plan.num_mixes * plan.per_mix)),
        places(from->take<std::int32_t>(num_marks)),
        first(from->take<std::int32_t>(num_queries + 1)),
        inner{from->take<std::byte>(inner_bytes), inner_bytes} {}
};

BandArrays band_arrays(Backend& b, const Executor& executor, const kernels::BlendView& view,
                       std::int64_t num_queries, const host::PivotPlan& plan, bool by_matrix) {
  const std::int64_t num_marks = num_queries * view.num_memories;
  const std::int64_t list_bytes =
      by_matrix
          ? kernels::matrix_tops_workspace_bytes(view, num_queries, plan.num_mixes, plan.per_mix)
          : top_memories_workspace_bytes(executor, view, num_queries, plan.num_mixes, plan.per_mix);
  const std::int64_t inner_bytes = std::max(
      {list_bytes,
       kernels::mark_bands_workspace_bytes(num_queries, {nullptr, plan.num_mixes, plan.per_mix}),
       kernels::collect_bands_workspace_bytes(executor, num_marks)});
  kernels::Arena counted(nullptr);
  BandArrays(num_queries, num_marks, plan, inner_bytes, &counted);
  kernels::Arena arena(static_cast<std::byte*>(b.workspace(counted.used()).data));
  return {num_queries, num_marks, plan, inner_bytes, &arena};
}

void bands(benchmark::State& state, Row& row, WholeShape& of) {
  constexpr std::int64_t kMostQueries = 16;
  const std::int64_t num_queries = std::min(kMostQueries, of.num_queries());
  const std::int64_t num_memories = of.data().shape.num_memories;
  const host::PivotPlan plan = host::pivot_plan(kTop, kernels::kDefaultFeatureBits);
  kernels::DominanceRule rule;
  std::fill_n(rule.direction, kBlendFeatures, std::int8_t{1});
  const kernels::BlendView in_host = of.features().view(of.data());
  const std::vector<std::int32_t> mixes = host::pivot_weights(
      {{}, in_host, in_host, rule, num_queries, kTop}, plan.num_mixes, plan.total);
  const std::vector<std::uint8_t> marks = measure<std::uint8_t>(
      state, row, num_queries * num_memories,
      [&](Backend& b, const Executor& executor, std::uint8_t* out) -> std::function<void()> {
        const kernels::BlendView view = of.view(b);
        const std::int32_t* const weights = b.input(5, mixes);
        const bool by_matrix = row.by_matrix(executor);
        const BandArrays arrays = band_arrays(b, executor, view, num_queries, plan, by_matrix);
        return [=] {
          const auto list = by_matrix ? kernels::matrix_tops : kernels::top_memories;
          list(executor, view, num_queries, weights, plan.num_mixes, plan.per_mix, arrays.lists,
               arrays.inner);
          mark_bands(executor, view, num_queries, rule,
                     {arrays.lists, plan.num_mixes, plan.per_mix}, kTop, out, arrays.inner);
          collect_bands(executor, out, num_queries, num_memories, arrays.places, arrays.first,
                        arrays.inner);
        };
      });
  state.counters["left"] =  // of all memories
      static_cast<double>(std::count(marks.begin(), marks.end(), 1)) /
      static_cast<double>(std::max<std::size_t>(1, marks.size()));
  state.counters["queries_per_s"] = benchmark::Counter(
      static_cast<double>(num_queries * state.iterations()), benchmark::Counter::kIsRate);
}

/// Row by row, or packed as a GPU reads them.
kernels::EmbeddingView place_embeddings(Backend& backend, const RecallData& data) {
  kernels::EmbeddingView memories = data.embeddings();
  memories.is_packed = backend.executor().backend == kernels::Backend::kCuda;
  if (!memories.is_packed) {
    memories.values = backend.input(0, data.rows);
    return memories;
  }
  std::vector<float> packed(
      static_cast<std::size_t>(kernels::packed_floats(memories.num_rows, memories.width)));
  kernels::pack_embeddings({}, memories.values, memories.num_rows, memories.width, packed.data());
  memories.values = backend.keep(0, std::move(packed));
  return memories;
}

void cosines(benchmark::State& state, Row& row, WholeShape& of) {
  const RecallData& data = of.data();
  const std::int64_t num_queries = of.num_queries(), num_memories = data.shape.num_memories;
  measure<std::int32_t>(
      state, row, num_queries * num_memories,
      [&](Backend& b, const Executor& executor, std::int32_t* out) -> std::function<void()> {
        const kernels::EmbeddingView memories = place_embeddings(b, data);
        const float* const queries = b.input(1, data.queries);
        const kernels::Workspace workspace =
            b.workspace(cosines_workspace_bytes(executor, memories, num_queries));
        return [=] {
          kernels::cosines(executor, memories, queries, num_queries, kernels::kDefaultFeatureBits,
                           out, workspace);
        };
      });
  count_cosines(state, num_queries, num_memories, row.backend->num_threads());
}

}  // namespace

namespace {

/// A shape between S and L, with the whole lattice.
struct BetweenShape {
  RecallCase of;
  WholeShape whole{of};

  explicit BetweenShape(bool small)
      : of(small ? RecallShape{"P", 2000, 2, kWholeLattice, 100, 100, 2, 2}
                 : RecallShape{"P", 250000, 16, kWholeLattice, 100, 1000, 16, 16}) {}

 private:
  static constexpr std::int64_t kWholeLattice = 10626;
};

/// BM_RecallBatch/op:OP/shape:SHAPE/method:METHOD/backend:B; run(state, row)
template <class Run>
void add_row(const std::string& op, const std::string& shape, const std::string& method,
             const Row& row_of, const Run& run) {
  const std::string name = "BM_RecallBatch/op:" + op + "/shape:" + shape + "/method:" + method +
                           "/backend:" + row_of.backend->name();
  const auto row = std::make_shared<Row>(row_of);
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { run(state, *row); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void register_lines(RecallSuite& suite, const std::vector<std::shared_ptr<Backend>>& backends) {
  const auto shape = std::make_shared<BetweenShape>(suite.small());
  for (const std::shared_ptr<Backend>& backend : backends) {
    const bool is_gpu = backend->executor().backend == kernels::Backend::kCuda;
    add_row("ranks", "P", is_gpu ? "tiles" : "vectors", {suite, backend, Row::By::kTiles},
            [=](benchmark::State& state, Row& row) { ranks(state, row, shape->whole); });
    if (!is_gpu) continue;
    add_row("ranks", "P", "lines", {suite, backend, Row::By::kTiles},
            [=](benchmark::State& state, Row& row) { ranks_by_lines(state, row, shape->whole); });
  }
}

}  // namespace

void register_recall_backends(RecallSuite& suite) {
  using Op = void (*)(benchmark::State&, Row&, WholeShape&);
  constexpr std::pair<const char*, Op> kOps[] = {
      {"ranks", ranks}, {"top5", tops}, {"bands", bands}, {"cosines", cosines}};
  const std::vector<std::shared_ptr<Backend>> backends = usable_backends();
  for (RecallCase& of : suite.cases()) {
    const auto shape = std::make_shared<WholeShape>(of);
    for (const auto& [name, op] : kOps) {
      if (op == bands && of.name() == "S") continue;  // too few memories
      for (const std::shared_ptr<Backend>& backend : backends) {
        const bool is_gpu = backend->executor().backend == kernels::Backend::kCuda;
        const auto add = [&, op = op, name = name](const char* method, Row::By by) {
          add_row(name, of.name(), method, {suite, backend, by},
                  [=](benchmark::State& state, Row& row) { op(state, row, *shape); });
        };
        add(is_gpu ? "tiles" : "vectors", Row::By::kTiles);
        if (!is_gpu) continue;
        // Lists of few memories are not made so.
        if (op == ranks || (op != cosines && of.name() == "L")) add("matrix", Row::By::kMatrix);
        if (op != bands) add("plain", Row::By::kPlain);  // on the CPU slow, and no news
      }
    }
  }
  register_lines(suite, backends);
}

}  // namespace sightline::bench
