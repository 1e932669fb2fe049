#include "host/memory/recall.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <variant>

#include "host/error.h"
#include "host/memory/batch_views.h"
#include "host/memory/unit_embedding.h"
#include "host/world/sight_at.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

bool is_dense(const Gate& gate) {
  const std::vector<Gate>& parts = parts_of(gate);
  return std::holds_alternative<DenseGate>(gate.test) ||
         std::any_of(parts.begin(), parts.end(), is_dense);
}

void check_queries(const QueryTable& queries) {
  const auto size = static_cast<std::size_t>(queries.size());
  const auto check_column = [&](const char* name, std::size_t found, std::size_t wanted) {
    if (found == wanted) return;
    throw InputError("column " + std::string(name) + " of the queries holds " +
                     std::to_string(found) + " items; " + std::to_string(size) + " queries need " +
                     std::to_string(wanted));
  };
  check_column("embeddings", queries.embeddings.size(),
               size * static_cast<std::size_t>(queries.width));
  check_column("now_s", queries.now_s.size(), size);
  if (!queries.poses.empty()) check_column("poses", queries.poses.size(), size);
  for (std::size_t q = 0; q < size; ++q) {
    const auto fail = [&](const char* why) {
      throw InputError("question " + std::to_string(q) + ": " + why);
    };
    const Vec3& p = queries.centre_m[q];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
      fail("its place is not finite");
    }
    if (!std::isfinite(queries.now_s[q])) fail("its time is not finite");
    const std::size_t first = q * static_cast<std::size_t>(queries.width);
    if (queries.width > 0 && !has_unit_length(queries.embeddings.data() + first, queries.width)) {
      fail("its embedding is not of unit length; put it through to_unit_length");
    }
  }
}

void check_request(const MemoryTable& memories, const QueryTable& queries,
                   const RecallRequest& request, const World* world) {
  if (request.k < 1 || request.k > kernels::kMaxTop) {
    throw InputError("k = " + std::to_string(request.k) + "; must be 1 to " +
                     std::to_string(kernels::kMaxTop));
  }
  const bool may_lack = queries.width == 0 && !asks_by_meaning(request);
  if (queries.width == 0 && !may_lack) {
    const bool is_weighed = request.blend.weight(ScorePart::kRelevance) != 0;
    throw InputError(
        std::string("no question is given; give its words or its embedding") +
        (is_weighed ? ", or weigh relevance 0" : ": a dense gate searches by meaning"));
  }
  if (queries.width != memories.width && !may_lack) {
    throw InputError("the queries have " + std::to_string(queries.width) +
                     " dimensions, the memories " + std::to_string(memories.width) +
                     "; embed both with the same embedder");
  }
  check_queries(queries);
  if (request.verify && !world) throw InputError("to verify what is recalled, give a world");
}

double distance(Vec3 a, Vec3 b) {
  const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return std::sqrt((dx * dx + dy * dy) + dz * dz);
}

/// What is recalled in a batch of the context's queries. Refers to its arguments.
class Recall {
 public:
  Recall(const GateContext& context, const RecallRequest& request, RecallBatch& batch)
      : memories_(context.memories),
        queries_(context.queries),
        request_(request),
        context_(context),
        batch_(batch) {
    batch_.set_queries(batch_view(queries_));
  }

  std::vector<std::vector<Recalled>> run() {
    const RecallMixes mixes = mixes_of_request();
    const std::vector<kernels::Scored> top = batch_.top_memories(mixes, request_.k);
    std::vector<std::vector<Recalled>> answers(static_cast<std::size_t>(queries_.size()));
    for (std::size_t i = 0; i < top.size(); ++i) {
      if (top[i].memory == kernels::kNoMemory) continue;
      const std::size_t query = i / static_cast<std::size_t>(request_.k);
      answers[query].push_back(answer_of(query, top[i]));
    }
    add_parts(&answers);
    if (request_.verify) verify(&answers);
    return answers;
  }

 private:
  RecallMixes mixes_of_request() {
    const BlendSettings& blend = request_.blend;
    std::vector<double> weights(blend.weights.begin(), blend.weights.end());
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double total = blend.normalised ? sum : 1;
    RecallMixes mixes;
    for (int part = 0; part < kNumScoreParts; ++part) {
      mixes.columns.push_back(add_part(static_cast<ScorePart>(part)));
    }
    if (request_.gate) mixes.gate = add_gate(*request_.gate, context_, &batch_);
    if (request_.gate && request_.penalty) {
      outside_ = batch_.add_outside(mixes.gate);
      mixes.columns.push_back(outside_);
      mixes.gate = -1;
      weights.push_back(-*request_.penalty * total);
    }
    columns_ = mixes.columns;
    const WholeWeights whole = whole_weights(weights, total);
    mixes.weights = whole.weights;
    unit_ = std::ldexp(whole.unit, -batch_.feature_bits());
    return mixes;
  }

  int add_part(ScorePart part) {
    if (part == ScorePart::kRelevance && queries_.width == 0) {
      return batch_.add_values(std::vector<double>(memories_.id.size(), 0.0));
    }
    return add_score_part(part, request_.blend, memories_, &batch_);
  }

  Recalled answer_of(std::size_t query, const kernels::Scored& scored) const {
    Recalled recalled;
    recalled.row = scored.memory;
    recalled.score = static_cast<double>(scored.score) * unit_;
    recalled.distance_m = distance(queries_.centre_m[query],
                                   memories_.anchor_m[static_cast<std::size_t>(scored.memory)]);
    return recalled;
  }

  void add_parts(std::vector<std::vector<Recalled>>* answers) {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const std::vector<std::int32_t> values = batch_.values_of(columns_[column]);
      const auto n = static_cast<std::size_t>(memories_.size());
      const bool shared = values.size() == n && answers->size() != 1;
      for (std::size_t q = 0; q < answers->size(); ++q) {
        for (Recalled& recalled : (*answers)[q]) {
          const auto row = static_cast<std::size_t>(recalled.row);
          const std::int32_t value = values[(shared ? 0 : q * n) + row];
          if (columns_[column] == outside_) {
            recalled.in_gate = value == 0;
          } else {
            recalled.parts[column] = std::ldexp(value, -batch_.feature_bits());
          }
        }
      }
    }
  }

  void verify(std::vector<std::vector<Recalled>>* answers) {
    RayBatch rays;
    rays.shape = kernels::RayShape::kPairs;
    rays.observers = queries_.centre_m;
    rays.targets = memories_.anchor_m;
    std::vector<Recalled*> asked;
    for (std::size_t q = 0; q < answers->size(); ++q) {
      for (Recalled& recalled : (*answers)[q]) {
        rays.pairs.push_back(static_cast<std::int64_t>(q));
        rays.pairs.push_back(recalled.row);
        asked.push_back(&recalled);
      }
    }
    if (asked.empty()) return;
    const std::vector<kernels::Visibility> seen = see(*request_.verify, rays, context_);
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i]->sight = seen[i];
  }

  const MemoryTable& memories_;
  const QueryTable& queries_;
  const RecallRequest& request_;
  const GateContext& context_;
  RecallBatch& batch_;
  std::vector<int> columns_;
  int outside_ = -1;
  double unit_ = 1;
};

}  // namespace

bool asks_by_meaning(const RecallRequest& request) {
  return request.blend.weight(ScorePart::kRelevance) != 0 ||
         (request.gate && is_dense(*request.gate));
}

std::vector<std::vector<Recalled>> recall(const MemoryTable& memories, const QueryTable& queries,
                                          const RecallRequest& request, const World* world,
                                          Device& device) {
  check_request(memories, queries, request, world);
  if (memories.size() == 0) {
    return std::vector<std::vector<Recalled>>(static_cast<std::size_t>(queries.size()));
  }
  std::vector<std::vector<Recalled>> answers;
  // Features of all memories, what a soft gate charges for and the gate's pairs stand in memory for
  // the queries of a piece.
  constexpr std::int64_t kValuesBytes =
      (kNumScoreParts + 2) * static_cast<std::int64_t>(sizeof(std::int32_t));
  constexpr std::int64_t kMostBytes = kValuesBytes << 25;
  RecallMemories asked = batch_view(memories);
  asked.width = queries.width;  // without embeddings of queries, those of memories stay here
  RecallBatch batch(device, asked);
  DenseIndexes indexes(device);
  batch.ask_in_pieces(queries.size(), kValuesBytes * memories.size(), kMostBytes,
                      [&](std::int64_t first, std::int64_t count) {
                        const QueryTable part = part_of(queries, first, count);
                        const GateContext context{memories, part, world, device, indexes};
                        for (auto& found : Recall(context, request, batch).run()) {
                          answers.push_back(std::move(found));
                        }
                      });
  return answers;
}

}  // namespace sightline::host
