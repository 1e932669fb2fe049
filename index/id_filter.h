// A set of rows: which memories a search may return.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace sightline::index {

/// A subset of the rows 0 .. num_rows - 1, kept as a range where it is one and as a bitmap
/// otherwise. A value: copies are independent, equal sets compare equal however they were made.
class IdFilter {
 public:
  /// No row of none.
  IdFilter() = default;

  static IdFilter all(std::int64_t num_rows);
  static IdFilter none(std::int64_t num_rows);
  /// Rows [begin, end). Throws BadInput unless 0 <= begin <= end <= num_rows.
  static IdFilter range(std::int64_t num_rows, std::int64_t begin, std::int64_t end);
  /// The rows listed, in any order, repeats allowed. Throws BadInput for a row outside.
  static IdFilter of_rows(std::int64_t num_rows, const std::vector<std::int64_t>& rows);
  /// Row i where mask[i] is not 0; `mask` is [num_rows].
  static IdFilter of_mask(const std::vector<std::uint8_t>& mask);

  std::int64_t num_rows() const { return num_rows_; }
  /// How many rows are in the set.
  std::int64_t count() const { return count_; }
  bool contains(std::int64_t row) const {
    if (row < 0 || row >= num_rows_) return false;
    if (is_range()) return row >= begin_ && row < end_;
    return (words_[static_cast<std::size_t>(row) >> 6] >> (row & 63) & 1) != 0;
  }

  /// True if the rows are [begin, end), as of_rows({4, 5, 6}) are.
  bool is_range() const { return words_.empty(); }
  std::int64_t begin() const { return begin_; }  ///< of a range; an empty one is [0, 0)
  std::int64_t end() const { return end_; }

  /// The rows in ascending order, [count].
  std::vector<std::int64_t> rows() const;
  /// One bit per row, row i at bit i % 64 of word i / 64, zeros after the last.
  std::vector<std::uint64_t> bitmap() const;

  /// Both sets' rows, either's rows, all others. Throw BadInput for sets over different row counts.
  IdFilter operator&(const IdFilter& other) const;
  IdFilter operator|(const IdFilter& other) const;
  IdFilter operator~() const;
  bool operator==(const IdFilter& other) const;
  bool operator!=(const IdFilter& other) const { return !(*this == other); }

 private:
  static IdFilter of_words(std::int64_t num_rows, std::vector<std::uint64_t> words);

  std::int64_t num_rows_ = 0, count_ = 0, begin_ = 0, end_ = 0;
  std::vector<std::uint64_t> words_;  // empty: the range [begin_, end_)
};

/// The filters of a batch of queries: none (every row), one that all share, or one for each query;
/// a null pointer is "every row" too. Whoever calls owns them, and keeps them until the call
/// returns.
using IdFilters = std::vector<const IdFilter*>;

/// Throws BadInput unless `filters` holds 0, 1 or num_queries filters, each over num_rows rows.
void check_filters(const IdFilters& filters, std::int64_t num_queries, std::int64_t num_rows);

/// The filter of one query of a batch; null: every row.
inline const IdFilter* filter_of(const IdFilters& filters, std::int64_t query) {
  if (filters.empty()) return nullptr;
  return filters[filters.size() == 1 ? 0 : static_cast<std::size_t>(query)];
}

/// Queries that share a filter: equal sets are one group, in the order of their first query.
struct FilterGroup {
  const IdFilter* filter = nullptr;   ///< null: every row
  std::vector<std::int64_t> queries;  ///< ascending
};

/// Groups [num_queries] queries by their filter. Throws as check_filters does.
std::vector<FilterGroup> group_by_filter(const IdFilters& filters, std::int64_t num_queries,
                                         std::int64_t num_rows);

}  // namespace sightline::index
