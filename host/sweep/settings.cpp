#include "host/sweep/settings.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace sightline::host {
namespace {

/// What `metrics` may name. All counts are kept whatever it says.
std::size_t metric_index(const ConfigValue& name) {
  return name.as_choice(
      {"accuracy", "false_visible_rate", "false_occluded_rate", "mcnemar_p", "rays_per_s"});
}

HeadingSettings parse_heading(const ConfigValue& observers) {
  HeadingSettings heading;
  const ConfigValue* random = observers.find("heading");
  const ConfigValue* yaw = observers.find("yaw_deg");
  const ConfigValue* pitch = observers.find("pitch_deg");
  if (random) {
    random->as_choice({"random"});
    if (yaw) yaw->fail("stands beside heading: random; give one of the two");
    heading.kind = HeadingSettings::Kind::kRandom;
  }
  if (yaw) {
    heading.kind = HeadingSettings::Kind::kFixed;
    heading.yaw_deg = yaw->as_number(-kMaxYaw_deg, kMaxYaw_deg);
  }
  if (pitch) {
    if (!random && !yaw) pitch->fail("needs a yaw_deg or heading: random beside it");
    heading.pitch_deg = pitch->as_number(-kMaxPitch_deg, kMaxPitch_deg);
  }
  return heading;
}

/// One observer for certain: what filters of the target set need.
bool is_single(const PointSpec& observers) {
  if (std::holds_alternative<FilePoints>(observers.generator)) return false;
  return num_points(observers) == 1;
}

/// `true` stands for the configuration's own field of view.
kernels::FieldOfView parse_kept_field_of_view(const ConfigValue& kept,
                                              const ConfigValue& settings) {
  if (kept.is_map()) return parse_field_of_view(kept);
  const ConfigValue* own = settings.find("field_of_view");
  if (!kept.as_bool() || !own) {
    kept.fail("needs a field of view, or true for the configuration's field_of_view");
  }
  return parse_field_of_view(*own);
}

TargetFilter parse_filter(const ConfigValue& settings, const ExperimentSettings& experiment) {
  const ConfigValue& targets = settings.at("targets");
  TargetFilter filter;
  if (const ConfigValue* in_solid = targets.find("in_solid")) {
    filter.drop_in_solid = in_solid->as_choice({"drop", "keep"}) == 0;
  }
  const ConfigValue* keep = targets.find("keep");
  if (!keep) return filter;
  keep->allow_only({"field_of_view", "oracle"});
  if (!is_single(experiment.observers)) {
    keep->fail("selects targets for one observer, but observers has more");
  }
  if (const ConfigValue* fov = keep->find("field_of_view")) {
    filter.field_of_view = parse_kept_field_of_view(*fov, settings);
  }
  if (const ConfigValue* oracle = keep->find("oracle")) {
    if (!is_endless(experiment.targets)) {
      oracle->fail(
          "draws until `count` targets are so judged; needs random_free, uniform or "
          "splitmix64");
    }
    filter.oracle = static_cast<kernels::Visibility>(oracle->as_choice({"hidden", "visible"}));
  }
  return filter;
}

PairingSettings parse_pairing_map(const ConfigValue& rays) {
  rays.allow_only({"pairing", "pairs", "random_pairs", "min_range_m", "max_range_m"});
  const ConfigValue* pairing = rays.find("pairing");
  const ConfigValue* file = rays.find("pairs");
  const ConfigValue* random = rays.find("random_pairs");
  if ((pairing != nullptr) + (file != nullptr) + (random != nullptr) > 1) {
    rays.fail("pairs up in more than one way; give pairing, pairs or random_pairs");
  }
  PairingSettings settings;
  if (pairing) {
    settings.kind =
        static_cast<PairingSettings::Kind>(pairing->as_choice({"cross", "elementwise"}));
  }
  if (file) {
    settings.kind = PairingSettings::Kind::kFile;
    settings.file = file->as_text();
  }
  if (random) {
    settings.kind = PairingSettings::Kind::kRandom;
    settings.count = random->as_integer(1, std::int64_t{1} << 31);
  }
  const ConfigValue* low = rays.find("min_range_m");
  const ConfigValue* high = rays.find("max_range_m");
  if (low) settings.length_m.low = low->as_number(0);
  if (high) settings.length_m.high = high->as_number(settings.length_m.low);
  return settings;
}

PairingSettings parse_pairing(const ConfigValue* rays) {
  if (!rays) return {};
  if (!rays->is_text()) return parse_pairing_map(*rays);
  PairingSettings settings;
  settings.kind = static_cast<PairingSettings::Kind>(rays->as_choice({"cross", "elementwise"}));
  return settings;
}

/// The settings that decide which rays there are and what they run through. The oracle is among
/// them only where it selects targets, or its geometry says which are in the solid.
std::string rays_key(const ConfigValue& settings, const ExperimentSettings& experiment) {
  std::string text = "world " + experiment.world.canonical;
  if (experiment.oracle.sight->query.geometry == Geometry::kAnalytic) text += "\nanalytic";
  const auto share = [&](const char* key) {
    const ConfigValue* value = settings.find_path(key);
    if (value) text += std::string("\n") + key + " " + value->canonical_json();
  };
  for (const char* key : {"observers", "targets", "rays", "seed", "replicate"}) share(key);
  if (experiment.filter.oracle) {
    for (const char* key : {"oracle", "visibility.unknown", "visibility.outside"}) share(key);
  }
  const bool by_field_of_view = experiment.filter.oracle && experiment.oracle.field_of_view;
  if (experiment.filter.field_of_view || by_field_of_view) share("field_of_view");
  return text;
}

/// `within_m` measures target i from observer i.
void check_within(const ConfigValue& settings, const ExperimentSettings& experiment) {
  if (const ConfigValue* within = settings.find_path("observers.random_free.within_m")) {
    within->fail("is for targets: it measures target i from observer i");
  }
  const ConfigValue* within = settings.find_path("targets.random_free.within_m");
  if (within && experiment.pairing.kind != PairingSettings::Kind::kElementwise) {
    within->fail("measures target i from observer i; needs rays: elementwise");
  }
}

/// `solid_m` looks from one observer, and through what only targets lie behind.
void check_solid_between(const ConfigValue& settings, const ExperimentSettings& experiment) {
  const auto find = [](const ConfigValue& points, const auto& on_found) {
    if (const ConfigValue* alone = points.find_path("uniform.solid_m")) on_found(*alone);
    const ConfigValue* parts = points.find("union");
    if (!parts) return;
    for (const ConfigValue& part : parts->items()) {
      if (const ConfigValue* solid = part.find_path("uniform.solid_m")) on_found(*solid);
    }
  };
  find(settings.at("observers"), [](const ConfigValue& solid) {
    solid.fail("is for targets: it measures the solid between the observer and a target");
  });
  if (is_single(experiment.observers)) return;
  find(settings.at("targets"), [](const ConfigValue& solid) {
    solid.fail("measures from one observer, but observers has more");
  });
}

bool needs_heading(const ExperimentSettings& experiment) {
  const auto poses = [](const Judge& judge) { return judge.field_of_view || judge.view; };
  return poses(experiment.oracle) || experiment.filter.field_of_view ||
         std::any_of(experiment.arms.begin(), experiment.arms.end(),
                     [&](const Arm& arm) { return poses(arm.judge); });
}

/// A file of points may bring headings, which make_observers() looks at.
void check_heading(const ConfigValue& settings, const ExperimentSettings& experiment) {
  if (experiment.needs_heading && experiment.heading.kind == HeadingSettings::Kind::kNone &&
      !std::holds_alternative<FilePoints>(experiment.observers.generator)) {
    settings.at("observers")
        .fail(
            "a field of view or a rendered view needs a heading; give yaw_deg, or heading: "
            "random");
  }
}

void parse_metrics(const ConfigValue& settings, ExperimentSettings* experiment) {
  const ConfigValue* metrics = settings.find("metrics");
  if (!metrics) return;
  for (const ConfigValue& name : metrics->items()) {
    metric_index(name);
    experiment->metrics.push_back(name.as_text());
  }
}

SettingPlaces places_of(const ConfigValue& settings) {
  const auto place = [&](const char* key, const std::string& otherwise) {
    const ConfigValue* value = settings.find_path(key);
    return value ? value->where() : otherwise;
  };
  SettingPlaces places;
  places.world = place("world.file", place("world.scene", ""));
  places.observers = place("observers", "");
  places.targets = place("targets", "");
  const std::string pairing = place("rays", places.targets);
  places.rays = place("rays.pairs", pairing);
  places.kept_oracle = place("targets.keep.oracle", "");
  return places;
}

}  // namespace

bool has_null(const ConfigValue& map) {
  return std::any_of(map.entries().begin(), map.entries().end(), [](const auto& entry) {
    return entry.second.is_null() || (entry.second.is_map() && has_null(entry.second));
  });
}

ConfigValue without_nulls(const ConfigValue& map) {
  ConfigValue result = map;
  for (const ConfigValue::Entry& entry : map.entries()) {
    if (entry.second.is_null()) result.erase_entry(entry.first);
    if (entry.second.is_map()) result.set_entry(entry.first, without_nulls(entry.second));
  }
  return result;
}

const WorldSpec& WorldSpecs::parse(const ConfigValue& world) {
  const std::string text = world.canonical_json();
  const auto known = known_.find(text);
  if (known != known_.end()) return known->second;
  return known_.emplace(text, parse_world_spec(world)).first->second;
}

bool WorldSpecs::name_one_twice() const {
  std::unordered_set<std::string> worlds;
  for (const auto& named : known_) worlds.insert(named.second.canonical);
  return worlds.size() < known_.size();
}

std::uint64_t seed_of(const ConfigValue& settings) {
  std::uint64_t sum = 0;
  const ConfigValue* seed = settings.find("seed");
  sum += seed ? static_cast<std::uint64_t>(seed->as_integer(0)) : kDefaultSeed;
  if (const ConfigValue* replicate = settings.find("replicate")) {
    sum += static_cast<std::uint64_t>(replicate->as_integer(0));
  }
  return sum;
}

ExperimentSettings parse_experiment(const ConfigValue& settings) {
  WorldSpecs worlds;
  return parse_experiment(settings, worlds);
}

ExperimentSettings parse_experiment(const ConfigValue& settings, WorldSpecs& worlds) {
  if (has_null(settings)) return parse_experiment(without_nulls(settings), worlds);
  settings.allow_only({"name", "description", "world", "observers", "targets", "rays", "visibility",
                       "field_of_view", "view", "arms", "oracle", "metrics", "baseline", "seed",
                       "replicate", "report", "claims", "family", "preflight"});
  ExperimentSettings experiment;
  experiment.world = worlds.parse(settings.at("world"));
  experiment.seed = seed_of(settings);
  const ConfigValue& observers = settings.at("observers");
  observers.allow_only({"list", "lattice", "random_free", "uniform", "splitmix64", "file", "union",
                        "yaw_deg", "pitch_deg", "heading"});
  experiment.observers = parse_point_spec(observers);
  experiment.heading = parse_heading(observers);
  const ConfigValue& targets = settings.at("targets");
  targets.allow_only({"list", "lattice", "random_free", "uniform", "splitmix64", "file", "union",
                      "in_solid", "keep"});
  experiment.targets = parse_point_spec(targets);
  experiment.filter = parse_filter(settings, experiment);
  experiment.pairing = parse_pairing(settings.find("rays"));
  experiment.arms = parse_arms(settings, experiment.world);
  experiment.oracle = parse_oracle(settings, experiment.world);
  if (const ConfigValue* baseline = settings.find("baseline")) {
    experiment.baseline = index_of_arm(names_of(experiment.arms), *baseline);
  }
  parse_metrics(settings, &experiment);
  if (const ConfigValue* preflight = settings.find("preflight")) {
    experiment.preflight = parse_preflight(*preflight);
  }
  check_within(settings, experiment);
  check_solid_between(settings, experiment);
  experiment.needs_heading = needs_heading(experiment);
  check_heading(settings, experiment);
  experiment.places = places_of(settings);
  experiment.rays_key = rays_key(settings, experiment);
  return experiment;
}

}  // namespace sightline::host
