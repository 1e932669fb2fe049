// Small stores of entries for tests.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "host/memory/hashed_embedder.h"
#include "host/memory/unit_embedding.h"
#include "host/meta_memory/entries.h"
#include "host/meta_memory/query.h"
#include "support/random.h"

namespace sightline::tests {

inline host::ClassId class_of(const std::string& name) { return host::find_class(name).value(); }
inline host::AttributeBits attribute_of(const std::string& word) {
  return host::find_attribute(word).value();
}

/// "the red mug"
inline host::NounPhrase phrase_of(const std::string& noun, const std::string& attribute = "") {
  host::NounPhrase phrase;
  phrase.noun = class_of(noun);
  if (!attribute.empty()) phrase.attributes = attribute_of(attribute);
  phrase.text = "the " + (attribute.empty() ? "" : attribute + " ") + noun;
  return phrase;
}

inline std::vector<float> random_unit(Random* random, std::int32_t width) {
  std::vector<float> unit(static_cast<std::size_t>(width));
  for (float& value : unit) value = static_cast<float>(random->uniform(-1, 1));
  host::to_unit_length(unit.data(), width);
  return unit;
}

/// Places on a lattice of `spacing_m`, so that many coincide or lie on a sphere around another;
/// embeddings of which some are equal; things of the first classes; two sequences.
inline host::EntryTable random_entries(std::int64_t num, std::int32_t width, double spacing_m,
                                       std::uint64_t seed) {
  constexpr int kClasses = 6;
  Random random(seed);
  host::EntryTable table;
  table.width = width;
  table.embedder = "test";
  std::vector<float> last;
  for (std::int64_t row = 0; row < num; ++row) {
    host::Entry entry;
    entry.sequence = static_cast<std::uint16_t>(random.integer(0, 1));
    entry.time_s = 3.0 * static_cast<double>(row);
    const auto place = [&] { return spacing_m * static_cast<double>(random.integer(-6, 6)); };
    entry.position_m = {place(), place(), place() / 4};
    if (random.chance(0.5)) entry.yaw_rad = random.uniform(-3, 3);
    entry.caption = "caption " + std::to_string(row);
    entry.image_ref = row % 3 == 0 ? "" : "image_" + std::to_string(row);
    for (std::int64_t k = random.integer(0, 4); k > 0; --k) {
      host::VisibleObject thing;
      thing.object_id = static_cast<std::uint32_t>(random.integer(0, 20));
      thing.class_id = static_cast<host::ClassId>(random.integer(0, kClasses - 1));
      thing.attributes = static_cast<host::AttributeBits>(random.integer(0, 7));
      thing.position_m = {place(), place(), 1};
      thing.confidence = random.uniform(0, 1);
      entry.visible.push_back(thing);
    }
    if (last.empty() || random.chance(0.8)) last = random_unit(&random, width);
    host::append_entry(entry, last, &table);
  }
  return table;
}

/// Hashed captions at places along x, 1 m apart.
inline host::EntryTable captioned_entries(const std::vector<std::string>& captions) {
  constexpr std::int32_t kWidth = 64;
  host::EntryTable table;
  table.width = kWidth;
  table.embedder = host::kHashedEmbedder;
  for (const std::string& caption : captions) {
    host::Entry entry;
    entry.time_s = static_cast<double>(table.size());
    entry.position_m = {static_cast<double>(table.size()), 0, 0};
    entry.caption = caption;
    host::append_entry(entry, host::hashed_embedding(caption, kWidth), &table);
  }
  return table;
}

}  // namespace sightline::tests
