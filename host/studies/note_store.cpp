#include "host/studies/note_store.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "host/memory/layout.h"
#include "host/studies/note_streams.h"

namespace sightline::host {
namespace {

/// Objects take a tenth of the ground that they may stand on.
double side_m(std::size_t num_objects) {
  constexpr double kGroundPerObject = 10;
  return NoteStore::kApartM * std::sqrt(kGroundPerObject * static_cast<double>(num_objects));
}

std::vector<kernels::Vec3> draw_places(std::size_t num_objects, std::uint64_t seed) {
  const double side = side_m(num_objects);
  const BoxLayout box{{{0, side}, {0, 2}, {0, side}}, NoteStore::kApartM};
  return lay_out(box, static_cast<std::int64_t>(num_objects), DrawStreams{seed, kNotePlaces});
}

/// A place between kNearM and kFarM off, at the same height.
kernels::Vec3 draw_observer(const kernels::Vec3& object, RandomItem item) {
  for (;;) {
    const double dx = NoteStore::kFarM * (2 * item.uniform() - 1);
    const double dz = NoteStore::kFarM * (2 * item.uniform() - 1);
    const double squared = dx * dx + dz * dz;
    if (squared < NoteStore::kNearM * NoteStore::kNearM) continue;
    if (squared > NoteStore::kFarM * NoteStore::kFarM) continue;
    return {object.x + dx, object.y, object.z + dz};
  }
}

}  // namespace

std::int64_t NoteStore::object_index(const std::string& name) const {
  const auto found = std::find(object_names.begin(), object_names.end(), name);
  return found - object_names.begin();
}

void NoteStore::add(const std::string& text, std::int64_t object, std::uint64_t seed) {
  const kernels::Vec3& place = object_places_m[static_cast<std::size_t>(object)];
  observers_m.push_back(draw_observer(place, RandomItem(seed, kNoteObservers, num_notes())));
  anchors_m.push_back(place);
  texts.push_back(text);
  objects.push_back(object);
}

NoteStore make_note_store(const std::vector<Note>& notes, const std::vector<std::string>& acted_on,
                          std::uint64_t seed) {
  NoteStore store;
  std::map<std::string, std::int64_t> known;
  const auto object_of = [&](const std::string& name) {
    const auto [entry, is_new] =
        known.try_emplace(name, static_cast<std::int64_t>(store.object_names.size()));
    if (is_new) store.object_names.push_back(name);
    return entry->second;
  };
  for (const std::string& name : acted_on) object_of(name);
  for (const Note& note : notes) object_of(note.object);
  store.object_places_m = draw_places(store.object_names.size(), seed);
  for (const Note& note : notes) store.add(note.text, known.at(note.object), seed);
  return store;
}

}  // namespace sightline::host
