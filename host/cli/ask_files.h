// What `sightline ask` writes besides its answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/osm_campus.h"
#include "host/meta_memory/place_report.h"
#include "host/meta_memory/query.h"

namespace sightline::cli {

/// The cognitive map of an answer: .svg, else .json.
void write_map(const std::string& path, const host::PlaceReport& report,
               const host::EntryTable& entries, const host::TopologicalMap& map);

/// "--geo-origin": LAT,LON in degrees, or the name of a file such as a campus' origin.txt. Throws
/// InputError.
host::CampusOrigin geo_origin_of(const std::string& text);

/// The way to an answer: .geojson, in degrees with an origin, else .csv. Says on standard error
/// where there is none, and where it is but a straight line.
void write_waypoints(const std::string& path, const host::PlaceReport& report,
                     const std::optional<host::CampusOrigin>& origin);

/// All texts that answers to queries may have embedded, for another program to embed.
void write_phrases(const std::string& path, const std::vector<host::Query>& queries,
                   const host::EntryTable& entries);

}  // namespace sightline::cli
