// Memory in huge pages, for what is read at random and is larger than the processor's table of
// pages reaches: 2,048 pages of 4 KiB are half of a world of 512^3 voxels, and each read beyond
// them first looks up where its page lies.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace sightline::host {

/// Blocks from this size on: a page of 2 MiB that is used in part is a small part of them.
constexpr std::size_t kLeastInHugePages_bytes = std::size_t{4} << 20;

/// Aligned to 2 MiB, in huge pages where Linux gives them to who asks (`madvise` or `always` in
/// /sys/kernel/mm/transparent_hugepage/enabled), in ordinary ones elsewhere. Throws std::bad_alloc.
void* allocate_huge_pages(std::size_t num_bytes);
void free_huge_pages(void* block);

/// Asks Linux for huge pages for memory that somebody else allocated and nobody has written to:
/// page by page it takes a system longer to give much memory than a program to fill it.
void prefer_huge_pages(void* block, std::size_t num_bytes);

/// For a std::vector: large blocks in huge pages, others as std::allocator has them.
template <class T>
class HugePages {
 public:
  using value_type = T;

  HugePages() = default;
  template <class Other>
  HugePages(const HugePages<Other>&) {}

  T* allocate(std::size_t count) {
    if (!is_huge(count)) return std::allocator<T>().allocate(count);
    return static_cast<T*>(allocate_huge_pages(count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t count) {
    if (!is_huge(count)) return std::allocator<T>().deallocate(block, count);
    free_huge_pages(block);
  }

  friend bool operator==(const HugePages&, const HugePages&) { return true; }
  friend bool operator!=(const HugePages&, const HugePages&) { return false; }

 private:
  /// A vector asks for no more bytes than there are addresses.
  static bool is_huge(std::size_t count) { return count >= kLeastInHugePages_bytes / sizeof(T); }
};

template <class T>
using HugeVector = std::vector<T, HugePages<T>>;

}  // namespace sightline::host
