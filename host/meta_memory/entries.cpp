#include "host/meta_memory/entries.h"

#include <algorithm>
#include <cmath>

#include "host/config/number_text.h"
#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/unit_embedding.h"
#include "host/meta_memory/phrase_embedder.h"
#include "host/meta_memory/place_words.h"
#include "host/world/half.h"

namespace sightline::host {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

std::size_t begin_of(const Column<std::uint64_t>& ends, std::int64_t row) {
  return row == 0 ? 0 : static_cast<std::size_t>(ends[static_cast<std::size_t>(row) - 1]);
}

std::string_view text_of(const Column<char>& texts, const Column<std::uint64_t>& ends,
                         std::int64_t row) {
  const std::size_t begin = begin_of(ends, row);
  return {texts.data() + begin,
          static_cast<std::size_t>(ends[static_cast<std::size_t>(row)]) - begin};
}

/// Volatile, since GCC 12 at -O3 drops the rounding where it converts two neighbours at once.
double to_float_precision(double value) {
  const volatile float rounded = static_cast<float>(value);
  return double{rounded};
}

kernels::Vec3 to_float_precision(const kernels::Vec3& point) {
  return {to_float_precision(point.x), to_float_precision(point.y), to_float_precision(point.z)};
}

bool is_finite(const kernels::Vec3& point) {
  return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
}

/// Empty, or why a thing cannot be in a picture. Its position is of float precision.
std::string fault_of(const VisibleObject& object) {
  if (object.class_id >= thing_classes().size()) {
    return "shows a thing of class " + std::to_string(object.class_id) + ", of " +
           std::to_string(thing_classes().size()) + " that there are";
  }
  if (object.attributes >> kNumAttributes != 0)
    return "shows a thing with an attribute that is none";
  if (!is_finite(object.position_m)) return "shows a thing that is nowhere (NaN or infinity)";
  if (!(object.confidence >= 0 && object.confidence <= 1)) {
    return "shows a thing with a confidence outside [0, 1]";
  }
  return "";
}

/// Empty, or why an entry cannot be where and when it is.
std::string fault_of(double time_s, const kernels::Vec3& position_m, double yaw_rad,
                     double last_time_s) {
  if (!std::isfinite(time_s)) return "has no time (NaN or infinity)";
  if (time_s < last_time_s) {
    return "is at " + short_text(time_s) + " s, before the last of its sequence at " +
           short_text(last_time_s) + " s; sort each sequence by time";
  }
  if (!is_finite(position_m)) return "is nowhere (NaN, infinity, or beyond what a float holds)";
  if (std::isinf(yaw_rad)) return "has an infinite yaw; leave it out where it is not known";
  return "";
}

VisibleObject rounded(const VisibleObject& object) {
  VisibleObject kept = object;
  kept.position_m = to_float_precision(object.position_m);
  kept.confidence = half_to_float(float_to_half(static_cast<float>(object.confidence)));
  return kept;
}

double last_time_of(const std::vector<double>& last_time_s, std::uint16_t sequence) {
  return sequence < last_time_s.size() ? last_time_s[sequence] : kNever;
}

void note_time(std::uint16_t sequence, double time_s, std::vector<double>* last_time_s) {
  if (sequence >= last_time_s->size()) last_time_s->resize(std::size_t{sequence} + 1, kNever);
  (*last_time_s)[sequence] = time_s;
}

void check_embedding(const std::vector<float>& embedding, std::int32_t width) {
  if (width < 1 || embedding.size() != static_cast<std::size_t>(width)) {
    throw InputError("an embedding of " + std::to_string(embedding.size()) +
                     " numbers for a table of width " + std::to_string(width));
  }
  if (!has_unit_length(embedding.data(), width)) {
    throw InputError("an embedding must have unit length; divide it by its length");
  }
}

void append_text(const std::string& text, Column<char>* texts, Column<std::uint64_t>* ends) {
  std::vector<char>& bytes = texts->own();
  bytes.insert(bytes.end(), text.begin(), text.end());
  ends->own().push_back(bytes.size());
}

[[noreturn]] void fail_row(std::size_t row, const std::string& fault) {
  throw InputError("entry " + std::to_string(row) + " " + fault);
}

void check_ends(const Column<std::uint64_t>& ends, std::size_t num_items, const char* what) {
  std::uint64_t begin = 0;
  for (std::size_t row = 0; row < ends.size(); ++row) {
    if (ends[row] < begin || ends[row] > num_items) {
      fail_row(row, std::string("has ") + what + " that end where they cannot");
    }
    begin = ends[row];
  }
  if (begin != num_items) {
    throw InputError(std::string("there are ") + what + " beyond those of the last entry");
  }
}

void check_shape(const EntryTable& table) {
  const std::size_t n = table.time_s.size();
  const bool fits = table.sequence.size() == n && table.position_m.size() == n &&
                    table.yaw_rad.size() == n && table.deleted.size() == n &&
                    table.caption_end.size() == n && table.image_end.size() == n &&
                    table.visible_end.size() == n && table.width >= 0 &&
                    table.embeddings.size() == n * static_cast<std::size_t>(table.width);
  if (!fits || (n > 0 && table.width < 1)) {
    throw InputError("the columns of entries differ in length");
  }
  if (!std::isfinite(table.north_offset_rad)) throw InputError("north lies nowhere (NaN)");
}

/// Finite, and not all zeros.
bool has_direction(const std::uint16_t* halves, std::size_t width) {
  constexpr unsigned kExponent = 0x7c00, kMagnitude = 0x7fff;
  unsigned magnitudes = 0;
  bool is_finite = true;
  for (std::size_t i = 0; i < width; ++i) {
    magnitudes |= halves[i] & kMagnitude;
    is_finite &= (halves[i] & kExponent) != kExponent;
  }
  return is_finite && magnitudes != 0;
}

}  // namespace

std::string_view EntryTable::caption(std::int64_t row) const {
  return text_of(captions, caption_end, row);
}

std::string_view EntryTable::image_ref(std::int64_t row) const {
  return text_of(images, image_end, row);
}

std::pair<const VisibleObject*, const VisibleObject*> EntryTable::visible_of(
    std::int64_t row) const {
  return {visible.data() + begin_of(visible_end, row),
          visible.data() + visible_end[static_cast<std::size_t>(row)]};
}

void EntryTable::copy_embedding(std::int64_t row, float* out) const {
  const auto columns = static_cast<std::size_t>(width);
  const std::uint16_t* halves = embeddings.data() + static_cast<std::size_t>(row) * columns;
  for (std::size_t i = 0; i < columns; ++i) out[i] = half_to_float(halves[i]);
  to_unit_length(out, width);
}

std::vector<float> EntryTable::embedding(std::int64_t row) const {
  std::vector<float> unit(static_cast<std::size_t>(width));
  copy_embedding(row, unit.data());
  return unit;
}

void append_entry(const Entry& entry, const std::vector<float>& embedding, EntryTable* table) {
  check_embedding(embedding, table->width);
  const kernels::Vec3 position_m = to_float_precision(entry.position_m);
  const std::string fault = fault_of(entry.time_s, position_m, static_cast<float>(entry.yaw_rad),
                                     last_time_of(table->last_time_s, entry.sequence));
  if (!fault.empty()) throw InputError("an entry " + fault);
  std::vector<VisibleObject> visible;
  for (const VisibleObject& object : entry.visible) {
    visible.push_back(rounded(object));
    const std::string object_fault = fault_of(visible.back());
    if (!object_fault.empty()) throw InputError("an entry " + object_fault);
  }
  table->sequence.own().push_back(entry.sequence);
  table->time_s.own().push_back(entry.time_s);
  table->position_m.own().push_back(position_m);
  table->yaw_rad.own().push_back(static_cast<float>(entry.yaw_rad));
  table->deleted.own().push_back(0);
  append_text(entry.caption, &table->captions, &table->caption_end);
  append_text(entry.image_ref, &table->images, &table->image_end);
  std::vector<VisibleObject>& objects = table->visible.own();
  objects.insert(objects.end(), visible.begin(), visible.end());
  table->tells_visible = table->tells_visible || !visible.empty();
  table->visible_end.own().push_back(objects.size());
  std::vector<std::uint16_t>& halves = table->embeddings.own();
  for (const float value : embedding) halves.push_back(float_to_half(value));
  note_time(entry.sequence, entry.time_s, &table->last_time_s);
}

bool mark_deleted(std::int64_t row, EntryTable* table) {
  if (row < 0 || row >= table->size()) {
    throw InputError("entry " + std::to_string(row) + " is none of the " +
                     std::to_string(table->size()) + " that there are");
  }
  if (table->is_deleted(row)) return false;
  table->deleted.own()[static_cast<std::size_t>(row)] = 1;
  return true;
}

std::vector<float> embed_text(const EntryTable& table, const std::string& text) {
  if (table.phrases) return table.phrases->embed(text);
  if (table.embedder == kHashedEmbedder) return HashedPhrases(table.width).embed(text);
  if (table.embedder == kPlaceWords) return PlaceWords(table.width).embed(text);
  throw InputError("the entries were embedded by \"" + table.embedder +
                   "\", which is not built in; give the embedding of \"" + text +
                   "\" as well (sightline ask --query-embeddings, or in a call of a tool)");
}

std::vector<double> check_entries(const EntryTable& table) {
  check_shape(table);
  check_ends(table.caption_end, table.captions.size(), "captions");
  check_ends(table.image_end, table.images.size(), "images");
  check_ends(table.visible_end, table.visible.size(), "visible things");
  std::vector<double> last_time_s;
  const auto width = static_cast<std::size_t>(table.width);
  for (std::size_t row = 0; row < table.time_s.size(); ++row) {
    const std::uint16_t sequence = table.sequence[row];
    const std::string fault = fault_of(table.time_s[row], to_float_precision(table.position_m[row]),
                                       table.yaw_rad[row], last_time_of(last_time_s, sequence));
    if (!fault.empty()) fail_row(row, fault);
    if (table.deleted[row] > 1) fail_row(row, "is neither deleted nor not");
    if (!has_direction(table.embeddings.data() + row * width, width)) {
      fail_row(row, "has an embedding without a direction (NaN, infinity or zeros)");
    }
    note_time(sequence, table.time_s[row], &last_time_s);
    const auto [first, last] = table.visible_of(static_cast<std::int64_t>(row));
    for (const VisibleObject* object = first; object != last; ++object) {
      const std::string object_fault = fault_of(*object);
      if (!object_fault.empty()) fail_row(row, object_fault);
    }
  }
  return last_time_s;
}

}  // namespace sightline::host
