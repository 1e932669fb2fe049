// The k best of many mixes on a GPU, of the memories alone that a list can hold: these are found
// once per query and copied to columns of their own (kernels/band_columns.h). The lists are those
// of the full scan. On a CPU host/fast_top.h is faster.
#pragma once

#include <cstdint>
#include <vector>

#include "host/backend_buffers.h"
#include "host/top_call.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// The lists that pivots are taken of: the per_mix best of mixes whose weights add up to `total`.
struct PivotPlan {
  int num_mixes, per_mix;
  double total;
};

/// For lists of k.
PivotPlan pivot_plan(int k, int feature_bits);

/// Keeps its buffers from call to call.
class GatheredTop {
 public:
  /// `buffers`, whose workspace it uses too, must outlive it. Takes queries in pieces of so many
  /// pairs with a memory: 5 bytes of each, 70 kB of a query for its pivots, and the columns and
  /// lists of what is left.
  explicit GatheredTop(BackendBuffers& buffers, std::int64_t most_pairs = std::int64_t{1} << 25)
      : buffers_(buffers), most_pairs_(most_pairs) {}

  /// Is it likely to be faster than a full scan? For mixes that agree in their signs, by a rule
  /// that compares so many features.
  static bool pays(const TopCall& call, int num_compared);

  /// As kernels::top_memories(), with weights that `rule` is for; it compares something, and no
  /// keys. Of the call, memories lie where the executor reads; weights and out in the host's
  /// memory.
  void top_memories(const TopCall& call, const kernels::DominanceRule& rule);

  /// Of pieces of queries, since the beginning; others had too many memories left, and were
  /// scanned.
  std::int64_t num_gathered() const { return num_gathered_; }
  /// Memories of a query in one of them, at most.
  std::int64_t most_gathered() const { return most_gathered_; }

  /// Gives back what it took of a GPU; nothing queued may use it any more.
  void release() noexcept;

 private:
  using Buffer = BackendBuffers::Buffer;

  /// Weights, in the host's memory and where the kernels find them.
  struct Mixes {
    const std::int32_t* weights;
    const std::int32_t* there;
    std::int64_t num;
  };
  struct Bands {
    kernels::PlacesView places;
    std::int64_t width = 0;  ///< of the largest
  };

  std::vector<std::int32_t> pivot_mixes(const TopCall& call, const kernels::DominanceRule& rule,
                                        const PivotPlan& plan);
  Bands find(const TopCall& piece, const kernels::DominanceRule& rule, const Mixes& of_pivots,
             int per_mix);
  void list(const TopCall& piece, const Bands& bands, const Mixes& mixes);

  BackendBuffers& buffers_;
  const std::int64_t most_pairs_;
  Buffer pivot_weights_buffer_, weights_buffer_, pivots_buffer_, marks_buffer_, places_buffer_,
      first_buffer_;
  Buffer columns_buffer_, kept_buffer_, lists_buffer_;
  std::int64_t num_gathered_ = 0, most_gathered_ = 0;
};

}  // namespace sightline::host
