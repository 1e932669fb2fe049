#include "host/meta_memory/lexicon.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <unordered_map>

#include "host/config/suggest.h"
#include "host/meta_memory/class_table.h"
#include "host/meta_memory/letters.h"

namespace sightline::host {
namespace {

constexpr std::array<const char*, kNumAttributes> kAttributes{
    "black",  "white",  "grey",  "red",     "orange", "yellow", "green",   "blue",
    "purple", "pink",   "brown", "beige",                                            // colours
    "wood",   "metal",  "glass", "plastic", "stone",  "brick",  "leather", "paper",  // materials
    "small",  "large",  "tall",  "short",                                            // sizes
    "open",   "closed", "empty", "full",    "broken", "parked"};                     // states

struct OtherWord {
  const char *word, *attribute;
};
constexpr OtherWord kOtherWords[]{{"gray", "grey"},      {"violet", "purple"}, {"wooden", "wood"},
                                  {"metallic", "metal"}, {"little", "small"},  {"big", "large"},
                                  {"shut", "closed"}};

std::vector<std::string> split_at_bars(std::string_view names) {
  std::vector<std::string> split;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find('|'), names.size());
    split.emplace_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return split;
}

std::vector<ThingClass> make_classes() {
  std::unordered_map<std::string, ClassId> id_of;
  std::vector<ThingClass> classes;
  for (const ClassRow& row : class_rows()) {
    id_of[row.name] = static_cast<ClassId>(classes.size());
    classes.push_back({row.name, split_at_bars(row.synonyms), kNoClass, row.scale, row.is_place});
  }
  for (std::size_t id = 0; id < classes.size(); ++id) {
    const std::string parent = class_rows()[id].parent;
    if (!parent.empty()) classes[id].parent = id_of.at(parent);
  }
  return classes;
}

bool ends_with(const std::string& word, std::string_view end) {
  return word.size() >= end.size() && word.compare(word.size() - end.size(), end.size(), end) == 0;
}

/// "bench" -> "benches"; what is plural already ("stairs") stays.
std::string plural_of(const std::string& name) {
  if (ends_with(name, "shelf")) return name.substr(0, name.size() - 1) + "ves";
  for (const char* end : {"ss", "us", "x", "ch", "sh"}) {
    if (ends_with(name, end)) return name + "es";
  }
  if (ends_with(name, "s")) return name;
  const bool after_consonant =
      name.size() > 1 && std::string_view("aeiou").find(name[name.size() - 2]) == std::string::npos;
  if (name.back() == 'y' && after_consonant) return name.substr(0, name.size() - 1) + "ies";
  return name + "s";
}

std::size_t words_in(const std::string& name) {
  return static_cast<std::size_t>(std::count(name.begin(), name.end(), ' ')) + 1;
}

struct NameTable {
  std::unordered_map<std::string, ClassId> class_of;             ///< singular and plural
  std::unordered_map<std::string, std::size_t> most_words_from;  ///< of names by their first word
  std::size_t most_words = 1;

  void add(const std::string& name, ClassId id) {
    const std::size_t words = words_in(name);
    class_of.emplace(name, id);
    std::size_t& most_from = most_words_from[name.substr(0, name.find(' '))];
    most_from = std::max(most_from, words);
    most_words = std::max(most_words, words);
  }
};

/// A few synonyms carry their head first, such as "pair of scissors": these have their plural
/// there.
std::string plural_of_phrase(const std::string& name) {
  for (const std::string_view link : {" of ", " to "}) {
    const std::size_t at = name.find(link);
    if (at != std::string::npos) return plural_of(name.substr(0, at)) + name.substr(at);
  }
  return plural_of(name);
}

const NameTable& name_table() {
  static const NameTable table = [] {
    NameTable made;
    const std::vector<ThingClass>& classes = thing_classes();
    for (std::size_t id = 0; id < classes.size(); ++id) {
      std::vector<std::string> names = classes[id].synonyms;
      names.push_back(classes[id].name);
      for (const std::string& name : names) {
        made.add(name, static_cast<ClassId>(id));
        made.add(plural_of_phrase(name), static_cast<ClassId>(id));
      }
    }
    return made;
  }();
  return table;
}

bool is_word_character(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool is_beyond_ascii = static_cast<unsigned char>(c) >= 0x80;  // letters, as in "café"
  return is_letter || is_beyond_ascii || (c >= '0' && c <= '9');
}

/// Lower case, words joined by one blank each; anything but hyphens, blanks and underscores between
/// words is kept, so that no name matches across it.
std::string normal_form(const std::string& words) {
  std::string normal;
  for (const char c : lower_case(words)) {
    const bool is_join = c == ' ' || c == '-' || c == '_' || c == '\t' || c == '\n' || c == '\r';
    if (!is_join) normal += c;
    if (is_join && !normal.empty() && normal.back() != ' ') normal += ' ';
  }
  if (!normal.empty() && normal.back() == ' ') normal.pop_back();
  return normal;
}

/// Words and, as words of their own, whatever stands between them and is no join.
std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> pieces;
  bool in_word = false;
  for (const char c : normal_form(text)) {
    const bool is_word = is_word_character(c);
    if (c != ' ') {
      if (is_word && in_word) {
        pieces.back() += c;
      } else {
        pieces.emplace_back(1, c);
      }
    }
    in_word = is_word;
  }
  return pieces;
}

/// Words from `at` on that name a class, at most; 0: none.
std::size_t longest_name_at(const std::vector<std::string>& pieces, std::size_t at, ClassId* id) {
  if (at >= pieces.size()) return 0;
  const NameTable& table = name_table();
  const auto most = table.most_words_from.find(pieces[at]);
  if (most == table.most_words_from.end()) return 0;
  std::size_t longest = 0;
  std::string name;
  for (std::size_t n = 1; n <= most->second && at + n <= pieces.size(); ++n) {
    name += (n > 1 ? " " : "") + pieces[at + n - 1];
    const auto found = table.class_of.find(name);
    if (found == table.class_of.end()) continue;
    longest = n;
    *id = found->second;
  }
  return longest;
}

bool is_piece(const std::vector<std::string>& pieces, std::size_t at,
              std::initializer_list<const char*> words) {
  return at < pieces.size() && std::find(words.begin(), words.end(), pieces[at]) != words.end();
}

/// Does the word say that what follows is not there? "A no parking sign" is; "not far from" tells
/// nothing of the kind.
bool is_denial(const std::vector<std::string>& pieces, std::size_t at) {
  if (pieces[at] == "no") return at == 0 || !is_piece(pieces, at - 1, {"a", "an", "the"});
  return is_piece(pieces, at, {"without", "lacking", "neither", "zero"}) ||
         (pieces[at] == "not" && is_piece(pieces, at + 1, {"a", "an", "any", "one"}));
}

/// Do the words between a denial and the thing that it is about go on here: "no more red, wooden or
/// metal benches", "no sign of a bench"?
bool goes_on_denied(const std::vector<std::string>& pieces, std::size_t at) {
  if (find_attribute(pieces[at])) return true;
  if (pieces[at] == "," || pieces[at] == "or") {
    return at > 0 && find_attribute(pieces[at - 1]).has_value();
  }
  return is_piece(
      pieces, at,
      {"a", "an", "any", "one", "other", "visible", "more", "longer", "single", "trace", "of"});
}

/// Is the list of what is denied not at its end: "no bench, table or statue"? A comma alone may end
/// it, so that it counts only where "or" follows before the sentence ends.
bool lists_more_denied(const std::vector<std::string>& pieces, std::size_t at) {
  if (is_piece(pieces, at, {"or", "nor"})) return true;
  if (pieces[at] == "of") return is_piece(pieces, at - 1, {"sign", "signs"});  // is a thing, too
  if (pieces[at] != ",") return false;
  for (std::size_t i = at + 1; i < pieces.size() && !is_piece(pieces, i, {".", ";", ":"}); ++i) {
    if (is_piece(pieces, i, {"a", "an", "the", "and", "but", "with"})) return false;
    if (is_piece(pieces, i, {"or", "nor"})) return true;
  }
  return false;
}

/// The things that pieces name, and where the last name ends. "No chairs or tables" names none.
std::vector<NamedThing> things_in(const std::vector<std::string>& pieces, std::size_t* end) {
  std::vector<NamedThing> named;
  AttributeBits attributes = 0;                // of the words right before
  bool is_denied = false, was_denied = false;  // what comes, and the thing right before
  for (std::size_t at = 0; at < pieces.size();) {
    ClassId id = kNoClass, next = kNoClass;
    const std::size_t words = longest_name_at(pieces, at, &id);
    const std::optional<AttributeBits> attribute = find_attribute(pieces[at]);
    const bool is_material =
        words == 1 && attribute.has_value() && longest_name_at(pieces, at + 1, &next) > 0;
    if (words > 0 && !is_material) {
      if (!is_denied) {
        named.push_back({id, attributes});
        *end = at + words;
      }
      attributes = 0;
      was_denied = is_denied;
      is_denied = false;
    } else {
      is_denied = is_denial(pieces, at) || (is_denied && goes_on_denied(pieces, at)) ||
                  (was_denied && lists_more_denied(pieces, at));
      was_denied = false;
      attributes = attribute ? attributes | *attribute : 0;
    }
    at += std::max<std::size_t>(words, 1);
  }
  return named;
}

/// Comparing takes time with the length of a word, and who drives the tools may send a long one.
std::string nearest_of(const std::string& words, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 64;
  return suggestion(normal_form(words.substr(0, kLongest)), names,
                    "sightline places lexicon lists all");
}

}  // namespace

const std::vector<ThingClass>& thing_classes() {
  static const std::vector<ThingClass> classes = make_classes();
  return classes;
}

const std::vector<std::string>& attribute_names() {
  static const std::vector<std::string> names(kAttributes.begin(), kAttributes.end());
  return names;
}

std::optional<ClassId> find_class(const std::string& words) {
  const auto found = name_table().class_of.find(normal_form(words));
  if (found == name_table().class_of.end()) return std::nullopt;
  return found->second;
}

ClassScale scale_of(ClassId id) {
  return id == kNoClass ? ClassScale::kRoom : thing_classes()[id].scale;
}

std::optional<AttributeBits> find_attribute(const std::string& word) {
  static const std::unordered_map<std::string, AttributeBits> bit_of = [] {
    std::unordered_map<std::string, AttributeBits> made;
    for (std::size_t bit = 0; bit < kAttributes.size(); ++bit) {
      made[kAttributes[bit]] = AttributeBits{1} << bit;
    }
    for (const OtherWord& other : kOtherWords) made[other.word] = made.at(other.attribute);
    return made;
  }();
  const auto found = bit_of.find(normal_form(word));
  if (found == bit_of.end()) return std::nullopt;
  return found->second;
}

std::string class_suggestion(const std::string& words) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const ThingClass& one : thing_classes()) made.push_back(one.name);
    for (const ThingClass& one : thing_classes()) {
      made.insert(made.end(), one.synonyms.begin(), one.synonyms.end());
    }
    return made;
  }();
  return nearest_of(words, names);
}

std::string attribute_suggestion(const std::string& word) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made = attribute_names();
    for (const OtherWord& other : kOtherWords) made.emplace_back(other.word);
    return made;
  }();
  return nearest_of(word, names);
}

std::string plural_name(ClassId id) { return plural_of_phrase(thing_classes().at(id).name); }

std::size_t longest_class_name_words() { return name_table().most_words; }

bool is_one_of(ClassId thing, ClassId asked) {
  const std::vector<ThingClass>& classes = thing_classes();
  for (; thing < classes.size(); thing = classes[thing].parent) {
    if (thing == asked) return true;
  }
  return false;
}

bool has_kinds(ClassId id) {
  const std::vector<ThingClass>& classes = thing_classes();
  return std::any_of(classes.begin(), classes.end(), [&](const ThingClass& one) {
    return one.parent != kNoClass && one.parent == id;
  });
}

std::vector<NamedThing> things_named_in(const std::string& text) {
  std::size_t end = 0;
  return things_in(pieces_of(text), &end);
}

std::optional<NamedThing> thing_at_start(const std::string& text, bool* is_whole) {
  const std::vector<std::string> pieces = pieces_of(text);
  NamedThing thing;
  const std::size_t words = longest_name_at(pieces, 0, &thing.class_id);
  *is_whole = words == pieces.size();
  return words > 0 ? std::make_optional(thing) : std::nullopt;
}

std::optional<NamedThing> thing_at_end(const std::string& text) {
  const std::vector<std::string> pieces = pieces_of(text);
  std::size_t end = 0;
  const std::vector<NamedThing> named = things_in(pieces, &end);
  return !named.empty() && end == pieces.size() ? std::make_optional(named.back()) : std::nullopt;
}

int num_attributes(AttributeBits bits) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) ++count;
  return count;
}

bool contradict(AttributeBits a, AttributeBits b) {
  int first = 0;
  for (const int count : {kNumColours, kNumMaterials, kNumSizes, kNumStates}) {
    const AttributeBits kind = ((AttributeBits{1} << count) - 1) << first;
    if ((a & kind) != 0 && (b & kind) != 0 && (a & b & kind) == 0) return true;
    first += count;
  }
  return false;
}

std::vector<ClassId> classes_named_in(const std::string& text) {
  std::vector<ClassId> named;
  for (const NamedThing& thing : things_named_in(text)) named.push_back(thing.class_id);
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
  return named;
}

}  // namespace sightline::host
