#include "host/meta_memory/caption_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>

namespace sightline::host {
namespace {

using kernels::Vec3;

/// " (x, y, z)" at the beginning of a text.
struct PlaceText {
  Vec3 place_m;
  std::size_t length = 0;
};

std::optional<PlaceText> place_at_start(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto skip = [&](std::string_view word) {
    if (std::string_view(at, static_cast<std::size_t>(end - at)).substr(0, word.size()) != word) {
      return false;
    }
    at += word.size();
    return true;
  };
  double numbers[3] = {};
  if (!skip(" (")) return std::nullopt;
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !skip(", ")) return std::nullopt;
    const auto [stop, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc() || !std::isfinite(numbers[i])) return std::nullopt;
    at = stop;
  }
  if (!skip(")")) return std::nullopt;
  return PlaceText{{numbers[0], numbers[1], numbers[2]},
                   static_cast<std::size_t>(at - text.data())};
}

/// Calls `use(words, place)` for the words before each place, and at last for those after all.
template <typename Use>
void for_each_part(std::string_view caption, const Use& use) {
  std::size_t first = 0;
  for (std::size_t at = caption.find(" ("); at != std::string_view::npos;) {
    const std::optional<PlaceText> place = place_at_start(caption.substr(at));
    if (place) {
      use(caption.substr(first, at - first), std::optional<Vec3>(place->place_m));
      first = at + place->length;
    }
    at = caption.find(" (", place ? first : at + 1);
  }
  use(caption.substr(first), std::optional<Vec3>());
}

}  // namespace

std::string caption_place(const Vec3& place_m) {
  return fmt::format(" ({:.2f}, {:.2f}, {:.2f})", place_m.x, place_m.y, place_m.z);
}

std::vector<Vec3> places_told(std::string_view caption, const NounPhrase& asked) {
  std::vector<Vec3> places;
  int most = 0;
  for_each_part(caption, [&](std::string_view words, const std::optional<Vec3>& place) {
    if (!place) return;
    const std::vector<NamedThing> named = things_named_in(std::string(words));
    if (named.empty() || !is_one_of(named.back().class_id, asked.noun)) return;
    if (contradict(named.back().attributes, asked.attributes)) return;
    const int matched = num_attributes(named.back().attributes & asked.attributes);
    if (matched > most) places.clear();
    most = std::max(most, matched);
    if (matched == most) places.push_back(*place);
  });
  return places;
}

std::string without_places(std::string_view caption) {
  std::string words;
  for_each_part(caption, [&](std::string_view part, const auto&) { words += part; });
  return words;
}

}  // namespace sightline::host
