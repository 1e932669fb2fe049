#include "host/studies/location_walks.h"

#include <memory>
#include <utility>

#include "host/config/place.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/building_sight.h"
#include "host/meta_memory/campus_entries.h"
#include "host/meta_memory/navqa.h"
#include "host/meta_memory/osm_kinds.h"
#include "host/random.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

std::uint64_t seed_of_sequence(const LocationWalkSettings& settings) {
  constexpr std::uint64_t kStream = 0x6c6f63617469;  // "locati"
  return RandomItem(settings.seed, kStream, static_cast<std::uint64_t>(settings.sequence))();
}

QuestionSetSettings one_walk(const LocationWalkSettings& settings) {
  QuestionSetSettings questions;
  questions.num_sequences = 1;
  questions.walk.period_s = settings.clip_s;
  return questions;
}

QuestionWorld grid_world(const LocationWalkSettings& settings) {
  GridCampusSettings campus;
  campus.planting = lexicon_planting();
  return std::move(
      grid_question_set(campus, one_walk(settings), seed_of_sequence(settings), 1).front());
}

/// Each pair of nodes once.
WalkGraph paths_of(const TopologicalMap& map) {
  WalkGraph paths;
  paths.nodes_m = map.position_m;
  for (std::int64_t node = 0; node < map.num_nodes(); ++node) {
    const auto at = static_cast<std::size_t>(node);
    for (std::int64_t edge = map.first_edge[at]; edge < map.first_edge[at + 1]; ++edge) {
      const std::int32_t other = map.neighbour[static_cast<std::size_t>(edge)];
      if (node < other) paths.edges.push_back({static_cast<std::int32_t>(node), other});
    }
  }
  return paths;
}

QuestionWorld osm_world(const LocationWalkSettings& settings) {
  const OsmCampus map = read_osm_campus(settings.folder);
  const auto campus = std::make_shared<const Campus>(
      make_map_campus(paths_of(map.footways), osm_landmarks(map).places, map.rings(),
                      lexicon_planting(), settings.seed));
  QuestionWorld world = std::move(
      campus_question_set(campus, one_walk(settings), seed_of_sequence(settings), 1).front());
  world.campus_key = settings.seed;
  return world;
}

QuestionWorld navqa_world(const LocationWalkSettings& settings) {
  const NavqaRun run = read_navqa_run(settings.folder, settings.run);
  return std::move(driven_question_set(run.mean_s, run.position_m, lexicon_planting(),
                                       one_walk(settings), seed_of_sequence(settings), 1)
                       .front());
}

QuestionWorld world_of(const LocationWalkSettings& settings) {
  return at_place(settings.place, [&] {
    if (settings.campus == CampusKind::kOsm) return osm_world(settings);
    return settings.campus == CampusKind::kNavqa ? navqa_world(settings) : grid_world(settings);
  });
}

std::vector<DrivenPlace> driven(const EntryTable& entries) {
  std::vector<DrivenPlace> places;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    const auto i = static_cast<std::size_t>(row);
    places.push_back(
        {entries.sequence[i], entries.time_s[i], entries.position_m[i], entries.yaw_rad[i]});
  }
  return places;
}

void parse_campus(const ConfigValue& campus, LocationWalkSettings* parsed) {
  parsed->place = campus.where();
  if (!campus.is_map()) {
    campus.as_choice({"grid"});
    return;
  }
  constexpr std::int64_t kMostRuns = 1'000'000;
  if (const ConfigValue* folder = campus.find("navqa")) {
    campus.allow_only({"navqa", "run"});
    parsed->campus = CampusKind::kNavqa;
    parsed->folder = folder->as_text();
    parsed->run = campus.at("run").as_integer(0, kMostRuns);
  } else {
    campus.allow_only({"osm"});
    parsed->campus = CampusKind::kOsm;
    parsed->folder = campus.at("osm").as_text();
  }
}

}  // namespace

LocationWalkSettings parse_walk(const ConfigValue& study, std::uint64_t seed) {
  LocationWalkSettings parsed;
  parsed.seed = seed;
  constexpr std::int64_t kMostSequences = 1'000'000;
  parsed.sequence = study.at("sequence").as_integer(0, kMostSequences);
  if (const ConfigValue* campus = study.find("campus")) parse_campus(*campus, &parsed);
  if (const ConfigValue* clip = study.find("clip_s")) {
    if (parsed.campus == CampusKind::kNavqa) {
      clip->fail_at_key("a way that was driven has the clips of its file; leave it out");
    }
    constexpr double kShortest_s = 0.1, kLongest_s = 60;
    parsed.clip_s = clip->as_number(kShortest_s, kLongest_s);
  }
  return parsed;
}

std::vector<std::string> files_of(const LocationWalkSettings& settings) {
  switch (settings.campus) {
    case CampusKind::kGrid:
      return {};
    case CampusKind::kNavqa:
      return {navqa_run_file(settings.folder, settings.run)};
    case CampusKind::kOsm:
      break;
  }
  std::vector<std::string> files;
  for (const char* name :
       {"origin.txt", "pois.tsv", "buildings.tsv", "walk_ways.tsv", "walk_nodes.tsv"}) {
    files.push_back(settings.folder + "/" + name);
  }
  return files;
}

std::vector<const PlaceQuery*> RememberedWalk::questions_of(PlaceQuestionType type) const {
  std::vector<const PlaceQuery*> asked;
  for (const PlaceQuery& query : world.questions) {
    if (query.type == type) asked.push_back(&query);
  }
  return asked;
}

SightTest sight_over(const Campus& campus) {
  return [sight = std::make_shared<BuildingSight>(campus.rings)](const std::vector<Vec3>& from,
                                                                 const std::vector<Vec3>& to) {
    return sight->are_free(from, to, EndsInBuildings::kBlocked, 1);
  };
}

RememberedWalk remember_walk(const LocationWalkSettings& settings, const CaptionNoise& noise) {
  RememberedWalk walk;
  walk.world = world_of(settings);
  walk.entries.width = kHashedWidth;
  walk.entries.embedder = kHashedEmbedder;
  append_campus_entries(
      campus_entries(*walk.world.campus, walk.world.walk, 0, walk.world.campus_key, noise),
      &walk.entries);
  TopologicalMapOptions options;
  options.segment_s = settings.clip_s;
  options.is_free = sight_over(*walk.world.campus);
  walk.map = make_topological_map(driven(walk.entries), options);
  return walk;
}

}  // namespace sightline::host
