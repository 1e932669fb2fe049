#include "host/studies/gate_pool.h"

#include <algorithm>
#include <cmath>

#include "host/memory/batch_views.h"
#include "host/memory/blend.h"
#include "host/memory/directions.h"
#include "host/memory/memory_spec.h"
#include "host/memory/unit_embedding.h"
#include "host/random.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kShuffleStream = 0x67707368;  // "gpsh"
constexpr std::uint64_t kWordsStream = 0x67707764;    // "gpwd", and one for each regime
constexpr double kOwnWords_cos = 0.95;  ///< of a question whose words fit one memory alone
constexpr double kProximity_m = 100;
constexpr int kWordBits = 64;

bool is_set(const std::vector<std::uint64_t>& bits, std::int64_t words, std::int64_t query,
            std::int64_t memory) {
  return (bits[static_cast<std::size_t>(query * words + memory / kWordBits)] >>
          memory % kWordBits) &
         1;
}

/// The words of a question as an embedding.
class Phraser {
 public:
  Phraser(Regime regime, const GateMemories& memories, const GatePoolSettings& settings)
      : words_(declared_of(regime).words),
        stream_(kWordsStream + static_cast<std::uint64_t>(regime)),
        memories_(memories),
        settings_(settings),
        width_(memories.table.width) {}

  void put(std::int64_t question, std::int64_t target, float* out) const {
    if (words_ == WordsFit::kAll) return put_all(out);
    if (words_ == WordsFit::kOne) return put_one(question, target, out);
    const std::int64_t activity = memories_.activity[static_cast<std::size_t>(target)];
    const auto row = memories_.activity_embeddings.begin() + activity * width_;
    std::copy(row, row + width_, out);
  }

 private:
  void put_all(float* out) const {
    Direction sum(static_cast<std::size_t>(width_));
    for (std::size_t i = 0; i < memories_.activity_embeddings.size(); ++i) {
      sum[i % sum.size()] += memories_.activity_embeddings[i];
    }
    to_unit_length(sum.data(), width_, out);
  }
  void put_one(std::int64_t question, std::int64_t target, float* out) const {
    const float* const row = memories_.table.embedding(target);
    Direction own(row, row + width_);
    // Floats are of unit length but for their rounding, which the cosine is not to depend on.
    double length = 0;
    for (const double x : own) length += x * x;
    for (double& x : own) x /= std::sqrt(length);
    NormalDraws draw(
        RandomItem(settings_.regimes.seed, stream_, static_cast<std::uint64_t>(question)));
    to_unit_length(direction_near(own, kOwnWords_cos, draw).data(), width_, out);
  }

  WordsFit words_;
  std::uint64_t stream_;
  const GateMemories& memories_;
  const GatePoolSettings& settings_;
  std::int32_t width_;
};

QueryTable queries_of(Regime regime, const World& world, const GateMemories& memories,
                      const std::vector<RegimeQuestion>& questions,
                      const GatePoolSettings& settings) {
  QueryTable queries;
  queries.width = memories.table.width;
  queries.embeddings.resize(questions.size() * static_cast<std::size_t>(queries.width));
  const Phraser phraser(regime, memories, settings);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const RegimeQuestion& question = questions[i];
    phraser.put(static_cast<std::int64_t>(i), question.thing,
                queries.embeddings.data() + i * static_cast<std::size_t>(queries.width));
    queries.centre_m.push_back(question.from_m);
    queries.now_s.push_back(0);
    queries.poses.push_back(make_pose_deg(world.frame, question.from_m, question.yaw_deg, 0));
    queries.target.push_back(question.thing);
  }
  return queries;
}

Regions regions_of(const World& world, double region_m, const MemoryTable& memories,
                   const QueryTable& queries) {
  Regions regions;
  for (const Vec3& p : memories.anchor_m) {
    regions.of_memory.push_back(region_of(world, region_m, p));
  }
  for (const Vec3& p : queries.centre_m) regions.of_asker.push_back(region_of(world, region_m, p));
  return regions;
}

/// One batch of questions.
class Pool {
 public:
  Pool(const GateContext& context, const Regions& regions, const GatePoolSettings& settings,
       RecallBatch& batch)
      : context_(context),
        settings_(settings),
        batch_(batch),
        maker_(context, regions, settings.sight, settings.regimes.view, &batch_),
        words_(kernels::words_of_bits(context.memories.size())) {
    batch_.set_queries(batch_view(context.queries));
    cosines_ = batch_.add_cosines();
    proximities_ = batch_.add_proximities({kernels::DecayForm::kLinear, kProximity_m});
  }

  GatePool ask(const std::vector<RecallGate>& gates, const std::vector<GateRanking>& rankings) {
    GatePool pool;
    pool.num_questions = context_.queries.size();
    pool.num_memories = context_.memories.size();
    find_alike(&pool);
    for (const RecallGate& gate : gates) {
      gate_ids_.push_back(maker_.add(gate.test));
      bits_.push_back(batch_.bits_of(gate_ids_.back()));
      pool.alike_kept.push_back(count_alike(bits_.back()));
    }
    for (const GateRanking& ranking : rankings) add_answers(ranking, &pool);
    return pool;
  }

 private:
  void find_alike(GatePool* pool) {
    const std::vector<std::int32_t> cosines = batch_.values_of(cosines_);
    const auto n = static_cast<std::size_t>(pool->num_memories);
    const auto within =
        static_cast<std::int32_t>(std::ldexp(settings_.alike_within, batch_.feature_bits()));
    for (std::size_t q = 0; q < static_cast<std::size_t>(pool->num_questions); ++q) {
      const std::int32_t* const row = cosines.data() + q * n;
      const std::int32_t least = *std::max_element(row, row + n) - within;
      std::vector<std::int64_t>& fits = alike_.emplace_back();
      for (std::size_t m = 0; m < n; ++m) {
        if (row[m] >= least) fits.push_back(static_cast<std::int64_t>(m));
      }
      pool->alike.push_back(static_cast<std::int64_t>(fits.size()));
    }
  }

  std::vector<std::int64_t> count_alike(const std::vector<std::uint64_t>& bits) const {
    std::vector<std::int64_t> counts;
    for (std::size_t q = 0; q < alike_.size(); ++q) {
      const auto kept = [&](std::int64_t m) {
        return is_set(bits, words_, static_cast<std::int64_t>(q), m);
      };
      counts.push_back(std::count_if(alike_[q].begin(), alike_[q].end(), kept));
    }
    return counts;
  }

  RecallMixes mixes_of(const GateRanking& ranking) {
    RecallMixes mixes;
    std::vector<double> weights;
    const auto weigh = [&](int column, double weight) {
      if (weight == 0) return;
      mixes.columns.push_back(column);
      weights.push_back(weight);
    };
    weigh(cosines_, ranking.relevance);
    weigh(proximities_, ranking.spatial);
    if (ranking.gate >= 0) mixes.gate = gate_ids_[static_cast<std::size_t>(ranking.gate)];
    if (ranking.gate >= 0 && ranking.penalty) {
      weigh(batch_.add_outside(mixes.gate), -*ranking.penalty);
      mixes.gate = -1;
    }
    mixes.weights = whole_weights(weights).weights;
    return mixes;
  }

  void add_answers(const GateRanking& ranking, GatePool* pool) {
    const std::vector<std::int32_t> ranks =
        batch_.target_ranks(mixes_of(ranking), context_.queries.target);
    const bool is_hard = ranking.gate >= 0 && !ranking.penalty;
    std::vector<std::uint8_t>& hit = pool->hit.emplace_back();
    std::vector<std::uint8_t>& dropped = pool->dropped.emplace_back();
    std::vector<std::int64_t>& candidates = pool->candidates.emplace_back();
    for (std::size_t q = 0; q < ranks.size(); ++q) {
      dropped.push_back(ranks[q] == kernels::kNoRank);
      hit.push_back(ranks[q] != kernels::kNoRank && ranks[q] < settings_.k);
      candidates.push_back(is_hard ? count_kept(ranking.gate, static_cast<std::int64_t>(q))
                                   : pool->num_memories);
    }
  }

  std::int64_t count_kept(int gate, std::int64_t query) const {
    std::int64_t kept = 0;
    for (std::int64_t m = 0; m < context_.memories.size(); ++m) {
      kept += is_set(bits_[static_cast<std::size_t>(gate)], words_, query, m);
    }
    return kept;
  }

  const GateContext& context_;
  const GatePoolSettings& settings_;
  RecallBatch& batch_;
  GateMaker maker_;
  std::int64_t words_;
  int cosines_ = -1, proximities_ = -1;
  std::vector<int> gate_ids_;
  std::vector<std::vector<std::uint64_t>> bits_;  ///< [gates]
  std::vector<std::vector<std::int64_t>> alike_;  ///< [questions] rows
};

/// The answers to a piece of the questions after those of the pieces before it.
template <class Answer>
void append(const std::vector<std::vector<Answer>>& part, std::vector<std::vector<Answer>>* all) {
  all->resize(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    (*all)[i].insert((*all)[i].end(), part[i].begin(), part[i].end());
  }
}
void append(const GatePool& part, GatePool* all) {
  all->num_questions += part.num_questions;
  all->num_memories = part.num_memories;
  append(part.hit, &all->hit);
  append(part.dropped, &all->dropped);
  append(part.candidates, &all->candidates);
  all->alike.insert(all->alike.end(), part.alike.begin(), part.alike.end());
  append(part.alike_kept, &all->alike_kept);
}

/// The two parts and what each ranking charges for, and of each gate its bits and an answer a byte.
std::int64_t bytes_per_query(std::int64_t num_memories, std::size_t num_gates,
                             std::size_t num_rankings) {
  const std::size_t bytes_per_memory = (2 + num_rankings) * sizeof(std::int32_t) + 2 * num_gates;
  return num_memories * static_cast<std::int64_t>(bytes_per_memory);
}
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;

}  // namespace

GateMemories remember_things(const Surroundings& surroundings, const GatePoolSettings& settings) {
  GateMemories memories;
  for (const PlacedThing& thing : surroundings.things) {
    memories.anchors_m[static_cast<std::size_t>(Anchors::kSubject)].push_back(thing.place_m);
    memories.anchors_m[static_cast<std::size_t>(Anchors::kObserver)].push_back(thing.seen_from_m);
  }
  std::vector<Vec3>& shuffled = memories.anchors_m[static_cast<std::size_t>(Anchors::kShuffled)];
  shuffled = memories.anchors_m[static_cast<std::size_t>(Anchors::kSubject)];
  RandomItem random(settings.regimes.seed, kShuffleStream, 0);
  shuffle(&shuffled, &random);
  CalibratedMemories calibrated;
  calibrated.activities = settings.activities;
  calibrated.per_activity = settings.per_activity;
  MemoryContext context;
  context.anchors_m = &memories.anchors_m[static_cast<std::size_t>(Anchors::kSubject)];
  context.seed = settings.regimes.seed;
  MemorySet set = make_memories({calibrated, {}, ""}, context);
  memories.table = std::move(set.table);
  memories.activity_embeddings = std::move(set.query_embeddings);
  memories.activity.resize(set.targets.size());
  for (const MemoryTarget& target : set.targets) {
    memories.activity[static_cast<std::size_t>(target.memory)] = target.query;
  }
  return memories;
}

GatePool ask_pool(Regime regime, const World& world, const GateMemories& memories, Anchors anchors,
                  const std::vector<RegimeQuestion>& questions,
                  const std::vector<RecallGate>& gates, const std::vector<GateRanking>& rankings,
                  const GatePoolSettings& settings, Device& device) {
  MemoryTable anchored = memories.table;
  anchored.anchor_m = memories.anchors_m[static_cast<std::size_t>(anchors)];
  const QueryTable queries = queries_of(regime, world, memories, questions, settings);
  DenseIndexes indexes(device);
  RecallBatch batch(device, batch_view(anchored));
  GatePool pool;
  batch.ask_in_pieces(
      queries.size(), bytes_per_query(anchored.size(), gates.size(), rankings.size()), kMostBytes,
      [&](std::int64_t first, std::int64_t count) {
        const QueryTable part = part_of(queries, first, count);
        const Regions regions = regions_of(world, settings.regimes.region_m, anchored, part);
        const GateContext context{anchored, part, &world, device, indexes};
        append(Pool(context, regions, settings, batch).ask(gates, rankings), &pool);
      });
  return pool;
}

}  // namespace sightline::host
