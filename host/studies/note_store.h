// Notes in a world: each is bound to an object, which has a place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/studies/note_texts.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// Notes, the objects they are bound to, and where these and the notes' writers are. Objects stand
/// at random places at least kApartM from each other; a writer stands kNearM to kFarM away.
struct NoteStore {
  static constexpr double kApartM = 4, kNearM = 3, kFarM = 10;

  std::vector<std::string> texts;              ///< [num_notes]
  std::vector<std::int64_t> objects;           ///< [num_notes] index of the object bound to
  std::vector<kernels::Vec3> object_places_m;  ///< [num_objects]
  std::vector<kernels::Vec3> anchors_m;        ///< [num_notes] the object's place
  std::vector<kernels::Vec3> observers_m;      ///< [num_notes] where the writer stood
  std::vector<std::string> object_names;       ///< [num_objects], each once

  std::size_t num_notes() const { return texts.size(); }
  /// Index of an object by name; it must be there.
  std::int64_t object_index(const std::string& name) const;
  /// Binds one more note to an object; its writer's place depends on the seed and the row.
  void add(const std::string& text, std::int64_t object, std::uint64_t seed);
};

/// A store of `notes` in a world that also holds the objects `acted_on`. Places depend on the seed
/// and on the order of names.
NoteStore make_note_store(const std::vector<Note>& notes, const std::vector<std::string>& acted_on,
                          std::uint64_t seed);

}  // namespace sightline::host
