#include "host/meta_memory/query_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/config/suggest.h"

namespace sightline::host {

struct QueryReader::Core {
  AttributeBits attributes = 0;
  ClassId noun = kNoClass;
  std::size_t end = 0;        ///< word after the noun
  std::size_t joined_at = 0;  ///< the "and" between two colours; 0: there is none
};

namespace {

constexpr std::string_view kDeterminers = "the|a|an|my|our|your|his|her|its|their|any|some";
constexpr std::size_t kMaxShown = 40;     ///< bytes of a word in a message
constexpr std::size_t kMostThings = 8;    // of a place: every choice of them is compared
constexpr std::size_t kMaxMistyped = 24;  ///< longer words are compared with no name

/// A word that ends a name without quotation marks.
constexpr std::string_view kEndOfName =
    "and|to|on|along|between|near|nearest|closest|close|visible|that|which|next|beside|alongside|"
    "adjacent|nearby|around|with|from|where|is|are|seen|last|located|kept|situated|in|by|north|"
    "northeast|east|southeast|south|southwest|west|northwest|northern|northeastern|eastern|"
    "southeastern|southern|southwestern|western|northwestern|please|can|could|would|will|take|i|we|"
    "you|it|he|she|they|who|when|while|before|after|since|until|did|do|does|have|has|had|made|saw|"
    "for|at|not|but|or|if|then|than|today|yesterday|now|there|here|the|a|an|this|my|our|your|"
    "without|"
    "with|within|inside|outside|over|under|above|below|behind|across|through|during|because|so|as|"
    "again|once|twice|already|yet|still|ever|never|no|only|just|tomorrow|tonight|this|these|those";

/// Does it hold nothing but colours?
bool is_colour(AttributeBits bits) { return bits != 0 && bits < AttributeBits{1} << kNumColours; }

bool is_among(std::string_view word, std::string_view alternatives) {
  while (!alternatives.empty()) {
    const std::size_t end = std::min(alternatives.find('|'), alternatives.size());
    if (alternatives.substr(0, end) == word) return true;
    alternatives.remove_prefix(std::min(end + 1, alternatives.size()));
  }
  return false;
}

std::string_view next_item(std::string_view* pattern) {
  const std::size_t end = std::min(pattern->find(' '), pattern->size());
  const std::string_view item = pattern->substr(0, end);
  pattern->remove_prefix(std::min(end + 1, pattern->size()));
  return item;
}

bool has_digit(const std::string& word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// ` (did you mean "bench"?)`, or nothing.
std::string likely_name(const std::string& word) {
  constexpr std::size_t kNear = 2;
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const ThingClass& known : thing_classes()) {
      made.push_back(known.name);
      made.insert(made.end(), known.synonyms.begin(), known.synonyms.end());
    }
    return made;
  }();
  if (word.size() > kMaxMistyped) return "";
  std::vector<std::string> as_long;
  for (const std::string& name : names) {
    if (name.size() + kNear >= word.size() && name.size() <= word.size() + kNear) {
      as_long.push_back(name);
    }
  }
  const std::string nearest = nearest_name(word, as_long);
  const std::size_t far = edit_distance(word, nearest);
  return far <= kNear && far < word.size() / 2 ? " (did you mean \"" + nearest + "\"?)" : "";
}

}  // namespace

bool QueryReader::is_word(std::size_t at, std::string_view alternatives) const {
  return words_[at].kind == QueryWord::Kind::kWord && is_among(words_[at].word, alternatives);
}

bool QueryReader::take(std::string_view pattern) {
  std::size_t at = at_;
  while (words_[at].kind == QueryWord::Kind::kComma) ++at;
  while (!pattern.empty()) {
    std::string_view item = next_item(&pattern);
    const bool is_optional = item.back() == '?';
    if (is_optional) item.remove_suffix(1);
    if (is_word(at, item)) {
      ++at;
    } else if (!is_optional) {
      return false;
    }
  }
  at_ = at;
  return true;
}

bool QueryReader::sees(std::string_view pattern) {
  const std::size_t before = at_;
  const bool seen = take(pattern);
  at_ = before;
  return seen;
}

bool QueryReader::sees_long_name() const {
  ClassId noun = kNoClass;
  return find_noun(at_, &noun) > 1;
}

void QueryReader::take_punctuation() {
  while (word().kind == QueryWord::Kind::kComma || word().kind == QueryWord::Kind::kStop) ++at_;
}

bool QueryReader::take_me_there() {
  const std::size_t before = at_;
  take_punctuation();
  if (take("and? please? can|could|would|will you please? take|lead|guide|bring me there") ||
      take("and? please? take|lead|guide|bring me there")) {
    return true;
  }
  at_ = before;
  return false;
}

bool QueryReader::take_cardinal(Cardinal* cardinal) {
  struct Named {
    const char* words;
    Cardinal cardinal;
  };
  constexpr Named kNamed[]{{"northeast|northeastern", Cardinal::kNortheast},
                           {"north east|eastern", Cardinal::kNortheast},
                           {"southeast|southeastern", Cardinal::kSoutheast},
                           {"south east|eastern", Cardinal::kSoutheast},
                           {"southwest|southwestern", Cardinal::kSouthwest},
                           {"south west|western", Cardinal::kSouthwest},
                           {"northwest|northwestern", Cardinal::kNorthwest},
                           {"north west|western", Cardinal::kNorthwest},
                           {"north|northern", Cardinal::kNorth},
                           {"east|eastern", Cardinal::kEast},
                           {"south|southern", Cardinal::kSouth},
                           {"west|western", Cardinal::kWest}};
  for (const Named& named : kNamed) {
    if (!take(named.words)) continue;
    *cardinal = named.cardinal;
    return true;
  }
  return false;
}

/// Words that name a class, at most; 0: none do.
std::size_t QueryReader::find_noun(std::size_t at, ClassId* noun) const {
  std::size_t longest = 0;
  std::string name;
  for (std::size_t n = 1; n <= longest_class_name_words(); ++n) {
    const QueryWord& next = words_[at + n - 1];
    if (next.kind != QueryWord::Kind::kWord) break;  // the end is none
    name += (n > 1 ? " " : "") + next.word;
    if (const std::optional<ClassId> found = find_class(name)) {
      longest = n;
      *noun = *found;
    }
  }
  return longest;
}

/// A name of several words counts before an attribute ("paper towel dispenser"), an attribute
/// before a name of one, if a noun follows ("glass door").
bool QueryReader::find_core(std::size_t at, Core* core) const {
  const std::size_t words = find_noun(at, &core->noun);
  core->end = at + words;
  if (words > 1) return true;
  const std::optional<AttributeBits> attribute =
      words_[at].kind == QueryWord::Kind::kWord ? find_attribute(words_[at].word) : std::nullopt;
  if (attribute) {
    std::size_t next = at + 1;
    if (is_colour(*attribute) && is_word(next, "colored|coloured")) ++next;
    const bool has_and = is_word(next, "and");
    const bool is_joined = words_[next].kind == QueryWord::Kind::kComma || has_and;
    std::size_t joined_at = 0;
    if (is_joined && words_[next + 1].kind == QueryWord::Kind::kWord &&
        find_attribute(words_[next + 1].word)) {
      if (has_and && is_colour(*attribute)) joined_at = next;
      ++next;  // "a big, red cup", "the black and white chair"
    }
    Core rest;
    if (find_core(next, &rest)) {
      if (joined_at > 0 && is_colour(rest.attributes)) rest.joined_at = joined_at;
      rest.attributes |= *attribute;
      *core = rest;
      return true;
    }
  }
  return words > 0;
}

bool QueryReader::fail_noun_phrase() {
  while (word().kind == QueryWord::Kind::kWord && find_attribute(word().word)) ++at_;
  if (word().kind != QueryWord::Kind::kWord) return fail("the name of a thing must stand here");
  return fail("begins no name of a thing that the language knows" + likely_name(word().word));
}

void QueryReader::take_articles() {
  while (take("one of the|my|our|your|these|those") || take(kDeterminers)) {
  }
}

bool QueryReader::sees_determiner() { return sees("one of") || sees(kDeterminers); }

/// "Is there room near the sofa", "any glass", "did you see football": a word that names a thing or
/// a stuff, a space, a game, and nothing before it that tells which.
bool QueryReader::may_be_stuff(std::size_t at, const NounPhrase& thing) const {
  if (thing.attributes != 0 || !thing.name.empty()) return false;
  if (!is_word(at, "room|glass|football|basketball|tape")) return false;
  return at == 0 || !is_word(at - 1,
                             "the|a|an|my|our|your|his|her|its|their|nearest|closest|last|"
                             "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|"
                             "tenth|1st|2nd|3rd|4th|5th|6th|7th|8th|9th|10th");
}

bool QueryReader::sees_noun_phrase() {
  const std::size_t before = at_;
  take_articles();
  Core core;
  const bool seen = find_core(at_, &core);
  at_ = before;
  return seen;
}

/// `the "Horse" sculpture`: of what stands in its place. Quoted before a small thing is what is
/// written on it, or a word that means something else there: an "exit" marker is no pen.
bool QueryReader::take_name_before(std::string* name) {
  Core core;
  if (word().kind != QueryWord::Kind::kQuoted || word().word.empty()) return false;
  if (!find_core(at_ + 1, &core)) return false;
  if (thing_classes()[core.noun].scale == ClassScale::kDesk) return false;
  *name = word().word;
  ++at_;
  return true;
}

bool QueryReader::read_noun_phrase(NounPhrase* thing) {
  take_articles();
  const std::size_t begin = at_;
  std::string name;
  const bool is_named = take_name_before(&name);
  Core core;
  if (!find_core(at_, &core)) return fail_noun_phrase();
  // "the black and white chair" has both colours; chairs may have one each.
  const std::string& noun = words_[core.end - 1].word;
  const std::string plural = plural_name(core.noun);
  const bool is_plural = noun != thing_classes()[core.noun].name && noun.back() == 's';
  if (core.joined_at > 0 && is_plural) {
    return fail_at(core.joined_at, "may join colours of one thing or of several; ask for \"" +
                                       words_[core.joined_at - 1].word + " " + plural + "\" alone");
  }
  at_ = core.end;
  thing->noun = core.noun;
  thing->attributes = core.attributes;
  const std::size_t end = at_;
  if (!read_name(thing)) return false;
  if (is_named && at_ != end) return fail_at(end, "the thing has a name already");
  if (is_named) thing->name = name;
  if (may_be_stuff(begin, *thing)) {
    return fail_at(begin, "may mean no thing; say \"a " + words_[begin].word + "\"");
  }
  thing->text = text_between(begin, at_);
  return true;
}

/// `named Annenberg Hall`, `called "The Bean"`, and of places "Room 423". True if there is none.
bool QueryReader::read_name(NounPhrase* thing) {
  const auto is_quoted = [&] { return word().kind == QueryWord::Kind::kQuoted; };
  const std::size_t before = at_;
  const bool is_named = take("that|which? is|are? named|called");
  if (!is_named) at_ = before;
  const bool is_numbered = !is_named && thing_classes()[thing->noun].is_place &&
                           word().kind == QueryWord::Kind::kWord && has_digit(word().word) &&
                           !is_word(at_, "1st|2nd|3rd|4th|5th|6th|7th|8th|9th|10th");
  if (is_quoted()) {
    thing->name = word().word;
    ++at_;
    return !thing->name.empty() || fail_at(at_ - 1, "a name must not be empty");
  }
  if (!is_named && !is_numbered) return true;
  const std::size_t begin = at_;
  if (word().kind != QueryWord::Kind::kWord) return fail("a name must stand here");
  ++at_;
  while (is_named && goes_on_name(begin)) ++at_;
  thing->name = text_between(begin, at_);
  return true;
}

/// Does the next word belong to a name that begins there without quotation marks? What begins with
/// a capital goes on with capitals alone, little words between them ("Bank of America").
bool QueryReader::goes_on_name(std::size_t begin) const {
  const auto is_small = [&](std::size_t at) {
    const char c = question_[words_[at].begin];
    return c >= 'a' && c <= 'z';
  };
  if (word().kind != QueryWord::Kind::kWord) return false;
  const bool is_link = is_word(at_, "of|the|for|de|la") && !is_small(begin);
  if (is_link && is_small(at_)) {
    const std::size_t next = at_ + (is_word(at_ + 1, "the") ? 2 : 1);
    return words_[next].kind == QueryWord::Kind::kWord && !is_small(next) &&
           !is_word(next, kEndOfName);
  }
  return !is_word(at_, kEndOfName) && (is_small(begin) || !is_small(at_));
}

bool QueryReader::read_reference(Reference* reference) {
  if (take("the? point|place|position|location|coordinates") &&
      word().kind != QueryWord::Kind::kPoint) {
    return fail("a place is written (x, y), in metres");
  }
  if (word().kind == QueryWord::Kind::kPoint) {
    if (!(std::fabs(word().x) <= kFarthest_m && std::fabs(word().y) <= kFarthest_m)) {
      return fail("is farther than 10,000 km away; places are in metres");
    }
    reference->kind = Reference::Kind::kPoint;
    reference->x = word().x;
    reference->y = word().y;
    ++at_;
    return true;
  }
  if (take("here|me|us") || take("where i|we am|are now?") ||
      take("my|our|the current? location|position") ||
      take("my|our|the present location|position")) {
    reference->kind = Reference::Kind::kHere;
    return true;
  }
  reference->kind = Reference::Kind::kThing;
  return read_noun_phrase(&reference->thing);
}

bool QueryReader::read_list(std::size_t fewest, std::vector<NounPhrase>* things) {
  bool is_last = false;
  for (std::size_t count = 1;; ++count) {
    NounPhrase thing;
    take_articles();
    const std::size_t begin = at_;
    if (!read_noun_phrase(&thing)) return false;
    const auto is_same = [&](const NounPhrase& other) { return same_thing(other, thing); };
    if (std::any_of(things->begin(), things->end(), is_same)) {
      return fail_at(begin, "this thing is asked for already; name each thing once");
    }
    things->push_back(std::move(thing));
    if (things->size() > kMostThings) return fail("a place is asked for by 8 things at most");
    const std::size_t after = at_;
    const bool asks_more = !take_me_there();
    at_ = after;
    if (asks_more && take("and")) {
      is_last = true;
      continue;
    }
    if (asks_more && word().kind == QueryWord::Kind::kComma && !is_last) {
      ++at_;
      continue;
    }
    if (count < fewest) return fail("a place is asked for by two things at least: \"and\" ...");
    return count == 1 || is_last || fail("the last thing of a list follows \"and\"");
  }
}

bool QueryReader::fail_at(std::size_t position, const std::string& why) {
  if (has_failed()) return false;
  const QueryWord& word = words_[position];
  error_character_ = word.character;
  std::string shown = question_.substr(word.begin, word.end - word.begin);
  if (shown.size() > kMaxShown || word.kind == QueryWord::Kind::kOther) {
    shown.clear();  // a piece of it may be no UTF-8
  }
  error_ = "character " + std::to_string(word.character);
  if (at_end() && position == at_) error_ += ", at the end";
  if (!shown.empty()) error_ += ", \"" + shown + "\"";
  error_ += ": " + why;
  return false;
}

std::string QueryReader::text_between(std::size_t begin, std::size_t end) const {
  const std::size_t first = words_[begin].begin;
  return with_single_blanks(question_.substr(first, words_[end - 1].end - first));
}

}  // namespace sightline::host
