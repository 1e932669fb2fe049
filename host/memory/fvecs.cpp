#include "host/memory/fvecs.h"

#include "host/memory/unit_embedding.h"
#include "host/world/binary_file.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file is read as it lies");

std::int32_t read_width(InputFile& file) {
  std::int32_t width = 0;
  file.read(&width, sizeof width);
  return width;
}

[[noreturn]] void fail_row(const InputFile& file, std::int64_t row, const std::string& message) {
  file.fail("row " + std::to_string(row) + " " + message);
}

/// Bytes of a vector with its count. Throws unless the file holds a whole number of vectors.
std::int64_t checked_row_bytes(InputFile& file, std::int32_t width) {
  if (width < 1 || width > kMaxEmbeddingWidth) {
    fail_row(file, 0,
             "announces " + std::to_string(width) + " dimensions; must be from 1 to " +
                 std::to_string(kMaxEmbeddingWidth) + ", is this an .fvecs file?");
  }
  return static_cast<std::int64_t>(sizeof(std::int32_t)) +
         width * static_cast<std::int64_t>(sizeof(float));
}

void read_rows(InputFile& file, std::int32_t width, MemoryTable* memories) {
  for (std::int64_t row = 0; row < memories->size(); ++row) {
    const std::int32_t row_width = row == 0 ? width : read_width(file);
    if (row_width != width) {
      fail_row(file, row,
               "announces " + std::to_string(row_width) + " dimensions, row 0 " +
                   std::to_string(width) + "; all rows must have as many");
    }
    float* embedding = memories->embeddings.own().data() + row * static_cast<std::int64_t>(width);
    file.read(embedding, static_cast<std::size_t>(width) * sizeof(float));
    if (const char* fault = to_unit_length(embedding, width)) {
      fail_row(file, row, std::string(fault) + "; embed it again or leave it out");
    }
    memories->id[static_cast<std::size_t>(row)] = row;
  }
}

}  // namespace

MemoryTable read_memories_fvecs(const std::string& path, const std::string& anchors) {
  InputFile file(path);
  if (file.size_bytes() == 0) file.fail("is empty; it must hold at least one vector");
  const std::int32_t width = read_width(file);
  const std::int64_t row_bytes = checked_row_bytes(file, width);
  const auto num_bytes = static_cast<std::int64_t>(file.size_bytes());
  const std::int64_t num_rows = num_bytes / row_bytes;
  if (num_bytes % row_bytes != 0) {
    fail_row(file, num_rows,
             "is cut short, or not all rows have " + std::to_string(width) +
                 " dimensions; fetch or write the file again");
  }
  MemoryTable memories;
  memories.source = path;
  memories.width = width;
  append_rows(&memories, num_rows);
  read_rows(file, width, &memories);
  memories.anchor_m = read_points_npy(anchors);
  if (static_cast<std::int64_t>(memories.anchor_m.size()) != num_rows) {
    InputFile(anchors).fail("holds " + std::to_string(memories.anchor_m.size()) +
                            " anchors for the " + std::to_string(num_rows) + " vectors of " + path +
                            "; give one each");
  }
  return memories;
}

}  // namespace sightline::host
