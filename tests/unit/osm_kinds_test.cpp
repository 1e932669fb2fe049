// OpenStreetMap's kinds as classes of the lexicon, and the landmarks of a map.
#include "host/meta_memory/osm_kinds.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "support/reference_data.h"

namespace sightline::host {
namespace {

std::string class_name_of(const std::string& kind) {
  const auto found = class_of_osm_kind(kind);
  return found ? thing_classes()[*found].name : "";
}

TEST(OsmKinds, HaveTheClassOfTheirRowElseOfTheirKey) {
  EXPECT_EQ(class_name_of("amenity=cafe"), "coffee shop");
  EXPECT_EQ(class_name_of("amenity=atm"), "atm") << "the first row";
  EXPECT_EQ(class_name_of("tourism=museum"), "museum") << "the last row";
  EXPECT_EQ(class_name_of("shop=supermarket"), "supermarket");
  EXPECT_EQ(class_name_of("shop=hairdresser"), "shop");
  EXPECT_EQ(class_name_of("building=yes"), "building");
  EXPECT_EQ(class_name_of("amenity=pub"), "") << "the lexicon has no word for it";
  EXPECT_EQ(class_name_of("amenity"), "");
  EXPECT_EQ(class_name_of(""), "");
  EXPECT_EQ(class_name_of("zzz=zzz"), "");
}

CampusPlace place(const std::string& kind, const std::string& name) {
  CampusPlace made;
  made.kind = kind;
  made.name = name;
  made.position_m = {1, 2, 0};
  return made;
}

CampusBuilding building(const std::string& kind, const std::string& name) {
  CampusBuilding made;
  made.kind = kind;
  made.name = name;
  made.ring_m = {{0, 0}, {4, 0}, {4, 2}, {0, 2}, {0, 0}};
  return made;
}

TEST(OsmLandmarks, AreTheNamedPlacesAndTheOthersAreCounted) {
  OsmCampus campus;
  campus.places = {place("amenity=cafe", "Norbucks"), place("amenity=cafe", ""),
                   place("amenity=pub", "Celtic Knot")};
  campus.buildings = {building("yes", "Tech"), building("yes", ""), building("yes", "Norbucks")};
  const OsmLandmarks found = osm_landmarks(campus);
  ASSERT_EQ(found.places.size(), 2U);
  EXPECT_EQ(found.places[0].name, "Norbucks");
  EXPECT_EQ(found.places[1].name, "Tech");
  EXPECT_EQ(found.places[1].position_m.x, 2) << "the corner that is repeated counts once";
  EXPECT_EQ(found.places[1].position_m.y, 1);
  EXPECT_EQ(found.num_unnamed, 2);
  EXPECT_EQ(found.num_unknown, 1);
  EXPECT_EQ(found.num_repeated, 1);
  EXPECT_EQ(found.num_generalised, 0);
}

TEST(OsmLandmarks, HaveNoClassThatIsOneOfAnothers) {
  OsmCampus campus;
  campus.places = {place("amenity=library", "Main"), place("shop=supermarket", "Jewel")};
  EXPECT_EQ(osm_landmarks(campus).num_generalised, 0);
  campus.buildings = {building("yes", "Tech")};
  const OsmLandmarks found = osm_landmarks(campus);
  EXPECT_EQ(thing_classes()[found.places[0].class_id].name, "building");
  EXPECT_EQ(thing_classes()[found.places[1].class_id].name, "supermarket");
  EXPECT_EQ(found.num_generalised, 1);
}

/// Counts of the reference data, by a script over the same tables: every name once, of a class.
TEST(OsmLandmarks, OfNorthwestern) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA("osm_campus/northwestern/pois.tsv");
  const OsmCampus campus = read_osm_campus(tests::reference_data("osm_campus/northwestern"));
  const OsmLandmarks found = osm_landmarks(campus);
  const std::int64_t num_named = 263, num_all = 560 + 465;  // by its README.md
  std::int64_t named_buildings = 0;
  for (const CampusBuilding& one : campus.buildings) named_buildings += one.name.empty() ? 0 : 1;
  EXPECT_EQ(found.num_unnamed, num_all - num_named - named_buildings);
  EXPECT_EQ(static_cast<std::int64_t>(found.places.size()) + found.num_unknown + found.num_repeated,
            num_named + named_buildings);
  EXPECT_EQ(found.places.size(), 301U);
  for (const MapPlace& a : found.places) {
    for (const MapPlace& b : found.places) {
      EXPECT_TRUE(a.class_id == b.class_id || !is_one_of(a.class_id, b.class_id))
          << a.name << " " << b.name;
    }
  }
}

}  // namespace
}  // namespace sightline::host
