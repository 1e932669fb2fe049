// Recall scoring: the GPU's features, ranks, lists and gates are the CPU's, bit for bit.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parity/recall_parity.h"
#include "support/anchors.h"

namespace sightline::tests {
namespace {

using kernels::Decay;
using kernels::DecayForm;
using kernels::Executor;
using kernels::Neighbour;
using kernels::Vec3;

TEST_F(RecallParity, OfQuantisedColumns) {
  const std::vector<double> values = uniform(5000, -1, 1);
  expect_equal([&](Place& place) {
    const double* in = place.input(values);
    return place.output<std::int32_t>(5000, [&](std::int32_t* out) {
      quantise(place.executor(), in, 5000, kernels::kMaxFeatureBits, out);
    });
  });
}

TEST_F(RecallParity, OfCosines) {
  constexpr std::int64_t kQueries = 19;
  for (const std::int64_t num_rows : {332, 333}) {
    for (const std::int32_t width : {96, 97}) {  // read four by four, and one by one
      std::vector<float> rows, queries, packed;
      for (std::int64_t i = 0; i < num_rows * width; ++i) {
        rows.push_back(float(random_.uniform(-.2, .2)));
      }
      for (std::int64_t i = 0; i < kQueries * width; ++i) {
        queries.push_back(float(random_.uniform(-.2, .2)));
      }
      packed.resize(std::size_t(kernels::packed_floats(num_rows, width)));
      kernels::pack_embeddings({}, rows.data(), num_rows, width, packed.data());
      for (const bool in_tiles : {false, true}) {  // which take a workspace
        expect_equal([&](Place& place) {
          const kernels::EmbeddingView view{place.input(packed), num_rows, width, true};
          const float* of = place.input(queries);
          const std::int64_t bytes =
              in_tiles ? kernels::cosines_workspace_bytes(place.executor(), view, kQueries) : 0;
          const kernels::Workspace workspace = place.workspace(bytes);
          return place.output<std::int32_t>(num_rows * kQueries, [&](std::int32_t* out) {
            cosines(place.executor(), view, of, kQueries, 30, out, workspace);
          });
        });
      }
    }
  }
}

TEST_F(RecallParity, OfProximitiesAndRecencies) {
  const std::vector<Vec3> anchors = make_anchors(1000, 30, false, random_);
  const std::vector<Vec3> centres = make_anchors(7, 30, false, random_);
  const std::vector<double> time_s = uniform(1000, 0, 1e6), now_s = uniform(7, 0, 1e6);
  for (const DecayForm form : {DecayForm::kLinear, DecayForm::kExponential, DecayForm::kHyperbolic,
                               DecayForm::kGaussian, DecayForm::kStep, DecayForm::kHalfLife}) {
    SCOPED_TRACE("form " + std::to_string(int(form)));
    expect_equal([&](Place& place) {
      const Vec3 *a = place.input(anchors), *c = place.input(centres);
      return place.output<std::int32_t>(7000, [&](std::int32_t* out) {
        proximities(place.executor(), a, 1000, c, 7, {form, 9.7}, kernels::kMaxFeatureBits, out);
      });
    });
    expect_equal([&](Place& place) {
      const double *t = place.input(time_s), *n = place.input(now_s);
      return place.output<std::int32_t>(7000, [&](std::int32_t* out) {
        recencies(place.executor(), t, 1000, n, 7, {form, 3e5}, kernels::kMaxFeatureBits, out);
      });
    });
  }
}

/// Of both kinds of tiles, by features and mixes, and of all numbers that sums are taken in.
std::vector<BlendShape> blend_shapes() {
  std::vector<BlendShape> shapes;
  for (const std::int32_t largest_weight : {4, 500, 1 << 24}) {
    for (const double kept : {1.0, 0.3}) {
      for (const std::int64_t mixes : {6, 70}) {
        for (const int features : {5, 8}) {
          BlendShape shape;
          shape.num_memories = 1111;
          shape.num_mixes = mixes;
          shape.num_features = features;
          shape.largest_weight = largest_weight;
          shape.smallest_weight = -largest_weight / 2;
          shape.share_kept = kept;
          shape.feature_bits = largest_weight > 500 ? 30 : 18;
          shape.largest_value = largest_weight > 4 ? 1 << shape.feature_bits : 200;  // with ties
          shapes.push_back(shape);
        }
      }
    }
  }
  return shapes;
}

TEST_F(RecallParity, OfRanks) {
  for (const BlendShape& shape : blend_shapes()) {
    SCOPED_TRACE(describe(shape));
    const Blend blend = make_blend(shape, random_);
    const std::int64_t queries = shape.num_queries, mixes = shape.num_mixes;
    for (const bool is_split : {false, true}) {
      expect_equal([&](Place& place) {
        const Executor executor = place.executor();
        const kernels::BlendView view = view_of(blend, place);
        const std::int64_t* targets = place.input(blend.targets);
        const std::int32_t* weights = place.input(blend.weights);
        const kernels::Workspace workspace = place.workspace(
            is_split ? target_ranks_workspace_bytes(executor, view, queries, mixes) : 0);
        return place.output<std::int32_t>(queries * mixes, [&](std::int32_t* out) {
          target_ranks(executor, view, targets, queries, weights, mixes, out, workspace);
        });
      });
    }
  }
}

TEST_F(RecallParity, OfLists) {
  for (const BlendShape& shape : blend_shapes()) {
    SCOPED_TRACE(describe(shape));
    const Blend blend = make_blend(shape, random_);
    const std::int64_t queries = shape.num_queries, mixes = shape.num_mixes;
    for (const int k : {5, 9}) {
      for (const bool is_split : {false, true}) {
        expect_equal([&](Place& place) {
          const Executor executor = place.executor();
          const kernels::BlendView view = view_of(blend, place);
          const std::int32_t* weights = place.input(blend.weights);
          const kernels::Workspace workspace = place.workspace(
              is_split ? 2 * queries * mixes * k * std::int64_t{sizeof(kernels::Scored)} : 0);
          return place.output<kernels::Scored>(queries * mixes * k, [&](kernels::Scored* out) {
            top_memories(executor, view, queries, weights, mixes, k, out, workspace);
          });
        });
      }
    }
  }
}

TEST_F(RecallParity, OfGates) {
  const std::vector<Vec3> anchors = make_anchors(1500, 10, true, random_);
  const std::vector<Vec3> centres = make_anchors(40, 12, true, random_);
  const SortedAnchors sorted(anchors, 1.5);
  constexpr std::int64_t kQueries = 40, kNearest = 13;
  const std::int64_t words = kQueries * kernels::words_of_bits(1500);
  for (const bool by_grid : {false, true}) {
    SCOPED_TRACE(by_grid ? "by a grid" : "plainly");
    const auto grid_in = [&](Place& place) {
      kernels::AnchorGrid grid = sorted.grid;
      grid.first = place.input(sorted.first);
      grid.anchors = place.input(sorted.anchors);
      grid.points_m = place.input(sorted.points_m);
      return grid;
    };
    expect_equal([&](Place& place) {
      const Vec3 *a = place.input(anchors), *c = place.input(centres);
      const kernels::AnchorGrid grid = grid_in(place);
      return place.output<std::uint64_t>(words, [&](std::uint64_t* out) {
        if (by_grid) return radius_gate(place.executor(), grid, c, kQueries, 2.5, out);
        radius_gate(place.executor(), a, 1500, c, kQueries, 2.5, out);
      });
    });
    std::vector<Neighbour> nearest;
    expect_equal([&](Place& place) {
      const Vec3 *a = place.input(anchors), *c = place.input(centres);
      const kernels::AnchorGrid grid = grid_in(place);
      return nearest = place.output<Neighbour>(kQueries * kNearest, [&](Neighbour* out) {
        if (by_grid) {
          return nearest_anchors(place.executor(), grid, c, kQueries, kNearest, out);
        }
        nearest_anchors(place.executor(), a, 1500, c, kQueries, kNearest, out);
      });
    });
    expect_equal([&](Place& place) {
      const Neighbour* list = place.input(nearest);
      return place.output<std::uint64_t>(words, [&](std::uint64_t* out) {
        nearest_gate(place.executor(), list, kQueries, kNearest, 1500, out);
      });
    });
  }
}

TEST_F(RecallParity, OfJoinedGates) {
  std::vector<std::uint64_t> a, b;
  for (int i = 0; i < 500; ++i) {
    a.push_back(random_.bits());
    b.push_back(random_.bits());
  }
  for (const auto join :
       {kernels::GateJoin::kAnd, kernels::GateJoin::kOr, kernels::GateJoin::kAndNot}) {
    expect_equal([&](Place& place) {
      const std::uint64_t *left = place.input(a), *right = place.input(b);
      return place.output<std::uint64_t>(500, [&](std::uint64_t* out) {
        join_gates(place.executor(), join, left, right, 500, out);
      });
    });
  }
}

}  // namespace
}  // namespace sightline::tests
