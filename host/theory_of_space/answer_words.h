// What answers in words say: labels, names, numbers and actions, read as the published scorers of
// Theory of Space (ToS) read them. Nothing here throws.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/theory_of_space/action.h"

namespace sightline::host::tos {

std::string_view trimmed(std::string_view text);
std::string lower(std::string_view text);
/// Lower case, blanks at the ends gone and those between words single.
std::string single_spaced(std::string_view text);

/// The parts between any of the letters of `ends`, without blanks around them; empty ones left out.
std::vector<std::string_view> split(std::string_view text, std::string_view ends);
/// What stands after the last "answer:", marks of emphasis around it gone; all of it without one.
std::string_view final_answer(std::string_view answer);

/// A label without case, blanks and hyphens, and by its usual name: "NW" is "northwest", "medium"
/// is "middistance".
std::string canonical_label(std::string_view label);
/// Is a canonical label one of the words of another: "front" of "frontslightleft"?
bool is_word_of(const std::string& word, const std::string& label);

/// The items of a list: what stands in the first parentheses, else brackets, else all; divided by
/// commas, quotes gone, empty ones left out.
std::vector<std::string> list_in(std::string_view answer);
/// The first two of a list; else of what semicolons or ends of lines divide; else the last word and
/// all before it.
std::optional<std::pair<std::string, std::string>> two_labels_in(std::string_view answer);
/// All pairs of numbers with a comma between them.
std::vector<std::pair<double, double>> coordinates_in(std::string_view answer);
/// Jumps and rotations divided by commas; empty if any is something else.
std::vector<Action> plan_in(std::string_view answer);

}  // namespace sightline::host::tos
