// Lexical search: BM25 Okapi over the words of memories.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/hit.h"
#include "index/id_filter.h"

namespace sightline::index {

/// Words of a text: runs of ASCII letters and digits, and of bytes above 127 (UTF-8 beyond ASCII
/// stays as it is); ASCII in lower case, apostrophes within a word dropped with what follows
/// ("dog's": dog).
std::vector<std::string> split_words(const std::string& text);

/// Reduces words to stems by a Snowball algorithm (Porter 1980, 2001): "walking" and "walks" to
/// "walk".
class Stemmer {
 public:
  /// "none", or a language that Snowball has ("english", "german", ...). Throws MissingLibrary for
  /// a language in a build without libstemmer, BadInput for one it does not know.
  explicit Stemmer(const std::string& language);
  Stemmer(Stemmer&&) noexcept;
  Stemmer& operator=(Stemmer&&) noexcept;
  ~Stemmer();

  /// Not by two threads at a time.
  std::string stem(const std::string& word);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct LexicalOptions {
  enum class Idf {
    kLucene,  ///< ln(1 + (N - n + 0.5) / (n + 0.5)), never negative
    /// ln((N - n + 0.5) / (n + 0.5)); where negative, okapi_epsilon times the mean over all terms,
    /// as rank_bm25 has it
    kOkapi
  };
  double k1 = 1.2;  ///< rank_bm25's own is 1.5
  double b = 0.75;
  Idf idf = Idf::kLucene;
  double okapi_epsilon = 0.25;
  std::string stemmer = "english";
};

/// Texts, indexed once. The score of a text d for a query q is the sum over q's words t, in the
/// query's order and as often as they stand there, of
/// idf(t) f (k1 + 1) / (f + k1 (1 - b + b |d| / avgdl)), f the count of t in d (Robertson and
/// Zaragoza 2009, section 3); summed in double in that order, so that it depends on neither threads
/// nor machine but for the logarithm. Any number of threads may search at a time.
class LexicalIndex {
 public:
  /// Row i is texts[i]. Throws BadInput unless k1 >= 0 and 0 <= b <= 1 and okapi_epsilon >= 0.
  LexicalIndex(const std::vector<std::string>& texts, const LexicalOptions& options);
  LexicalIndex(LexicalIndex&&) noexcept;
  LexicalIndex& operator=(LexicalIndex&&) noexcept;
  ~LexicalIndex();

  std::int64_t num_rows() const;
  std::int64_t num_terms() const;  ///< different stems

  /// The k best rows that hold a word of the query and are kept by the filter (null: every row).
  /// Throws BadInput if k < 1 or the filter is over another number of rows.
  Hits search(const std::string& query, std::int64_t k, const IdFilter* filter = nullptr) const;

  /// The same for each of a batch; `filters`: see IdFilters.
  std::vector<Hits> search(const std::vector<std::string>& queries, std::int64_t k,
                           const IdFilters& filters, int num_threads) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::index
