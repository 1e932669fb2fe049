#include "host/studies/cue_corpora.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "host/memory/batch_views.h"
#include "host/memory/directions.h"
#include "host/memory/generated_memories.h"
#include "host/memory/unit_embedding.h"
#include "host/random.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kSecondsPerDay = 86400;

/// The opposite corner of a layout's box, seen from a place.
Vec3 far_from(const Vec3& p, const MemoryLayout& layout) {
  const Interval* axes =
      std::visit([](const auto& kind) -> const Interval* { return kind.axes_m; }, layout);
  const auto across = [](double at, const Interval& range) {
    return at < (range.low + range.high) / 2 ? range.high : range.low;
  };
  return {across(p.x, axes[0]), across(p.y, axes[1]), across(p.z, axes[2])};
}

/// Asks the queries of all regimes: `now_s` is the moment that a question speaks of.
class CueAsker {
 public:
  CueAsker(const CueSettings& settings, const MemorySet& memories, std::uint64_t seed,
           std::int64_t corpus)
      : settings_(settings), memories_(memories), seed_(seed), corpus_(corpus) {}

  QueryTable ask() const {
    QueryTable queries;
    queries.width = memories_.table.width;
    for (std::size_t regime = 0; regime < settings_.num_regimes(); ++regime) {
      for (std::int64_t target = 0; target < memories_.table.size(); ++target) {
        add_embedding(settings_.regimes[regime], target, &queries);
        queries.centre_m.push_back(standpoint(regime, target));
        queries.now_s.push_back(moment(regime, target));
        queries.target.push_back(target);
      }
    }
    return queries;
  }

 private:
  RandomItem item(const char* what, std::size_t regime, std::int64_t target) const {
    return {seed_, stream_of(what), cue_item(corpus_, regime, target)};
  }

  void add_embedding(const CueRegime& regime, std::int64_t target, QueryTable* queries) const {
    const auto width = static_cast<std::size_t>(memories_.table.width);
    const float* own = memories_.table.embedding(target);
    const float* activity =
        memories_.query_embeddings.data() +
        static_cast<std::size_t>(target / settings_.memories.per_activity) * width;
    Direction query(width);
    for (std::size_t i = 0; i < width; ++i) {
      query[i] = (1 - regime.meaning) * static_cast<double>(activity[i]) +
                 regime.meaning * static_cast<double>(own[i]);
    }
    const std::size_t first = queries->embeddings.size();
    queries->embeddings.resize(first + width);
    to_unit_length(query.data(), memories_.table.width, queries->embeddings.data() + first);
  }

  Vec3 standpoint(std::size_t regime, std::int64_t target) const {
    const Vec3& at = memories_.table.anchor_m[static_cast<std::size_t>(target)];
    const std::optional<double> apart_m = settings_.regimes[regime].place_m;
    if (!apart_m) return far_from(at, settings_.memories.layout);
    NormalDraws draw(item("cue standpoints", regime, target));
    const Direction away = random_direction(3, draw);
    return {at.x + *apart_m * away[0], at.y + *apart_m * away[1], at.z + *apart_m * away[2]};
  }

  double moment(std::size_t regime, std::int64_t target) const {
    RandomItem draw = item("cue moments", regime, target);
    if (const std::optional<double> apart = settings_.regimes[regime].time_days) {
      const double side = draw.below(2) == 0 ? -1 : 1;
      return memories_.table.time_s[static_cast<std::size_t>(target)] +
             side * *apart * kSecondsPerDay;
    }
    const Interval ages = settings_.memories.traits.age_days.value_or(Interval{});
    return -(ages.low + draw.uniform() * (ages.high - ages.low)) * kSecondsPerDay;
  }

  const CueSettings& settings_;
  const MemorySet& memories_;
  std::uint64_t seed_;
  std::int64_t corpus_;
};

/// Decays of the time between each memory and each moment, [queries, memories].
int add_times(const kernels::Decay& decay, const MemoryTable& memories, const QueryTable& queries,
              RecallBatch* batch) {
  std::vector<std::int32_t> values;
  values.reserve(queries.now_s.size() * memories.time_s.size());
  for (const double moment_s : queries.now_s) {
    for (const double time_s : memories.time_s) {
      const double closeness = kernels::decayed(decay, std::fabs(moment_s - time_s));
      values.push_back(kernels::quantised(closeness, batch->feature_bits()));
    }
  }
  return batch->add_quantised(values);
}

RecallMixes mixes_over(const CueSettings& settings, const std::vector<std::int32_t>& weights,
                       const MemoryTable& memories, const QueryTable& queries, RecallBatch* batch) {
  const BlendSettings& blend = settings.blend;
  RecallMixes mixes;
  mixes.weights = weights;
  for (int number = 0; number < kNumScoreParts; ++number) {
    const auto part = static_cast<ScorePart>(number);
    const bool is_linear =
        part == ScorePart::kStaleness && blend.staleness == StalenessForm::kLinear;
    if (part == ScorePart::kRecency) {
      mixes.columns.push_back(add_times(blend.recency, memories, queries, batch));
    } else if (is_linear) {
      const kernels::Decay fresh{kernels::DecayForm::kLinear, blend.staleness_s};
      mixes.columns.push_back(add_times(fresh, memories, queries, batch));
    } else {
      mixes.columns.push_back(add_score_part(part, blend, memories, batch));
    }
  }
  return mixes;
}

/// `cosines` [memories]: quantised.
PoolStatistics statistics_of(const CueSettings& settings, const MemoryTable& memories,
                             const std::int32_t* cosines, int feature_bits, const Vec3& centre_m,
                             double moment_s) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(memories.size()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  const auto pool = std::min(memories.size(), settings.alike);
  std::partial_sort(rows.begin(), rows.begin() + pool, rows.end(),
                    [&](std::int64_t a, std::int64_t b) {
                      return cosines[a] != cosines[b] ? cosines[a] > cosines[b] : a < b;
                    });
  rows.resize(static_cast<std::size_t>(pool));
  const std::int64_t kth = rows[static_cast<std::size_t>(std::min(settings.k, pool) - 1)];
  PoolStatistics statistics{std::ldexp(cosines[rows[0]] - cosines[kth], -feature_bits), HUGE_VAL,
                            HUGE_VAL};
  for (const std::int64_t row : rows) {
    const auto r = static_cast<std::size_t>(row);
    const Vec3 d = kernels::minus(memories.anchor_m[r], centre_m);
    const double apart_s = std::fabs(memories.time_s[r] - moment_s);
    statistics[1] = std::min(statistics[1], std::sqrt(kernels::dot(d, d)));
    statistics[2] = std::min(statistics[2], apart_s / kSecondsPerDay);
  }
  return statistics;
}

/// Ranks [queries, num_mixes] of the queries from `first` on as bits and counts.
void count_hits(const std::vector<std::int32_t>& ranks, std::size_t first, std::int64_t k,
                std::size_t per_regime, AskedCorpus* asked) {
  const auto num_mixes = static_cast<std::size_t>(asked->num_mixes);
  const auto words = static_cast<std::size_t>(kernels::words_of_bits(asked->num_mixes));
  const std::size_t num_queries = ranks.size() / num_mixes;
  for (std::size_t query = 0; query < num_queries; ++query) {
    std::uint64_t* bits = asked->hit_bits.data() + (first + query) * words;
    std::int32_t* counts = asked->hits.data() + (first + query) / per_regime * num_mixes;
    const std::int32_t* of_query = ranks.data() + query * num_mixes;
    for (std::size_t mix = 0; mix < num_mixes; ++mix) {
      const std::uint64_t is_hit = of_query[mix] < k ? 1 : 0;
      bits[mix / 64] |= is_hit << (mix % 64);
      counts[mix] += static_cast<std::int32_t>(is_hit);
    }
  }
}

std::int64_t bytes_per_query(std::int64_t num_memories, std::int64_t num_mixes) {
  return (kNumScoreParts * num_memories + num_mixes) *
         static_cast<std::int64_t>(sizeof(std::int32_t));
}
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;  ///< of features and ranks at a time

/// What all mixes make of the queries from `first` on.
void ask_piece(const CueSettings& settings, const std::vector<std::int32_t>& mixes,
               const MemoryTable& memories, const QueryTable& queries, std::int64_t first,
               RecallBatch* batch, AskedCorpus* asked) {
  batch->set_queries(batch_view(queries));
  const RecallMixes weighed = mixes_over(settings, mixes, memories, queries, batch);
  const std::vector<std::int32_t> ranks = batch->target_ranks(weighed, queries.target);
  const std::vector<std::int32_t> cosines = batch->values_of(weighed.columns.front());
  // Nobody asks the device any more: what is added from here on is added once.
  const auto num_memories = static_cast<std::size_t>(memories.size());
  count_hits(ranks, static_cast<std::size_t>(first), settings.k, num_memories, asked);
  for (std::size_t q = 0; q < queries.target.size(); ++q) {
    asked->statistics.push_back(statistics_of(settings, memories, cosines.data() + q * num_memories,
                                              batch->feature_bits(), queries.centre_m[q],
                                              queries.now_s[q]));
  }
}

}  // namespace

std::vector<std::int32_t> lattice_mixes() {
  std::vector<std::int32_t> mixes;
  constexpr std::int32_t n = kMixSteps;
  for (std::int32_t a = n; a >= 0; --a) {
    for (std::int32_t b = n - a; b >= 0; --b) {
      for (std::int32_t c = n - a - b; c >= 0; --c) {
        for (std::int32_t d = n - a - b - c; d >= 0; --d) {
          mixes.insert(mixes.end(), {a, b, c, d, n - a - b - c - d});
        }
      }
    }
  }
  return mixes;
}

std::uint64_t cue_item(std::int64_t corpus, std::size_t regime, std::int64_t query) {
  constexpr int kQueryBits = 32;
  const auto set = static_cast<std::uint64_t>(corpus * kMostRegimes) + regime;
  return (set << kQueryBits) + static_cast<std::uint64_t>(query);
}

AskedCorpus ask_corpus(const CueSettings& settings, const std::vector<std::int32_t>& mixes,
                       std::uint64_t seed, std::int64_t corpus, Device& device) {
  const auto stream = static_cast<std::uint32_t>(corpus);
  MemoryContext context;
  context.num_threads = device.num_threads();
  const MemorySet memories = generate(settings.memories, DrawStreams{seed, stream}, context);
  const MemoryTable& table = memories.table;
  const QueryTable queries = CueAsker(settings, memories, seed, corpus).ask();
  AskedCorpus asked;
  asked.num_mixes = static_cast<std::int64_t>(mixes.size()) / kNumScoreParts;
  const auto num_queries = static_cast<std::size_t>(queries.size());
  asked.hit_bits.resize(num_queries *
                        static_cast<std::size_t>(kernels::words_of_bits(asked.num_mixes)));
  asked.hits.resize(settings.num_regimes() * static_cast<std::size_t>(asked.num_mixes));
  RecallBatch batch(device, batch_view(table));
  batch.ask_in_pieces(queries.size(), bytes_per_query(table.size(), asked.num_mixes), kMostBytes,
                      [&](std::int64_t first, std::int64_t count) {
                        ask_piece(settings, mixes, table, part_of(queries, first, count), first,
                                  &batch, &asked);
                      });
  return asked;
}

}  // namespace sightline::host
