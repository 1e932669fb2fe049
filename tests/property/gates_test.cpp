// Gates keep what the oracle keeps, anchors at the very radius and ties included, with and without
// a grid over the anchors.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/anchors.h"

namespace sightline::tests {
namespace {

using kernels::AnchorGrid;
using kernels::Neighbour;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 20261122;
constexpr std::uint64_t kDirt = 0xdeadbeefdeadbeefu;  ///< what outputs hold before

class Gates : public testing::Test {
 protected:
  /// Calls check(anchors, centres, grid) for crowds on a lattice and anywhere, and several cells.
  template <class Check>
  void for_all(const Check& check) {
    for (const std::int64_t num : {1, 63, 64, 65, 700}) {
      for (const bool on_lattice : {true, false}) {
        const std::vector<Vec3> anchors = make_anchors(num, 6, on_lattice, random_);
        std::vector<Vec3> centres = make_anchors(12, 8, on_lattice, random_);
        centres.push_back(anchors.front());
        centres.push_back({1e6, -1e6, 1e6});  // far out
        for (const double cell_m : {0.3, 2.0, 100.0}) {
          SCOPED_TRACE(std::to_string(num) + " anchors, cells of " + std::to_string(cell_m) +
                       " m, seed " + std::to_string(kSeed));
          const SortedAnchors sorted(anchors, cell_m);
          check(anchors, centres, sorted.grid);
          if (HasFatalFailure()) return;
        }
      }
    }
  }

  static std::vector<std::uint64_t> no_bits(const std::vector<Vec3>& anchors,
                                            const std::vector<Vec3>& centres) {
    return std::vector<std::uint64_t>(
        centres.size() * std::size_t(kernels::words_of_bits(std::int64_t(anchors.size()))), kDirt);
  }

  Random random_{kSeed};
};

TEST_F(Gates, KeepWhatLiesWithinTheRadius) {
  for_all([&](const auto& anchors, const auto& centres, const AnchorGrid& grid) {
    const auto num = std::int64_t(anchors.size()), queries = std::int64_t(centres.size());
    for (const double radius_m : {0.0, 0.5, 1.5, 2.5, 7.3, 1e9}) {
      std::vector<std::uint64_t> plain = no_bits(anchors, centres), by_grid = plain;
      radius_gate({}, anchors.data(), num, centres.data(), queries, radius_m, plain.data());
      radius_gate({}, grid, centres.data(), queries, radius_m, by_grid.data());
      ASSERT_EQ(plain, by_grid) << radius_m;
      for (std::int64_t q = 0; q < queries; ++q) {
        const Vec3& c = centres[std::size_t(q)];
        ASSERT_EQ(indices_in(plain, q, num),
                  oracle::within_radius(to_places(anchors), {c.x, c.y, c.z}, radius_m));
      }
    }
  });
}

TEST_F(Gates, KeepAnAnchorAtTheVeryRadius) {
  const std::vector<Vec3> anchors{{3, 4, 0}, {3, 4, 1e-7}, {-5, 0, 0}};
  const Vec3 centre{};
  std::uint64_t bits = kDirt;
  radius_gate({}, anchors.data(), 3, &centre, 1, 5, &bits);
  EXPECT_EQ(bits, 0b101u);
}

TEST_F(Gates, KnowTheNearest) {
  for_all([&](const auto& anchors, const auto& centres, const AnchorGrid& grid) {
    const auto num = std::int64_t(anchors.size()), queries = std::int64_t(centres.size());
    for (const std::int64_t k : {1, 3, 64, 1000}) {
      std::vector<Neighbour> plain(std::size_t(queries * k), {-1, 77}), by_grid = plain;
      nearest_anchors({}, anchors.data(), num, centres.data(), queries, k, plain.data());
      nearest_anchors({}, grid, centres.data(), queries, k, by_grid.data());
      std::vector<std::uint64_t> bits = no_bits(anchors, centres);
      nearest_gate({}, by_grid.data(), queries, k, num, bits.data());
      for (std::int64_t q = 0; q < queries; ++q) {
        const Vec3& c = centres[std::size_t(q)];
        auto expected = oracle::nearest(to_places(anchors), {c.x, c.y, c.z}, k);
        for (std::int64_t i = 0; i < k; ++i) {
          const auto &a = plain[std::size_t(q * k + i)], &b = by_grid[std::size_t(q * k + i)];
          const bool there = i < std::int64_t(expected.size());
          ASSERT_EQ(a.anchor, there ? expected[std::size_t(i)] : -1) << "place " << i;
          ASSERT_EQ(b.anchor, a.anchor) << "place " << i;
          ASSERT_EQ(b.d2, a.d2);
        }
        std::sort(expected.begin(), expected.end());
        ASSERT_EQ(indices_in(bits, q, num), expected);
      }
    }
  });
}

TEST_F(Gates, AreJoinedWordByWord) {
  std::vector<std::uint64_t> a, b, out(3000);
  for (std::size_t i = 0; i < out.size(); ++i) {
    a.push_back(random_.bits());
    b.push_back(random_.bits());
  }
  const auto num = std::int64_t(out.size());
  join_gates({}, kernels::GateJoin::kAnd, a.data(), b.data(), num, out.data());
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], a[i] & b[i]);
  join_gates({}, kernels::GateJoin::kOr, a.data(), b.data(), num, out.data());
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], a[i] | b[i]);
  std::vector<std::uint64_t> in_place = a;
  join_gates({}, kernels::GateJoin::kAndNot, in_place.data(), b.data(), num, in_place.data());
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(in_place[i], a[i] & ~b[i]);
}

TEST_F(Gates, DoNotDependOnThreads) {
  const std::vector<Vec3> anchors = make_anchors(3000, 20, false, random_);
  const std::vector<Vec3> centres = make_anchors(3000, 20, false, random_);
  const SortedAnchors sorted(anchors, 2);
  std::vector<std::uint64_t> first;
  for (const int threads : {1, 2, 4}) {
    kernels::Executor executor;
    executor.num_threads = threads;
    for (const bool by_grid : {false, true}) {
      std::vector<std::uint64_t> bits = no_bits(anchors, centres);
      if (by_grid) {
        radius_gate(executor, sorted.grid, centres.data(), 3000, 3, bits.data());
      } else {
        radius_gate(executor, anchors.data(), 3000, centres.data(), 3000, 3, bits.data());
      }
      if (first.empty()) first = bits;
      ASSERT_EQ(bits, first) << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace sightline::tests
