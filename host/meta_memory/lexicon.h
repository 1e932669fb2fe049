// The words that the closed language knows: classes of things, with synonyms and one parent each,
// and attributes.
//
// Meta-Memory (Mao et al.), sections III and IV.A: the things that its questions name, and more of
// what stands about a campus, an office and a home. "Soccer field" and "football field" are one
// class, as the paper's two wordings of one question have it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sightline::host {

using ClassId = std::uint16_t;
constexpr ClassId kNoClass = 0xffff;

/// A bit for each attribute: colours 0 to 11, materials 12 to 19, sizes 20 to 23, states 24 to 29.
using AttributeBits = std::uint32_t;
constexpr int kNumColours = 12, kNumMaterials = 8, kNumSizes = 4, kNumStates = 6;
constexpr int kNumAttributes = kNumColours + kNumMaterials + kNumSizes + kNumStates;

/// How far around a thing of a class one looks first: Meta-Memory leaves the radius to its language
/// model (3 m around a water dispenser, 50 m around a supermarket).
enum class ClassScale : std::uint8_t { kDesk, kRoom, kFloor, kOutdoor };
constexpr double kScaleRadius_m[] = {3, 8, 15, 50};

struct ThingClass {
  std::string name;                   ///< singular: "vending machine"
  std::vector<std::string> synonyms;  ///< other names of the very same: "drinks machine"
  ClassId parent = kNoClass;          ///< what it is one of: a mug is a drinking vessel
  ClassScale scale = ClassScale::kRoom;
  bool is_place = false;  ///< one can be there: a landmark, which nobody puts down or leaves behind
};

/// [num_classes] by ClassId, which never change: files hold them.
const std::vector<ThingClass>& thing_classes();
/// [kNumAttributes] by bit.
const std::vector<std::string>& attribute_names();

/// The class with this name or synonym, singular or plural, in any case of letters; words may be
/// joined by blanks, hyphens or underscores.
std::optional<ClassId> find_class(const std::string& words);
/// One bit: "grey", "Gray", "wood", "wooden".
std::optional<AttributeBits> find_attribute(const std::string& word);

/// For errors about what neither of them finds: the nearest name, or synonym, that is one.
std::string class_suggestion(const std::string& words);
std::string attribute_suggestion(const std::string& word);

/// "benches", "pairs of scissors".
std::string plural_name(ClassId id);

/// Words in the longest name of a class.
std::size_t longest_class_name_words();

/// Is a thing of class `thing` one of `asked`: the class itself, or a descendant of it?
bool is_one_of(ClassId thing, ClassId asked);

/// Is it a word that others are kinds of: "seat", of chairs, benches and sofas?
bool has_kinds(ClassId id);

/// Of no class: that of a room.
ClassScale scale_of(ClassId id);

int num_attributes(AttributeBits bits);

/// A thing that a text names, with the attributes right before its name.
struct NamedThing {
  ClassId class_id = kNoClass;
  AttributeBits attributes = 0;
};

/// The things that a text names, in its order; longest names win ("water dispenser" is no
/// "dispenser"), a material before a name is no thing ("glass door" names no glass), and neither is
/// what "no", "without", "lacking", "zero", "neither" or "not a" says is not there ("no bench,
/// table or statue"); what whole sentences deny ("the bench is gone") is not understood.
std::vector<NamedThing> things_named_in(const std::string& text);

/// The thing that a text begins or ends with: before its name or behind it stands nothing.
/// `*is_whole`: behind it neither.
std::optional<NamedThing> thing_at_start(const std::string& text, bool* is_whole);
std::optional<NamedThing> thing_at_end(const std::string& text);

/// Do they differ in a colour, material, size or state that both have?
bool contradict(AttributeBits a, AttributeBits b);

/// The classes of things_named_in(), each once, ascending.
std::vector<ClassId> classes_named_in(const std::string& text);

}  // namespace sightline::host
