#include "host/memory/memory_image.h"

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace sightline::host {
namespace {

constexpr std::size_t kAlignment = 64;

/// Goes through an image: what it meets is counted, written or read.
class Bytes {
 public:
  /// Null: nothing is written, only counted.
  explicit Bytes(std::byte* to) : to_(to) {}
  std::size_t size() const { return at_; }

  void put(const void* from, std::size_t num_bytes) {
    if (to_ && num_bytes > 0) std::memcpy(to_ + at_, from, num_bytes);
    at_ += num_bytes;
  }
  /// To the next multiple of kAlignment.
  void align() { at_ = (at_ + kAlignment - 1) / kAlignment * kAlignment; }

 private:
  std::byte* const to_;
  std::size_t at_ = 0;
};

struct Writer {
  Bytes bytes;

  template <class Number>
  void operator()(const Number& number) {
    static_assert(std::is_trivially_copyable_v<Number>, "an image is memory as it lies");
    bytes.put(&number, sizeof number);
  }
  template <class Item>
  void operator()(const std::vector<Item>& items) {
    (*this)(items.size());
    bytes.put(items.data(), items.size() * sizeof(Item));
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes.put(text.data(), text.size());
  }
  void operator()(const std::vector<std::string>& texts) {
    (*this)(texts.size());
    for (const std::string& text : texts) (*this)(text);
  }
};

struct Reader {
  const std::byte* begin;
  std::size_t at = 0;

  template <class Number>
  void operator()(Number& number) {
    std::memcpy(static_cast<void*>(&number), begin + at, sizeof number);
    at += sizeof number;
  }
  template <class Item>
  void operator()(std::vector<Item>& items) {
    std::size_t count = 0;
    (*this)(count);
    items.resize(count);
    if (count > 0) std::memcpy(static_cast<void*>(items.data()), begin + at, count * sizeof(Item));
    at += count * sizeof(Item);
  }
  void operator()(std::string& text) {
    std::size_t size = 0;
    (*this)(size);
    text.assign(reinterpret_cast<const char*>(begin + at), size);
    at += size;
  }
  void operator()(std::vector<std::string>& texts) {
    std::size_t count = 0;
    (*this)(count);
    texts.resize(count);
    for (std::string& text : texts) (*this)(text);
  }
  const float* floats(std::size_t count) {
    at = (at + kAlignment - 1) / kAlignment * kAlignment;
    const auto* const here = reinterpret_cast<const float*>(begin + at);
    at += count * sizeof(float);
    return here;
  }
};

/// Everything but the embeddings, in one order. `Table` is const to be written.
template <class Way, class Table>
void each_column(Way& way, Table& table) {
  way(table.id);
  way(table.text);
  way(table.object_key);
  way(table.region);
  way(table.group);
  way(table.anchor_m);
  way(table.size_m);
  way(table.has_observer);
  way(table.observer_m);
  way(table.observer_yaw_deg);
  way(table.observer_pitch_deg);
  way(table.world_version);
  way(table.time_s);
  way(table.last_access_s);
  way(table.importance);
  way(table.staleness);
  way(table.width);
  way(table.half_length);
  way(table.embedder);
  way(table.frame);
  way(table.source);
  way(table.source_row);
  way(table.source_has_lines);
}

std::size_t write_to(std::byte* to, const MemoryTable& memories) {
  Writer writer{Bytes(to)};
  each_column(writer, memories);
  const EmbeddingRows& rows = memories.embeddings;
  writer.bytes.align();
  writer.bytes.put(rows.data(), rows.size() * sizeof(float));
  return writer.bytes.size();
}

}  // namespace

MemoryImage::MemoryImage(const MemoryTable& memories)
    : memories_(memories), num_bytes_(write_to(nullptr, memories)) {}

void MemoryImage::write(std::byte* to) const { write_to(to, memories_); }

MemoryTable memories_over(const std::byte* image) {
  Reader reader{image};
  MemoryTable memories;
  each_column(reader, memories);
  const std::size_t count = memories.id.size() * static_cast<std::size_t>(memories.width);
  memories.embeddings = EmbeddingRows(reader.floats(count), count);
  return memories;
}

}  // namespace sightline::host
