// Embeddings of text without a model: hashed words and their trigrams. It knows no synonyms.
//
// Defined to the bit, so that other programs can make the same (scripts/embed.py --hashed):
//
//     words     longest runs of ASCII letters, digits and bytes above 127; A-Z become a-z. Words
//               that only hold a sentence together ("the", "where") are dropped, unless no other is
//               left
//     features  each word, and '#' with each three consecutive bytes of '^', the word, '$'; as
//     often
//               as they occur
//     hash      64-bit FNV-1a of a feature's bytes, then the finaliser of MurmurHash3
//     vector    component (hash >> 1) mod width gains 1 if the lowest bit of the hash is set, else
//               loses 1; the integers, divided in double by the root of the sum of their squares,
//               are rounded to float
//
// Weinberger, Dasgupta, Langford, Smola and Attenberg, "Feature Hashing for Large Scale Multitask
// Learning" (2009), section 2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::host {

constexpr const char* kHashedEmbedder = "hashed";  ///< MemoryTable::embedder
constexpr std::int32_t kHashedWidth = 384;

/// The hash above, begun with a seed.
std::uint64_t feature_hash(std::string_view feature, std::uint64_t seed = 0);

/// The words of a text that the embedder hashes, in their order.
std::vector<std::string> hashed_words(std::string_view text);

/// The embedding of a memory's text or of a query's, [width], of unit length; equal bits on every
/// machine. Throws InputError if the text holds no word, or features that cancel out.
std::vector<float> hashed_embedding(std::string_view text, std::int32_t width = kHashedWidth);

}  // namespace sightline::host
