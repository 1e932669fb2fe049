#include "host/meta_memory/entry_jsonl.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "host/error.h"
#include "host/memory/embeddings_of_lines.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/json_lines.h"
#include "host/meta_memory/caption_places.h"
#include "host/meta_memory/place_words.h"
#include "host/meta_memory/query.h"

namespace sightline::host {
namespace {

using Json = nlohmann::json;

constexpr double kRadians = 3.14159265358979323846 / 180;

AttributeBits read_attributes(const JsonObject& thing, const Json& value) {
  const auto found = value.find("attributes");
  if (found == value.end()) return 0;
  if (!found->is_array()) thing.fail("attributes must be a list of words, [\"red\"]");
  AttributeBits attributes = 0;
  for (const Json& word : *found) {
    if (!word.is_string()) thing.fail("attributes must be a list of words, [\"red\"]");
    const std::optional<AttributeBits> bits = find_attribute(word.get<std::string>());
    if (!bits) {
      thing.fail("attribute \"" + word.get<std::string>() + "\" is not in the lexicon; " +
                 attribute_suggestion(word.get<std::string>()));
    }
    attributes |= *bits;
  }
  return attributes;
}

void check_is_near(const JsonObject& object, const kernels::Vec3& position_m) {
  if (std::max({std::fabs(position_m.x), std::fabs(position_m.y), std::fabs(position_m.z)}) <=
      kFarthest_m) {
    return;
  }
  object.fail("position is farther than 10,000 km from the origin; give metres");
}

VisibleObject read_thing(const JsonObject& thing, const Json& value) {
  VisibleObject object;
  const auto id = thing.count("object", std::numeric_limits<std::uint32_t>::max());
  if (!id) thing.fail_missing("object", "the number of the thing, \"object\": 4");
  object.object_id = static_cast<std::uint32_t>(*id);
  const std::optional<std::string> name = thing.text("class");
  if (!name) thing.fail_missing("class", "\"class\": \"mug\"");
  const std::optional<ClassId> class_id = find_class(*name);
  if (!class_id) {
    thing.fail("class \"" + *name + "\" is not in the lexicon; " + class_suggestion(*name));
  }
  object.class_id = *class_id;
  object.attributes = read_attributes(thing, value);
  const std::optional<kernels::Vec3> position = thing.point("position");
  if (!position) thing.fail_missing("position", "\"position\": [x, y, z], in metres");
  check_is_near(thing, *position);
  object.position_m = *position;
  object.confidence = thing.number("confidence").value_or(1);
  return object;
}

std::vector<VisibleObject> read_visible(const JsonLines& lines, const JsonObject& line) {
  std::vector<VisibleObject> visible;
  const auto found = lines.value().find("visible");
  if (found == lines.value().end()) return visible;
  if (!found->is_array()) line.fail("visible must be a list of things, [{...}]");
  for (const Json& value : *found) {
    const std::string name = "visible[" + std::to_string(visible.size()) + "]";
    const JsonObject thing(lines.place(), value, name,
                           {"object", "class", "attributes", "position", "confidence"});
    visible.push_back(read_thing(thing, value));
  }
  return visible;
}

Entry read_entry(const JsonLines& lines) {
  const JsonObject line =
      lines.object({"sequence", "time_s", "position", "yaw_deg", "caption", "image", "visible"});
  Entry entry;
  const auto sequence = line.count("sequence", std::numeric_limits<std::uint16_t>::max());
  if (!sequence) line.fail_missing("sequence", "\"sequence\": 0");
  entry.sequence = static_cast<std::uint16_t>(*sequence);
  const std::optional<double> time_s = line.seconds("time_s");
  if (!time_s) line.fail_missing("time_s", "\"time_s\": 3.0");
  entry.time_s = *time_s;
  const std::optional<kernels::Vec3> position = line.point("position");
  if (!position) line.fail_missing("position", "\"position\": [x, y, z], in metres");
  check_is_near(line, *position);
  entry.position_m = *position;
  if (const auto yaw_deg = line.number("yaw_deg")) entry.yaw_rad = *yaw_deg * kRadians;
  entry.caption = line.text("caption").value_or("");
  entry.image_ref = line.text("image").value_or("");
  entry.visible = read_visible(lines, line);
  return entry;
}

std::string embedder_of(const EntriesSource& source) {
  if (source.hashed_width) return kHashedEmbedder;
  return source.embedder.empty() ? "file" : source.embedder;
}

LineEmbeddings embed_place_words(const std::vector<std::string>& captions,
                                 const std::vector<std::string>& places, std::int32_t width) {
  const PlaceWords words(width);
  LineEmbeddings embeddings;
  embeddings.width = width;
  for (std::size_t i = 0; i < captions.size(); ++i) {
    try {
      const std::vector<float> unit = words.embed(captions[i]);
      embeddings.values.insert(embeddings.values.end(), unit.begin(), unit.end());
    } catch (const InputError& error) {
      throw InputError(places[i] + ": " + error.what());
    }
  }
  return embeddings;
}

/// Entries that do not tell what their image shows, beside others that do, would pass for images
/// that show nothing: it must be said of all or of none.
class TellsVisible {
 public:
  /// `table`: what the new entries join.
  explicit TellsVisible(const EntryTable& table) {
    if (table.size() > 0) of_store_ = table.tells_visible;
  }
  /// Throws InputError where a line does otherwise than the store, or than lines before it.
  void add(const JsonLines& lines) {
    const bool tells = lines.value().contains("visible");
    if (of_store_ && tells && !*of_store_) {
      throw InputError(lines.place() +
                       ": has \"visible\", which entries of the store have not; leave it out, or "
                       "import all entries anew with it");
    }
    std::string& first = tells ? with_ : without_;
    if (first.empty()) first = lines.place();
    const std::string with = of_store_ && *of_store_ ? "the store" : with_;
    if (with.empty() || without_.empty()) return;
    throw InputError(without_ + ": has no \"visible\", and " + with +
                     " has; give it \"visible\": [] if nothing is seen there, or leave the key "
                     "out everywhere");
  }
  bool any() const { return !with_.empty(); }

 private:
  std::optional<bool> of_store_;
  std::string with_, without_;  ///< the first line of each kind
};

/// The class of each object by its number, which is one thing: in another place later, but no
/// other.
class ClassesOfObjects {
 public:
  explicit ClassesOfObjects(const EntryTable& table) {
    for (const VisibleObject& thing : table.visible) class_of_[thing.object_id] = thing.class_id;
  }
  void add(const Entry& entry, const std::string& place) {
    for (const VisibleObject& thing : entry.visible) {
      const auto [known, is_new] = class_of_.emplace(thing.object_id, thing.class_id);
      const ClassId before = known->second;
      if (is_new || is_one_of(before, thing.class_id) || is_one_of(thing.class_id, before)) {
        continue;
      }
      throw InputError(place + ": object " + std::to_string(thing.object_id) + " is a " +
                       thing_classes()[thing.class_id].name + ", and a " +
                       thing_classes()[before].name +
                       " before; give each thing a number of its own");
    }
  }

 private:
  std::map<std::uint32_t, ClassId> class_of_;
};

/// Finds entries that are there already. Times of a sequence never fall, so that only those of its
/// latest time can be.
class Repeats {
 public:
  explicit Repeats(const EntryTable& table) : table_(table) {
    for (std::int64_t row = 0; row < table.size(); ++row) note(row);
  }
  bool has(const Entry& entry) const {
    const auto latest = latest_.find(entry.sequence);
    return latest != latest_.end() &&
           std::any_of(latest->second.begin(), latest->second.end(),
                       [&](std::int64_t row) { return is_same(entry, row); });
  }
  void note(std::int64_t row) {
    const auto i = static_cast<std::size_t>(row);
    std::vector<std::int64_t>& rows = latest_[table_.sequence[i]];
    const bool is_later =
        !rows.empty() && table_.time_s[i] > table_.time_s[static_cast<std::size_t>(rows.front())];
    if (is_later) rows.clear();
    rows.push_back(row);
  }

 private:
  bool is_same(const Entry& entry, std::int64_t row) const {
    const auto i = static_cast<std::size_t>(row);
    const kernels::Vec3 apart = kernels::minus(entry.position_m, table_.position_m[i]);
    constexpr double kSame_m = 1e-3;  // positions are kept as floats
    return !table_.is_deleted(row) && table_.time_s[i] == entry.time_s &&
           kernels::dot(apart, apart) < kSame_m * kSame_m && table_.caption(row) == entry.caption &&
           table_.image_ref(row) == entry.image_ref;
  }

  const EntryTable& table_;
  std::map<std::uint16_t, std::vector<std::int64_t>> latest_;
};

}  // namespace

void append_entries_jsonl(const EntriesSource& source, EntryTable* table) {
  JsonLines lines(source.path);
  std::vector<Entry> entries;
  std::vector<std::string> captions, places;
  TellsVisible tells_visible(*table);
  ClassesOfObjects classes(*table);
  const bool is_of_place_words = source.embedder == kPlaceWords && source.embeddings.empty();
  while (lines.next()) {
    entries.push_back(read_entry(lines));
    if (entries.back().caption.empty() && (is_of_place_words || source.hashed_width)) {
      throw InputError(lines.place() +
                       ": caption is missing or empty; write \"caption\": \"...\", or give "
                       "embeddings");
    }
    tells_visible.add(lines);
    classes.add(entries.back(), lines.place());
    captions.push_back(without_places(entries.back().caption));
    places.push_back(lines.place());
  }
  if (entries.empty()) lines.fail("holds no entry; write one JSON object a line");
  const auto place_of = [&](std::int64_t row) { return places[static_cast<std::size_t>(row)]; };
  const LineEmbeddings embeddings =
      is_of_place_words
          ? embed_place_words(captions, places, table->size() > 0 ? table->width : kPlaceWordsWidth)
          : embeddings_of(
                {source.path, &captions, place_of, source.embeddings, source.hashed_width});
  const auto width = static_cast<std::size_t>(embeddings.width);
  if (table->size() == 0) {
    table->width = embeddings.width;
    table->embedder = embedder_of(source);
  }
  table->tells_visible = table->tells_visible || tells_visible.any();
  Repeats repeats(*table);
  for (std::size_t row = 0; row < entries.size(); ++row) {
    if (repeats.has(entries[row])) {
      throw InputError(places[row] +
                       ": is there already: the same sequence, time, place and caption; leave it "
                       "out, or tell the two apart by an image");
    }
    const float* unit = embeddings.values.data() + row * width;
    try {
      append_entry(entries[row], std::vector<float>(unit, unit + width), table);
      repeats.note(table->size() - 1);
    } catch (const InputError& error) {
      throw InputError(places[row] + ": " + error.what());
    }
  }
}

EntryTable read_entries_jsonl(const EntriesSource& source) {
  EntryTable table;
  table.answer_mode = source.answer_mode;
  table.north_offset_rad = source.north_offset_rad;
  append_entries_jsonl(source, &table);
  return table;
}

}  // namespace sightline::host
