// What one configuration asks for, typed and checked: a world, rays through it, and who judges
// them.
//
// The schema of a sweep file's settings (configs/README.md, "Write your own"). Parsing does no
// work: it reads no world and no point file.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/config/value.h"
#include "host/sweep/judge.h"
#include "host/sweep/points.h"
#include "host/sweep/preflight.h"

namespace sightline::host {

/// Where observers look.
struct HeadingSettings {
  enum class Kind { kNone, kFixed, kRandom };
  Kind kind = Kind::kNone;  ///< kNone: from the point file, if it has headings
  double yaw_deg = 0, pitch_deg = 0;
};

/// Which targets take part.
struct TargetFilter {
  bool drop_in_solid = true;
  std::optional<kernels::FieldOfView>
      field_of_view;                          ///< only targets the one observer's cone holds
  std::optional<kernels::Visibility> oracle;  ///< draw until `count` targets are so judged
};

/// How observers and targets pair up.
struct PairingSettings {
  enum class Kind { kCross, kElementwise, kFile, kRandom };
  Kind kind = Kind::kCross;
  std::string file;        ///< kFile: int64 [M, 2]
  std::int64_t count = 0;  ///< kRandom: pairs drawn with replacement
  Range length_m{0, std::numeric_limits<double>::infinity()};  ///< only rays this long
};

/// Where keys stand in the sweep file, for faults that only a world or the points show.
struct SettingPlaces {
  std::string world, observers, targets;
  std::string rays;         ///< or `targets`, if rays pair up by default
  std::string kept_oracle;  ///< targets.keep.oracle, if set
};

struct ExperimentSettings {
  WorldSpec world;
  std::uint64_t seed = 1;  ///< `seed` + `replicate`
  PointSpec observers, targets;
  HeadingSettings heading;
  TargetFilter filter;
  PairingSettings pairing;
  std::vector<Arm> arms;
  Judge oracle;
  std::size_t baseline = 0;          ///< index into arms
  std::vector<std::string> metrics;  ///< names to show; all counts are kept
  std::optional<PreflightSettings> preflight;
  bool needs_heading = false;  ///< someone judges by a field of view or a rendered view
  SettingPlaces places;
  std::string rays_key;  ///< canonical text: equal text, equal world and rays
};

/// World specs by their text. Parsing one builds its scene to check it, and a sweep names few
/// worlds in many configurations.
class WorldSpecs {
 public:
  /// As parse_world_spec.
  const WorldSpec& parse(const ConfigValue& world);
  /// Do two of the texts parsed so far say the same world?
  bool name_one_twice() const;

 private:
  std::unordered_map<std::string, WorldSpec> known_;
};

constexpr std::uint64_t kDefaultSeed = 1;  ///< of a sweep file that gives no seed
/// `seed` + `replicate` of a configuration.
std::uint64_t seed_of(const ConfigValue& settings);

/// Is a key of the map null, at any depth?
bool has_null(const ConfigValue& map);
/// The map without them: `key: null` unsets a key, as overrides do.
ConfigValue without_nulls(const ConfigValue& map);

/// Reads the resolved settings of a configuration; a key that is null counts as absent. Throws
/// InputError, with file, line and the nearest valid key, on the first thing that is wrong.
ExperimentSettings parse_experiment(const ConfigValue& settings, WorldSpecs& worlds);
ExperimentSettings parse_experiment(const ConfigValue& settings);

}  // namespace sightline::host
