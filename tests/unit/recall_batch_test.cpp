// Batches of recall on a device: what they are made of, and that a grid over many anchors changes
// no bit of a gate.
#include "host/recall_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "host/anchor_cells.h"
#include "support/errors.h"
#include "support/random.h"

namespace sightline {
namespace {

using namespace host;
using kernels::Vec3;

std::vector<Vec3> random_points(int count, double flat, unsigned seed) {
  tests::Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    points.push_back({random.uniform(-40, 40), flat * random.uniform(0, 3), random.uniform(0, 90)});
  }
  return points;
}

double squared(Vec3 a, Vec3 b) {
  const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return (dx * dx + dy * dy) + dz * dz;
}

class Batch {
 public:
  Batch(const std::vector<Vec3>& anchors, const std::vector<Vec3>& centres)
      : anchors_(anchors), centres_(centres), batch_(device_, memories_of(anchors)) {
    RecallQueries queries;
    queries.num_queries = static_cast<std::int64_t>(centres.size());
    queries.centres_m = centres.data();
    batch_.set_queries(queries);
  }

  RecallBatch& operator*() { return batch_; }

  /// The bits of a gate that keeps what `keeps(query, memory)` says.
  template <class Keeps>
  std::vector<std::uint64_t> expected(const Keeps& keeps) const {
    const std::int64_t words = kernels::words_of_bits(static_cast<std::int64_t>(anchors_.size()));
    std::vector<std::uint64_t> bits(centres_.size() * static_cast<std::size_t>(words));
    for (std::size_t q = 0; q < centres_.size(); ++q) {
      for (std::size_t m = 0; m < anchors_.size(); ++m) {
        if (!keeps(q, m)) continue;
        bits[q * static_cast<std::size_t>(words) + m / 64] |= std::uint64_t{1} << m % 64;
      }
    }
    return bits;
  }

 private:
  static RecallMemories memories_of(const std::vector<Vec3>& anchors) {
    RecallMemories memories;
    memories.num_memories = static_cast<std::int64_t>(anchors.size());
    memories.anchors_m = anchors.data();
    return memories;
  }

  std::vector<Vec3> anchors_, centres_;
  Device device_{DeviceChoice::kCpu, 2};
  RecallBatch batch_;
};

TEST(RecallBatch, GatesByDistanceAreThoseOfAScanHoweverManyAnchors) {
  for (const int count : {1, 63, 1000, 5000}) {
    for (const double flat : {1.0, 0.0}) {
      const std::vector<Vec3> anchors = random_points(count, flat, 1);
      std::vector<Vec3> centres = random_points(7, flat, 2);
      centres.push_back(anchors[0]);
      centres.push_back({1000, -1000, 1000});  // far from all
      Batch batch(anchors, centres);
      for (const double radius_m : {0.0, 2.5, 20.0, 5000.0}) {
        const auto bits = (*batch).bits_of((*batch).add_radius_gate(radius_m));
        EXPECT_EQ(bits, batch.expected([&](std::size_t q, std::size_t m) {
          return squared(anchors[m], centres[q]) <= radius_m * radius_m;
        })) << count
            << " anchors, " << radius_m << " m";
      }
      const auto k = static_cast<std::size_t>(std::min(count, 9));
      std::vector<std::vector<std::size_t>> nearest(centres.size());
      for (std::size_t q = 0; q < centres.size(); ++q) {
        nearest[q].resize(anchors.size());
        std::iota(nearest[q].begin(), nearest[q].end(), std::size_t{0});
        std::stable_sort(nearest[q].begin(), nearest[q].end(), [&](std::size_t a, std::size_t b) {
          return squared(anchors[a], centres[q]) < squared(anchors[b], centres[q]);
        });
        nearest[q].resize(k);
      }
      const auto bits = (*batch).bits_of((*batch).add_nearest_gate(static_cast<std::int64_t>(k)));
      EXPECT_EQ(bits, batch.expected([&](std::size_t q, std::size_t m) {
        return std::find(nearest[q].begin(), nearest[q].end(), m) != nearest[q].end();
      })) << count
          << " anchors, nearest";
    }
  }
}

TEST(RecallBatch, JoinsAndInvertsGates) {
  const std::vector<Vec3> anchors = random_points(100, 1, 3);
  Batch batch(anchors, random_points(3, 1, 4));
  const int near = (*batch).add_radius_gate(30), some = (*batch).add_nearest_gate(20);
  const auto a = (*batch).bits_of(near), b = (*batch).bits_of(some);
  const auto both = (*batch).bits_of((*batch).join(kernels::GateJoin::kAnd, near, some));
  const auto either = (*batch).bits_of((*batch).join(kernels::GateJoin::kOr, near, some));
  const auto none_of = (*batch).bits_of((*batch).invert(near));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t all = i % 2 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << 36) - 1;
    EXPECT_EQ(both[i], a[i] & b[i]);
    EXPECT_EQ(either[i], a[i] | b[i]);
    EXPECT_EQ(none_of[i], ~a[i] & all);
  }
}

TEST(RecallBatch, RefusesWhatTheKernelsWouldTrust) {
  const std::vector<Vec3> anchors = random_points(100, 1, 3);
  Batch made(anchors, random_points(3, 1, 4));
  RecallBatch& batch = *made;
  const int near = batch.add_proximities({kernels::DecayForm::kLinear, 30});
  const auto error_of = [](const auto& ask) { return tests::input_error_of(ask); };
  const auto ranks = [&](RecallMixes mixes, std::vector<std::int64_t> targets) {
    return error_of([&] { batch.target_ranks(mixes, targets); });
  };
  const std::vector<std::int64_t> targets{0, 1, 99};
  EXPECT_EQ(ranks({{near}, {1, 2}, -1}, targets), "no error");
  EXPECT_EQ(ranks({}, targets), "mixes of 0 columns; give 1 to 8");
  EXPECT_EQ(ranks({std::vector<int>(9, near), std::vector<std::int32_t>(9), -1}, targets),
            "mixes of 9 columns; give 1 to 8");
  EXPECT_EQ(ranks({{near, near}, {1, 2, 3}, -1}, targets),
            "3 weights for mixes of 2 columns; give one for each");
  EXPECT_EQ(ranks({{near, 1}, {1, 2}, -1}, targets), "no column of this batch has the id 1");
  EXPECT_EQ(ranks({{near}, {1}, 0}, targets), "no gate of this batch has the id 0");
  EXPECT_EQ(ranks({{near}, {1}, -1}, {0, 1}),
            "targets: 2 instead of 3, for 3 queries of 100 memories");
  EXPECT_EQ(ranks({{near}, {1}, -1}, {0, 1, 100}), "targets row 2: 100 is not in [0, 100)");
  EXPECT_EQ(error_of([&] {
              batch.top_memories({{near}, {1}, -1}, 0);
            }),
            "lists of 0 memories; give 1 to 64");
  EXPECT_EQ(error_of([&] {
              batch.top_memories({{near}, {1}, -1}, kernels::kMaxTop + 1);
            }),
            "lists of 65 memories; give 1 to 64");
  EXPECT_EQ(error_of([&] { batch.add_nearest_gate(0); }), "the nearest 0 memories; give 1 or more");
  for (const auto& ask : std::vector<std::function<void()>>{
           [&] { batch.add_values(std::vector<double>(99)); },
           [&] { batch.add_quantised(std::vector<std::int32_t>(299)); },
           [&] { batch.add_recencies(std::vector<double>(101), {}); },
           [&] { batch.add_bits(std::vector<std::uint64_t>(5)); }, [&] { batch.bits_of(0); },
           [&] { batch.values_of(-1); }, [&] { batch.invert(7); }, [&] { batch.add_outside(-1); },
           [&] { batch.join(kernels::GateJoin::kAnd, 0, 0); }}) {
    EXPECT_NE(error_of(ask), "no error");
  }
}

// Lattices of weights go by their lines, lists of many mixes through bands: as the plain kernels
// say.
TEST(RecallBatch, RanksAndListsAreThoseOfThePlainKernels) {
  constexpr std::int64_t kMemories = 6000, kQueries = 24;
  const std::vector<Vec3> anchors = random_points(kMemories, 1, 6);
  Batch batch(anchors, random_points(kQueries, 1, 7));
  const int near = (*batch).add_proximities({kernels::DecayForm::kLinear, 30});
  const int nearer = (*batch).add_proximities({kernels::DecayForm::kExponential, 9});
  tests::Random random(8);
  std::vector<double> values;
  for (std::int64_t m = 0; m < kMemories; ++m) values.push_back(random.uniform(0, 1));
  const int value = (*batch).add_values(values);
  const int gate = (*batch).add_radius_gate(70);
  std::vector<std::int64_t> targets;
  for (std::int64_t q = 0; q < kQueries; ++q) {
    targets.push_back(random.integer(0, kMemories - 1));
  }
  std::vector<std::int32_t> weights;  // a lattice of 1458 pairs, or 972 triples
  for (std::int32_t i = 0; i < 1458; ++i) weights.insert(weights.end(), {i % 27, i / 27});
  for (const auto& columns : {std::vector<int>{near, value}, {near, nearer, value}}) {
    for (const int kept : {-1, gate}) {
      const RecallMixes mixes{columns, weights, kept};
      const auto num_features = static_cast<int>(columns.size());
      kernels::BlendView view;
      view.num_features = num_features;
      view.num_memories = kMemories;
      std::vector<std::vector<std::int32_t>> features;
      for (const int column : columns) features.push_back((*batch).values_of(column));
      for (std::size_t f = 0; f < features.size(); ++f) {
        view.features[f] = {features[f].data(), columns[f] == value ? 0 : kMemories};
      }
      std::vector<std::uint64_t> bits;
      if (kept >= 0) bits = (*batch).bits_of(kept);
      if (kept >= 0) view.kept = bits.data();
      const auto slots = static_cast<std::size_t>(kQueries * mixes.num_mixes());
      std::vector<std::int32_t> ranks(slots);
      kernels::target_ranks({}, view, targets.data(), kQueries, weights.data(), mixes.num_mixes(),
                            ranks.data());
      EXPECT_EQ((*batch).target_ranks(mixes, targets), ranks) << num_features << ", gate " << kept;
      std::vector<kernels::Scored> tops(slots * 5);
      kernels::top_memories({}, view, kQueries, weights.data(), mixes.num_mixes(), 5, tops.data());
      const auto lists = (*batch).top_memories(mixes, 5);
      for (std::size_t i = 0; i < tops.size(); ++i) {
        ASSERT_EQ(lists[i].memory, tops[i].memory) << i << ", gate " << kept;
        ASSERT_EQ(lists[i].score, tops[i].score) << i << ", gate " << kept;
      }
    }
  }
}

/// Lists of a batch are those of the plain kernels on its columns.
void expect_plain_lists(RecallBatch* batch, const RecallMixes& mixes, int k) {
  kernels::BlendView view;
  view.num_features = static_cast<int>(mixes.columns.size());
  view.num_memories = batch->num_memories();
  std::vector<std::vector<std::int32_t>> features;
  for (const int column : mixes.columns) features.push_back(batch->values_of(column));
  for (std::size_t f = 0; f < features.size(); ++f) {
    const bool is_shared = static_cast<std::int64_t>(features[f].size()) == view.num_memories;
    view.features[f] = {features[f].data(), is_shared ? 0 : view.num_memories};
  }
  std::vector<std::uint64_t> bits;
  if (mixes.gate >= 0) bits = batch->bits_of(mixes.gate);
  if (mixes.gate >= 0) view.kept = bits.data();
  const auto lists = batch->top_memories(mixes, k);
  std::vector<kernels::Scored> tops(lists.size());
  kernels::top_memories({}, view, batch->num_queries(), mixes.weights.data(), mixes.num_mixes(), k,
                        tops.data());
  for (std::size_t i = 0; i < tops.size(); ++i) {
    ASSERT_EQ(lists[i].memory, tops[i].memory) << i << ", gate " << mixes.gate;
    ASSERT_EQ(lists[i].score, tops[i].score) << i << ", gate " << mixes.gate;
  }
}

// Bands stay from scale to scale, and go with the queries, whose columns have the same ids again.
TEST(RecallBatch, ListsAtOneScaleAfterAnotherAreThoseOfThePlainKernels) {
  constexpr std::int64_t kMemories = 6000, kQueries = 3;
  tests::Random random(9);
  const std::vector<Vec3> anchors = random_points(kMemories, 1, 10);
  std::vector<double> encoded_s, accessed_s, values;
  for (std::int64_t m = 0; m < kMemories; ++m) {
    encoded_s.push_back(random.uniform(0, 1000));
    accessed_s.push_back(random.uniform(500, 1500));
    values.push_back(static_cast<double>(random.integer(0, 40)) / 40);
  }
  std::vector<std::int32_t> weights;
  for (std::int32_t i = 0; i < 1400; ++i) {
    weights.insert(weights.end(), {i % 5, i / 5 % 5, i / 25 % 4, i / 100});
  }
  RecallMemories memories;
  memories.num_memories = kMemories;
  memories.anchors_m = anchors.data();
  memories.time_s = encoded_s.data();
  Device device{DeviceChoice::kCpu, 2};
  RecallBatch batch(device, memories);
  for (const unsigned seed : {11u, 12u}) {
    const std::vector<Vec3> centres = random_points(kQueries, 1, seed);
    const std::vector<double> now_s = {900, 1200.0 + seed, 2000};
    RecallQueries queries;
    queries.num_queries = kQueries;
    queries.centres_m = centres.data();
    queries.now_s = now_s.data();
    batch.set_queries(queries);
    const int value = batch.add_values(values);
    const int all = batch.add_radius_gate(1000), most = batch.add_radius_gate(80);
    for (const double scale : {4.0, 30.0, 300.0}) {
      const int near = batch.add_proximities({kernels::DecayForm::kStep, scale});
      const int age = batch.add_recencies({kernels::DecayForm::kLinear, 4 * scale});
      const int access = batch.add_recencies(accessed_s, {kernels::DecayForm::kHalfLife, scale});
      for (const int gate : {-1, all, most}) {
        expect_plain_lists(&batch, {{near, age, access, value}, weights, gate}, 4);
      }
    }
  }
}

TEST(AnchorCells, HoldEveryAnchorOnceInOrder) {
  for (const double flat : {1.0, 0.0}) {
    const std::vector<Vec3> anchors = random_points(3000, flat, 5);
    const AnchorCells cells = sort_into_cells(anchors.data(), 3000);
    std::vector<int> seen(3000, 0);
    for (std::size_t c = 0; c + 1 < cells.first.size(); ++c) {
      for (std::int64_t i = cells.first[c]; i < cells.first[c + 1]; ++i) {
        const std::int64_t anchor = cells.anchors[static_cast<std::size_t>(i)];
        ++seen[static_cast<std::size_t>(anchor)];
        EXPECT_EQ(kernels::anchor_cell(cells.grid, anchors[static_cast<std::size_t>(anchor)]),
                  static_cast<std::int64_t>(c));
        if (i > cells.first[c]) {
          EXPECT_LT(cells.anchors[static_cast<std::size_t>(i) - 1], anchor);
        }
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 3000);
    EXPECT_GT(cells.first.size(), 300u);
    EXPECT_LT(cells.first.size(), 10'000u);
  }
}

TEST(AnchorCells, AreAsManyForAnchorsThatLieVeryClose) {
  std::vector<Vec3> anchors = random_points(3000, 1, 5);
  for (const double scale : {1e-110, 1e-200, 1e6}) {
    std::vector<Vec3> scaled = anchors;
    for (Vec3& p : scaled) p = {p.x * scale, p.y * scale, p.z * scale};
    EXPECT_LT(sort_into_cells(scaled.data(), 3000).first.size(), 10'000u) << scale;
  }
}

}  // namespace
}  // namespace sightline
