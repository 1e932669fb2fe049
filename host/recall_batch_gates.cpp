// The gates of a RecallBatch.
#include "host/error.h"
#include "host/recall_batch_impl.h"

namespace sightline::host {

using kernels::words_of_bits;

int RecallBatch::add_radius_gate(double radius_m) {
  const kernels::AnchorGrid* const grid = impl_->anchor_grid();
  return impl_->add_gate([&](std::uint64_t* out) {
    if (grid) {
      kernels::radius_gate(impl_->executor(), *grid, impl_->centres_m, impl_->num_queries, radius_m,
                           out);
      return;
    }
    kernels::radius_gate(impl_->executor(), impl_->anchors_m, impl_->num_memories, impl_->centres_m,
                         impl_->num_queries, radius_m, out);
  });
}

int RecallBatch::add_nearest_gate(std::int64_t k) {
  if (k < 1) throw InputError("the nearest " + std::to_string(k) + " memories; give 1 or more");
  auto* const nearest =
      impl_->reserve<kernels::Neighbour>(impl_->nearest_buffer, impl_->num_queries * k);
  const kernels::AnchorGrid* const grid = impl_->anchor_grid();
  return impl_->add_gate([&](std::uint64_t* out) {
    if (grid) {
      kernels::nearest_anchors(impl_->executor(), *grid, impl_->centres_m, impl_->num_queries, k,
                               nearest);
    } else {
      kernels::nearest_anchors(impl_->executor(), impl_->anchors_m, impl_->num_memories,
                               impl_->centres_m, impl_->num_queries, k, nearest);
    }
    kernels::nearest_gate(impl_->executor(), nearest, impl_->num_queries, k, impl_->num_memories,
                          out);
  });
}

int RecallBatch::add_bits(const std::vector<std::uint64_t>& bits) {
  impl_->check_size("words of a gate", bits.size(), impl_->num_words());
  impl_->gates.push_back(impl_->place(impl_->next_buffer(), bits.data(), impl_->num_words()));
  return static_cast<int>(impl_->gates.size()) - 1;
}

int RecallBatch::join(kernels::GateJoin how, int a, int b) {
  return impl_->add_gate([&](std::uint64_t* out) {
    kernels::join_gates(impl_->executor(), how, impl_->gate_bits(a), impl_->gate_bits(b),
                        impl_->num_words(), out);
  });
}

int RecallBatch::invert(int gate) {
  impl_->check_gate(gate);  // before there is one more
  const std::int64_t n = impl_->num_memories, words = words_of_bits(n);
  std::vector<std::uint64_t> all(static_cast<std::size_t>(impl_->num_words()), ~std::uint64_t{0});
  if (n % 64 != 0) {  // bits beyond the last memory are zeros
    for (std::int64_t q = 0; q < impl_->num_queries; ++q) {
      all[static_cast<std::size_t>((q + 1) * words - 1)] = (std::uint64_t{1} << n % 64) - 1;
    }
  }
  return join(kernels::GateJoin::kAndNot, add_bits(all), gate);
}

std::vector<std::uint64_t> RecallBatch::bits_of(int gate) {
  return impl_->fetch(impl_->gate_bits(gate), impl_->num_words());
}

int RecallBatch::add_outside(int gate) {
  const std::vector<std::uint64_t> bits = bits_of(gate);
  const std::int32_t one = kernels::quantised(1, impl_->feature_bits);
  const std::int64_t n = impl_->num_memories, words = words_of_bits(n);
  std::vector<std::int32_t> outside(static_cast<std::size_t>(impl_->num_queries * n));
  for (std::int64_t q = 0; q < impl_->num_queries; ++q) {
    for (std::int64_t m = 0; m < n; ++m) {
      const std::uint64_t word = bits[static_cast<std::size_t>(q * words + m / 64)];
      const bool kept = (word >> (m % 64) & 1u) != 0;
      outside[static_cast<std::size_t>(q * n + m)] = kept ? 0 : one;
    }
  }
  return add_quantised(outside);
}

}  // namespace sightline::host
