#include "host/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace sightline::host {

void prefer_huge_pages(const void* data, std::size_t num_bytes) {
  constexpr std::uintptr_t kHugePage_bytes = std::uintptr_t{2} << 20;
  constexpr std::uintptr_t kFewest = 2;  // smaller blocks are held by the processor's own tables
  const auto from = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t first = (from + kHugePage_bytes - 1) / kHugePage_bytes;
  const std::uintptr_t end = (from + num_bytes) / kHugePage_bytes;
  if (end < first + kFewest) return;
  void* const start = reinterpret_cast<void*>(first * kHugePage_bytes);
  const std::size_t size = (end - first) * kHugePage_bytes;
#ifdef MADV_HUGEPAGE
  if (::madvise(start, size, MADV_HUGEPAGE) != 0) return;
#endif
#ifdef MADV_COLLAPSE  // at once; without it, pages are joined while the program runs
  ::madvise(start, size, MADV_COLLAPSE);
#endif
}

}  // namespace sightline::host
