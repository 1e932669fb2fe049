// A batch of recall whose memories lie at random places and times.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/device.h"
#include "host/gathered_top.h"
#include "host/recall_batch.h"
#include "support/random.h"

namespace sightline::tests {

/// Memories at random places and times, of which a batch makes columns and a gate.
struct PlacedBatch {
  PlacedBatch(host::Device& device, std::int64_t num_memories, std::int64_t num_queries,
              Random random) {
    for (std::int64_t m = 0; m < num_memories; ++m) {
      anchors_m.push_back({random.uniform(0, 90), 0, random.uniform(0, 70)});
      time_s.push_back(random.uniform(0, 1e6));
      values.push_back(random.integer(0, 6) / 8.0);  // many tie
    }
    for (std::int64_t q = 0; q < num_queries; ++q) {
      centres_m.push_back({random.uniform(0, 90), 1, random.uniform(0, 70)});
      now_s.push_back(2e6);
    }
    host::RecallMemories memories;
    memories.num_memories = num_memories;
    memories.anchors_m = anchors_m.data();
    memories.time_s = time_s.data();
    batch = std::make_unique<host::RecallBatch>(device, memories);
    host::RecallQueries queries;
    queries.num_queries = num_queries;
    queries.centres_m = centres_m.data();
    queries.now_s = now_s.data();
    batch->set_queries(queries);
    columns = {batch->add_proximities({kernels::DecayForm::kHyperbolic, 20}),
               batch->add_recencies({kernels::DecayForm::kExponential, 5e5}),
               batch->add_values(values),
               batch->add_values(std::vector<double>(std::size_t(num_memories), 0.5))};
    gate = batch->add_radius_gate(40);
  }

  /// Weights at random, the second of the first `few` mixes below zero.
  host::RecallMixes mixes(std::int64_t num, std::int64_t few, bool is_gated, Random& random) const {
    host::RecallMixes made{columns, {}, is_gated ? gate : -1};
    for (std::int64_t i = 0; i < num; ++i) {
      for (int f = 0; f < 4; ++f) {
        const auto weight = static_cast<std::int32_t>(random.integer(f == 1, 7));
        made.weights.push_back(i < few && f == 1 ? -weight : weight);
      }
    }
    return made;
  }

  /// Such a call of so many mixes goes through bands; three of its columns vary.
  bool gathers(std::int64_t num_mixes, int k) const {
    host::TopCall call;
    call.memories.num_memories = batch->num_memories();
    call.num_queries = batch->num_queries();
    call.num_mixes = num_mixes;
    call.k = k;
    return host::GatheredTop::pays(call, 3);
  }

  std::vector<kernels::Vec3> anchors_m, centres_m;
  std::vector<double> time_s, now_s, values;
  std::unique_ptr<host::RecallBatch> batch;
  std::vector<int> columns;
  int gate = -1;
};

}  // namespace sightline::tests
