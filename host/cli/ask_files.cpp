#include "host/cli/ask_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "host/cli/options.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/meta_memory/cognitive_map_text.h"
#include "host/meta_memory/phrase_embedder.h"
#include "host/world/binary_file.h"
#include "host/world/text_scan.h"

namespace sightline::cli {

using namespace host;

void write_map(const std::string& path, const PlaceReport& report, const EntryTable& entries,
               const TopologicalMap& map) {
  write_file(path, extension_of(path) == ".svg"
                       ? cognitive_map_svg(picture_of(report, entries), map)
                       : picture_json(report, entries) + "\n");
}

CampusOrigin geo_origin_of(const std::string& text) {
  const std::size_t comma = text.find(',');
  double lat_deg = 0, lon_deg = 0;
  const std::string_view whole = text;
  const bool is_pair = comma != std::string::npos &&
                       parse_number(whole.substr(0, comma), lat_deg) &&
                       parse_number(whole.substr(comma + 1), lon_deg);
  if (is_pair) return campus_origin_at(lat_deg, lon_deg);
  if (std::filesystem::is_regular_file(text)) return read_campus_origin(text);
  throw InputError("--geo-origin " + text +
                   ": give LAT,LON in degrees, such as 42.0561,-87.6759, or a campus' origin.txt");
}

void write_waypoints(const std::string& path, const PlaceReport& report,
                     const std::optional<CampusOrigin>& origin) {
  const std::vector<Waypoint> waypoints = waypoints_of(report);
  if (waypoints.empty()) {
    print_warnings(
        {path + ": not written, for there is no way: " +
         (report.answer.entry < 0 ? "nothing was found" : "--here X,Y says where one begins")});
    return;
  }
  if (extension_of(path) == ".geojson") {
    write_file(path, waypoints_geojson(waypoints, origin) + "\n");
  } else {
    write_file(path, waypoints_csv(waypoints));
  }
  if (report.answer.status == AnswerStatus::kGuess) {
    print_warnings({path + ": leads to a guess: " + report.answer.reason});
  }
  if (report.way->status != MapStatus::kFound) {
    print_warnings({path + way_fault(report.way->status) + "; nobody knows if one can go there"});
  }
}

void write_phrases(const std::string& path, const std::vector<Query>& queries,
                   const EntryTable& entries) {
  const std::vector<std::string> texts = texts_to_embed(queries, entries);
  write_file(path, texts_file(texts));
  fmt::print("wrote {}: {}\n", path, plural(texts.size(), "text"));
}

}  // namespace sightline::cli
