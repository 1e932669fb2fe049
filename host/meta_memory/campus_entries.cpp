#include "host/meta_memory/campus_entries.h"

#include <set>
#include <string>

#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/place_words.h"

namespace sightline::host {
namespace {

constexpr int kSequenceShift = 16;  // of a view's number, above the pose

std::vector<ClassId> classes_of(const Campus& campus) {
  std::set<ClassId> classes;
  for (const CampusObject& object : campus.objects) {
    if (!object.is_landmark) classes.insert(object.class_id);
  }
  return {classes.begin(), classes.end()};
}

}  // namespace

std::vector<Entry> campus_entries(const Campus& campus, const CampusWalk& walk,
                                  std::uint16_t sequence, std::uint64_t campus_key,
                                  const CaptionNoise& noise) {
  check_caption_noise(noise);
  const std::vector<ClassId> classes = classes_of(campus);
  std::vector<Entry> entries;
  std::size_t next = 0;  // of the sightings, which go by pose
  for (std::size_t pose = 0; pose < walk.poses.size(); ++pose) {
    const WalkPose& at = walk.poses[pose];
    Entry entry;
    entry.sequence = sequence;
    entry.time_s = at.time_s;
    entry.position_m = at.position_m;
    entry.yaw_rad = at.yaw_rad;
    entry.image_ref = "campus/" + std::to_string(sequence) + "/" + std::to_string(pose);
    CaptionView view;
    view.campus = campus_key;
    view.view =
        static_cast<std::uint32_t>(sequence) << kSequenceShift ^ static_cast<std::uint32_t>(pose);
    for (; next < walk.sightings.size() &&
           walk.sightings[next].pose == static_cast<std::int32_t>(pose);
         ++next) {
      const CampusObject& object = campus.objects[walk.sightings[next].object];
      entry.visible.push_back(
          {object.id, object.class_id, object.attributes, object.position_m, 1});
      view.things.push_back({object.id, object.class_id, object.attributes, object.name,
                             object.is_landmark, object.is_large, object.position_m});
    }
    entry.caption = caption_of(view, mentions_of(view, classes, noise), noise);
    entries.push_back(std::move(entry));
  }
  return entries;
}

void append_campus_entries(const std::vector<Entry>& entries, EntryTable* table) {
  if (table->embedder != kHashedEmbedder && table->embedder != kPlaceWords) {
    throw InputError("entries of a campus: the table's embedder is \"" + table->embedder +
                     "\", none that is built in; embed them by it and append each");
  }
  for (const Entry& entry : entries) {
    append_entry(entry, embed_text(*table, entry.caption), table);
  }
}

}  // namespace sightline::host
