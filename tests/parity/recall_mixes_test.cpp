// Ranks by lines, and ranks and lists by matrix units: the GPU's are the CPU's, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "host/line_tiles.h"
#include "parity/recall_parity.h"
#include "support/close_calls.h"
#include "support/mixes.h"

namespace sightline::tests {
namespace {

using kernels::Executor;

/// The tiles of lines where the executor reads.
kernels::LineTilesView tiles_at(Place& place, const host::LineTiles& tiles) {
  kernels::LineTilesView view = tiles.view();
  view.step = place.input(tiles.step);
  view.way = place.input(tiles.way);
  view.firsts = place.input(tiles.firsts);
  view.parts = place.input(tiles.parts);
  view.slots = place.input(tiles.slots);
  return view;
}

class RecallMixesParity : public RecallParity {
 protected:
  /// With the most workspace that is of use, or so small a part of it. The CPU ranks mix by mix.
  void expect_equal_by_lines(const Blend& blend, const host::LineTiles& tiles, std::int64_t part) {
    expect_equal([&](Place& place) {
      const Executor executor = place.executor();
      const kernels::BlendView view = view_of(blend, place);
      const std::int64_t queries = blend.shape.num_queries;
      const std::int64_t* const targets = place.input(blend.targets);
      const std::int32_t* const weights = place.input(blend.weights);
      const kernels::LineTilesView by = tiles_at(place, tiles);
      const kernels::Workspace workspace = place.workspace(std::max(
          target_ranks_workspace_bytes(view, queries, by) / part, least_workspace_bytes(by)));
      return place.output<std::int32_t>(queries * by.num_mixes, [&](std::int32_t* out) {
        if (workspace.num_bytes == 0) {
          return target_ranks(executor, view, targets, queries, weights, by.num_mixes, out);
        }
        target_ranks(executor, view, targets, queries, by, out, workspace);
      });
    });
  }
};

TEST_F(RecallMixesParity, OfRanksByLines) {
  struct {
    int num_features;
    std::int32_t sum, largest_value;
  } const cases[] = {{5, 12, 1 << 18}, {5, 40, 1 << 18}, {5, 12, 200}, {7, 6, 1 << 18}};
  for (const auto& [num_features, sum, largest_value] : cases) {
    const Mixes mixes = simplex(num_features, sum);
    const auto tiles = host::find_line_tiles(flat(mixes), num_features);
    ASSERT_TRUE(tiles.has_value());
    for (const double kept : {1.0, 0.3}) {
      BlendShape shape;
      shape.num_memories = 1111;
      shape.num_features = num_features;
      shape.largest_value = largest_value;
      shape.smallest_value = -largest_value;
      shape.share_kept = kept;
      SCOPED_TRACE(describe(shape));
      const Blend blend = under(mixes, make_blend(shape, random_));
      for (const std::int64_t part : {1, 4}) expect_equal_by_lines(blend, *tiles, part);
    }
  }
}

// Turns at and next to whole numbers, in the GPU's own arithmetic.
TEST_F(RecallMixesParity, OfCloseCallsByLines) {
  for (const Mixes& mixes : {simplex(5, 20), box(3, -6, 6), simplex(3, 62)}) {
    const auto tiles = host::find_line_tiles(flat(mixes), int(mixes[0].size()));
    ASSERT_TRUE(tiles.has_value());
    for (int repeat = 0; repeat < 5; ++repeat) {
      expect_equal_by_lines(under(mixes, close_calls(mixes, 18, 3000, random_)), *tiles, 1);
    }
  }
}

// Under many mixes of small weights, with ties and without, and next to the target's score.
TEST_F(RecallMixesParity, OfRanksByMatrix) {
  std::vector<Blend> blends;
  for (const std::int32_t largest : {3, 200, 1 << 18}) {
    for (const double kept : {1.0, 0.3}) {
      BlendShape shape;
      shape.num_memories = 1111;
      shape.num_mixes = 300;
      shape.num_features = largest == 200 ? 7 : 5;
      shape.largest_value = largest;
      shape.smallest_value = -largest;
      shape.largest_weight = 4;
      shape.smallest_weight = -4;
      shape.share_kept = kept;
      blends.push_back(make_blend(shape, random_));
    }
  }
  for (const Mixes& mixes : {simplex(5, 12), simplex(3, 31), box(3, -6, 6)}) {
    blends.push_back(under(mixes, close_calls(mixes, 18, 3000, random_)));
  }
  for (const Blend& blend : blends) {
    const BlendShape& shape = blend.shape;
    SCOPED_TRACE(describe(shape));
    for (const std::int64_t room : {1, 4}) {
      expect_equal([&](Place& place) {
        const Executor executor = place.executor();
        const kernels::BlendView view = view_of(blend, place);
        const std::int64_t* const targets = place.input(blend.targets);
        const std::int32_t* const weights = place.input(blend.weights);
        const kernels::Workspace workspace = place.workspace(std::max(
            kernels::matrix_workspace_bytes(view, shape.num_queries, shape.num_mixes) / room,
            kernels::least_matrix_workspace_bytes(shape.num_mixes)));
        return place.output<std::int32_t>(
            shape.num_queries * shape.num_mixes, [&](std::int32_t* out) {
              if (workspace.num_bytes == 0) {  // the CPU: by vectors
                return target_ranks(executor, view, targets, shape.num_queries, weights,
                                    shape.num_mixes, out);
              }
              kernels::matrix_ranks(executor, view, targets, shape.num_queries, weights,
                                    shape.num_mixes, out, workspace);
            });
      });
    }
  }
}

// Also where more memories score as much than there is room for.
TEST_F(RecallMixesParity, OfListsByMatrix) {
  for (const std::int32_t largest : {3, 300, 1 << 18}) {
    for (const double kept : {1.0, 0.01}) {
      for (const int k : {1, 5, 8}) {
        BlendShape shape;
        shape.num_memories = 7000;
        shape.num_mixes = 100;
        shape.largest_value = largest;
        shape.smallest_value = -largest;
        shape.largest_weight = 5;
        shape.smallest_weight = -5;
        shape.share_kept = kept;
        SCOPED_TRACE(describe(shape) + ", k " + std::to_string(k));
        const Blend blend = make_blend(shape, random_);
        const std::int64_t queries = shape.num_queries, mixes = shape.num_mixes;
        expect_equal([&](Place& place) {
          const Executor executor = place.executor();
          const kernels::BlendView view = view_of(blend, place);
          const std::int32_t* const weights = place.input(blend.weights);
          const kernels::Workspace workspace =
              place.workspace(kernels::matrix_tops_workspace_bytes(view, queries, mixes, k));
          return place.output<kernels::Scored>(queries * mixes * k, [&](kernels::Scored* out) {
            if (workspace.num_bytes == 0) {  // the CPU: by vectors
              return top_memories(executor, view, queries, weights, mixes, k, out);
            }
            kernels::matrix_tops(executor, view, queries, weights, mixes, k, out, workspace);
          });
        });
      }
    }
  }
}

}  // namespace
}  // namespace sightline::tests
