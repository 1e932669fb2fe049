// Recall on a device: the features of a batch of queries against all memories, gates over them, and
// what mixes of weights make of both. kernels/recall.h defines every number.
//
// What does not change from batch to batch is uploaded once; columns and gates are made where they
// are used, and only ranks, scores and bits come back.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "host/device.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// Memories as the device takes them, in the order of ids. What pointers point to is copied, but
/// for embeddings on the CPU, which reads them where they lie: they must outlive the batch.
struct RecallMemories {
  std::int64_t num_memories = 0;
  std::int32_t width = 0;                    ///< 0: no embeddings
  const float* embeddings = nullptr;         ///< [num_memories, width], unit length
  const kernels::Vec3* anchors_m = nullptr;  ///< [num_memories]
  const double* time_s = nullptr;            ///< [num_memories]
};

/// Queries of one batch.
struct RecallQueries {
  std::int64_t num_queries = 0;
  const float* embeddings = nullptr;         ///< [num_queries, width], unit length
  const kernels::Vec3* centres_m = nullptr;  ///< [num_queries]
  const double* now_s = nullptr;             ///< [num_queries]
};

/// Weights of many mixes over the same columns.
struct RecallMixes {
  std::vector<int> columns;           ///< features, as ids of columns: 1 to kernels::kMaxFeatures
  std::vector<std::int32_t> weights;  ///< [num_mixes, columns.size()]
  int gate = -1;                      ///< id of a gate; -1: every memory takes part

  std::int64_t num_mixes() const {
    return columns.empty() ? 0 : static_cast<std::int64_t>(weights.size() / columns.size());
  }
};

/// Not copyable; used by one thread at a time. Calls return when their result is there, or throw
/// what those of the Device throw; InputError for ids, sizes or a k that are none.
class RecallBatch {
 public:
  /// `device` must outlive it.
  RecallBatch(Device& device, const RecallMemories& memories,
              int feature_bits = kernels::kDefaultFeatureBits);
  ~RecallBatch();

  /// Calls ask(first, count) for pieces of the queries, in order, as many at a time as take
  /// `most_bytes` and half of what the GPU has free, at so many bytes a query. ask() begins the
  /// batch of its piece. Where that takes more than the GPU has all the same, what it took is given
  /// back, the device warns (Device::set_on_warning), and half as many queries are asked: ask() is
  /// to keep nothing of a piece that it throws GpuOutOfMemory out of, which goes on to the caller
  /// where one query alone is too much.
  void ask_in_pieces(std::int64_t num_queries, std::int64_t bytes_per_query,
                     std::int64_t most_bytes,
                     const std::function<void(std::int64_t first, std::int64_t count)>& ask);

  /// Begins a batch: columns and gates of the one before are gone.
  void set_queries(const RecallQueries& queries);

  // Columns [num_queries, num_memories] of quantised features. Each returns the column's id.
  int add_cosines();
  int add_proximities(const kernels::Decay& decay);
  int add_recencies(const kernels::Decay& decay);
  /// The same, of the ages of other moments: time_s [num_memories].
  int add_recencies(const std::vector<double>& time_s, const kernels::Decay& decay);
  /// The same for every query: values [num_memories], |x| <= 1.
  int add_values(const std::vector<double>& values);
  /// values [num_queries, num_memories], quantised already.
  int add_quantised(const std::vector<std::int32_t>& values);
  /// 1 where a gate does not keep a memory, else 0: what a soft gate charges for.
  int add_outside(int gate);

  // Where memories are many, the gates by distance go through a uniform grid: the same bits.
  // Gates: bits [num_queries, words_of_bits(num_memories)]. Each returns the gate's id.
  int add_radius_gate(double radius_m);
  int add_nearest_gate(std::int64_t k);
  int add_bits(const std::vector<std::uint64_t>& bits);
  int join(kernels::GateJoin how, int a, int b);
  int invert(int gate);
  /// Host copy of a gate.
  std::vector<std::uint64_t> bits_of(int gate);

  /// Rank, 0 the first, of each query's target under each mix: out [num_queries, num_mixes].
  /// targets [num_queries]: rows of memories. Throws InputError for mixes of no column or too many,
  /// of columns or a gate that are none, and for targets or weights of another shape.
  std::vector<std::int32_t> target_ranks(const RecallMixes& mixes,
                                         const std::vector<std::int64_t>& targets);
  /// The k best of each query and mix: [num_queries, num_mixes, k]. Throws InputError for mixes as
  /// above, and for a k that is not 1 to kernels::kMaxTop.
  std::vector<kernels::Scored> top_memories(const RecallMixes& mixes, int k);
  /// Host copy of a column, for the parts of a score.
  std::vector<std::int32_t> values_of(int column);

  std::int64_t num_memories() const;
  std::int64_t num_queries() const;
  int feature_bits() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::host
