// "Did you mean": the nearest of some valid names, for error messages.
#pragma once

#include <string>
#include <vector>

namespace sightline::host {

/// Fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment), in bytes.
std::size_t edit_distance(const std::string& a, const std::string& b);

/// The name nearest to `word`, the first one on a tie. Empty if there are no names.
std::string nearest_name(const std::string& word, const std::vector<std::string>& names);

/// `did you mean "step_m"?` when a name is close to `word`; otherwise "known are" and all names.
std::string suggestion(const std::string& word, const std::vector<std::string>& names);
/// The same for more names than one reads in an error: otherwise where they are listed,
/// "sightline places lexicon lists all".
std::string suggestion(const std::string& word, const std::vector<std::string>& names,
                       const std::string& where_listed);

}  // namespace sightline::host
