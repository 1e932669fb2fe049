#include "kernels/matrix_tops.h"

#include <algorithm>

#include "kernels/arena.h"
#include "kernels/for_each_backend.h"
#include "kernels/matrix_cpu.h"

namespace sightline::kernels {

namespace {

// Below, what a warp makes ready and what lies idle of its last tile cost more than they save.
constexpr std::int64_t kFewestMixes = 64;
constexpr int kMostBits = 19;           ///< differences of features have one more, and a sign
constexpr std::int64_t kMostSum = 127;  ///< 512 times that is a float of 16 bits
constexpr std::int64_t kMostChunk = 1 << 15;
constexpr std::int64_t kWarpSlots = 32;

std::int64_t num_tiles(std::int64_t num_mixes) { return (num_mixes + kWarpMixes - 1) / kWarpMixes; }

std::int64_t mixes_bytes(std::int64_t num_mixes) {
  return num_tiles(num_mixes) * kWarpMixes * static_cast<std::int64_t>(sizeof(MatrixTerms));
}

RankSlabs slabs_of(const BlendView& memories, std::int64_t num_queries, std::int64_t num_mixes) {
  return RankSlabs({num_queries, memories.num_memories, num_mixes, sizeof(MatrixTerms),
                    kWarpSlots * num_tiles(num_mixes), kMostChunk});
}

/// On the CPU one after the other: they may add to the same numbers.
template <class Job>
void for_each_warp(const Executor& executor, std::int64_t count, const Job& job) {
  if (executor.backend == Backend::kCuda) return matrix_cuda(executor.stream, count, job);
  for (std::int64_t i = 0; i < count; ++i) {
    CpuMatrixWarp warp;
    job.run(warp, i);
  }
}

// Lists: chunks without a state of their own, but for the best of the sample.
constexpr std::int64_t kListChunk = 8192;
/// Below, a sample says too little.
constexpr std::int64_t kFewestMemoriesPerPlace = 2048;

/// What lists take of the workspace for some queries: null where only bytes are counted.
struct ListArrays {
  MatrixTerms* mixes;
  MatrixTerms* terms;
  float* bests;
  float* marks;
  std::int32_t* num_candidates;
  Candidate* candidates;
};

struct ListLayout {
  std::int64_t num_padded, num_mixes;
  MemoryChunks chunks;
  std::int32_t capacity;

  ListLayout(const BlendView& memories, std::int64_t mixes, int k)
      : num_padded((memories.num_memories + kMemoriesTogether - 1) / kMemoriesTogether *
                   kMemoriesTogether),
        num_mixes(mixes),
        chunks{(num_padded + kListChunk - 1) / kListChunk, kListChunk},
        capacity(capacity_of_list(k)) {}

  std::int64_t num_parts() const { return chunks.num_chunks * kMatrixParts; }
  ListArrays take(std::int64_t num_queries, Arena* from) const {
    const std::int64_t lists = num_queries * num_mixes;
    ListArrays arrays{};  // in this order
    arrays.mixes = from->take<MatrixTerms>(num_tiles(num_mixes) * kWarpMixes);
    arrays.terms = from->take<MatrixTerms>(num_queries * num_padded);
    arrays.bests = from->take<float>(lists * num_parts());
    arrays.marks = from->take<float>(lists);
    arrays.num_candidates = from->take<std::int32_t>(lists);
    arrays.candidates = from->take<Candidate>(lists * capacity);
    return arrays;
  }
  std::int64_t bytes(std::int64_t num_queries) const {
    Arena counted(nullptr);
    take(num_queries, &counted);
    return counted.used();
  }
  std::int64_t queries_in(std::int64_t num_bytes) const {
    std::int64_t queries = num_bytes / bytes(1);
    while (queries > 1 && bytes(queries) > num_bytes) --queries;
    return queries;
  }
};

}  // namespace

bool can_rank_by_matrix(const BlendView& memories, const std::int32_t* weights,
                        std::int64_t num_mixes) {
  const std::int64_t largest_sum =
      largest_score(weights, memories, 0, num_mixes) >> memories.feature_bits;
  if (memories.num_features > kMostMatrixFeatures || memories.feature_bits > kMostBits ||
      num_mixes < kFewestMixes || largest_sum > kMostSum) {
    return false;
  }
  // The high half of a difference may be 511 further from 0 than that is.
  const std::int64_t difference = (std::int64_t{2} << memories.feature_bits) + 511;
  return largest_sum * difference + 1 < kFloatHolds;
}

std::int64_t least_matrix_workspace_bytes(std::int64_t num_mixes) {
  return mixes_bytes(num_mixes) + RankSlabs::least_bytes(sizeof(MatrixTerms), num_mixes);
}

std::int64_t matrix_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                    std::int64_t num_mixes) {
  return std::max(
      mixes_bytes(num_mixes) + slabs_of(memories, num_queries, num_mixes).workspace_bytes(),
      least_matrix_workspace_bytes(num_mixes));
}

void matrix_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const std::int32_t* weights, std::int64_t num_mixes,
                  std::int32_t* out, const Workspace& workspace) {
  SL_ASSERT(workspace.num_bytes >= least_matrix_workspace_bytes(num_mixes));
  auto* const mixes = static_cast<MatrixTerms*>(workspace.data);
  for_each(executor, num_tiles(num_mixes) * kWarpMixes,
           PrepareMatrixMixes{weights, num_mixes, memories.num_features, 1, mixes});
  const std::int64_t taken = mixes_bytes(num_mixes);
  const Workspace rest{static_cast<unsigned char*>(workspace.data) + taken,
                       workspace.num_bytes - taken};
  const auto run = [&](const RankSlab& slab, void* data, std::int32_t* counts) {
    auto* const terms = static_cast<MatrixTerms*>(data);
    for_each(executor, slab.num_queries * slab.num_memories,
             PrepareMatrixMemories{memories, targets, slab, terms});
    for_each_warp(
        executor, slab.num_queries * slab.chunks.num_chunks * num_tiles(num_mixes),
        MatrixRanks{{terms, mixes, slab.num_memories, slab.chunks, num_mixes, num_tiles(num_mixes)},
                    counts});
    for_each(executor, slab.num_queries * num_mixes,
             SumSlabCounts{memories, targets, counts, nullptr, slab.first_query,
                           slab.chunks.num_chunks, num_mixes, slab.is_first, out});
  };
  slabs_of(memories, num_queries, num_mixes).for_each_slab(rest, run);
}

// With more places than parts of a chunk, a chunk of memories could be candidates where scores go
// with indices.
bool can_list_by_matrix(const BlendView& memories, const std::int32_t* weights,
                        std::int64_t num_mixes, int k) {
  return k <= kMatrixParts && memories.num_memories >= kFewestMemoriesPerPlace * k &&
         can_rank_by_matrix(memories, weights, num_mixes);
}

std::int64_t matrix_tops_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                         std::int64_t num_mixes, int k) {
  // Queries that fill any GPU a few times over.
  constexpr std::int64_t kWantedWarps = 8192;
  const ListLayout layout(memories, num_mixes, k);
  const std::int64_t warps = layout.chunks.num_chunks * num_tiles(num_mixes);
  return layout.bytes(std::clamp<std::int64_t>(kWantedWarps / std::max<std::int64_t>(1, warps), 1,
                                               std::max<std::int64_t>(1, num_queries)));
}

std::int64_t least_matrix_tops_workspace_bytes(const BlendView& memories, std::int64_t num_mixes,
                                               int k) {
  return ListLayout(memories, num_mixes, k).bytes(1);
}

void matrix_tops(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                 const std::int32_t* weights, std::int64_t num_mixes, int k, Scored* out,
                 const Workspace& workspace) {
  const ListLayout layout(memories, num_mixes, k);
  const std::int64_t at_once = std::min(num_queries, layout.queries_in(workspace.num_bytes));
  SL_ASSERT(num_queries == 0 || at_once > 0);
  Arena from(static_cast<std::byte*>(workspace.data));
  const ListArrays arrays = layout.take(at_once, &from);
  for_each(executor, num_tiles(num_mixes) * kWarpMixes,
           PrepareMatrixMixes{weights, num_mixes, memories.num_features,
                              PrepareMatrixMemories::kAbsent, arrays.mixes});
  const MatrixScan scan{arrays.terms,  arrays.mixes, layout.num_padded,
                        layout.chunks, num_mixes,    num_tiles(num_mixes)};
  for (std::int64_t query = 0; query < num_queries; query += at_once) {
    const std::int64_t queries = std::min(at_once, num_queries - query);
    const std::int64_t warps = queries * layout.chunks.num_chunks * num_tiles(num_mixes);
    const std::int64_t lists = queries * num_mixes;
    const RankSlab slab{query, queries, 0, layout.num_padded, layout.chunks, true};
    for_each(executor, queries * layout.num_padded,
             PrepareMatrixMemories{memories, nullptr, slab, arrays.terms});
    for_each_warp(executor, warps, MatrixBests{scan, arrays.bests});
    for_each(executor, lists,
             MarkLists{memories, weights, arrays.bests, layout.num_parts(), num_mixes, k,
                       arrays.marks, arrays.num_candidates});
    for_each_warp(executor, warps,
                  MatrixCandidates{scan, arrays.marks, arrays.num_candidates, layout.capacity,
                                   arrays.candidates});
    const CrowdedLists crowded{{memories, weights, num_mixes, k, out},
                               query,
                               arrays.num_candidates,
                               layout.capacity,
                               arrays.candidates};
    for_each(executor, lists * crowded.num_parts(), ScanCrowded{crowded});
    for_each(executor, lists, SelectCandidates{crowded});
  }
}

}  // namespace sightline::kernels
