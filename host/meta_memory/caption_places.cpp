#include "host/meta_memory/caption_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>

#include "host/meta_memory/caption_names.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

/// "(x, y, z)" at the beginning of a text.
struct PlaceText {
  Vec3 place_m;
  std::size_t length = 0;
};

std::optional<PlaceText> place_at_start(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto skip = [&](char mark) {
    while (at < end && *at == ' ') ++at;
    if (at == end || *at != mark) return false;
    ++at;
    while (at < end && *at == ' ') ++at;
    return true;
  };
  double numbers[3] = {};
  for (int i = 0; i < 3; ++i) {
    if (!skip(i == 0 ? '(' : ',')) return std::nullopt;
    const auto [stop, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc() || !(std::fabs(numbers[i]) <= kFarthest_m)) return std::nullopt;
    at = stop;
  }
  while (at < end && *at == ' ') ++at;
  if (at == end || *at != ')') return std::nullopt;
  return PlaceText{{numbers[0], numbers[1], numbers[2]},
                   static_cast<std::size_t>(at + 1 - text.data())};
}

/// Calls `use(words, place)` for the words before each place, and at last for those after all.
template <typename Use>
void for_each_part(std::string_view caption, const Use& use) {
  std::size_t first = 0;
  for (std::size_t at = caption.find('('); at != std::string_view::npos;) {
    const std::optional<PlaceText> place = place_at_start(caption.substr(at));
    if (place) {
      std::string_view words = caption.substr(first, at - first);
      while (!words.empty() && words.back() == ' ') words.remove_suffix(1);
      use(words, std::optional<Vec3>(place->place_m));
      first = at + place->length;
    }
    at = caption.find('(', place ? first : at + 1);
  }
  use(caption.substr(first), std::optional<Vec3>());
}

/// The thing that a part of a caption ends with, as far as a place can be of it.
std::optional<NamedThing> last_thing(std::string_view words, const std::string& name) {
  if (name.empty()) {
    const std::vector<NamedThing> named = things_named_in(std::string(words));
    return named.empty() ? std::nullopt : std::make_optional(named.back());
  }
  for (const CalledThing& called : things_called(words, name)) {
    if (called.end == words.size()) return called.thing;
  }
  return std::nullopt;
}

}  // namespace

std::string caption_place(const Vec3& place_m) {
  return fmt::format(" ({:.2f}, {:.2f}, {:.2f})", place_m.x, place_m.y, place_m.z);
}

std::vector<ToldThing> things_placed(std::string_view caption, const NounPhrase& asked) {
  std::vector<ToldThing> placed;
  for_each_part(caption, [&](std::string_view words, const std::optional<Vec3>& place) {
    if (!place) return;
    const std::optional<NamedThing> thing = last_thing(words, asked.name);
    if (!thing || !is_one_of(thing->class_id, asked.noun)) return;
    if (!contradict(thing->attributes, asked.attributes)) placed.push_back({*thing, *place});
  });
  return placed;
}

std::vector<Vec3> places_told(std::string_view caption, const NounPhrase& asked) {
  std::vector<Vec3> places;
  int most = 0;
  for (const ToldThing& one : things_placed(caption, asked)) {
    const int matched = num_attributes(one.thing.attributes & asked.attributes);
    if (matched > most) places.clear();
    most = std::max(most, matched);
    if (matched == most) places.push_back(one.place_m);
  }
  return places;
}

std::string without_places(std::string_view caption) {
  std::string words;
  for_each_part(caption, [&](std::string_view part, const auto&) { words += part; });
  return words;
}

}  // namespace sightline::host
