#include "host/meta_memory/caption_noise.h"

#include <array>

#include "host/error.h"
#include "host/meta_memory/caption_places.h"
#include "host/random.h"
#include "host/random_normal.h"

namespace sightline::host {
namespace {

constexpr std::uint64_t kNeverStream = stream_of("caption never");
constexpr std::uint64_t kMentionStream = stream_of("caption mention");
constexpr std::uint64_t kViewStream = stream_of("caption view");
constexpr std::uint64_t kOddNumber = 0x9E3779B97F4A7C15;  // spreads campuses over the streams

RandomItem draws(std::uint64_t stream, const CaptionView& view, std::uint64_t item,
                 const CaptionNoise& noise) {
  return RandomItem(noise.seed, stream + kOddNumber * view.campus, item);
}

bool is_never_mentioned(const ThingInView& thing, const CaptionView& view,
                        const CaptionNoise& noise) {
  RandomItem random = draws(kNeverStream, view, thing.object_id, noise);
  return random.uniform() < (thing.is_large ? noise.never_large : noise.never_small);
}

AttributeBits random_colour(RandomItem* random) {
  return AttributeBits{1} << random->below(kNumColours);
}

/// A colour that the attributes do not hold.
AttributeBits other_colour(AttributeBits attributes, RandomItem* random) {
  std::vector<AttributeBits> colours;
  for (int bit = 0; bit < kNumColours; ++bit) {
    if ((attributes >> bit & 1) == 0) colours.push_back(AttributeBits{1} << bit);
  }
  return colours.empty() ? 0 : colours[random->below(colours.size())];
}

std::string words_of(const std::string& noun, AttributeBits attributes, const std::string& name) {
  std::string words;
  for (int bit = 0; bit < kNumAttributes; ++bit) {
    if ((attributes >> bit & 1) == 0) continue;
    words += attribute_names()[static_cast<std::size_t>(bit)] + " ";
  }
  words += noun;
  return name.empty() ? words : words + " named " + name;
}

/// The name of the class, or another; the class that the name is of.
std::string noun_for(ClassId* class_id, bool is_other, RandomItem* random) {
  const ThingClass& thing = thing_classes().at(*class_id);
  const std::uint64_t others = thing.synonyms.size() + (thing.parent != kNoClass ? 1 : 0);
  const std::uint64_t pick = random->below(others + 1);  // drawn always: what follows stays in step
  if (!is_other || others == 0) return thing.name;
  const std::uint64_t number = pick % others;
  if (number < thing.synonyms.size()) return thing.synonyms[number];
  *class_id = thing.parent;
  return thing_classes().at(thing.parent).name;
}

Mention mention_of(const ThingInView& thing, const CaptionNoise& noise, RandomItem* random) {
  Mention mention;
  mention.object_id = thing.object_id;
  mention.position_m = thing.position_m;
  mention.class_id = thing.class_id;
  mention.attributes = thing.attributes;
  const double fate = random->uniform();
  const AttributeBits other = other_colour(thing.attributes, random);
  if (fate < noise.attribute_dropped) {
    mention.attributes = 0;
  } else if (fate < noise.attribute_dropped + noise.attribute_wrong && thing.attributes != 0) {
    mention.attributes = other;
  }
  const bool is_other = random->uniform() < noise.other_name;
  const std::string noun = noun_for(&mention.class_id, is_other, random);
  mention.words = words_of(noun, mention.attributes, thing.name);
  return mention;
}

std::string with_article(const std::string& words) {
  const bool is_vowel = std::string_view("aeiou").find(words.front()) != std::string_view::npos;
  return (is_vowel ? "an " : "a ") + words;
}

void check_rate(const char* name, double rate) {
  if (rate >= 0 && rate <= 1) return;
  throw InputError(std::string("noise of captions: ") + name + " is " + std::to_string(rate) +
                   "; it must be from 0 to 1");
}

}  // namespace

CaptionNoise caption_noise_preset(std::string_view name) {
  CaptionNoise noise;
  if (name == "default") return noise;
  if (name == "mild") {
    noise.never_small = 0.15;
    noise.never_large = 0.04;
    noise.mention = 0.75;
    noise.attribute_dropped = 0.2;
    noise.attribute_wrong = 0.05;
    noise.other_name = 0.05;
    noise.hallucination = 0.15;
    noise.similarity_sigma = 0.2;
    return noise;
  }
  if (name != "perfect") {
    throw InputError("noise of captions: \"" + std::string(name) +
                     "\" is no preset; there are default, mild and perfect");
  }
  noise.never_small = noise.never_large = 0;
  noise.mention = noise.mention_landmark = 1;
  noise.attribute_dropped = noise.attribute_wrong = noise.other_name = 0;
  noise.hallucination = noise.similarity_sigma = 0;
  return noise;
}

void check_caption_noise(const CaptionNoise& noise) {
  check_rate("never_small", noise.never_small);
  check_rate("never_large", noise.never_large);
  check_rate("mention", noise.mention);
  check_rate("mention_landmark", noise.mention_landmark);
  check_rate("attribute_dropped", noise.attribute_dropped);
  check_rate("attribute_wrong", noise.attribute_wrong);
  check_rate("attribute_dropped + attribute_wrong",
             noise.attribute_dropped + noise.attribute_wrong);
  check_rate("other_name", noise.other_name);
  check_rate("hallucination", noise.hallucination);
  if (noise.similarity_sigma >= 0) return;
  throw InputError("noise of captions: similarity_sigma is " +
                   std::to_string(noise.similarity_sigma) + "; it must be 0 or more");
}

std::vector<Mention> mentions_of(const CaptionView& view, const std::vector<ClassId>& classes,
                                 const CaptionNoise& noise) {
  std::vector<Mention> mentions;
  for (const ThingInView& thing : view.things) {
    const std::uint64_t item = std::uint64_t{thing.object_id} << 32 | view.view;
    RandomItem random = draws(kMentionStream, view, item, noise);
    const double rate = thing.is_landmark ? noise.mention_landmark : noise.mention;
    if (random.uniform() >= rate || is_never_mentioned(thing, view, noise)) continue;
    mentions.push_back(mention_of(thing, noise, &random));
  }
  RandomItem random = draws(kViewStream, view, view.view, noise);
  if (random.uniform() >= noise.hallucination || classes.empty()) return mentions;
  Mention false_one;
  false_one.class_id = classes[random.below(classes.size())];
  false_one.attributes = random_colour(&random);
  false_one.words = words_of(thing_classes().at(false_one.class_id).name, false_one.attributes, "");
  mentions.push_back(std::move(false_one));
  return mentions;
}

std::string caption_of(const CaptionView& view, const std::vector<Mention>& mentions,
                       const CaptionNoise& noise) {
  // None of these words may name a class or an attribute.
  static constexpr std::array<const char*, 4> kBeginnings{"I can see ", "There is ",
                                                          "In view: ", "The camera shows "};
  if (mentions.empty()) return "Nothing of note.";
  std::string list;
  for (std::size_t i = 0; i < mentions.size(); ++i) {
    if (i > 0) list += i + 1 == mentions.size() ? " and " : ", ";
    list += with_article(mentions[i].words);
    if (noise.tells_places && mentions[i].object_id >= 0) {
      list += caption_place(mentions[i].position_m);
    }
  }
  RandomItem random = draws(kViewStream, view, ~std::uint64_t{view.view}, noise);
  return kBeginnings[random.below(kBeginnings.size())] + list + ".";
}

double similarity_noise(std::string_view question, std::uint64_t entry, const CaptionNoise& noise) {
  NormalDraws normal(RandomItem(noise.seed, stream_of(question), entry));
  return noise.similarity_sigma * normal();
}

}  // namespace sightline::host
