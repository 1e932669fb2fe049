#include "host/meta_memory/osm_kinds.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "host/error.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

struct KindRow {
  const char *kind, *class_name;
};

constexpr KindRow kRows[]{
    {"amenity=atm", "atm"},
    {"amenity=bank", "bank"},
    {"amenity=bench", "bench"},
    {"amenity=bicycle_parking", "bicycle rack"},
    {"amenity=cafe", "coffee shop"},
    {"amenity=charging_station", "charging station"},
    {"amenity=college", "building"},
    {"amenity=drinking_water", "drinking fountain"},
    {"amenity=fast_food", "restaurant"},
    {"amenity=food_court", "food court"},
    {"amenity=fountain", "fountain"},
    {"amenity=hospital", "hospital"},
    {"amenity=library", "library"},
    {"amenity=parking", "parking lot"},
    {"amenity=pharmacy", "pharmacy"},
    {"amenity=place_of_worship", "church"},
    {"amenity=post_box", "mailbox"},
    {"amenity=post_office", "post office"},
    {"amenity=public_building", "building"},
    {"amenity=recycling", "recycling bin"},
    {"amenity=restaurant", "restaurant"},
    {"amenity=school", "building"},
    {"amenity=telephone", "phone"},
    {"amenity=theatre", "building"},
    {"amenity=toilets", "bathroom"},
    {"amenity=university", "building"},
    {"amenity=vending_machine", "vending machine"},
    {"amenity=waste_basket", "trash bin"},
    {"barrier=bollard", "bollard"},
    {"barrier=gate", "gate"},
    {"barrier=lift_gate", "gate"},
    {"building=*", "building"},
    {"building=church", "church"},
    {"building=dorm", "dormitory"},
    {"building=dormitory", "dormitory"},
    {"building=hospital", "hospital"},
    {"building=library", "library"},
    {"building=parking", "parking garage"},
    {"building=stadium", "stadium"},
    {"emergency=defibrillator", "defibrillator"},
    {"emergency=fire_extinguisher", "fire extinguisher"},
    {"emergency=fire_hydrant", "fire hydrant"},
    {"emergency=phone", "emergency phone"},
    {"entrance=entrance", "entrance"},
    {"entrance=exit", "exit"},
    {"entrance=main", "main entrance"},
    {"entrance=yes", "entrance"},
    {"highway=bus_stop", "bus stop"},
    {"highway=crossing", "crosswalk"},
    {"highway=elevator", "elevator"},
    {"highway=stop", "stop sign"},
    {"highway=street_lamp", "street lamp"},
    {"highway=traffic_signals", "traffic light"},
    {"leisure=fitness_centre", "gym"},
    {"leisure=garden", "garden"},
    {"leisure=park", "park"},
    {"leisure=pitch", "sports field"},
    {"leisure=playground", "playground"},
    {"leisure=sports_centre", "gym"},
    {"leisure=stadium", "stadium"},
    {"leisure=swimming_pool", "swimming pool"},
    {"leisure=track", "running track"},
    {"man_made=bridge", "bridge"},
    {"natural=tree", "tree"},
    {"office=*", "office"},
    {"railway=station", "train station"},
    {"shop=*", "shop"},
    {"shop=books", "bookshop"},
    {"shop=convenience", "convenience store"},
    {"shop=supermarket", "supermarket"},
    {"tourism=artwork", "sculpture"},
    {"tourism=museum", "museum"},
};

std::optional<ClassId> class_in_row(const std::string& kind) {
  const auto found = std::lower_bound(
      std::begin(kRows), std::end(kRows), kind,
      [](const KindRow& row, const std::string& wanted) { return wanted.compare(row.kind) > 0; });
  if (found == std::end(kRows) || kind != found->kind) return std::nullopt;
  const auto thing = find_class(found->class_name);
  if (!thing)
    throw InputError(std::string("the lexicon has no class \"") + found->class_name + "\"");
  return thing;
}

Vec3 middle_of(const BuildingRing& ring) {
  // The last corner may repeat the first.
  const std::size_t count = ring.front() == ring.back() ? ring.size() - 1 : ring.size();
  Vec3 sum;
  for (std::size_t i = 0; i < count; ++i) {
    sum.x += ring[i][0];
    sum.y += ring[i][1];
  }
  return {sum.x / static_cast<double>(count), sum.y / static_cast<double>(count), 0};
}

/// The widest class on the map that this is one of: itself, if there is none.
ClassId widest_of(ClassId thing, const std::set<ClassId>& on_map) {
  ClassId widest = thing;
  for (ClassId at = thing; at != kNoClass; at = thing_classes()[at].parent) {
    if (on_map.count(at) > 0) widest = at;
  }
  return widest;
}

}  // namespace

std::optional<ClassId> class_of_osm_kind(const std::string& kind) {
  if (const auto own = class_in_row(kind)) return own;
  const std::size_t end = kind.find('=');
  if (end == std::string::npos) return std::nullopt;
  return class_in_row(kind.substr(0, end) + "=*");
}

OsmLandmarks osm_landmarks(const OsmCampus& campus) {
  OsmLandmarks found;
  std::set<std::string> names;
  const auto add = [&](const std::string& kind, const std::string& name, const Vec3& place) {
    const auto thing = class_of_osm_kind(kind);
    if (thing) {
      names.insert(name);
      found.places.push_back({*thing, name, place});
    } else {
      ++found.num_unknown;
    }
  };
  for (const CampusPlace& place : campus.places) {
    if (place.name.empty()) {
      ++found.num_unnamed;
    } else {
      add(place.kind, place.name, place.position_m);
    }
  }
  for (const CampusBuilding& building : campus.buildings) {
    if (building.name.empty()) {
      ++found.num_unnamed;
    } else if (names.count(building.name) > 0) {
      ++found.num_repeated;
    } else {
      add("building=" + building.kind, building.name, middle_of(building.ring_m));
    }
  }
  std::set<ClassId> on_map;
  for (const MapPlace& place : found.places) on_map.insert(place.class_id);
  for (MapPlace& place : found.places) {
    const ClassId widest = widest_of(place.class_id, on_map);
    found.num_generalised += widest != place.class_id ? 1 : 0;
    place.class_id = widest;
  }
  return found;
}

}  // namespace sightline::host
