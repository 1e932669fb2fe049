#include "host/memory/hashed_embedder.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "host/error.h"
#include "host/memory/memory_table.h"

namespace sightline::host {
namespace {

constexpr std::string_view kStopWords[] = {
    "a",    "an",    "and",   "are",   "as",   "at",    "be",   "been", "but",   "by",
    "did",  "do",    "does",  "for",   "from", "had",   "has",  "have", "he",    "her",
    "him",  "his",   "how",   "i",     "if",   "in",    "into", "is",   "it",    "its",
    "me",   "my",    "of",    "off",   "on",   "or",    "our",  "out",  "s",     "she",
    "so",   "t",     "than",  "that",  "the",  "their", "them", "then", "there", "these",
    "they", "this",  "those", "to",    "up",   "us",    "was",  "we",   "were",  "what",
    "when", "where", "which", "while", "who",  "whose", "why",  "with", "you",   "your"};

bool is_stop_word(const std::string& word) {
  return std::binary_search(std::begin(kStopWords), std::end(kStopWords), word);
}

bool is_word_byte(unsigned char c) {
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void count_feature(std::string_view feature, std::vector<std::int64_t>* counts) {
  const std::uint64_t hash = feature_hash(feature);
  (*counts)[(hash >> 1) % counts->size()] += hash & 1 ? 1 : -1;
}

}  // namespace

// FNV-1a (Fowler, Noll and Vo), mixed by the finaliser of MurmurHash3 (Appleby).
std::uint64_t feature_hash(std::string_view feature, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ seed;
  for (const char c : feature) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  for (const std::uint64_t factor : {0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u}) {
    hash = (hash ^ hash >> 33) * factor;
  }
  return hash ^ hash >> 33;
}

std::vector<std::string> hashed_words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char c : text) {
    const bool was_in_word = in_word;
    in_word = is_word_byte(static_cast<unsigned char>(c));
    if (!in_word) continue;
    if (!was_in_word) words.emplace_back();
    words.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  const auto kept_end = std::stable_partition(
      words.begin(), words.end(), [](const std::string& word) { return !is_stop_word(word); });
  if (kept_end != words.begin()) words.erase(kept_end, words.end());
  return words;
}

std::vector<float> hashed_embedding(std::string_view text, std::int32_t width) {
  if (width < 1 || width > kMaxEmbeddingWidth) {
    throw InputError("a hashed embedding of " + std::to_string(width) +
                     " dimensions; must be from 1 to " + std::to_string(kMaxEmbeddingWidth));
  }
  const std::vector<std::string> words = hashed_words(text);
  if (words.empty()) throw InputError("the text holds no word to embed; write one");
  std::vector<std::int64_t> counts(static_cast<std::size_t>(width));
  for (const std::string& word : words) {
    count_feature(word, &counts);
    const std::string marked = "^" + word + "$";
    for (std::size_t at = 0; at + 3 <= marked.size(); ++at) {
      count_feature("#" + marked.substr(at, 3), &counts);
    }
  }
  std::int64_t square = 0;
  for (const std::int64_t count : counts) square += count * count;
  if (square == 0) {
    throw InputError("the words of the text cancel out in " + std::to_string(width) +
                     " dimensions; use more");
  }
  const double length = std::sqrt(static_cast<double>(square));
  std::vector<float> embedding;
  embedding.reserve(counts.size());
  for (const std::int64_t count : counts) {
    embedding.push_back(static_cast<float>(static_cast<double>(count) / length));
  }
  return embedding;
}

}  // namespace sightline::host
