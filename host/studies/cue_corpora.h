// Corpora whose questions are told by one cue or by several, and what every mix of weights makes of
// them. Internal to adaptive_weights.cpp, mix_policy.cpp and their tests.
//
// Memories are episodes of a few activities (CalibratedMemories); every memory is the target of one
// query in each regime. The query's vector always tells the activity. Which of its episodes is
// meant is told by the vector, by where one stands or by the moment that the question speaks of, as
// the regime says. A cue that tells nothing misleads: the vector is the activity's, the same for
// all of its episodes; the standpoint is far, in the opposite corner of the layout, and so near
// others; the moment is any between the ages that memories have. What Spatial Memory Must Store
// (2026), sections 6.8 and 9.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/memory/blend.h"
#include "host/memory/memory_spec.h"

namespace sightline::host {

/// What tells a target from the other episodes of its activity.
struct CueRegime {
  std::string name;
  /// Share of the target's own direction in the query's, the rest being the activity's; 0: no cue.
  double meaning = 0;
  std::optional<double> place_m;    ///< from the target to the standpoint, in any direction
  std::optional<double> time_days;  ///< from the target's time to the moment, before or after it
};

struct CueSettings {
  CalibratedMemories memories;
  /// Forms and scales of the parts; its weights are not looked at. Recency, and staleness where it
  /// is linear, are of the time between a memory and the moment, whichever came first.
  BlendSettings blend;
  std::vector<CueRegime> regimes;
  std::int64_t k = 5;       ///< a hit is a target among the k first
  std::int64_t alike = 20;  ///< memories most alike the query: the pool that statistics are of

  std::size_t num_regimes() const { return regimes.size(); }
  std::int64_t num_queries() const { return memories.activities * memories.per_activity; }
};
constexpr std::int64_t kMostRegimes = 32;

/// Cheap statistics of a query's candidate pool, one for each cue: the cosine of the most alike
/// memory less that of the k-th; among the `alike` most alike, the distance of the nearest from the
/// standpoint, metres; and the least time between one and the moment, days.
constexpr std::size_t kNumStatistics = 3;
using PoolStatistics = std::array<double, kNumStatistics>;

/// Weights of all mixes of the five parts in twentieths, [num_mixes, 5]: 10,626.
constexpr std::int32_t kMixSteps = 20;
std::vector<std::int32_t> lattice_mixes();

/// A corpus of which all queries of all regimes were asked under all mixes. Query q of regime r is
/// number r num_queries + q and is after memory q.
struct AskedCorpus {
  std::vector<std::uint64_t> hit_bits;     ///< [queries, words_of_bits(num_mixes)]
  std::vector<std::int32_t> hits;          ///< [num_regimes, num_mixes]: their counts
  std::vector<PoolStatistics> statistics;  ///< [queries]
  std::int64_t num_mixes = 0;

  bool is_hit(std::size_t query, std::size_t mix) const {
    const auto words = static_cast<std::size_t>(kernels::words_of_bits(num_mixes));
    return (hit_bits[query * words + mix / 64] >> (mix % 64) & 1) != 0;
  }
};

/// Corpus number `corpus` of a seed, below 2^16, asked under the mixes [num_mixes, 5]; equal on
/// every device. Throws InputError for a layout without room.
AskedCorpus ask_corpus(const CueSettings& settings, const std::vector<std::int32_t>& mixes,
                       std::uint64_t seed, std::int64_t corpus, Device& device);

/// The number of a query for draws of its own: the same whatever other regimes there are.
std::uint64_t cue_item(std::int64_t corpus, std::size_t regime, std::int64_t query);

}  // namespace sightline::host
