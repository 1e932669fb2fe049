#include "host/gathered_top.h"

#include <algorithm>
#include <cmath>

#include "host/backend_tops.h"
#include "host/bands.h"

namespace sightline::host {
namespace {

using kernels::BlendView;
using kernels::DominanceRule;
using kernels::Scored;

constexpr int kPivotPlaces = 1024;  ///< of a query's lists of pivots, of which most are the same
constexpr int kMatrixPerMix = 8;    ///< as many as matrix units list
constexpr int kPivotsPerBest = 4;   ///< where they do not
constexpr std::int64_t kSampled = 4096, kSampledQueries = 4;
constexpr double kMatrixTotal = 31;  ///< of weights: sums that matrix units hold at 18 bits
constexpr double kWideTotal = 4095;
constexpr std::int64_t kMostScored = std::int64_t{1} << 24;  ///< of a piece's lists

// By arithmetic, not measured but for shares: in scores of a full scan, of which a GPU does some
// 3e12 a second.
constexpr double kCallScores = 6e8;    ///< of a call: to queue some thirty kernels, wait twice
constexpr double kMemoryScores = 400;  ///< of a memory: 128 mixes of pivots, and their comparison
constexpr double kShareLeft = 15;  ///< with 5 features a share of this sqrt(k / n) of n memories
constexpr double kMoreLeft = 1.8;  ///< so many times that with each feature more
constexpr double kGatheredScores = 2.5;  ///< of one: most are in some list, which takes longer
constexpr double kMargin = 2;            ///< so much faster, at least

}  // namespace

PivotPlan pivot_plan(int k, int feature_bits) {
  const int per_mix =
      k <= kMatrixPerMix ? kMatrixPerMix : std::min(kernels::kMaxTop, kPivotsPerBest * k);
  const bool is_float = feature_bits <= kernels::kDefaultFeatureBits;
  return {kPivotPlaces / per_mix, per_mix, is_float ? kMatrixTotal : kWideTotal};
}

bool GatheredTop::pays(const TopCall& call, int num_compared) {
  const auto memories = static_cast<double>(call.memories.num_memories);
  const double pairs = static_cast<double>(call.num_queries) * memories;
  const double scan = pairs * static_cast<double>(call.num_mixes);
  const double share = kShareLeft * std::pow(kMoreLeft, num_compared - 5) *
                       std::sqrt(call.k / std::max(1.0, memories));
  const double gathered =
      kCallScores + pairs * kMemoryScores + scan * std::min(1.0, share) * kGatheredScores;
  return num_compared > 0 && kMargin * gathered < scan;
}

void GatheredTop::top_memories(const TopCall& call, const DominanceRule& rule) {
  if (call.num_queries == 0) return;
  const int num_features = call.memories.num_features;
  const PivotPlan plan = pivot_plan(call.k, call.memories.feature_bits);
  const std::vector<std::int32_t> weights = pivot_mixes(call, rule, plan);
  const auto placed = [&](Buffer& buffer, const std::int32_t* from, std::int64_t num) {
    return Mixes{from, buffers_.place(buffer, from, num * num_features), num};
  };
  const Mixes of_pivots = placed(pivot_weights_buffer_, weights.data(), plan.num_mixes);
  const Mixes mixes = placed(weights_buffer_, call.weights, call.num_mixes);
  const std::int64_t at_once = std::max<std::int64_t>(
      1, std::min(most_pairs_ / std::max<std::int64_t>(1, call.memories.num_memories),
                  kMostScored / std::max<std::int64_t>(1, call.num_mixes * call.k)));
  for (std::int64_t first = 0; first < call.num_queries; first += at_once) {
    call.check_stop();
    TopCall piece = call;
    piece.memories = from_query(call.memories, first);
    piece.num_queries = std::min(at_once, call.num_queries - first);
    piece.out = call.out + first * call.num_mixes * call.k;
    list(piece, find(piece, rule, of_pivots, plan.per_mix), mixes);
  }
}

/// Spread as some of the memories are.
std::vector<std::int32_t> GatheredTop::pivot_mixes(const TopCall& call, const DominanceRule& rule,
                                                   const PivotPlan& plan) {
  const BlendView& memories = call.memories;
  const std::int64_t count = std::min(kSampled, memories.num_memories);
  const std::int64_t queries =
      std::clamp<std::int64_t>(INT32_MAX / std::max<std::int64_t>(1, memories.num_memories), 1,
                               std::min(kSampledQueries, call.num_queries));
  std::vector<std::int32_t> places, first = {0};
  for (std::int64_t q = 0; q < queries; ++q) {
    for (std::int64_t i = 0; i < count; ++i) {
      places.push_back(
          static_cast<std::int32_t>(q * memories.num_memories + i * memories.num_memories / count));
    }
    first.push_back(static_cast<std::int32_t>(places.size()));
  }
  const kernels::PlacesView sample{buffers_.place(places_buffer_, places.data(), queries * count),
                                   buffers_.place(first_buffer_, first.data(), queries + 1)};
  const std::int64_t values = memories.num_features * queries * count;
  auto* const there = buffers_.reserve<std::int32_t>(columns_buffer_, values);
  kernels::gather_bands(
      call.executor, memories, queries, sample, count, there,
      buffers_.reserve<std::uint64_t>(kept_buffer_, queries * kernels::words_of_bits(count)));
  const std::vector<std::int32_t> columns = buffers_.fetch(there, values);
  const BlendView view = kernels::view_of_bands(memories, queries, count, columns.data(), nullptr);
  return pivot_weights({call.executor, view, view, rule, queries, call.k}, plan.num_mixes,
                       plan.total);
}

GatheredTop::Bands GatheredTop::find(const TopCall& piece, const DominanceRule& rule,
                                     const Mixes& of_pivots, int per_mix) {
  const BlendView& memories = piece.memories;
  const std::int64_t queries = piece.num_queries, num_marks = queries * memories.num_memories;
  const kernels::Executor& executor = piece.executor;
  auto* const best = buffers_.reserve<Scored>(pivots_buffer_, queries * of_pivots.num * per_mix);
  queue_tops(buffers_, executor, memories, queries, of_pivots.weights, of_pivots.there,
             of_pivots.num, per_mix, best);
  const kernels::PivotLists pivots{best, static_cast<int>(of_pivots.num), per_mix};
  auto* const marks = buffers_.reserve<std::uint8_t>(marks_buffer_, num_marks);
  auto* const places = buffers_.reserve<std::int32_t>(places_buffer_, num_marks);
  auto* const first = buffers_.reserve<std::int32_t>(first_buffer_, queries + 1);
  if (buffers_.is_on_gpu()) gpu::check_launches();  // which collecting would clear
  const std::int64_t mark_bytes = kernels::mark_bands_workspace_bytes(queries, pivots);
  const std::int64_t bytes =
      std::max(mark_bytes, kernels::collect_bands_workspace_bytes(executor, num_marks));
  const kernels::Workspace workspace = buffers_.workspace(bytes);
  if (workspace.num_bytes < bytes) return {{}, memories.num_memories};
  kernels::mark_bands(executor, memories, queries, rule, pivots, piece.k, marks, workspace);
  if (buffers_.is_on_gpu()) gpu::check_launches();
  const int refused = kernels::collect_bands(executor, marks, queries, memories.num_memories,
                                             places, first, workspace);
  if (refused != 0) gpu::check_code(refused);
  const std::vector<std::int32_t> ends = buffers_.fetch(first, queries + 1);
  std::int64_t width = 0;
  for (std::size_t q = 1; q < ends.size(); ++q) {
    width = std::max<std::int64_t>(width, ends[q] - ends[q - 1]);
  }
  return {{places, first}, width};
}

void GatheredTop::list(const TopCall& piece, const Bands& bands, const Mixes& mixes) {
  const BlendView& memories = piece.memories;
  const std::int64_t queries = piece.num_queries, per_query = mixes.num * piece.k;
  auto* const lists = buffers_.reserve<Scored>(lists_buffer_, queries * per_query);
  const auto queue = [&](const BlendView& view) {
    queue_tops(buffers_, piece.executor, view, queries, mixes.weights, mixes.there, mixes.num,
               piece.k, lists);
  };
  if (bands.width > memories.num_memories / 2) {
    queue(memories);
  } else {
    auto* const columns = buffers_.reserve<std::int32_t>(
        columns_buffer_, memories.num_features * queries * bands.width);
    auto* const kept = buffers_.reserve<std::uint64_t>(
        kept_buffer_, queries * kernels::words_of_bits(bands.width));
    kernels::gather_bands(piece.executor, memories, queries, bands.places, bands.width, columns,
                          kept);
    queue(kernels::view_of_bands(memories, queries, bands.width, columns, kept));
    kernels::name_members(piece.executor, bands.places, memories.num_memories, queries, per_query,
                          lists);
    ++num_gathered_;
    most_gathered_ = std::max(most_gathered_, bands.width);
  }
  buffers_.fetch(lists, queries * per_query, piece.out);
}

void GatheredTop::release() noexcept {
  for (Buffer* buffer :
       {&pivot_weights_buffer_, &weights_buffer_, &pivots_buffer_, &marks_buffer_, &places_buffer_,
        &first_buffer_, &columns_buffer_, &kept_buffer_, &lists_buffer_}) {
    buffer->gpu.release();
  }
}

}  // namespace sightline::host
