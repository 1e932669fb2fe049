// Memories as bytes that several processes read where they lie: one reads the files, the
// others look at what it made. For the memory of one machine, not for files: an
// `.slm` is checked when it is read, an image is not.
#pragma once

#include <cstddef>

#include "host/memory/memory_table.h"

namespace sightline::host {

class MemoryImage {
 public:
  /// Of a table with embeddings, which must outlive it.
  explicit MemoryImage(const MemoryTable& memories);

  std::size_t num_bytes() const { return num_bytes_; }
  /// Writes num_bytes() to an address that is a multiple of 64.
  void write(std::byte* to) const;

 private:
  const MemoryTable& memories_;
  std::size_t num_bytes_ = 0;
};

/// The table of an image. Its embeddings stay where they are: the image must outlive the table and
/// its copies. The other columns are copied.
MemoryTable memories_over(const std::byte* image);

}  // namespace sightline::host
