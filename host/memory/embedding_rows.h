// The embeddings of a table: its own, or another's in memory that several processes read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sightline::host {

/// Floats, row by row. Copies of rows that lie elsewhere lie there too; own() is before a change.
class EmbeddingRows {
 public:
  EmbeddingRows() = default;
  EmbeddingRows(std::vector<float> values) : values_(std::move(values)) {}
  /// `count` floats that stay where they are for longer than this and its copies.
  EmbeddingRows(const float* rows, std::size_t count) : elsewhere_(rows), count_(count) {}

  const float* data() const { return elsewhere_ ? elsewhere_ : values_.data(); }
  std::size_t size() const { return elsewhere_ ? count_ : values_.size(); }
  bool empty() const { return size() == 0; }
  const float& operator[](std::size_t i) const { return data()[i]; }
  const float* begin() const { return data(); }
  const float* end() const { return data() + size(); }

  /// To be changed: a copy of what lies elsewhere. Changes this, so one thread asks, before others
  /// write to what it returns.
  std::vector<float>& own() {
    if (elsewhere_) values_.assign(begin(), end());
    elsewhere_ = nullptr;
    return values_;
  }

 private:
  std::vector<float> values_;
  const float* elsewhere_ = nullptr;  ///< null: the rows are values_
  std::size_t count_ = 0;             ///< of `elsewhere_`
};

inline bool operator==(const EmbeddingRows& a, const EmbeddingRows& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace sightline::host
