#include "host/huge_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace sightline::tests {
namespace {

using host::HugeVector;
using host::kLeastInHugePages_bytes;

/// What Linux says of the memory around an address (proc(5), smaps: VmFlags); empty: nothing.
std::string flags_of(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool is_here = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      is_here = begin <= wanted && wanted < end;
    } else if (is_here && line.rfind("VmFlags:", 0) == 0) {
      return line + " ";
    }
  }
  return {};
}

TEST(HugePages, HoldWhatAVectorHolds) {
  HugeVector<std::uint32_t> grown;
  std::uint32_t most = kLeastInHugePages_bytes / sizeof(std::uint32_t) + 1000;
  for (std::uint32_t i = 0; i < most; ++i) grown.push_back(i);  // from small blocks to large ones
  const HugeVector<std::uint32_t> copy = grown;
  grown.resize(5);
  grown.shrink_to_fit();
  ASSERT_EQ(copy.size(), most);
  for (std::uint32_t i = 0; i < most; ++i) ASSERT_EQ(copy[i], i);
  EXPECT_EQ(grown, (HugeVector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(HugePages, AreAskedForWhereABlockIsLarge) {
  const HugeVector<char> large(kLeastInHugePages_bytes), small(kLeastInHugePages_bytes - 1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data()) % (2u << 20), 0u);
  const std::string flags = flags_of(large.data());
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) {
    GTEST_SKIP() << "this system has no transparent huge pages";
  }
  ASSERT_FALSE(flags.empty());
  EXPECT_NE(flags.find(" hg "), std::string::npos) << flags;
  EXPECT_EQ(flags_of(small.data()).find(" hg "), std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
