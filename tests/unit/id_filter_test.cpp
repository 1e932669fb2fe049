// Sets of rows: what they hold, how they combine, and which queries share one.
#include "index/id_filter.h"

#include <gtest/gtest.h>

#include "support/random.h"
#include "support/search.h"

namespace sightline::tests {
namespace {

using index::FilterGroup;
using index::group_by_filter;
using index::IdFilter;

constexpr std::uint64_t kSeed = 20240901;

std::vector<std::int64_t> rows_of(const std::vector<std::uint8_t>& mask) {
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < mask.size(); ++row) {
    if (mask[row] != 0) rows.push_back(static_cast<std::int64_t>(row));
  }
  return rows;
}

/// Everything a filter tells must agree with the mask.
void expect_holds(const IdFilter& filter, const std::vector<std::uint8_t>& mask) {
  const auto num_rows = static_cast<std::int64_t>(mask.size());
  const std::vector<std::int64_t> rows = rows_of(mask);
  EXPECT_EQ(filter.num_rows(), num_rows);
  EXPECT_EQ(filter.count(), static_cast<std::int64_t>(rows.size()));
  EXPECT_EQ(filter.rows(), rows);
  EXPECT_EQ(filter, IdFilter::of_mask(mask));
  const std::vector<std::uint64_t> bitmap = filter.bitmap();
  ASSERT_EQ(bitmap.size(), (mask.size() + 63) / 64);
  for (std::size_t row = 0; row < bitmap.size() * 64; ++row) {
    const bool kept = row < mask.size() && mask[row] != 0;
    EXPECT_EQ((bitmap[row / 64] >> (row % 64) & 1) != 0, kept) << row;
    EXPECT_EQ(filter.contains(static_cast<std::int64_t>(row)), kept) << row;
  }
  EXPECT_FALSE(filter.contains(-1));
}

TEST(IdFilter, HoldsTheRowsItWasMadeOf) {
  expect_holds(IdFilter(), {});
  expect_holds(IdFilter::all(3), {1, 1, 1});
  expect_holds(IdFilter::none(3), {0, 0, 0});
  expect_holds(IdFilter::range(5, 1, 4), {0, 1, 1, 1, 0});
  expect_holds(IdFilter::of_rows(5, {4, 0, 4}), {1, 0, 0, 0, 1});
  for (const std::int64_t num_rows : {1, 63, 64, 65, 128, 200}) {
    for (const double share : {0.0, 0.02, 0.5, 0.98, 1.0}) {
      const std::vector<std::uint8_t> mask = random_mask(num_rows, share, kSeed);
      expect_holds(IdFilter::of_mask(mask), mask);
      expect_holds(IdFilter::of_rows(num_rows, rows_of(mask)), mask);
    }
  }
}

TEST(IdFilter, HasOneFormForOneSet) {
  EXPECT_TRUE(IdFilter::of_rows(200, {70, 68, 69}).is_range());
  EXPECT_EQ(IdFilter::of_rows(200, {70, 68, 69}), IdFilter::range(200, 68, 71));
  EXPECT_EQ(IdFilter::range(200, 50, 50), IdFilter::none(200));
  EXPECT_NE(IdFilter::none(200), IdFilter::none(201));
  EXPECT_FALSE(IdFilter::of_rows(200, {1, 3}).is_range());
}

TEST(IdFilter, CombinesAsSetsDo) {
  const std::int64_t num_rows = 150;
  std::vector<std::vector<std::uint8_t>> masks{random_mask(num_rows, 0.3, kSeed),
                                               random_mask(num_rows, 0.8, kSeed + 1)};
  for (const auto& [begin, end] : {std::pair{0, 150}, {0, 0}, {10, 70}, {64, 128}, {70, 150}}) {
    masks.emplace_back(static_cast<std::size_t>(num_rows), std::uint8_t{0});
    std::fill(masks.back().begin() + begin, masks.back().begin() + end, std::uint8_t{1});
  }
  for (const auto& a : masks) {
    std::vector<std::uint8_t> others(a.size()), both(a.size()), either(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) others[i] = a[i] == 0;
    expect_holds(~IdFilter::of_mask(a), others);
    for (const auto& b : masks) {
      for (std::size_t i = 0; i < a.size(); ++i) {
        both[i] = a[i] & b[i];
        either[i] = a[i] | b[i];
      }
      expect_holds(IdFilter::of_mask(a) & IdFilter::of_mask(b), both);
      expect_holds(IdFilter::of_mask(a) | IdFilter::of_mask(b), either);
    }
  }
}

TEST(IdFilter, RefusesRowsOutsideAndSetsOverOtherRows) {
  EXPECT_TRUE(says(bad_input_of([] { IdFilter::range(5, 3, 6); }), "[3, 6)"));
  EXPECT_TRUE(says(bad_input_of([] { IdFilter::range(5, 3, 2); }), "[3, 2)"));
  EXPECT_TRUE(says(bad_input_of([] { IdFilter::all(-1); }), "-1 rows"));
  EXPECT_TRUE(says(bad_input_of([] {
                     IdFilter::of_rows(5, {0, 5});
                   }),
                   "row 5 of a filter (item 1)"));
  EXPECT_TRUE(says(bad_input_of([] { IdFilter::all(5) & IdFilter::all(6); }), "5 and 6 rows"));
}

TEST(FilterGroups, PutEqualSetsTogetherInTheOrderOfTheirQueries) {
  const IdFilter even = IdFilter::of_rows(6, {0, 2, 4}), same = IdFilter::of_rows(6, {4, 2, 0});
  const IdFilter low = IdFilter::range(6, 0, 3), whole = IdFilter::all(6);
  const std::vector<FilterGroup> groups =
      group_by_filter({&even, &low, nullptr, &same, &whole, &even}, 6, 6);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].filter, &even);
  EXPECT_EQ(groups[0].queries, (std::vector<std::int64_t>{0, 3, 5}));
  EXPECT_EQ(groups[1].queries, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(groups[2].filter, nullptr);
  EXPECT_EQ(groups[2].queries, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(groups[3].filter, &whole);
  EXPECT_EQ(group_by_filter({&even}, 3, 6).size(), 1u);
  EXPECT_EQ(group_by_filter({}, 3, 6)[0].queries.size(), 3u);
  EXPECT_TRUE(group_by_filter({}, 0, 6).empty());
}

TEST(FilterGroups, RefuseFiltersThatDoNotFit) {
  const IdFilter filter = IdFilter::all(5);
  EXPECT_TRUE(says(bad_input_of([&] {
                     group_by_filter({&filter, &filter}, 3, 5);
                   }),
                   "2 filters for 3 queries"));
  EXPECT_TRUE(says(bad_input_of([&] { group_by_filter({&filter}, 3, 6); }), "is over 5 rows"));
}

}  // namespace
}  // namespace sightline::tests
