// Recall arms over one set of memories and queries: every distinct ranking made once, every query
// counted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "host/memory/gate.h"
#include "host/sweep/recall_piece.h"
#include "host/sweep/recall_settings.h"
#include "host/sweep/row.h"
#include "host/sweep/trials.h"

namespace sightline::host {

/// Throws InputError, at its place, for a verdict that these memories cannot be asked.
void check_verification(const Verification& verify, const MemoryTable& memories);

/// First tell it all rankings and comparisons, then run it once. Rankings that differ only in their
/// weights share their features and gate, and go through the memories together. Queries are taken
/// in pieces that bound memory, of the host and of the GPU; counts are integers, so pieces leave no
/// trace in them.
class RecallEvaluation {
 public:
  /// Bytes of features and ranks held at a time.
  static constexpr std::int64_t kDefaultMemoryBytes = std::int64_t{256} << 20;

  explicit RecallEvaluation(std::int64_t memory_bytes = kDefaultMemoryBytes);

  /// Returns the id of a ranking; equal ones share one.
  std::size_t add_judge(const RecallJudge& judge);
  /// Returns the id of "how often does `arm` hit among k, next to `baseline`?" (judge ids).
  /// `verify`: what to ask of the first k memories of the arm.
  std::size_t add_comparison(std::size_t arm, std::int64_t arm_k, std::size_t baseline,
                             std::int64_t baseline_k,
                             const std::optional<Verification>& verify = {});

  /// Where the thing of each memory is, [num_memories], metres, and the `truth` of verifications is
  /// asked; without it, and where it is empty, at the anchors. Must outlive run().
  void judge_truth_at(const std::vector<kernels::Vec3>& subjects_m) {
    subjects_m_ = subjects_m.empty() ? nullptr : &subjects_m;
  }

  /// Told, now and then, which part of the work is done: from 0 to 1.
  using OnProgress = std::function<void(double done)>;
  /// Ranks for every query. `world` may be null where nobody needs one; `indexes` are of these
  /// memories, and keep what gates ask for. Throws InputError.
  void run(const MemoryTable& memories, const QueryTable& queries, const World* world,
           Device& device, DenseIndexes& indexes, const OnProgress& on_progress = {});

  /// Has run() keep the ranks of every judge, and what verification says of every query.
  void keep_ranks() { keeps_ranks_ = true; }
  /// Of the one run() since: [num_queries], the rank from 0 of the memory asked for, or kNoRank.
  const std::shared_ptr<std::vector<std::int32_t>>& ranks(std::size_t judge) const {
    return judges_[judge].ranks;
  }
  /// [num_queries], or empty without verification.
  const std::shared_ptr<std::vector<VerifiedRecall>>& verified(std::size_t comparison) const {
    return comparisons_[comparison].verified;
  }

  const RecallAnswers& answers(std::size_t comparison) const {
    return comparisons_[comparison].answers;
  }
  /// Time that a judge's answers need: features, gate and ranking, shared evenly by the judges that
  /// rank the same in one pass. Features and gates made once for several passes count for each.
  double seconds(std::size_t judge) const;
  /// Of these, the gate's. An index is built before.
  double gate_seconds(std::size_t judge) const;

 private:
  /// Rankings over the same features and gate.
  struct Pass {
    RecallJudge question;  ///< of the first judge: its weights are not the others'
    std::vector<RecallMix> mixes;
    double seconds = 0, gate_seconds = 0;
  };
  struct Judge {
    std::size_t pass = 0, mix = 0;
    std::shared_ptr<std::vector<std::int32_t>> ranks{};  ///< that are kept
  };
  struct Comparison {
    std::size_t arm, baseline;
    std::int64_t arm_k, baseline_k;
    std::optional<Verification> verify;
    RecallAnswers answers;
    std::shared_ptr<std::vector<VerifiedRecall>> verified{};  ///< that are kept
  };

  /// As many queries as cost next to nothing; none where one costs more.
  std::int64_t few_queries(std::int64_t num_memories) const;
  /// Ranks without counting or timing.
  void warm_up(const GateContext& context, RecallBatch* batch) const;
  /// What the passes make of the queries of a piece.
  struct Ranked {
    std::vector<RecallMixes> mixes;                ///< [passes]
    std::vector<std::vector<std::int32_t>> ranks;  ///< [passes][queries, mixes]
    std::vector<double> seconds, gate_seconds;     ///< [passes]
  };
  Ranked rank(const GateContext& context, RecallBatch* batch) const;
  /// The answers to a comparison with those of a piece added; `verified`: of each of its queries.
  RecallAnswers with_piece(const Comparison& comparison, const Ranked& ranked,
                           const GateContext& context, RecallBatch* batch,
                           std::vector<VerifiedRecall>* verified) const;
  void keep_piece(const Ranked& ranked, std::int64_t num_queries);
  /// Counts a piece all or, where it throws, not at all.
  void run_piece(const GateContext& context, RecallBatch* batch);
  std::int64_t bytes_per_query(std::int64_t num_memories) const;

  std::int64_t memory_bytes_;
  bool keeps_ranks_ = false;
  const std::vector<kernels::Vec3>* subjects_m_ = nullptr;
  std::vector<Pass> passes_;
  std::vector<Judge> judges_;
  std::vector<Comparison> comparisons_;
  std::map<std::string, std::size_t> judge_ids_, pass_ids_;
  std::map<std::tuple<std::size_t, std::int64_t, std::size_t, std::int64_t, std::string>,
           std::size_t>
      comparison_ids_;
};

}  // namespace sightline::host
