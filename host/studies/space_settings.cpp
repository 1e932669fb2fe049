#include "host/studies/space_settings.h"

#include <array>

#include "host/config/place.h"
#include "host/memory/parallel_rows.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/scene_jsonl.h"

namespace sightline::host {
namespace {

void read_scene_settings(const ConfigValue& scenes, SpaceSettings* parsed) {
  if (const ConfigValue* file = scenes.find("file")) {
    scenes.allow_only({"file"});
    parsed->file = file->as_text();
    parsed->read = at_place(file->where(), [&] { return tos::read_scenes(parsed->file); });
    parsed->num_scenes = static_cast<std::int64_t>(parsed->read.size());
    return;
  }
  scenes.allow_only({"rooms", "count", "placement", "topology", "objects", "file"});
  constexpr std::int64_t kMostScenes = 10'000'000, kMostObjects = 30;
  tos::SceneSettings& generated = parsed->generated;
  if (const ConfigValue* rooms = scenes.find("rooms")) {
    generated.num_rooms = static_cast<int>(rooms->as_integer(1, tos::Scene::kMaxRooms));
    generated.map_side = tos::map_side_for(generated.num_rooms);
  }
  if (const ConfigValue* count = scenes.find("count")) {
    parsed->num_scenes = count->as_integer(1, kMostScenes);
  }
  if (const ConfigValue* placement = scenes.find("placement")) {
    generated.placement = static_cast<tos::Placement>(placement->as_choice({"free", "spaced"}));
  }
  if (const ConfigValue* topology = scenes.find("topology")) {
    generated.topology = static_cast<tos::Topology>(topology->as_choice({"any", "chain", "star"}));
  }
  if (const ConfigValue* objects = scenes.find("objects")) {
    generated.objects_per_room = static_cast<int>(objects->as_integer(1, kMostObjects));
  }
  tos::check_scene_settings(generated, scenes.where());
}

void read_episode(const ConfigValue& episode, SpaceSettings* parsed) {
  episode.allow_only({"budget", "field_of_view", "noise", "profile"});
  if (const ConfigValue* budget = episode.find("budget")) {
    parsed->episode.budget = as_budget(*budget);
  }
  if (const ConfigValue* field = episode.find("field_of_view")) {
    const auto degrees = static_cast<int>(field->as_integer());
    const auto known = tos::field_of_view(degrees);
    if (!known) field->fail("is " + std::to_string(degrees) + "; 60, 90, 120 and 180 are known");
    parsed->episode.field = *known;
  }
  if (const ConfigValue* noise = episode.find("noise")) {
    tos::BinNoise& bins = parsed->episode.noise;
    bins.direction = bins.distance = bins.facing = noise->as_number(0, 1);
  }
  if (const ConfigValue* profile = episode.find("profile")) {
    parsed->profile = static_cast<tos::Profile>(profile->as_choice({"code", "paper"}));
  }
}

}  // namespace

std::vector<std::string> SpaceSettings::files() const {
  if (file.empty()) return {};
  return {file};
}

tos::Scene SpaceSettings::scene(std::int64_t trial) const {
  if (!read.empty()) return read[static_cast<std::size_t>(trial)];
  return tos::generate_scene(generated, seed, static_cast<std::uint64_t>(trial));
}

tos::EpisodeOptions SpaceSettings::episode_of(std::int64_t trial) const {
  tos::EpisodeOptions options = episode;
  options.noise.seed = tos::noise_seed(seed, static_cast<std::uint64_t>(trial));
  return options;
}

SpaceSettings parse_space_settings(const StudySettings& settings) {
  SpaceSettings parsed;
  parsed.seed = settings.seed;
  if (const ConfigValue* scenes = settings.study.find("scenes")) {
    read_scene_settings(*scenes, &parsed);
  }
  if (const ConfigValue* episode = settings.study.find("episode")) {
    read_episode(*episode, &parsed);
  }
  return parsed;
}

int as_budget(const ConfigValue& turns) {
  constexpr std::int64_t kMost = 1000;
  return static_cast<int>(turns.as_integer(0, kMost));
}

std::string as_explorer(const ConfigValue& name) {
  const std::string explorer = name.as_text();
  tos::check_explorer_name(explorer, name.where());
  return explorer;
}

std::string parse_explorer(const ConfigValue& arm) { return as_explorer(arm.at("explorer")); }

void for_each_trial(std::int64_t num_trials, const Device& device,
                    const std::function<void(std::int64_t)>& make) {
  for_each_row(num_trials, device.num_threads(), make, 1);
}

}  // namespace sightline::host
