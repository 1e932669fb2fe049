// What a robot remembers: a row for each clip of a few seconds, where it was and what a caption
// says of it.
//
// Meta-Memory (Mao et al.), section III.A: captions, their embeddings, images and positions. Frame:
// x east, y north, z up, metres; yaw counter-clockwise from +x, radians.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

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

/// Structure of arrays. Rows are ids: 0, 1, ..., in the order of adding; none is ever taken out, a
/// deleted one is marked.
struct EntryTable {
  AnswerMode answer_mode = AnswerMode::kViewpoint;
  double north_offset_rad = 0;  ///< by which north lies counter-clockwise of +y
  std::int32_t width = 0;       ///< of the embeddings
  std::string embedder;         ///< what made them (kHashedEmbedder, or a model's name)

  std::vector<std::uint16_t> sequence;
  std::vector<double> time_s;
  std::vector<kernels::Vec3> position_m;  ///< each of float precision
  std::vector<float> yaw_rad;
  std::vector<std::uint8_t> deleted;
  std::vector<std::uint64_t> caption_end;  ///< [size()] where each ends in `captions`
  std::string captions;                    ///< UTF-8, one after the other
  std::vector<std::uint64_t> image_end;
  std::string images;
  std::vector<std::uint64_t> visible_end;
  std::vector<VisibleObject> visible;     ///< of float precision, confidence of half
  std::vector<std::uint16_t> embeddings;  ///< IEEE half [size(), width], each of unit length before

  std::int64_t size() const { return static_cast<std::int64_t>(time_s.size()); }
  std::string_view caption(std::int64_t row) const;
  std::string_view image_ref(std::int64_t row) const;
  /// [first, last) of `visible`.
  std::pair<const VisibleObject*, const VisibleObject*> visible_of(std::int64_t row) const;
  /// Of unit length again, as float.
  std::vector<float> embedding(std::int64_t row) const;
};

/// Adds a row. `embedding`: [table->width] of unit length. Throws InputError for what cannot be: a
/// NaN, a time before the sequence's last, another width.
void append_entry(const Entry& entry, const std::vector<float>& embedding, EntryTable* table);

}  // namespace sightline::host
