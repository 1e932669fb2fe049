// Lists of the memories alone that a list can hold: what a GPU marks and collects is what the CPU
// does, bit for bit, and lists of batches that go this way are the CPU's.
#include <gtest/gtest.h>

#include <vector>

#include "parity/recall_parity.h"
#include "support/bands.h"
#include "support/placed_batch.h"

namespace sightline::tests {
namespace {

using host::RecallMixes;
using kernels::Scored;

class BandsParity : public RecallParity {
 protected:
  /// Workspace on either backend.
  kernels::Workspace workspace_on(Place& place, std::int64_t num_bytes) {
    const kernels::Workspace on_gpu = place.workspace(num_bytes);
    return on_gpu.num_bytes > 0 ? on_gpu : host_buffer_.reserve(num_bytes);
  }

  host::HostWorkspace host_buffer_;
};

TEST_F(BandsParity, OfMarksAndPlaces) {
  for (int i = 0; i < cases(20); ++i) {
    BlendShape shape;
    shape.num_memories = random_.integer(1, 5000);
    shape.num_queries = 4;
    shape.num_features = i % 3 == 0 ? 7 : 5;
    shape.largest_value = i % 2 == 0 ? 1 << 18 : 40;
    shape.share_kept = i % 4 == 3 ? 0.2 : 1;
    shape.num_mixes = 24;
    SCOPED_TRACE(describe(shape));
    const Blend blend = make_blend(shape, random_);
    constexpr int kPerList = 6;
    const std::vector<Scored> lists = tops_of(blend, kPerList, {});
    const kernels::DominanceRule rule = all_ascend(shape.num_features);
    const std::int64_t num_marks = shape.num_queries * shape.num_memories;
    const auto mark = [&](Place& place, std::uint8_t* marks) {
      const kernels::PivotLists pivots{place.input(lists), int(shape.num_mixes), kPerList};
      kernels::mark_bands(
          place.executor(), view_of(blend, place), shape.num_queries, rule, pivots, 5, marks,
          workspace_on(place, kernels::mark_bands_workspace_bytes(shape.num_queries, pivots)));
    };
    std::vector<std::uint8_t> marks;
    expect_equal([&](Place& place) {
      marks = place.output<std::uint8_t>(num_marks, [&](auto* out) { mark(place, out); });
      return marks;
    });
    // Beyond the places of marks nothing is written.
    expect_equal([&](Place& place) {
      const std::int64_t bytes =
          kernels::collect_bands_workspace_bytes(place.executor(), num_marks);
      std::int32_t* places = place.room<std::int32_t>(num_marks);
      std::vector<std::int32_t> both =
          place.output<std::int32_t>(shape.num_queries + 1, [&](std::int32_t* first) {
            kernels::collect_bands(place.executor(), place.input(marks), shape.num_queries,
                                   shape.num_memories, places, first, workspace_on(place, bytes));
          });
      const std::vector<std::int32_t> taken = place.fetch(places, both.back());
      both.insert(both.end(), taken.begin(), taken.end());
      return both;
    });
  }
}

// Groups of mixes that agree in their signs, of which some are too small to gather for; and a
// column that is the same for all.
TEST_F(BandsParity, OfListsOfManyMixes) {
  constexpr std::int64_t kMemories = 20'000, kQueries = 4, kMixes = 45'000, kFew = 40;
  PlacedBatch on_cpu(cpu_, kMemories, kQueries, Random(kSeed));
  PlacedBatch on_gpu(*gpu_, kMemories, kQueries, Random(kSeed));
  ASSERT_TRUE(on_gpu.gathers(kMixes - kFew, 5));
  for (const bool is_gated : {false, true}) {
    const RecallMixes mixes = on_cpu.mixes(kMixes, kFew, is_gated, random_);
    const std::vector<Scored> expected = on_cpu.batch->top_memories(mixes, 5);
    EXPECT_TRUE(same_bytes(on_gpu.batch->top_memories(mixes, 5), expected)) << is_gated;
  }
}

}  // namespace
}  // namespace sightline::tests
