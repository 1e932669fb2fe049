#include "host/meta_memory/place_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/caption_places.h"
#include "host/meta_memory/lexicon.h"

namespace sightline::host {
namespace {

constexpr std::uint64_t kSeed = 0x506c616365730001u;

std::string without_plural(const std::string& word) {
  constexpr std::size_t kLeast = 4;
  const std::size_t n = word.size();
  const bool is_plural = n >= kLeast && word[n - 1] == 's' && word[n - 2] != 's';
  return is_plural ? word.substr(0, n - 1) : word;
}

/// The class whose name begins at a word, the longest one, and how many words it takes.
std::optional<std::pair<ClassId, std::size_t>> class_at(const std::vector<std::string>& words,
                                                        std::size_t at) {
  for (std::size_t n = std::min(longest_class_name_words(), words.size() - at); n > 0; --n) {
    std::string name = words[at];
    for (std::size_t i = 1; i < n; ++i) name += " " + words[at + i];
    if (const auto found = find_class(name)) return std::pair(*found, n);
  }
  return std::nullopt;
}

std::string attribute_name(AttributeBits bit) {
  for (int i = 0; i < kNumAttributes; ++i) {
    if (bit >> i & 1) return attribute_names()[static_cast<std::size_t>(i)];
  }
  return "";
}

/// How often each feature occurs.
std::map<std::string, std::int64_t> features_of(const std::string& text) {
  const std::vector<std::string> words = place_words(text);
  std::map<std::string, std::int64_t> counts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    ++counts[words[i]];
    if (i + 1 < words.size()) ++counts[words[i] + "+" + words[i + 1]];
    const std::string marked = "^" + words[i] + "$";
    for (const std::size_t n : {std::size_t{3}, std::size_t{4}}) {
      for (std::size_t at = 0; at + n <= marked.size(); ++at) ++counts["#" + marked.substr(at, n)];
    }
  }
  return counts;
}

}  // namespace

std::vector<std::string> place_words(const std::string& text) {
  const std::vector<std::string> said = hashed_words(without_places(text));
  std::vector<std::string> words;
  for (std::size_t at = 0; at < said.size();) {
    if (const auto thing = class_at(said, at)) {
      words.push_back(thing_classes()[thing->first].name);
      at += thing->second;
    } else if (const auto attribute = find_attribute(said[at])) {
      words.push_back(attribute_name(*attribute));
      ++at;
    } else {
      words.push_back(without_plural(said[at]));
      ++at;
    }
  }
  return words;
}

PlaceWords::PlaceWords(const EntryTable& entries)
    : width_(entries.width), num_captions_(entries.size()) {
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    for (const auto& feature : features_of(std::string(entries.caption(row)))) {
      ++captions_with_[feature.first];
    }
  }
}

double PlaceWords::idf(const std::string& feature) const {
  if (num_captions_ == 0) return 1;
  const auto found = captions_with_.find(feature);
  const auto with = static_cast<double>(found == captions_with_.end() ? 0 : found->second);
  return std::log((1 + static_cast<double>(num_captions_)) / (1 + with)) + 1;
}

std::vector<float> PlaceWords::embed(const std::string& text) const {
  const std::map<std::string, std::int64_t> features = features_of(text);
  if (features.empty()) throw InputError("the text holds no word to embed; write one");
  std::vector<double> sums(static_cast<std::size_t>(width_));
  for (const auto& [feature, count] : features) {
    const double weight = (1 + std::log(static_cast<double>(count))) * idf(feature);
    const std::uint64_t hash = feature_hash(feature, kSeed);
    sums[(hash >> 1) % sums.size()] += hash & 1 ? weight : -weight;
  }
  double square = 0;
  for (const double sum : sums) square += sum * sum;
  if (square == 0) throw InputError("the words of the text cancel out; use more dimensions");
  std::vector<float> unit;
  for (const double sum : sums) unit.push_back(static_cast<float>(sum / std::sqrt(square)));
  return unit;
}

}  // namespace sightline::host
