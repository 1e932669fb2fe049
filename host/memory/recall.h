// Recall: the k best memories for each query, with the parts of their scores, and whether they can
// be seen from where one asks.
//
// Recall is blind to walls unless a gate says otherwise; verification tells of every recalled
// memory whether it is in sight and drops none. What Spatial Memory Must Store (2026), section 3.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/memory/blend.h"
#include "host/memory/gate.h"

namespace sightline::host {

struct RecallRequest {
  BlendSettings blend;
  std::optional<Gate> gate;
  std::optional<double> penalty;    ///< soft: charged outside the gate; absent: the gate is hard
  int k = 5;                        ///< 1 to kernels::kMaxTop
  std::optional<SightGate> verify;  ///< needs a world
};

/// Does it look at embeddings: is relevance weighed, or a gate dense? Where it does not, queries
/// may have none (a width of 0), and the relevance of what is recalled is 0.
bool asks_by_meaning(const RecallRequest& request);

/// One recalled memory.
struct Recalled {
  std::int64_t row = 0;   ///< of the table
  double score = 0;       ///< weighted parts, minus the penalty outside a soft gate
  double distance_m = 0;  ///< from the query's centre to the anchor
  std::array<double, kNumScoreParts> parts{};  ///< each in [-1, 1], before its weight
  bool in_gate = true;                         ///< false only with a soft gate
  std::optional<kernels::Visibility> sight;    ///< with `verify`
};

/// The answers to each query, best first, ties by the lower id: at most k, fewer where a hard gate
/// keeps fewer. `queries.target` is not looked at. Throws InputError for widths that differ,
/// columns of another length, a query that is not finite or not of unit length, a k out of range,
/// and what gates need and do not find.
std::vector<std::vector<Recalled>> recall(const MemoryTable& memories, const QueryTable& queries,
                                          const RecallRequest& request, const World* world,
                                          Device& device);

}  // namespace sightline::host
