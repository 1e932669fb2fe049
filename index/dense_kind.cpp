#include "index/dense_kind.h"

#include <cmath>
#include <limits>

#include "index/error.h"

namespace sightline::index {
namespace {

constexpr std::int64_t kMaxLists = std::int64_t{1} << 20;
constexpr std::int64_t kMaxLinks = 512;
constexpr std::int64_t kMaxDim = std::int64_t{1} << 16;
constexpr std::int64_t kPqCentroids = 256;  // 8 bits for each part
/// Its square summed over kMaxDim values stays below the largest float.
constexpr float kMaxValue = 1e16f;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw BadInput("index kind \"" + text + "\" " + why +
                 "; the kinds are Flat, SQ8, PQm, IVFn,Flat, IVFn,SQ8, IVFn,PQm and HNSWm, such as "
                 "IVF100,PQ16 or HNSW32");
}

/// If `text` is `prefix` and a number, that number; else -1.
std::int64_t number_after(const std::string& text, const std::string& prefix) {
  if (text.size() <= prefix.size() || text.compare(0, prefix.size(), prefix) != 0) return -1;
  std::int64_t number = 0;
  for (std::size_t i = prefix.size(); i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9' || number > kMaxLists * 10) return -1;
    number = number * 10 + (text[i] - '0');
  }
  return number;
}

void check_between(const std::string& text, const char* what, std::int64_t value, std::int64_t low,
                   std::int64_t high) {
  if (value >= low && value <= high) return;
  refuse(text, "has " + std::to_string(value) + " " + what + ", not between " +
                   std::to_string(low) + " and " + std::to_string(high));
}

void parse_code(const std::string& text, const std::string& code, DenseKind& kind) {
  if (code == "Flat") {
    kind.code = DenseKind::Code::kFlat;
  } else if (code == "SQ8") {
    kind.code = DenseKind::Code::kSq8;
  } else if ((kind.num_parts = number_after(code, "PQ")) >= 0) {
    check_between(text, "parts", kind.num_parts, 1, kMaxDim);
    kind.code = DenseKind::Code::kPq;
  } else {
    refuse(text, "is unknown");
  }
}

}  // namespace

DenseKind parse_dense_kind(const std::string& text) {
  DenseKind kind;
  kind.text = text;
  const std::size_t comma = text.find(',');
  const std::string head = text.substr(0, comma);
  const std::string tail = comma == std::string::npos ? "" : text.substr(comma + 1);
  if (text.find("IDMap") != std::string::npos) {
    refuse(text, "maps ids, and a row's number is its id here: leave IDMap away");
  }
  if ((kind.num_lists = number_after(head, "IVF")) >= 0) {
    check_between(text, "lists", kind.num_lists, 1, kMaxLists);
    kind.layout = DenseKind::Layout::kLists;
    parse_code(text, tail, kind);
  } else if ((kind.num_links = number_after(head, "HNSW")) >= 0) {
    check_between(text, "links", kind.num_links, 2, kMaxLinks);
    if (!tail.empty() && tail != "Flat") refuse(text, "is unknown");
    kind.layout = DenseKind::Layout::kGraph;
    kind.text = head + ",Flat";
  } else {
    if (comma != std::string::npos) refuse(text, "is unknown");
    parse_code(text, head, kind);
  }
  return kind;
}

void check_dense_shape(const DenseKind& kind, std::int64_t num_rows, std::int64_t dim) {
  if (dim < 1 || dim > kMaxDim) {
    throw BadInput("embeddings of " + std::to_string(dim) +
                   " values; an index needs between 1 and " + std::to_string(kMaxDim));
  }
  constexpr std::int64_t kMaxRows = std::numeric_limits<std::int32_t>::max();
  if (num_rows < 0 || num_rows > kMaxRows) {
    throw BadInput("index of " + std::to_string(num_rows) + " rows; give between 0 and " +
                   std::to_string(kMaxRows));
  }
  if (kind.num_parts > 0 && dim % kind.num_parts != 0) {
    throw BadInput("index kind \"" + kind.text + "\" cuts embeddings of " + std::to_string(dim) +
                   " values into " + std::to_string(kind.num_parts) +
                   " parts; give a number that divides " + std::to_string(dim));
  }
  if (num_rows == 0) return;  // nothing to train, nothing to find
  if (kind.num_lists > num_rows) {
    throw BadInput("index kind \"" + kind.text + "\" needs at least " +
                   std::to_string(kind.num_lists) + " rows to train on and has " +
                   std::to_string(num_rows) + "; use fewer lists, or Flat");
  }
  if (kind.code == DenseKind::Code::kPq && num_rows < kPqCentroids) {
    throw BadInput("index kind \"" + kind.text + "\" needs at least " +
                   std::to_string(kPqCentroids) + " rows to train on and has " +
                   std::to_string(num_rows) + "; use SQ8 or Flat");
  }
}

void check_dense_values(const float* values, std::int64_t num, std::int64_t dim, const char* what) {
  for (std::int64_t i = 0; i < num; ++i) {
    const float* item = values + i * dim;
    for (std::int64_t j = 0; j < dim; ++j) {
      if (std::fabs(item[j]) <= kMaxValue) continue;  // false for NaN
      throw BadInput(std::string(what) + " " + std::to_string(i) + " holds " +
                     std::to_string(item[j]) + " at value " + std::to_string(j) +
                     "; every value must be finite and at most 1e16 in size");
    }
  }
}

}  // namespace sightline::index
