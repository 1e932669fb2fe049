// What captions say of what is in view, and get wrong: a stand-in for a captioning model, with
// stated rates of error.
//
// The paper, Meta-Memory (Mao et al.), captions clips with Qwen2.5-VL-7B; no model is run here.
// Every draw is a function of (seed, campus, object, view) or (seed, campus, view) alone: all
// variants of a system read the same captions, and two rates differ only in what lies between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/meta_memory/lexicon.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// Probabilities, but for the last two.
struct CaptionNoise {
  std::uint64_t seed = 1;
  double never_small = 0.35;  ///< that no caption ever mentions an object
  double never_large = 0.12;
  double mention = 0.45;  ///< of an object in a view
  double mention_landmark = 0.9;
  double attribute_dropped = 0.45;  ///< of a mention
  double attribute_wrong = 0.08;    ///< another colour; of a mention
  double other_name = 0.12;         ///< a synonym, or the name of what it is one of; of a mention
  double hallucination = 0.25;      ///< of one thing that is not there, in a caption
  double similarity_sigma = 0.12;   ///< of a normal number added to a similarity
  bool tells_places = false;  ///< no error: where a thing is stands behind it (caption_places.h)
};

/// "default", "mild" or "perfect" (nothing is left out or wrong). Throws InputError for another.
CaptionNoise caption_noise_preset(std::string_view name);

/// Throws InputError naming a rate outside [0, 1], two that add up to more, or a negative sigma.
void check_caption_noise(const CaptionNoise& noise);

/// Something in view.
struct ThingInView {
  std::uint32_t object_id = 0;
  ClassId class_id = kNoClass;
  AttributeBits attributes = 0;
  std::string name;  ///< of its own; empty: none
  bool is_landmark = false;
  bool is_large = false;
  kernels::Vec3 position_m{};
};

/// One picture: which of which campus. Object ids are those of the campus.
struct CaptionView {
  std::uint64_t campus = 0;
  std::uint32_t view = 0;
  std::vector<ThingInView> things;
};

/// What a caption says of one thing.
struct Mention {
  ClassId class_id = kNoClass;   ///< that the words are taken for: a parent, of a hypernym
  AttributeBits attributes = 0;  ///< as said
  std::string words;             ///< "red mug", "library named Harper", without an article
  std::int64_t object_id = -1;   ///< -1: it is not there
  kernels::Vec3 position_m;      ///< of what is there
};

/// What the caption of a view says: of things in view in their order, then what is not there, which
/// is one of `classes` with one of kNumColours colours. No classes: none.
std::vector<Mention> mentions_of(const CaptionView& view, const std::vector<ClassId>& classes,
                                 const CaptionNoise& noise);

/// A sentence with these mentions, of one of a few forms that (seed, campus, view) chooses. Of what
/// is not there no place is told.
std::string caption_of(const CaptionView& view, const std::vector<Mention>& mentions,
                       const CaptionNoise& noise);

/// What to add to the similarity of a question's text and an entry: the same whoever asks.
double similarity_noise(std::string_view question, std::uint64_t entry, const CaptionNoise& noise);

}  // namespace sightline::host
