// The tables of a page of recall.
#pragma once

#include <string>
#include <vector>

#include "host/report/recall_words.h"

namespace sightline::host::report {

constexpr std::size_t kBestRows = 5;  ///< per offset

/// The variants that hit most at each offset, with their tests, under a heading.
std::string best_section(const RecallDigest& digest, const std::vector<RecallComparison>& tests);

/// What hits how often: a variant a row, an offset a column; empty of more than kMaxTableRows
/// variants.
std::string recall_matrix_table(const RecallDigest& digest);

/// Paired tests of every variant against the baseline, the first kMaxTableRows of them.
std::string recall_tests_table(const RecallDigest& digest,
                               const std::vector<RecallComparison>& tests);

}  // namespace sightline::host::report
