#include "index/lexical_index.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "index/error.h"
#include "index/parallel.h"

namespace sightline::index {
namespace {

bool is_word_byte(unsigned char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte >= 128;
}

char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; }

}  // namespace

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::size_t i = 0;
  while (i < text.size()) {
    std::string word;
    for (; i < text.size() && is_word_byte(static_cast<unsigned char>(text[i])); ++i) {
      word += lower(text[i]);
    }
    // An apostrophe between letters begins an ending: "dog's", "isn't", "o'neil's".
    while (!word.empty() && i + 1 < text.size() && text[i] == '\'' &&
           is_word_byte(static_cast<unsigned char>(text[i + 1]))) {
      for (++i; i < text.size() && is_word_byte(static_cast<unsigned char>(text[i]));) ++i;
    }
    if (word.empty()) {
      ++i;
    } else {
      words.push_back(std::move(word));
    }
  }
  return words;
}

/// One stem in one text.
struct Posting {
  std::int64_t row;
  std::int64_t count;
};

struct LexicalIndex::Impl {
  LexicalOptions options;
  std::int64_t num_rows = 0;
  std::unordered_map<std::string, std::int64_t> term_ids;
  std::vector<std::vector<Posting>> postings;  // [num_terms], rows ascending
  std::vector<double> idf;                     // [num_terms]
  std::vector<double> length_part;             // [num_rows]: k1 (1 - b + b |d| / avgdl)

  std::vector<std::int64_t> query_terms(const std::string& query, Stemmer& stemmer) const {
    std::vector<std::int64_t> terms;
    for (const std::string& word : split_words(query)) {
      const auto known = term_ids.find(stemmer.stem(word));
      if (known != term_ids.end()) terms.push_back(known->second);
    }
    return terms;
  }

  void add_texts(const std::vector<std::string>& texts);
  void set_idf();
  Hits search(const std::string& query, std::int64_t k, const IdFilter* filter,
              Stemmer& stemmer) const;
};

void LexicalIndex::Impl::add_texts(const std::vector<std::string>& texts) {
  Stemmer stemmer(options.stemmer);
  num_rows = static_cast<std::int64_t>(texts.size());
  std::vector<std::int64_t> lengths;
  std::unordered_map<std::string, std::string> stems;  // of words met: stemming costs more
  std::int64_t total = 0;
  for (std::int64_t row = 0; row < num_rows; ++row) {
    const std::vector<std::string> words = split_words(texts[static_cast<std::size_t>(row)]);
    for (const std::string& word : words) {
      const auto [stem, is_new] = stems.try_emplace(word);
      if (is_new) stem->second = stemmer.stem(word);
      const auto next = static_cast<std::int64_t>(postings.size());
      const std::int64_t term = term_ids.try_emplace(stem->second, next).first->second;
      if (term == next) postings.emplace_back();
      std::vector<Posting>& rows = postings[static_cast<std::size_t>(term)];
      if (rows.empty() || rows.back().row != row) rows.push_back({row, 0});
      ++rows.back().count;
    }
    lengths.push_back(static_cast<std::int64_t>(words.size()));
    total += lengths.back();
  }
  // A text of no words is in no posting; the mean is 0 only if all are such.
  const double mean =
      static_cast<double>(total) / static_cast<double>(std::max<std::int64_t>(num_rows, 1));
  for (const std::int64_t length : lengths) {
    const double relative = total > 0 ? static_cast<double>(length) / mean : 0;
    length_part.push_back(options.k1 * (1 - options.b + options.b * relative));
  }
}

void LexicalIndex::Impl::set_idf() {
  const auto all = static_cast<double>(num_rows);
  double sum = 0;
  for (const std::vector<Posting>& rows : postings) {
    const auto with = static_cast<double>(rows.size());
    const double odds = (all - with + 0.5) / (with + 0.5);
    idf.push_back(std::log(options.idf == LexicalOptions::Idf::kLucene ? 1 + odds : odds));
    sum += idf.back();
  }
  if (options.idf == LexicalOptions::Idf::kLucene || idf.empty()) return;
  const double floor = options.okapi_epsilon * (sum / static_cast<double>(idf.size()));
  for (double& value : idf) value = value < 0 ? floor : value;
}

Hits LexicalIndex::Impl::search(const std::string& query, std::int64_t k, const IdFilter* filter,
                                Stemmer& stemmer) const {
  const std::vector<std::int64_t> terms = query_terms(query, stemmer);
  std::vector<double> scores(static_cast<std::size_t>(terms.empty() ? 0 : num_rows), 0);
  std::vector<std::uint8_t> met(scores.size(), 0);
  Hits hits;
  for (const std::int64_t term : terms) {
    for (const Posting& posting : postings[static_cast<std::size_t>(term)]) {
      const auto row = static_cast<std::size_t>(posting.row);
      const auto count = static_cast<double>(posting.count);
      scores[row] += idf[static_cast<std::size_t>(term)] * count * (options.k1 + 1) /
                     (count + length_part[row]);
      if (met[row] == 0 && (filter == nullptr || filter->contains(posting.row))) {
        hits.push_back({posting.row, 0});
      }
      met[row] = 1;
    }
  }
  for (Hit& hit : hits) hit.score = scores[static_cast<std::size_t>(hit.row)];
  keep_best(k, hits);
  return hits;
}

LexicalIndex::LexicalIndex(const std::vector<std::string>& texts, const LexicalOptions& options)
    : impl_(std::make_unique<Impl>()) {
  const auto check = [](const char* name, double value, double high) {
    if (value >= 0 && value <= high) return;
    throw BadInput(std::string("BM25's ") + name + " is " + std::to_string(value) +
                   "; give a number between 0 and " + std::to_string(high));
  };
  check("k1", options.k1, 1000);
  check("b", options.b, 1);
  check("epsilon", options.okapi_epsilon, 1000);
  impl_->options = options;
  impl_->add_texts(texts);
  impl_->set_idf();
}

LexicalIndex::LexicalIndex(LexicalIndex&&) noexcept = default;
LexicalIndex& LexicalIndex::operator=(LexicalIndex&&) noexcept = default;
LexicalIndex::~LexicalIndex() = default;

std::int64_t LexicalIndex::num_rows() const { return impl_->num_rows; }

std::int64_t LexicalIndex::num_terms() const {
  return static_cast<std::int64_t>(impl_->postings.size());
}

Hits LexicalIndex::search(const std::string& query, std::int64_t k, const IdFilter* filter) const {
  return search(std::vector<std::string>{query}, k, {filter}, 1)[0];
}

std::vector<Hits> LexicalIndex::search(const std::vector<std::string>& queries, std::int64_t k,
                                       const IdFilters& filters, int num_threads) const {
  constexpr std::int64_t kQueriesOfTask = 16;
  const auto num_queries = static_cast<std::int64_t>(queries.size());
  check_filters(filters, num_queries, impl_->num_rows);
  if (k < 1) throw BadInput("k " + std::to_string(k) + " is below 1; give at least 1");
  std::vector<Hits> found(queries.size());
  const std::int64_t num_tasks = (num_queries + kQueriesOfTask - 1) / kQueriesOfTask;
  for_each_task(num_tasks, num_threads, [&](std::int64_t task) {
    Stemmer stemmer(impl_->options.stemmer);
    const std::int64_t end = std::min(num_queries, (task + 1) * kQueriesOfTask);
    for (std::int64_t i = task * kQueriesOfTask; i < end; ++i) {
      const auto query = static_cast<std::size_t>(i);
      found[query] = impl_->search(queries[query], k, filter_of(filters, i), stemmer);
    }
  });
  return found;
}

}  // namespace sightline::index
