#include "host/meta_memory/caption_index.h"

#include <algorithm>

#include "host/error.h"
#include "host/memory/finder_errors.h"
#include "host/memory/unit_embedding.h"
#include "index/dense_engine.h"
#include "index/dense_kind.h"

namespace sightline::host {
namespace {

std::vector<float> float_rows(const EntryTable& entries) {
  const auto width = static_cast<std::size_t>(entries.width);
  std::vector<float> rows(static_cast<std::size_t>(entries.size()) * width);
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    entries.copy_embedding(row, rows.data() + static_cast<std::size_t>(row) * width);
  }
  return rows;
}

index::IdFilter alive_rows(const EntryTable& entries) {
  std::vector<std::uint8_t> mask(entries.deleted.begin(), entries.deleted.end());
  for (std::uint8_t& item : mask) item = item == 0 ? 1 : 0;
  return index::IdFilter::of_mask(mask);
}

index::DenseIndex dense_over(const EntryTable& entries, const std::string& kind,
                             std::vector<float>* rows) {
  index::DenseBuild options;
  options.kind = kind;
  const std::int32_t width = std::max(1, entries.width);  // a table without entries may have none
  return with_our_errors([&] {
    if (!index::parse_dense_kind(kind).encoded()) {
      return index::DenseIndex::over(rows->data(), entries.size(), width, options);
    }
    index::DenseIndex dense =
        index::DenseIndex::build(rows->data(), entries.size(), width, options);
    *rows = {};
    return dense;
  });
}

}  // namespace

CaptionIndex::CaptionIndex(const EntryTable& entries, const std::string& kind)
    : entries_(entries),
      rows_(float_rows(entries)),
      alive_(alive_rows(entries)),
      dense_(dense_over(entries, kind, &rows_)) {}

float CaptionIndex::similarity(const std::vector<float>& embedding, std::int64_t row) const {
  if (rows_.empty()) {
    return with_our_errors([&] { return dense_.score(embedding.data(), row); });
  }
  const auto width = static_cast<std::int64_t>(entries_.width);
  return static_cast<float>(index::exact_score(index::Metric::kInnerProduct, embedding.data(),
                                               rows_.data() + row * width, width));
}

void CaptionIndex::fetch(std::int64_t row) const {
  constexpr std::int64_t kLineFloats = 16;  // of a cache line
  const auto width = static_cast<std::int64_t>(entries_.width);
  for (std::int64_t i = 0; !rows_.empty() && i < width; i += kLineFloats) {
    __builtin_prefetch(rows_.data() + row * width + i);
  }
}

void check_query_embedding(const EntryTable& entries, const std::vector<float>& embedding,
                           const std::string& what) {
  if (embedding.size() != static_cast<std::size_t>(entries.width)) {
    throw InputError("the embedding of " + what + " has " + std::to_string(embedding.size()) +
                     " numbers; the entries' have " + std::to_string(entries.width));
  }
  if (!has_unit_length(embedding.data(), entries.width)) {
    throw InputError("the embedding of " + what + " must have unit length");
  }
}

}  // namespace sightline::host
