// What a robot remembers: a row for each clip of a few seconds, where it was and what a caption
// says of it.
//
// Meta-Memory (Mao et al.), section III.A: captions, their embeddings, images and positions. Frame:
// x east, y north, z up, metres; yaw counter-clockwise from +x, radians.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/meta_memory/column.h"
#include "host/meta_memory/lexicon.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// Is the answer to a question the place of the thing, or the place it is seen from? The two lie 20
/// m apart in the median of NaVQA: never to be mixed.
enum class AnswerMode : std::uint8_t { kViewpoint, kObject };

/// A thing that an image shows, as far as one knows: stands in for the image itself.
struct VisibleObject {
  std::uint32_t object_id = 0;
  ClassId class_id = kNoClass;
  AttributeBits attributes = 0;
  kernels::Vec3 position_m;
  double confidence = 1;
};

/// One entry, as it is added.
struct Entry {
  std::uint16_t sequence = 0;
  double time_s = 0;  ///< of one sequence, ascending
  kernels::Vec3 position_m;
  double yaw_rad = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not known
  std::string caption;
  std::string image_ref;  ///< names an image somewhere; opaque
  std::vector<VisibleObject> visible;
};

class PhraseEmbedder;

/// Structure of arrays. Rows are ids: 0, 1, ..., in the order of adding; none is ever taken out, a
/// deleted one is marked. Columns are changed by append_entry and mark_deleted alone.
struct EntryTable {
  AnswerMode answer_mode = AnswerMode::kViewpoint;
  double north_offset_rad = 0;  ///< by which north lies counter-clockwise of +y
  std::int32_t width = 0;       ///< of the embeddings
  std::string embedder;         ///< what made them (kHashedEmbedder, or a model's name)
  bool tells_visible = false;   ///< do the entries say what their images show, be it nothing?
  /// What embeds questions as `embedder` did the captions (embed_questions_by()); null: the
  /// built-in one, if it was that. No file holds it.
  std::shared_ptr<const PhraseEmbedder> phrases;

  Column<std::uint16_t> sequence;
  Column<double> time_s;
  Column<kernels::Vec3> position_m;  ///< each of float precision
  Column<float> yaw_rad;
  Column<std::uint8_t> deleted;
  Column<std::uint64_t> caption_end;  ///< [size()] where each ends in `captions`
  Column<char> captions;              ///< UTF-8, one after the other
  Column<std::uint64_t> image_end;
  Column<char> images;
  Column<std::uint64_t> visible_end;
  Column<VisibleObject> visible;     ///< of float precision, confidence of half
  Column<std::uint16_t> embeddings;  ///< IEEE half [size(), width], each of unit length before

  /// Of each sequence, by its number: -infinity without an entry. Follows from the columns.
  std::vector<double> last_time_s;

  std::int64_t size() const { return static_cast<std::int64_t>(time_s.size()); }
  bool is_deleted(std::int64_t row) const { return deleted[static_cast<std::size_t>(row)] != 0; }
  std::string_view caption(std::int64_t row) const;
  std::string_view image_ref(std::int64_t row) const;
  /// [first, last) of `visible`.
  std::pair<const VisibleObject*, const VisibleObject*> visible_of(std::int64_t row) const;
  /// Of unit length again, as float.
  std::vector<float> embedding(std::int64_t row) const;
  /// The same, into [width] floats.
  void copy_embedding(std::int64_t row, float* out) const;
};

/// Adds a row; one that shows things makes the table tells_visible. `embedding`: [table->width] of
/// unit length. Positions and yaws are rounded to float, confidences and embeddings to half. Throws
/// InputError, and leaves the table as it was, for what cannot be: a NaN, a time before the
/// sequence's last, another width, a class or a confidence that is none.
void append_entry(const Entry& entry, const std::vector<float>& embedding, EntryTable* table);

/// Marks a row, which no search returns from then on; false: it was marked before. Throws
/// InputError for a row that is none.
bool mark_deleted(std::int64_t row, EntryTable* table);

/// A text as the table's own embedder puts it: [width]. Throws InputError for a text that
/// `phrases` cannot embed; without these, unless the embedder is kHashedEmbedder, the only one that
/// is built in, and for a text without words.
std::vector<float> embed_text(const EntryTable& table, const std::string& text);

/// Throws InputError, naming the row, for columns that do not fit together or hold what
/// append_entry refuses. Returns what last_time_s must be. For tables that come from elsewhere.
std::vector<double> check_entries(const EntryTable& table);

}  // namespace sightline::host
