// A campus of OpenStreetMap, cut into tables: named places, buildings and footways.
//
// The reference data's osm_campus/README.md names the files and their sources. Data (c)
// OpenStreetMap contributors, ODbL 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/building_sight.h"
#include "host/meta_memory/topological_map.h"

namespace sightline::host {

/// Where (0, 0) lies on Earth, and how long a degree is there.
struct CampusOrigin {
  double lon_deg = 0, lat_deg = 0;
  double m_per_lon_deg = 0, m_per_lat_deg = 0;

  double lon_of(double x_m) const { return lon_deg + x_m / m_per_lon_deg; }
  double lat_of(double y_m) const { return lat_deg + y_m / m_per_lat_deg; }
};

/// A campus' origin.txt: lines "lon0 -87.67", "lat0 42.05", "x_m=(lon-lon0)*82653.9" and
/// "y_m=(lat-lat0)*110574". Throws InputError with file and line.
CampusOrigin read_campus_origin(const std::string& path);

/// An origin by its degrees: a degree is 110,574 m long northward and 111,320 m times the cosine of
/// the latitude eastward, which the reference data's campuses have too. Throws InputError for what
/// is no place on Earth, or nearer to a pole than 5 degrees.
CampusOrigin campus_origin_at(double lat_deg, double lon_deg);

struct CampusPlace {
  std::string layer;  ///< empty where the table has none
  std::string osm_type;
  std::int64_t osm_id = 0;
  std::string kind;  ///< "amenity=cafe"
  std::string name;
  std::string tags;  ///< "key=value;..."
  kernels::Vec3 position_m;
};

struct CampusBuilding {
  std::int64_t osm_id = 0;
  std::string name, kind;      ///< kind: "university", "yes"
  std::string levels, height;  ///< as mapped: mostly empty
  BuildingRing ring_m;
};

struct OsmCampus {
  CampusOrigin origin;
  std::vector<CampusPlace> places;
  std::vector<CampusBuilding> buildings;
  TopologicalMap footways;                  ///< no nodes for a campus without ways
  std::vector<std::int64_t> osm_node;       ///< [footways.num_nodes()]
  std::int64_t num_ways = 0;                ///< that are walked
  std::vector<BuildingRing> rings() const;  ///< of the buildings
};

/// The values of `highway` that people walk on. Roads with much traffic are not among them: those
/// count where `foot` says yes, designated or permissive; and nothing does where it says no or
/// private.
const std::vector<std::string>& walked_highways();

/// The buildings of a table such as a campus' buildings.tsv: columns name, building, levels,
/// height, ring_xy_m ("x,y x,y ...", metres) and osm_way_id or osm_id. Throws InputError with file
/// and line.
std::vector<CampusBuilding> read_campus_buildings(const std::string& path);

/// The outlines alone, of any table with the column ring_xy_m. Throws as above.
std::vector<BuildingRing> read_building_rings(const std::string& path);

/// Reads a folder with pois.tsv, buildings.tsv, origin.txt and, if there, walk_ways.tsv and
/// walk_nodes.tsv (both or neither). Nodes of footways are those of walked ways, in the order of
/// walk_nodes.tsv; z is 0. Throws InputError with file and line: a column that is missing, a row
/// with too few fields, a number that is none, an id that comes twice, a way along a node that is
/// not there, an outline of fewer than three corners.
OsmCampus read_osm_campus(const std::string& folder);

}  // namespace sightline::host
