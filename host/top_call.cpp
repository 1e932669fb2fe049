#include "host/top_call.h"

#include <algorithm>

namespace sightline::host {

kernels::BlendView from_query(kernels::BlendView memories, std::int64_t first) {
  for (int f = 0; f < memories.num_features; ++f) {
    memories.features[f].values += first * memories.features[f].query_stride;
  }
  if (memories.kept != nullptr) {
    memories.kept += first * kernels::words_of_bits(memories.num_memories);
  }
  return memories;
}

void scan_top_memories(const TopCall& call) {
  kernels::top_memories(call.executor, call.memories, call.num_queries, call.weights,
                        call.num_mixes, call.k, call.out);
}

void answer_some(const TopCall& call, const std::vector<std::int64_t>& mixes,
                 const std::function<void(const TopCall&)>& answer) {
  if (mixes.empty()) return;
  const auto num = static_cast<std::int64_t>(mixes.size());
  if (num == call.num_mixes) return answer(call);
  const int num_features = call.memories.num_features;
  std::vector<std::int32_t> weights;
  for (const std::int64_t mix : mixes) {
    const std::int32_t* const from = call.weights + mix * num_features;
    weights.insert(weights.end(), from, from + num_features);
  }
  std::vector<kernels::Scored> lists(static_cast<std::size_t>(call.num_queries * num * call.k));
  TopCall some = call;
  some.weights = weights.data();
  some.num_mixes = num;
  some.out = lists.data();
  answer(some);
  const kernels::Scored* from = lists.data();
  for (std::int64_t q = 0; q < call.num_queries; ++q) {
    for (const std::int64_t mix : mixes) {
      std::copy_n(from, call.k, call.out + (q * call.num_mixes + mix) * call.k);
      from += call.k;
    }
  }
}

}  // namespace sightline::host
