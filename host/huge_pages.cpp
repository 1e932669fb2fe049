#include "host/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace sightline::host {

void* allocate_huge_pages(std::size_t num_bytes) {
  constexpr std::size_t kPage = std::size_t{2} << 20;
  const std::size_t rounded = (num_bytes + kPage - 1) / kPage * kPage;
  void* const block = std::aligned_alloc(kPage, rounded);
  if (block == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  ::madvise(block, rounded, MADV_HUGEPAGE);  // a system that has none stays with ordinary pages
#endif
  return block;
}

void free_huge_pages(void* block) { std::free(block); }

void prefer_huge_pages(void* block, std::size_t num_bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = (reinterpret_cast<std::uintptr_t>(block) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(block) + num_bytes) / kPage * kPage;
  if (num_bytes < kLeastInHugePages_bytes || end <= begin) return;
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // advice, as above
#else
  (void)block, (void)num_bytes;
#endif
}

}  // namespace sightline::host
