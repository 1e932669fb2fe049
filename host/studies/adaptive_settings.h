// The settings of adaptive_weights.h. Internal to adaptive_weights.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/studies/cue_corpora.h"
#include "host/studies/mix_policy.h"
#include "host/studies/study.h"

namespace sightline::host {

enum class MixChoice : std::uint8_t { kGiven, kBest, kMinimax, kHardest, kOracle, kPolicy };
/// What an arm is given of another query.
enum class Shuffled : std::uint8_t { kNothing, kStatistics, kDeclaration };

struct AdaptiveArm {
  MixChoice choice = MixChoice::kPolicy;
  std::size_t given = 0;    ///< kGiven: its place among AdaptiveSettings::given
  std::size_t against = 0;  ///< kHardest: an arm
  PolicySettings policy;    ///< kPolicy
  Shuffled shuffled = Shuffled::kNothing;
};

enum class AdaptiveMeasure : std::uint8_t { kRegime, kWorst, kNamed, kApart };

struct AdaptiveSettings {
  CueSettings cues;
  std::uint64_t seed = 1, development_seed = 0;
  std::int64_t num_corpora = 50, num_development = 50;
  std::size_t ranges = 10;
  double declared_error = 0;
  AdaptiveMeasure measure = AdaptiveMeasure::kWorst;
  std::size_t regime = 0;  ///< kRegime
  std::optional<std::pair<std::size_t, std::size_t>> apart;
  std::vector<std::int32_t> given;  ///< [arms of kGiven, 5]: whole weights
  std::vector<AdaptiveArm> arms;
  /// Equal for settings that ask the same corpora under the same mixes.
  std::string pass_key;
};

/// Throws InputError, at the key.
AdaptiveSettings parse_adaptive_settings(const StudySettings& settings);

}  // namespace sightline::host
