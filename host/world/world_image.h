// A world of voxels as bytes that several processes read where they lie: one reads its file and
// packs it, the others look at what it packed. For the memory of one machine, not for files: a
// `.slw` is checked when it is read, an image is not.
#pragma once

#include <cstddef>
#include <string>

#include "host/world/world.h"

namespace sightline::host {

class WorldImage {
 public:
  /// Of a world with a grid and without an analytic solid, which must outlive it.
  explicit WorldImage(const World& world);

  std::size_t num_bytes() const { return words_begin_ + words_.size() * sizeof(std::uint64_t); }
  /// Writes num_bytes() to an address that is a multiple of 8.
  void write(std::byte* to) const;

 private:
  Words words_;
  std::string head_;  ///< the name, geometry and history, before the words
  std::size_t words_begin_ = 0;
};

/// The world of an image, whose voxels stay where they are: the image must outlive it and all that
/// is made of it. Costs no time for a grid, and for a history a look at the whole of it.
World world_over(const std::byte* image);

}  // namespace sightline::host
