// Memories as recall asks them: one row per memory, one column per property.
//
// Rows ascend by id, so that "ties go to the lower id" is "ties go to the lower row".
//
// Embeddings have unit length: an inner product of two is their cosine. Whatever is loaded or made
// is divided by its length in double, then rounded to float (unit_embedding.h); a vector of length
// zero has no direction and is refused. Nothing else about it is kept: not its length, not its
// precision beyond float.
//
// Seconds count from one moment for all memories of a table: 1970-01-01 UTC where they come from
// dates. A query brings its own `now`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/memory/embedding_rows.h"
#include "host/world/world.h"
#include "kernels/kernels.h"

namespace sightline::host {

constexpr std::int32_t kMaxEmbeddingWidth = 65536;

/// What a memory holds if its file or its maker says nothing.
struct MemoryDefaults {
  static constexpr double kTime_s = 0;
  static constexpr double kImportance = 0.5;
  static constexpr double kStaleness = 1;
};

/// Structure of arrays; every vector has size() items, `embeddings` size() x width. Owns all of it,
/// but for embeddings that lie elsewhere.
struct MemoryTable {
  std::vector<std::int64_t> id;         ///< unique, >= 0, ascending
  std::vector<std::string> text;        ///< may be empty
  std::vector<std::string> object_key;  ///< names the thing; may be empty
  std::vector<std::string> region;      ///< names a part of the world; may be empty
  std::vector<std::string> group;  ///< names what it is one of, an activity or a class; or empty

  std::vector<kernels::Vec3> anchor_m;  ///< where the thing is, its middle; finite
  std::vector<kernels::Vec3> size_m;    ///< of the box that bounds it, along the axes; 0: not told
  /// Pose at encoding; 0 where has_observer is 0. Angles as make_pose takes them, in degrees.
  std::vector<std::uint8_t> has_observer;
  std::vector<kernels::Vec3> observer_m;
  std::vector<double> observer_yaw_deg;     ///< [-360, 360]
  std::vector<double> observer_pitch_deg;   ///< [-90, 90]
  std::vector<std::int32_t> world_version;  ///< at encoding, >= 0; 0: the world before any edit

  std::vector<double> time_s;         ///< of encoding
  std::vector<double> last_access_s;  ///< time_s unless told
  std::vector<double> importance;     ///< [0, 1]
  /// The staleness term of the score as it is supplied, [0, 1]: 1 is fresh.
  std::vector<double> staleness;

  std::int32_t width = 0;    ///< of the embeddings: dimensions
  EmbeddingRows embeddings;  ///< [size(), width], each row of unit length
  /// Lengths of the rows as an `.slm` of float16 holds them, [size()] or empty: from them it can be
  /// written again as it was. Nothing else asks.
  std::vector<float> half_length;
  /// What made the embeddings, and must make a query's: kHashedEmbedder, a model's name; empty: not
  /// told.
  std::string embedder;

  /// Frame of anchors and observers; absent: that of the world they are used in.
  std::optional<Frame> frame;

  std::string source;                    ///< file they come from, for messages; may be empty
  std::vector<std::int64_t> source_row;  ///< [size()] line (from 1) or row (from 0); or empty
  bool source_has_lines = false;         ///< source_row counts lines

  std::int64_t size() const { return static_cast<std::int64_t>(id.size()); }
  const float* embedding(std::int64_t row) const {
    return embeddings.data() + row * static_cast<std::int64_t>(width);
  }
  /// "store.jsonl:17: memory 4", "store.slm: row 3: memory 4", "memory 4": for messages.
  std::string place_of(std::int64_t row) const;
};

/// Throws InputError at the first memory that breaks what the columns above promise: columns of
/// different length, a negative, repeated or descending id, a NaN or an infinity, an importance or
/// staleness outside [0, 1], an angle out of bounds, an embedding that is not of unit length. With
/// a world, anchors must lie in its bounds (faces included) and the frames must agree.
void check_memories(const MemoryTable& memories, const World* world = nullptr);

/// Puts the rows in ascending order of id. Throws InputError naming both places of an id that is
/// there twice.
void sort_by_id(MemoryTable* memories);

/// The latest time of all, of encoding or access: the earliest "now" that no memory lies beyond. 0
/// without memories.
double latest_time_s(const MemoryTable& memories);

/// How far from the origin a place may lie on each axis: squares of it are finite.
constexpr double kMaxPlace_m = 1e12;
/// And how far from 0 the time of a question.
constexpr double kMaxTime_s = 1e15;

/// The row of an id, or nothing. O(log size()).
std::optional<std::int64_t> find_memory(const MemoryTable& memories, std::int64_t id);

/// Adds `count` rows of defaults (ids 0, no text, anchors at the origin, embeddings of zeros).
void append_rows(MemoryTable* memories, std::int64_t count);

/// Where memories are and what goes with them.
struct MemorySource {
  std::string path;  ///< .slm, .jsonl or .fvecs
  /// `.jsonl`: a `.npy` [num_memories, width] of float16, float32 or float64, row i for the i-th
  /// object. Empty: the `.npy` of the same name beside it.
  std::string embeddings;
  /// `.jsonl`: embed the texts instead, in so many dimensions (hashed_embedder.h).
  std::optional<std::int32_t> hashed_width;
  std::string embedder;  ///< what made the embeddings, of a file that does not say; may be empty
  /// `.fvecs`: a `.npy` [num_memories, 3] in metres. Empty: the `.npy` of the same name beside it.
  std::string anchors;
  std::optional<Frame> frame;  ///< of a file that does not say
  /// `.jsonl`: false lets lines be without an anchor, which is then the origin.
  bool needs_anchors = true;
  /// `.jsonl`: false lets it be without embeddings, for who looks at none: each is then the
  /// number 1.
  bool needs_embeddings = true;
};

/// Reads memories by the extension of their file: `.slm` (slm.h), `.jsonl` (memory_jsonl.h),
/// `.fvecs` (fvecs.h). Throws InputError naming the file and the line or row, and the fix. What is
/// returned has passed check_memories without a world.
MemoryTable load_memories(const MemorySource& source);
MemoryTable load_memories(const std::string& path);
/// The box that bounds a thing; of a thing without a size, its anchor.
Bounds bounds_of(const MemoryTable& memories, std::int64_t row);
Bounds bounds_of(const kernels::Vec3& middle_m, const kernels::Vec3& size_m);

/// Files that load_memories opens for a source.
std::vector<std::string> files_of(const MemorySource& source);

/// How an `.slm` keeps embeddings.
enum class EmbeddingPrecision : std::uint8_t { kFloat32, kFloat16 };

/// Writes an `.slm` after check_memories: to a temporary file, then renamed. kFloat16 halves its
/// size and moves a component by up to 2^-12, and once more as the row is brought to unit length.
/// Reading it and writing it again gives equal bytes.
void save_memories(const MemoryTable& memories, const std::string& path,
                   EmbeddingPrecision precision = EmbeddingPrecision::kFloat32);

}  // namespace sightline::host
