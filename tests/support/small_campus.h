// Memories of small walks with known things beside them, for questions whose answers are plain.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/entries.h"
#include "host/meta_memory/parse_query.h"

namespace sightline::tests {

/// "red mailbox", "room named 423", as a question says it.
struct KnownThing {
  std::string text;
  double x = 0, y = 0;
};

/// A walk in steps of 3 m and 3 s along straight lines between corners.
struct KnownWalk {
  double first_s = 0;
  std::vector<std::pair<double, double>> corners;
};

struct KnownPlaces {
  std::vector<KnownThing> things;
  std::vector<KnownWalk> walks;
  kernels::Vec3 shift_m;       ///< of all
  bool reverses_rows = false;  ///< the last walk first
  bool renumbers_things = false;
};

/// What a walk shows of things within 9 m of it, and captions that name all of those.
inline host::EntryTable memory_of(const KnownPlaces& places) {
  constexpr double kSeen_m = 9, kStep_m = 3;
  host::EntryTable table;
  table.width = host::kHashedWidth;
  table.embedder = host::kHashedEmbedder;
  std::vector<host::NounPhrase> asked;
  for (const KnownThing& thing : places.things) {
    const host::Query query = host::parse_query("where is the " + thing.text);
    asked.push_back(std::get<host::BasicQuery>(query.asked).target);
  }
  const auto add = [&](std::size_t walk, double x, double y, double time_s, double yaw_rad) {
    host::Entry entry;
    entry.sequence = static_cast<std::uint16_t>(walk);
    entry.time_s = time_s;
    entry.position_m = {x + places.shift_m.x, y + places.shift_m.y, places.shift_m.z};
    entry.yaw_rad = yaw_rad;
    entry.caption = "The robot sees the ground";
    for (std::size_t i = 0; i < places.things.size(); ++i) {
      const KnownThing& thing = places.things[i];
      if (std::hypot(thing.x - x, thing.y - y) > kSeen_m) continue;
      host::VisibleObject seen;
      const std::size_t id = places.renumbers_things ? places.things.size() - i : i;
      seen.object_id = static_cast<std::uint32_t>(id);
      seen.class_id = asked[i].noun;
      seen.attributes = asked[i].attributes;
      seen.position_m = {thing.x + places.shift_m.x, thing.y + places.shift_m.y, places.shift_m.z};
      entry.visible.push_back(seen);
      entry.caption += " and a " + thing.text;
    }
    entry.caption += ".";
    entry.image_ref = "frame_" + std::to_string(table.size());
    host::append_entry(entry, host::hashed_embedding(entry.caption, table.width), &table);
  };
  for (std::size_t w = 0; w < places.walks.size(); ++w) {
    const std::size_t walk = places.reverses_rows ? places.walks.size() - 1 - w : w;
    const auto& corners = places.walks[walk].corners;
    double time_s = places.walks[walk].first_s;
    for (std::size_t c = 0; c < corners.size(); ++c) {
      const std::size_t next = std::min(c + 1, corners.size() - 1);
      const double dx = corners[next].first - corners[c].first,
                   dy = corners[next].second - corners[c].second;
      const int num = std::max(1, static_cast<int>(std::lround(std::hypot(dx, dy) / kStep_m)));
      for (int i = 0; i < num; ++i, time_s += 3) {
        add(walk, corners[c].first + dx * i / num, corners[c].second + dy * i / num, time_s,
            std::atan2(dy, dx));
      }
    }
  }
  return table;
}

/// A way from west to east and one from south to north that crosses it at (60, 0).
inline KnownPlaces small_campus() {
  KnownPlaces places;
  places.things = {
      {"soccer field", 0, 3},      {"basketball court", 120, 3}, {"library", 54, 4},
      {"vending machine", 21, 2},  {"vending machine", 42, -2},  {"vending machine", 81, 2},
      {"vending machine", 62, 42}, {"vending machine", 62, -48}, {"red mailbox", 30, 2},
      {"red mailbox", 93, 2},      {"red mailbox", 62, 30},      {"trash bin", 75, 2},
      {"trash bin", 104, 2},       {"blue bench", 99, 3},        {"red cup", 12, 2},
      {"red cup", 62, -30}};
  places.walks = {{0, {{0, 0}, {120, 0}}}, {600, {{60, -60}, {60, 60}}}};
  return places;
}

}  // namespace sightline::tests
