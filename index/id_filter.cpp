#include "index/id_filter.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "index/error.h"

namespace sightline::index {
namespace {

std::int64_t num_words(std::int64_t num_rows) { return (num_rows + 63) / 64; }

/// Bits [begin, end) of one word.
std::uint64_t word_of_range(std::int64_t begin, std::int64_t end) {
  const std::uint64_t below_end = end == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  return below_end & ~((std::uint64_t{1} << begin) - 1);
}

void check_num_rows(std::int64_t num_rows) {
  if (num_rows < 0) {
    throw BadInput("filter over " + std::to_string(num_rows) + " rows; give 0 or more");
  }
}

void check_same(const IdFilter& a, const IdFilter& b) {
  if (a.num_rows() == b.num_rows()) return;
  throw BadInput("filters over " + std::to_string(a.num_rows()) + " and " +
                 std::to_string(b.num_rows()) +
                 " rows cannot be combined; make both over the rows of one index");
}

}  // namespace

IdFilter IdFilter::all(std::int64_t num_rows) { return range(num_rows, 0, num_rows); }

IdFilter IdFilter::none(std::int64_t num_rows) { return range(num_rows, 0, 0); }

IdFilter IdFilter::range(std::int64_t num_rows, std::int64_t begin, std::int64_t end) {
  check_num_rows(num_rows);
  if (begin < 0 || begin > end || end > num_rows) {
    throw BadInput("filter range [" + std::to_string(begin) + ", " + std::to_string(end) +
                   ") does not lie within [0, " + std::to_string(num_rows) +
                   "); give 0 <= begin <= end <= the number of rows");
  }
  IdFilter filter;
  filter.num_rows_ = num_rows;
  filter.count_ = end - begin;
  filter.begin_ = begin == end ? 0 : begin;
  filter.end_ = begin == end ? 0 : end;
  return filter;
}

IdFilter IdFilter::of_words(std::int64_t num_rows, std::vector<std::uint64_t> words) {
  std::int64_t count = 0, first = -1, last = -1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == 0) continue;
    const std::int64_t base = static_cast<std::int64_t>(i) * 64;
    if (first < 0) first = base + __builtin_ctzll(words[i]);
    last = base + 63 - __builtin_clzll(words[i]);
    count += __builtin_popcountll(words[i]);
  }
  if (count == 0) return none(num_rows);
  if (last - first + 1 == count) return range(num_rows, first, last + 1);
  IdFilter filter;
  filter.num_rows_ = num_rows;
  filter.count_ = count;
  filter.words_ = std::move(words);
  return filter;
}

IdFilter IdFilter::of_rows(std::int64_t num_rows, const std::vector<std::int64_t>& rows) {
  check_num_rows(num_rows);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(num_words(num_rows)), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t row = rows[i];
    if (row < 0 || row >= num_rows) {
      throw BadInput("row " + std::to_string(row) + " of a filter (item " + std::to_string(i) +
                     ") does not lie within [0, " + std::to_string(num_rows) + ")");
    }
    words[static_cast<std::size_t>(row) >> 6] |= std::uint64_t{1} << (row & 63);
  }
  return of_words(num_rows, std::move(words));
}

IdFilter IdFilter::of_mask(const std::vector<std::uint8_t>& mask) {
  const auto num_rows = static_cast<std::int64_t>(mask.size());
  std::vector<std::uint64_t> words(static_cast<std::size_t>(num_words(num_rows)), 0);
  for (std::size_t row = 0; row < mask.size(); ++row) {
    words[row >> 6] |= std::uint64_t{mask[row] != 0} << (row & 63);
  }
  return of_words(num_rows, std::move(words));
}

std::vector<std::int64_t> IdFilter::rows() const {
  std::vector<std::int64_t> rows;
  rows.reserve(static_cast<std::size_t>(count_));
  if (is_range()) {
    for (std::int64_t row = begin_; row < end_; ++row) rows.push_back(row);
    return rows;
  }
  for (std::size_t i = 0; i < words_.size(); ++i) {
    for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
      rows.push_back(static_cast<std::int64_t>(i) * 64 + __builtin_ctzll(word));
    }
  }
  return rows;
}

std::vector<std::uint64_t> IdFilter::bitmap() const {
  if (!is_range()) return words_;
  std::vector<std::uint64_t> words(static_cast<std::size_t>(num_words(num_rows_)), 0);
  for (std::int64_t base = begin_ / 64 * 64; base < end_; base += 64) {
    words[static_cast<std::size_t>(base / 64)] = word_of_range(
        std::max<std::int64_t>(begin_ - base, 0), std::min<std::int64_t>(end_ - base, 64));
  }
  return words;
}

IdFilter IdFilter::operator&(const IdFilter& other) const {
  check_same(*this, other);
  if (is_range() && other.is_range()) {
    const std::int64_t begin = std::max(begin_, other.begin_);
    return range(num_rows_, begin, std::max(begin, std::min(end_, other.end_)));
  }
  std::vector<std::uint64_t> words = bitmap();
  const std::vector<std::uint64_t> more = other.bitmap();
  for (std::size_t i = 0; i < words.size(); ++i) words[i] &= more[i];
  return of_words(num_rows_, std::move(words));
}

IdFilter IdFilter::operator|(const IdFilter& other) const {
  check_same(*this, other);
  std::vector<std::uint64_t> words = bitmap();
  const std::vector<std::uint64_t> more = other.bitmap();
  for (std::size_t i = 0; i < words.size(); ++i) words[i] |= more[i];
  return of_words(num_rows_, std::move(words));
}

IdFilter IdFilter::operator~() const {
  std::vector<std::uint64_t> words = bitmap();
  for (std::uint64_t& word : words) word = ~word;
  if (num_rows_ % 64 != 0) words.back() &= word_of_range(0, num_rows_ % 64);
  return of_words(num_rows_, std::move(words));
}

bool IdFilter::operator==(const IdFilter& other) const {
  // One set has one form: of_words makes a range of whatever is one.
  return num_rows_ == other.num_rows_ && count_ == other.count_ && begin_ == other.begin_ &&
         end_ == other.end_ && words_ == other.words_;
}

void check_filters(const IdFilters& filters, std::int64_t num_queries, std::int64_t num_rows) {
  const auto num_filters = static_cast<std::int64_t>(filters.size());
  if (num_filters > 1 && num_filters != num_queries) {
    throw BadInput(std::to_string(num_filters) + " filters for " + std::to_string(num_queries) +
                   " queries; give none, one that all share, or one for each query");
  }
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (filters[i] == nullptr || filters[i]->num_rows() == num_rows) continue;
    throw BadInput("filter " + std::to_string(i) + " is over " +
                   std::to_string(filters[i]->num_rows()) + " rows, but the index holds " +
                   std::to_string(num_rows) + "; make it over the rows of this index");
  }
}

namespace {

/// Equal sets have equal digests; sets with equal digests are compared.
std::uint64_t digest(const IdFilter& filter) {
  std::uint64_t digest = static_cast<std::uint64_t>(filter.count());
  const auto mix = [&](std::uint64_t word) {
    digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
    digest ^= digest >> 29;
  };
  if (filter.is_range()) {
    mix(static_cast<std::uint64_t>(filter.begin()));
    mix(static_cast<std::uint64_t>(filter.end()));
  } else {
    for (const std::uint64_t word : filter.bitmap()) mix(word);
  }
  return digest;
}

}  // namespace

std::vector<FilterGroup> group_by_filter(const IdFilters& filters, std::int64_t num_queries,
                                         std::int64_t num_rows) {
  check_filters(filters, num_queries, num_rows);
  std::vector<FilterGroup> groups;
  std::unordered_map<const IdFilter*, std::size_t> of_pointer;
  std::unordered_multimap<std::uint64_t, std::size_t> of_digest;
  const auto group_of = [&](const IdFilter* filter) {
    const auto known = of_pointer.find(filter);
    if (known != of_pointer.end()) return known->second;
    std::size_t group = groups.size();
    if (filter != nullptr) {
      const std::uint64_t key = digest(*filter);
      const auto [first, last] = of_digest.equal_range(key);
      const auto equal = std::find_if(
          first, last, [&](const auto& entry) { return *groups[entry.second].filter == *filter; });
      if (equal != last) {
        group = equal->second;
      } else {
        of_digest.emplace(key, group);
      }
    }
    if (group == groups.size()) groups.push_back({filter, {}});
    of_pointer.emplace(filter, group);
    return group;
  };
  for (std::int64_t query = 0; query < num_queries; ++query) {
    groups[group_of(filter_of(filters, query))].queries.push_back(query);
  }
  return groups;
}

}  // namespace sightline::index
