#include "host/config/suggest.h"

#include <algorithm>
#include <utility>

namespace sightline::host {
namespace {

std::string nearest_or(const std::string& word, const std::vector<std::string>& names,
                       const std::string& all) {
  if (names.empty()) return "nothing is valid here";
  const std::string nearest = nearest_name(word, names);
  // A third of the letters wrong still reads as a slip of the finger; more is another word.
  const std::size_t close = std::max<std::size_t>(1, std::max(word.size(), nearest.size()) / 3);
  if (edit_distance(word, nearest) <= close) return "did you mean \"" + nearest + "\"?";
  return all;
}

}  // namespace

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string nearest_name(const std::string& word, const std::vector<std::string>& names) {
  const auto nearer = [&](const std::string& a, const std::string& b) {
    return edit_distance(word, a) < edit_distance(word, b);
  };
  const auto nearest = std::min_element(names.begin(), names.end(), nearer);
  return nearest == names.end() ? std::string() : *nearest;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return nearest_or(word, names, (names.size() == 1 ? "known is " : "known are ") + all);
}

std::string suggestion(const std::string& word, const std::vector<std::string>& names,
                       const std::string& where_listed) {
  return nearest_or(word, names, where_listed);
}

}  // namespace sightline::host
