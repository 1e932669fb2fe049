// What memories and gates make of the questions of one regime: the trials of gates_as_recall.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/studies/gate_rule.h"
#include "host/studies/recall_gates.h"

namespace sightline::host {

/// One way to rank: by a blend of meaning and place, behind a gate or not.
struct GateRanking {
  int gate = -1;                  ///< index into the gates; -1: none
  std::optional<double> penalty;  ///< soft: charged outside, in units of the score; absent: hard
  double relevance = 1, spatial = 0;
};

/// Settings that all arms share.
struct GatePoolSettings {
  std::int64_t activities = 12, per_activity = 20;
  std::int64_t k = 5;
  double alike_within = 0.13;  ///< words fit what is at most so much less alike than the best
  SightMethod sight;
  RegimeSettings regimes;
};

/// Memories, one for each thing, and texts to ask with.
struct GateMemories {
  MemoryTable table;
  std::vector<std::int64_t> activity;       ///< of each memory
  std::vector<float> activity_embeddings;   ///< [activities, table.width]
  std::vector<kernels::Vec3> anchors_m[3];  ///< as Anchors has them
};
GateMemories remember_things(const Surroundings& surroundings, const GatePoolSettings& settings);

/// Answers to the questions of a regime, rankings by their index.
struct GatePool {
  std::int64_t num_questions = 0, num_memories = 0;
  std::vector<std::vector<std::uint8_t>> hit;         ///< [rankings][questions]
  std::vector<std::vector<std::uint8_t>> dropped;     ///< the answer, by a hard gate
  std::vector<std::vector<std::int64_t>> candidates;  ///< memories ranked
  std::vector<std::int64_t> alike;                    ///< [questions] r of the rule
  std::vector<std::vector<std::int64_t>> alike_kept;  ///< [gates][questions]
};

/// Asks all rankings, with memories anchored as told. Gates look through the world's grid.
GatePool ask_pool(Regime regime, const World& world, const GateMemories& memories, Anchors anchors,
                  const std::vector<RegimeQuestion>& questions,
                  const std::vector<RecallGate>& gates, const std::vector<GateRanking>& rankings,
                  const GatePoolSettings& settings, Device& device);

}  // namespace sightline::host
