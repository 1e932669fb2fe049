// What a RecallBatch is asked, before the kernels, which trust it, read or write what is not there.
#include "host/error.h"
#include "host/recall_batch_impl.h"

namespace sightline::host {

void RecallBatch::Impl::check_size(const char* what, std::size_t size, std::int64_t wanted) const {
  if (size == static_cast<std::size_t>(wanted)) return;
  throw InputError(std::string(what) + ": " + std::to_string(size) + " instead of " +
                   std::to_string(wanted) + ", for " + std::to_string(num_queries) +
                   " queries of " + std::to_string(num_memories) + " memories");
}

void RecallBatch::Impl::check_column(int column) const {
  if (column >= 0 && static_cast<std::size_t>(column) < columns.size()) return;
  throw InputError("no column of this batch has the id " + std::to_string(column));
}

void RecallBatch::Impl::check_gate(int gate) const {
  if (gate >= 0 && static_cast<std::size_t>(gate) < gates.size()) return;
  throw InputError("no gate of this batch has the id " + std::to_string(gate));
}

void RecallBatch::Impl::check_mixes(const RecallMixes& mixes) const {
  const std::size_t num_columns = mixes.columns.size();
  if (num_columns < 1 || num_columns > kernels::kMaxFeatures) {
    throw InputError("mixes of " + std::to_string(num_columns) + " columns; give 1 to " +
                     std::to_string(kernels::kMaxFeatures));
  }
  if (mixes.weights.size() % num_columns != 0) {
    throw InputError(std::to_string(mixes.weights.size()) + " weights for mixes of " +
                     std::to_string(num_columns) + " columns; give one for each");
  }
  for (const int column : mixes.columns) check_column(column);
  if (mixes.gate >= 0) check_gate(mixes.gate);
}

void RecallBatch::Impl::check_targets(const std::vector<std::int64_t>& targets) const {
  check_size("targets", targets.size(), num_queries);
  for (std::size_t query = 0; query < targets.size(); ++query) {
    if (targets[query] >= 0 && targets[query] < num_memories) continue;
    throw InputError("targets row " + std::to_string(query) + ": " +
                     std::to_string(targets[query]) + " is not in [0, " +
                     std::to_string(num_memories) + ")");
  }
}

}  // namespace sightline::host
