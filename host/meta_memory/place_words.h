// A built-in embedder that knows the words of the lexicon: hashed features of what a text says,
// with synonyms made one.
//
//     words     longest runs of a-z and 0-9, A-Z made small; those that only hold a sentence
//               together are dropped, unless no other is left (hashed_words()); names of classes
//               and attributes become the lexicon's own name of them ("couches": "sofa"), other
//               words lose a plural s
//     features  each word, each two words that follow one another, and the runs of three and four
//               characters of '^', the word, '$'
//     weight    1 + ln of how often a feature occurs; of a question times its idf, ln((1 + n) /
//               (1 + d)) + 1 where d of the store's n captions have it
//     vector    element (hash >> 1) mod width gains or loses the weight by the lowest bit of the
//               hash (64-bit FNV-1a of a seed and the feature, mixed by MurmurHash3's finaliser),
//               then is made of unit length
//
// Of 270 questions (`places draw --seed N --embedder E --buildings B --questions Q` for N 1 to 6,
// then `ask --buildings B --questions Q`) the answers within 15 m are 216 by these words and 212 by
// hashed_embedder.h's, 134 and 129 with --check caption: one or two questions in a hundred.
//
// Weights of captions have no idf, so that what is appended later leaves the vectors that are
// stored as they are. hashed_embedder.h, the default, knows no synonyms, and is what recall uses.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/meta_memory/phrase_embedder.h"

namespace sightline::host {

constexpr const char* kPlaceWords = "place_words";  ///< EntryTable::embedder
constexpr std::int32_t kPlaceWordsWidth = 256;

/// The words of a text as above, in their order: of "Two couches by a grey wall" "two", "sofa",
/// "grey", "wall".
std::vector<std::string> place_words(const std::string& text);

class PlaceWords : public PhraseEmbedder {
 public:
  /// Of captions: without idf.
  explicit PlaceWords(std::int32_t width) : width_(width) {}
  /// Of questions about these entries: by how many captions have each feature.
  explicit PlaceWords(const EntryTable& entries);

  std::int32_t width() const override { return width_; }
  /// Equal bits on one machine. Throws InputError for a text without words, or whose features
  /// cancel out.
  std::vector<float> embed(const std::string& text) const override;

 private:
  double idf(const std::string& feature) const;

  std::int32_t width_;
  std::int64_t num_captions_ = 0;  ///< 0: no idf
  std::unordered_map<std::string, std::int64_t> captions_with_;
};

}  // namespace sightline::host
