// The memories, queries and columns of a RecallBatch.
#include <algorithm>
#include <functional>

#include "host/recall_batch_impl.h"

namespace sightline::host {

RecallBatch::RecallBatch(Device& device, const RecallMemories& memories, int feature_bits)
    : impl_(new Impl(*device.impl_, feature_bits)) {
  impl_->num_memories = memories.num_memories;
  impl_->width = memories.width;
  impl_->place_embeddings(memories.embeddings);
  impl_->anchors_m = impl_->place(impl_->anchors_buffer, memories.anchors_m, memories.num_memories);
  impl_->time_s = impl_->place(impl_->time_buffer, memories.time_s, memories.num_memories);
}

RecallBatch::~RecallBatch() = default;

std::int64_t RecallBatch::num_memories() const { return impl_->num_memories; }
std::int64_t RecallBatch::num_queries() const { return impl_->num_queries; }
int RecallBatch::feature_bits() const { return impl_->feature_bits; }

void RecallBatch::ask_in_pieces(
    std::int64_t num_queries, std::int64_t bytes_per_query, std::int64_t most_bytes,
    const std::function<void(std::int64_t first, std::int64_t count)>& ask) {
  std::int64_t most = impl_->queries_per_piece(bytes_per_query, most_bytes);
  bool is_alone = false;  // is one query tried with the memory of all?
  for (std::int64_t first = 0; first < num_queries;) {
    const std::int64_t count = std::min(most, num_queries - first);
    try {
      ask(first, count);
    } catch (const GpuOutOfMemory&) {
      if (is_alone) throw;
      is_alone = count == 1;
      impl_->release_batch();
      impl_->device.warn_of_memory();
      most = std::max<std::int64_t>(1, count / 2);
      continue;
    }
    is_alone = false;
    first += count;
  }
}

void RecallBatch::set_queries(const RecallQueries& queries) {
  impl_->num_queries = queries.num_queries;
  impl_->forget_batch();
  const std::int64_t n = queries.num_queries;
  impl_->query_embeddings =
      impl_->place(impl_->queries_buffer, queries.embeddings, n * impl_->width);
  impl_->centres_m = impl_->place(impl_->centres_buffer, queries.centres_m, n);
  impl_->now_s = impl_->place(impl_->now_buffer, queries.now_s, n);
}

int RecallBatch::add_cosines() {
  return impl_->add_column([&](std::int32_t* out) {
    kernels::cosines(impl_->executor(), impl_->embeddings, impl_->query_embeddings,
                     impl_->num_queries, impl_->feature_bits, out,
                     impl_->workspace(kernels::cosines_workspace_bytes(
                         impl_->executor(), impl_->embeddings, impl_->num_queries)));
  });
}

int RecallBatch::add_proximities(const kernels::Decay& decay) {
  return impl_->add_column(
      [&](std::int32_t* out) {
        kernels::proximities(impl_->executor(), impl_->anchors_m, impl_->num_memories,
                             impl_->centres_m, impl_->num_queries, decay, impl_->feature_bits, out);
      },
      impl_->order_of(nullptr));
}

int RecallBatch::add_recencies(const kernels::Decay& decay) {
  return impl_->add_recencies(impl_->time_s, decay);
}

int RecallBatch::add_recencies(const std::vector<double>& time_s, const kernels::Decay& decay) {
  impl_->check_size("moments", time_s.size(), impl_->num_memories);
  return impl_->add_recencies(
      impl_->place(impl_->next_buffer(), time_s.data(), impl_->num_memories), decay);
}

int RecallBatch::add_values(const std::vector<double>& values) {
  impl_->check_size("values", values.size(), impl_->num_memories);
  std::vector<std::int32_t> quantised(values.size());
  std::transform(values.begin(), values.end(), quantised.begin(),
                 [&](double value) { return kernels::quantised(value, impl_->feature_bits); });
  const std::int32_t* const there =
      impl_->place(impl_->next_buffer(), quantised.data(), impl_->num_memories);
  const auto differs =
      std::adjacent_find(quantised.begin(), quantised.end(), std::not_equal_to<>());
  impl_->columns.push_back({there, 0, -1, differs == quantised.end()});
  return static_cast<int>(impl_->columns.size()) - 1;
}

int RecallBatch::add_quantised(const std::vector<std::int32_t>& values) {
  impl_->check_size("values", values.size(), impl_->num_queries * impl_->num_memories);
  const std::int32_t* const there =
      impl_->place(impl_->next_buffer(), values.data(), static_cast<std::int64_t>(values.size()));
  impl_->columns.push_back({there, impl_->num_memories});
  return static_cast<int>(impl_->columns.size()) - 1;
}

std::vector<std::int32_t> RecallBatch::values_of(int column) {
  impl_->check_column(column);
  const Impl::Column& values = impl_->columns[static_cast<std::size_t>(column)];
  const std::int64_t rows = values.query_stride == 0 ? 1 : impl_->num_queries;
  return impl_->fetch(values.values, rows * impl_->num_memories);
}

}  // namespace sightline::host
