#include "host/sweep/recall_evaluation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "host/config/place.h"
#include "host/memory/batch_views.h"
#include "host/sweep/stopwatch.h"

namespace sightline::host {
namespace {

using kernels::kNoRank;

std::int64_t fraction(double value) {
  return std::llround(std::ldexp(value, RecallAnswers::kFractionBits));
}

bool is_hit(std::int32_t rank, std::int64_t k) { return rank != kNoRank && rank < k; }

/// What a rank adds to sums.
struct RankTerms {
  std::int64_t reciprocal, gain;

  explicit RankTerms(std::int32_t rank)
      : reciprocal(fraction(1.0 / (rank + 1.0))), gain(fraction(1 / std::log2(rank + 2.0))) {}
};

RankTerms terms_of(std::int32_t rank) {
  constexpr std::int32_t kNumKnown = 1024;  // a sweep asks for millions, most of them low
  static const std::vector<RankTerms> known = [] {
    std::vector<RankTerms> terms;
    for (std::int32_t r = 0; r < kNumKnown; ++r) terms.emplace_back(r);
    return terms;
  }();
  return rank < kNumKnown ? known[static_cast<std::size_t>(rank)] : RankTerms(rank);
}

void add_rank(std::int32_t rank, std::int64_t k, RecallAnswers* answers) {
  ++answers->num_queries;
  if (rank == kNoRank) {
    ++answers->num_gated;
    return;
  }
  const RankTerms terms = terms_of(rank);
  answers->reciprocal_rank_sum += terms.reciprocal;
  if (rank >= k) return;
  ++answers->hits;
  answers->gain_sum += terms.gain;
}

template <class T>
void append(const std::vector<T>& items, std::shared_ptr<std::vector<T>>* all) {
  if (!*all) *all = std::make_shared<std::vector<T>>();
  (*all)->insert((*all)->end(), items.begin(), items.end());
}

/// Asks of the k memories recalled for each query whether they are visible: at their anchors, as
/// who remembers can, and in truth where their things are (null: at the anchors).
void count_verified(const Verification& verify, const std::vector<kernels::Scored>& recalled, int k,
                    const GateContext& context, const std::vector<kernels::Vec3>* subjects_m,
                    RecallAnswers* answers, std::vector<VerifiedRecall>* by_query) {
  std::vector<std::int64_t> pairs;
  for (std::size_t i = 0; i < recalled.size(); ++i) {
    if (recalled[i].memory == kernels::kNoMemory) continue;
    pairs.push_back(static_cast<std::int64_t>(i) / k);
    pairs.push_back(recalled[i].memory);
  }
  if (pairs.empty()) return;
  const std::vector<std::uint8_t> said = keeps(verify.says, context, pairs);
  answers->num_recalled += static_cast<std::int64_t>(said.size());
  answers->recalled_visible += std::accumulate(said.begin(), said.end(), std::int64_t{0});
  for (std::size_t i = 0; i < said.size(); ++i) {
    VerifiedRecall& query = (*by_query)[static_cast<std::size_t>(pairs[2 * i])];
    ++query.recalled;
    query.visible += said[i];
  }
  if (!verify.truth) return;
  GateContext of_things = context;
  of_things.places_m = subjects_m;
  const std::vector<std::uint8_t> truth = keeps(*verify.truth, of_things, pairs);
  for (std::size_t i = 0; i < said.size(); ++i) {
    answers->recalled_hidden += truth[i] == 0;
    answers->recalled_false_visible += truth[i] == 0 && said[i] != 0;
    VerifiedRecall& query = (*by_query)[static_cast<std::size_t>(pairs[2 * i])];
    query.hidden += truth[i] == 0;
    query.false_visible += truth[i] == 0 && said[i] != 0;
  }
}

}  // namespace

void check_verification(const Verification& verify, const MemoryTable& memories) {
  at_place(verify.place, [&] {
    check_gate(verify.says, memories);
    if (verify.truth) check_gate(*verify.truth, memories);
  });
}

RecallEvaluation::RecallEvaluation(std::int64_t memory_bytes) : memory_bytes_(memory_bytes) {}

std::size_t RecallEvaluation::add_judge(const RecallJudge& judge) {
  const auto [known, is_new] = judge_ids_.emplace(judge.key, judges_.size());
  if (!is_new) return known->second;
  const auto [pass_id, is_new_pass] = pass_ids_.emplace(judge.columns_key, passes_.size());
  if (is_new_pass) passes_.push_back({judge, {}, 0, 0});
  std::vector<RecallMix>& mixes = passes_[pass_id->second].mixes;
  judges_.push_back({pass_id->second, mixes.size()});
  mixes.push_back({judge.blend.weights, judge.blend.normalised, judge.penalty});
  return known->second;
}

std::size_t RecallEvaluation::add_comparison(std::size_t arm, std::int64_t arm_k,
                                             std::size_t baseline, std::int64_t baseline_k,
                                             const std::optional<Verification>& verify) {
  const std::string verify_key = verify ? verify->key : std::string();
  const auto [known, is_new] = comparison_ids_.emplace(
      std::tuple(arm, arm_k, baseline, baseline_k, verify_key), comparisons_.size());
  if (is_new) comparisons_.push_back({arm, baseline, arm_k, baseline_k, verify, {}, {}});
  return known->second;
}

std::int64_t RecallEvaluation::bytes_per_query(std::int64_t num_memories) const {
  std::int64_t values = 0, ranks = 0;
  for (const Pass& pass : passes_) {
    // Features stay for the passes that follow; a gate's pairs may hold an answer a byte.
    values += (kNumScoreParts + 2) * num_memories;
    ranks += static_cast<std::int64_t>(pass.mixes.size());
  }
  return (values + ranks) * static_cast<std::int64_t>(sizeof(std::int32_t));
}

std::int64_t RecallEvaluation::few_queries(std::int64_t num_memories) const {
  constexpr std::int64_t kLittleWork = 1'000'000;  // scores: milliseconds
  constexpr std::int64_t kMost = 64;               // more than threads
  std::int64_t num_mixes = 0;
  for (const Pass& pass : passes_) num_mixes += static_cast<std::int64_t>(pass.mixes.size());
  return std::min(kMost, kLittleWork / std::max<std::int64_t>(1, num_memories * num_mixes));
}

void RecallEvaluation::run(const MemoryTable& memories, const QueryTable& queries,
                           const World* world, Device& device, DenseIndexes& indexes,
                           const OnProgress& on_progress) {
  RecallBatch batch(device, batch_view(memories));
  for (const Pass& pass : passes_) {
    const RecallJudge& question = pass.question;
    if (!question.gate) continue;
    at_place(question.gate_place, [&] {
      check_gate(*question.gate, memories);
      build_indexes(*question.gate, memories, &indexes);
    });
  }
  for (const Comparison& comparison : comparisons_) {
    if (comparison.verify) check_verification(*comparison.verify, memories);
  }
  const auto in_pieces = [&](std::int64_t num_queries, const auto& ask) {
    batch.ask_in_pieces(num_queries, bytes_per_query(memories.size()), memory_bytes_,
                        [&](std::int64_t first, std::int64_t count) {
                          const QueryTable part = part_of(queries, first, count);
                          ask({memories, part, world, device, indexes}, first + count);
                        });
  };
  in_pieces(std::min(queries.size(), few_queries(memories.size())),
            [&](const GateContext& piece, std::int64_t) { warm_up(piece, &batch); });
  in_pieces(queries.size(), [&](const GateContext& piece, std::int64_t num_asked) {
    run_piece(piece, &batch);
    if (!on_progress) return;
    on_progress(static_cast<double>(num_asked) / static_cast<double>(queries.size()));
  });
}

// What a first call costs, of threads that start and code that is chosen, is a thousand times what
// a small store needs, and would be told of the ranking that happens to come first.
void RecallEvaluation::warm_up(const GateContext& context, RecallBatch* batch) const {
  RecallPiece piece(context, batch);
  for (const Pass& pass : passes_) {
    PreparationCost cost;
    const RecallMixes mixes = at_place(
        pass.question.place, [&] { return piece.mixes_of(pass.question, pass.mixes, &cost); });
    batch->target_ranks(mixes, context.queries.target);
  }
}

RecallEvaluation::Ranked RecallEvaluation::rank(const GateContext& context,
                                                RecallBatch* batch) const {
  RecallPiece piece(context, batch);
  Ranked ranked;
  for (const Pass& pass : passes_) {
    PreparationCost cost;
    ranked.mixes.push_back(at_place(
        pass.question.place, [&] { return piece.mixes_of(pass.question, pass.mixes, &cost); }));
    const Stopwatch ranking;
    ranked.ranks.push_back(batch->target_ranks(ranked.mixes.back(), context.queries.target));
    ranked.seconds.push_back(cost.features_s + cost.gate_s + ranking.seconds());
    ranked.gate_seconds.push_back(cost.gate_s);
  }
  return ranked;
}

RecallAnswers RecallEvaluation::with_piece(const Comparison& comparison, const Ranked& ranked,
                                           const GateContext& context, RecallBatch* batch,
                                           std::vector<VerifiedRecall>* verified) const {
  const Judge& arm = judges_[comparison.arm];
  const Judge& baseline = judges_[comparison.baseline];
  RecallAnswers answers = comparison.answers;
  for (std::int64_t q = 0; q < context.queries.size(); ++q) {
    const auto rank_of = [&](const Judge& judge) {
      const auto num_mixes = static_cast<std::int64_t>(passes_[judge.pass].mixes.size());
      return ranked.ranks[judge.pass][static_cast<std::size_t>(
          q * num_mixes + static_cast<std::int64_t>(judge.mix))];
    };
    const std::int32_t rank = rank_of(arm);
    add_rank(rank, comparison.arm_k, &answers);
    const bool hit = is_hit(rank, comparison.arm_k);
    const bool baseline_hit = is_hit(rank_of(baseline), comparison.baseline_k);
    answers.only_arm_hit += hit && !baseline_hit;
    answers.only_baseline_hit += baseline_hit && !hit;
  }
  if (!comparison.verify) return answers;
  verified->resize(static_cast<std::size_t>(context.queries.size()));
  const auto k = static_cast<int>(comparison.arm_k);
  const RecallMixes one = only_mix(ranked.mixes[arm.pass], arm.mix);
  at_place(comparison.verify->place, [&] {
    count_verified(*comparison.verify, batch->top_memories(one, k), k, context, subjects_m_,
                   &answers, verified);
  });
  return answers;
}

void RecallEvaluation::run_piece(const GateContext& context, RecallBatch* batch) {
  const Ranked ranked = rank(context, batch);
  std::vector<RecallAnswers> answers;
  std::vector<std::vector<VerifiedRecall>> verified(comparisons_.size());
  for (std::size_t i = 0; i < comparisons_.size(); ++i) {
    answers.push_back(with_piece(comparisons_[i], ranked, context, batch, &verified[i]));
  }
  // Nobody asks the device any more: what is added from here on is added once.
  for (std::size_t i = 0; i < comparisons_.size(); ++i) {
    comparisons_[i].answers = answers[i];
    if (keeps_ranks_) append(verified[i], &comparisons_[i].verified);
  }
  if (keeps_ranks_) keep_piece(ranked, context.queries.size());
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    passes_[i].seconds += ranked.seconds[i];
    passes_[i].gate_seconds += ranked.gate_seconds[i];
  }
}

void RecallEvaluation::keep_piece(const Ranked& ranked, std::int64_t num_queries) {
  for (Judge& judge : judges_) {
    const std::size_t num_mixes = passes_[judge.pass].mixes.size();
    std::vector<std::int32_t> own;
    for (std::size_t q = 0; q < static_cast<std::size_t>(num_queries); ++q) {
      own.push_back(ranked.ranks[judge.pass][q * num_mixes + judge.mix]);
    }
    append(own, &judge.ranks);
  }
}

double RecallEvaluation::seconds(std::size_t judge) const {
  const Pass& pass = passes_[judges_[judge].pass];
  return pass.seconds / static_cast<double>(pass.mixes.size());
}

double RecallEvaluation::gate_seconds(std::size_t judge) const {
  const Pass& pass = passes_[judges_[judge].pass];
  return pass.gate_seconds / static_cast<double>(pass.mixes.size());
}

}  // namespace sightline::host
