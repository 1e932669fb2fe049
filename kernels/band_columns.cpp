#include "kernels/band_columns.h"

#include "kernels/arena.h"
#include "kernels/band_ops.h"
#include "kernels/for_each_backend.h"

namespace sightline::kernels {
namespace {

/// What marking takes of a workspace; null where only bytes are counted.
struct MarkArrays {
  std::int32_t* memories;
  Pivot* pivots;
  std::int32_t* num_pivots;
  std::int64_t* ends_of_first;

  MarkArrays(std::int64_t num_queries, std::int64_t per_query, Arena* from)
      : memories(from->take<std::int32_t>(num_queries * per_query)),
        pivots(from->take<Pivot>(num_queries * per_query)),
        num_pivots(from->take<std::int32_t>(num_queries)),
        ends_of_first(from->take<std::int64_t>(num_queries)) {}
};

struct CollectArrays {
  std::int32_t* num_places;
  std::byte* scratch;
  std::int64_t scratch_bytes;

  CollectArrays(const Executor& executor, std::int64_t num_marks, Arena* from)
      : num_places(from->take<std::int32_t>(1)) {
    const bool is_cuda = executor.backend == Backend::kCuda;
    scratch_bytes = is_cuda ? static_cast<std::int64_t>(collect_cuda_scratch_bytes(num_marks)) : 0;
    scratch = from->take<std::byte>(scratch_bytes);
  }
};

template <class Op>
void mark(const Executor& executor, std::int64_t num_queries, const BandMarking& marking) {
  const std::int64_t groups = Op::groups(marking.memories.num_memories);
  for_each(executor, num_queries * groups * Op::kLanes, Op{marking});
}

}  // namespace

std::int64_t mark_bands_workspace_bytes(std::int64_t num_queries, const PivotLists& pivots) {
  Arena counted(nullptr);
  MarkArrays(num_queries, pivots.per_query(), &counted);
  return counted.used();
}

void mark_bands(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                const DominanceRule& rule, const PivotLists& pivots, int k, std::uint8_t* out,
                const Workspace& workspace) {
  SL_ASSERT(workspace.num_bytes >= mark_bands_workspace_bytes(num_queries, pivots));
  const ComparedColumns compared(memories, rule);
  SL_ASSERT(compared.num > 0);
  const std::int64_t per_query = pivots.per_query();
  Arena from(static_cast<std::byte*>(workspace.data));
  const MarkArrays arrays(num_queries, per_query, &from);
  for_each(executor, num_queries * per_query, FirstPlaces{pivots, arrays.memories});
  for_each(executor, num_queries * per_query,
           PlacePivots{compared, arrays.memories, per_query, arrays.pivots, arrays.num_pivots});
  for_each(executor, num_queries, EndOfFirst{memories, k, arrays.ends_of_first});
  const BandMarking marking{
      memories, compared, arrays.pivots, arrays.num_pivots, per_query, arrays.ends_of_first,
      k,        out};
  if (compared.num <= kFewCompared) {
    mark<MarkBands5>(executor, num_queries, marking);
  } else {
    mark<MarkBands8>(executor, num_queries, marking);
  }
}

std::int64_t collect_bands_workspace_bytes(const Executor& executor, std::int64_t num_marks) {
  Arena counted(nullptr);
  CollectArrays(executor, num_marks, &counted);
  return counted.used();
}

int collect_bands(const Executor& executor, const std::uint8_t* marks, std::int64_t num_queries,
                  std::int64_t num_memories, std::int32_t* places, std::int32_t* first,
                  const Workspace& workspace) {
  const std::int64_t num_marks = num_queries * num_memories;
  SL_ASSERT(num_marks <= INT32_MAX);
  SL_ASSERT(workspace.num_bytes >= collect_bands_workspace_bytes(executor, num_marks));
  Arena from(static_cast<std::byte*>(workspace.data));
  const CollectArrays arrays(executor, num_marks, &from);
  if (executor.backend == Backend::kCuda) {
    const int refused =
        collect_cuda(executor.stream, marks, num_marks, places, arrays.num_places, arrays.scratch,
                     static_cast<std::size_t>(arrays.scratch_bytes));
    if (refused != 0) return refused;  // nobody knows how many places there are
  } else {
    std::int32_t num = 0;
    for (std::int64_t i = 0; i < num_marks; ++i) {
      if (marks[i] != 0) places[num++] = static_cast<std::int32_t>(i);
    }
    *arrays.num_places = num;
  }
  for_each(executor, num_queries + 1,
           FindFirstPlaces{places, arrays.num_places, num_memories, first});
  return 0;
}

void gather_bands(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                  const PlacesView& bands, std::int64_t width, std::int32_t* columns,
                  std::uint64_t* kept) {
  for_each(executor, num_queries * width,
           GatherBands{memories, num_queries, bands, width, columns});
  const std::int64_t words = words_of_bits(width);
  for_each(executor, num_queries * words, KeepMembers{bands, words, kept});
}

BlendView view_of_bands(const BlendView& memories, std::int64_t num_queries, std::int64_t width,
                        const std::int32_t* columns, const std::uint64_t* kept) {
  BlendView view = memories;
  for (int f = 0; f < view.num_features; ++f) {
    view.features[f] = {columns + f * num_queries * width, width};
  }
  view.num_memories = width;
  view.kept = kept;
  return view;
}

void name_members(const Executor& executor, const PlacesView& bands, std::int64_t num_memories,
                  std::int64_t num_queries, std::int64_t per_query, Scored* lists) {
  for_each(executor, num_queries * per_query, NameMembers{bands, num_memories, per_query, lists});
}

}  // namespace sightline::kernels
