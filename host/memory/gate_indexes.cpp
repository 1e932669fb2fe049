// The dense indexes that gates ask for, each made once.
#include <string>
#include <utility>

#include "host/memory/finder_errors.h"
#include "host/memory/gate.h"
#include "index/backend_info.h"
#include "index/dense_kind.h"
#include "index/error.h"

namespace sightline::host {

void build_indexes(const Gate& gate, const MemoryTable& memories, DenseIndexes* indexes) {
  if (const auto* dense = std::get_if<DenseGate>(&gate.test)) {
    with_our_errors([&] { indexes->of(*dense, memories); });
  }
  for (const Gate& part : parts_of(gate)) build_indexes(part, memories, indexes);
}

const index::DenseIndex& DenseIndexes::of(const DenseGate& gate, const MemoryTable& memories) {
  const std::pair<std::string, std::uint64_t> key{gate.kind, gate.seed};
  const auto known = built_.find(key);
  if (known != built_.end()) return known->second;
  index::DenseBuild build;
  build.kind = gate.kind;
  build.seed = gate.seed;
  // The table has the vectors already; codes are the index's own.
  const bool encoded = index::parse_dense_kind(gate.kind).encoded();
  const auto make = encoded ? index::DenseIndex::build : index::DenseIndex::over;
  index::DenseIndex made = make(memories.embeddings.data(), memories.size(), memories.width, build);
  if (device_ && device_->is_gpu() && gate.kind == "Flat" && index::backend_info().faiss_has_gpu) {
    try {
      made.use_gpu(device_->gpu_index());
    } catch (const index::IndexFailure& failure) {
      device_->warn(std::string("dense search stays on the CPU, with the same answers: ") +
                    failure.what());
    }
  }
  return built_.emplace(key, std::move(made)).first->second;
}

}  // namespace sightline::host
