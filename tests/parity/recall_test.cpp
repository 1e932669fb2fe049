// Recall scoring: the GPU's features, ranks, lists and gates are the CPU's, bit for bit.
#include <gtest/gtest.h>

#include <cstring>
#include <list>
#include <string>
#include <vector>

#include "host/gpu.h"
#include "host/line_tiles.h"
#include "support/anchors.h"
#include "support/blends.h"
#include "support/close_calls.h"
#include "support/mixes.h"
#include "support/parity.h"

namespace sightline::tests {
namespace {

using kernels::Decay;
using kernels::DecayForm;
using kernels::Executor;
using kernels::Neighbour;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 20261123;

/// Memory that an executor reads and writes: the host's, or copies on the GPU.
class Place {
 public:
  explicit Place(bool on_gpu) : stream_(on_gpu ? new host::gpu::Stream : nullptr) {}

  Executor executor() const {
    if (!stream_) return {};
    return {host::gpu::backend(), 0, stream_->handle()};
  }

  template <class T>
  const T* input(const std::vector<T>& items) {
    if (!stream_ || items.empty()) return items.data();
    void* const device = buffers_.emplace_back().reserve(items.size() * sizeof(T));
    stream_->upload(device, items.data(), items.size() * sizeof(T));
    return static_cast<const T*>(device);
  }

  /// What kernels may write as they run: garbage at first.
  kernels::Workspace workspace(std::int64_t num_bytes) {
    if (!stream_ || num_bytes == 0) return {};
    return {buffers_.emplace_back().reserve(std::size_t(num_bytes)), num_bytes};
  }

  /// What `run` writes to its argument, room for num.
  template <class T, class Run>
  std::vector<T> output(std::int64_t num, const Run& run) {
    std::vector<T> out(static_cast<std::size_t>(num));
    if (!stream_) {
      run(out.data());
      return out;
    }
    const std::size_t bytes = out.size() * sizeof(T);
    void* const device = buffers_.emplace_back().reserve(bytes);
    run(static_cast<T*>(device));
    stream_->download(out.data(), device, bytes);
    stream_->synchronize();
    return out;
  }

 private:
  std::unique_ptr<host::gpu::Stream> stream_;
  std::list<host::gpu::Buffer> buffers_;
};

class RecallParity : public OnBothBackends {
 protected:
  /// Calls run(place) on both backends and compares the bytes of what it returns.
  template <class Run>
  void expect_equal(const Run& run) {
    Place cpu(false), gpu(true);
    const auto expected = run(cpu), answers = run(gpu);
    ASSERT_EQ(expected.size(), answers.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(std::memcmp(&expected[i], &answers[i], sizeof(expected[i])), 0)
          << "slot " << i << ", seed " << kSeed;
    }
  }

  /// A blend whose columns, weights and gate lie where the executor reads.
  static kernels::BlendView view_of(const Blend& blend, Place& place) {
    kernels::BlendView view = blend.view();
    for (int f = 0; f < blend.shape.num_features; ++f) {
      view.features[f].values = place.input(blend.columns[std::size_t(f)]);
    }
    if (view.kept != nullptr) view.kept = place.input(blend.kept);
    return view;
  }

  std::vector<double> uniform(int num, double low, double high) {
    std::vector<double> values;
    for (int i = 0; i < num; ++i) values.push_back(random_.uniform(low, high));
    return values;
  }

  Random random_{kSeed};
};

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
      kernels::pack_embeddings(rows.data(), num_rows, width, packed.data());
      expect_equal([&](Place& place) {
        const float *memories = place.input(packed), *of = place.input(queries);
        return place.output<std::int32_t>(num_rows * kQueries, [&](std::int32_t* out) {
          cosines(place.executor(), {memories, num_rows, width, true}, of, kQueries, 30, out);
        });
      });
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

TEST_F(RecallParity, OfRanksByLines) {
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
      for (const std::int64_t room : {1, 4}) {  // the most that is of use, and a part of it
        expect_equal([&](Place& place) {
          const Executor executor = place.executor();
          const kernels::BlendView view = view_of(blend, place);
          const std::int64_t* const targets = place.input(blend.targets);
          const std::int32_t* const weights = place.input(blend.weights);
          const kernels::LineTilesView by = tiles_at(place, *tiles);
          const std::int64_t bytes =
              std::max(target_ranks_workspace_bytes(view, shape.num_queries, by) / room,
                       least_workspace_bytes(by));
          const kernels::Workspace workspace = place.workspace(bytes);
          return place.output<std::int32_t>(
              shape.num_queries * by.num_mixes, [&](std::int32_t* out) {
                if (workspace.num_bytes == 0) {  // the CPU: mix by mix
                  return target_ranks(executor, view, targets, shape.num_queries, weights,
                                      by.num_mixes, out);
                }
                target_ranks(executor, view, targets, shape.num_queries, by, out, workspace);
              });
        });
      }
    }
  }
}

// Turns at and next to whole numbers, in the GPU's own arithmetic.
TEST_F(RecallParity, OfCloseCallsByLines) {
  for (const Mixes& mixes : {simplex(5, 20), box(3, -6, 6), simplex(3, 62)}) {
    const auto tiles = host::find_line_tiles(flat(mixes), int(mixes[0].size()));
    ASSERT_TRUE(tiles.has_value());
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Blend blend = under(mixes, close_calls(mixes, 18, 3000, random_));
      expect_equal([&](Place& place) {
        const Executor executor = place.executor();
        const kernels::BlendView view = view_of(blend, place);
        const std::int64_t* const targets = place.input(blend.targets);
        const std::int32_t* const weights = place.input(blend.weights);
        const kernels::LineTilesView by = tiles_at(place, *tiles);
        const kernels::Workspace workspace =
            place.workspace(target_ranks_workspace_bytes(view, 1, by));
        return place.output<std::int32_t>(by.num_mixes, [&](std::int32_t* out) {
          if (workspace.num_bytes == 0) {
            return target_ranks(executor, view, targets, 1, weights, by.num_mixes, out);
          }
          target_ranks(executor, view, targets, 1, by, out, workspace);
        });
      });
    }
  }
}

// Under many mixes of small weights, with ties and without, and next to the target's score.
TEST_F(RecallParity, OfRanksByMatrix) {
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
TEST_F(RecallParity, OfListsByMatrix) {
  for (const std::int32_t largest : {3, 300, 1 << 18}) {
    for (const double kept : {1.0, 0.01}) {
      for (const int k : {1, 5, 9}) {
        BlendShape shape;
        shape.num_memories = 20000;
        shape.num_mixes = 150;
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
