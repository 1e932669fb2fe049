#include "host/report/recall_tables.h"

#include <algorithm>
#include <numeric>

#include "host/report/page.h"
#include "host/report/table.h"
#include "host/report/text.h"

namespace sightline::host::report {
namespace {

using Kind = Table::Kind;

/// Difference, interval, p and adjusted p.
std::vector<std::string> test_cells(const RecallComparison& test) {
  const stats::Interval interval =
      stats::difference_interval(test.n, test.only_arm, test.only_baseline);
  return {signed_points_text(test.difference),
          signed_points_text(interval.low) + " to " + signed_points_text(interval.high),
          p_value_text(test.p), p_value_text(test.p_adjusted)};
}

void append(std::vector<std::string> more, std::vector<std::string>* cells) {
  cells->insert(cells->end(), more.begin(), more.end());
}

/// The variants that were asked at an offset, best first, at most kBestRows of them.
std::vector<std::size_t> best_variants(const RecallDigest& digest, std::size_t offset) {
  struct Scored {
    double here, everywhere;
    std::size_t variant;
  };
  std::vector<Scored> scored;
  for (std::size_t i = 0; i < digest.variants.size(); ++i) {
    const RecallAnswers& answers = digest.at(i, offset).answers;
    if (answers.num_queries == 0) continue;
    scored.push_back({static_cast<double>(answers.hits) / static_cast<double>(answers.num_queries),
                      digest.mean_hit_rate(i), i});
  }
  const std::size_t count = std::min(kBestRows, scored.size());
  const auto middle = scored.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(scored.begin(), middle, scored.end(), [](const Scored& a, const Scored& b) {
    if (a.here != b.here) return a.here > b.here;
    return a.everywhere != b.everywhere ? a.everywhere > b.everywhere : a.variant < b.variant;
  });
  std::vector<std::size_t> variants;
  for (std::size_t i = 0; i < count; ++i) variants.push_back(scored[i].variant);
  return variants;
}

std::vector<std::string> best_cells(const RecallDigest& digest, std::size_t variant,
                                    std::size_t offset) {
  const RecallPool& pool = digest.at(variant, offset);
  std::vector<std::string> cells;
  if (digest.has_offsets) cells.push_back(digest.offset_label(offset));
  append({variant_label(digest, variant), count_text(pool.answers.hits),
          count_text(pool.answers.num_queries), rate_cell(pool.rate("hit_rate")),
          range_cell(pool.rate("hit_rate")), mean_cell(pool.rate("mrr")),
          mean_cell(pool.rate("ndcg"))},
         &cells);
  return cells;
}

const RecallComparison* find_test(const std::vector<RecallComparison>& tests, std::size_t variant,
                                  std::size_t offset) {
  const auto test = std::find_if(tests.begin(), tests.end(), [&](const RecallComparison& one) {
    return one.variant == variant && one.offset == offset;
  });
  return test == tests.end() ? nullptr : &*test;
}

std::vector<Table::Column> best_columns(const RecallDigest& digest, bool has_tests) {
  std::vector<Table::Column> columns;
  if (digest.has_offsets) columns.push_back({"asked at", Kind::kWord});
  columns.push_back({"configuration", Kind::kWord});
  for (const std::string& name :
       {std::string("hits"), std::string("queries"), digest.hit_name, std::string("95 % CI"),
        std::string("MRR"), std::string("nDCG")}) {
    columns.push_back({name, Kind::kNumber});
  }
  if (!has_tests) return columns;
  for (const char* name : {"against baseline (points)", "95 % CI", "p", "p adjusted"}) {
    columns.push_back({name, Kind::kNumber});
  }
  return columns;
}

}  // namespace

std::string best_section(const RecallDigest& digest, const std::vector<RecallComparison>& tests) {
  Table table(best_columns(digest, !tests.empty()));
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    for (const std::size_t variant : best_variants(digest, offset)) {
      std::vector<std::string> cells = best_cells(digest, variant, offset);
      if (!tests.empty()) {
        const RecallComparison* test = find_test(tests, variant, offset);
        append(test ? test_cells(*test) : std::vector<std::string>{"baseline", "", "", ""}, &cells);
      }
      table.add(cells);
    }
  }
  const std::string where = digest.has_offsets ? " at each offset" : "";
  std::string words = digest.variants.size() > kBestRows
                          ? "The " + std::to_string(kBestRows) + " that hit most" + where
                          : "What hits most comes first" + where;
  words += "; of equals, first what hits more elsewhere.";
  if (digest.variants.size() > kBestRows) {
    words += " They are picked by these numbers, of " +
             count_text(static_cast<std::int64_t>(digest.variants.size())) +
             " variants: on other queries they would do a little worse.";
  }
  return "<section id=\"best\">\n<h2>The best configurations</h2>\n" + note(words) + table.html() +
         "</section>\n";
}

std::string recall_matrix_table(const RecallDigest& digest) {
  if (digest.variants.size() > kMaxTableRows) return "";
  std::vector<Table::Column> columns{{"configuration", Kind::kWord}};
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    const std::string name = digest.has_offsets ? digest.offset_label(offset) : digest.hit_name;
    columns.push_back({name, Kind::kNumber});
    columns.push_back({"95 % CI", Kind::kNumber});
  }
  Table table(columns);
  for (std::size_t variant = 0; variant < digest.variants.size(); ++variant) {
    std::vector<std::string> cells{variant_label(digest, variant)};
    for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
      const std::optional<Rate> rate = digest.at(variant, offset).rate("hit_rate");
      append({rate_cell(rate), range_cell(rate)}, &cells);
    }
    table.add(cells);
  }
  return note(digest.hit_name + (digest.has_offsets ? ", by how far off it is asked." : ".")) +
         table.html();
}

std::string recall_tests_table(const RecallDigest& digest,
                               const std::vector<RecallComparison>& tests) {
  const std::string baseline = digest.arms[digest.baseline];
  if (digest.questions_repeat) {
    return note(
        "Replicates ask the same questions again, which are no new evidence, so that no difference "
        "is tested; run with replicates: 1 for the tests.");
  }
  if (tests.empty()) {
    return note("There is one arm only (" + baseline + "), so there is nothing to compare.");
  }
  std::vector<Table::Column> columns{{"arm", Kind::kWord}};
  if (digest.has_offsets) columns.push_back({"asked at", Kind::kWord});
  for (const char* name : {"queries", "hit rate", "only arm hits", "only baseline hits",
                           "difference (points)", "95 % CI", "p", "p adjusted"}) {
    columns.push_back({name, Kind::kNumber});
  }
  Table table(columns);
  for (std::size_t i = 0; i < std::min(tests.size(), kMaxTableRows); ++i) {
    const RecallComparison& test = tests[i];
    std::vector<std::string> cells{variant_label(digest, test.variant)};
    if (digest.has_offsets) cells.push_back(digest.offset_label(test.offset));
    append({count_text(test.n), rate_cell(digest.at(test.variant, test.offset).rate("hit_rate")),
            count_text(test.only_arm), count_text(test.only_baseline)},
           &cells);
    append(test_cells(test), &cells);
    table.add(cells);
  }
  std::string html = note("Baseline: " + baseline +
                          ". The same queries, asked of both; a positive difference means that "
                          "the arm hits more often.");
  html += table.html();
  if (tests.size() > kMaxTableRows) {
    html += note("The first " + count_text(kMaxTableRows) + " of " +
                 count_text(static_cast<std::int64_t>(tests.size())) +
                 " comparisons; p values are adjusted over all of them.");
  }
  return html;
}

}  // namespace sightline::host::report
