// Memory files of one format: SIGHTLINE_FUZZ_SUFFIX, as tests/fuzz/CMakeLists.txt lists them. What
// is read must pass the check, and written as .slm, read and written again give the same bytes. An
// .slm is tried as it is, then with its checksums made right: a mutation would go no further.
#include <xxhash.h>

#include <cstring>
#include <vector>

#include "fuzz/fuzz.h"
#include "host/memory/memory_table.h"

namespace sightline::fuzz {
namespace {

// host/memory/slm.h
constexpr std::size_t kSectionsAt = 64, kSectionBytes = 32, kNumSections = 21, kHashAt = 736;

void put(std::vector<std::uint8_t>& bytes, std::size_t place, std::uint64_t number) {
  std::memcpy(&bytes[place], &number, sizeof number);
}

void seal(std::vector<std::uint8_t>& bytes) {
  if (bytes.size() < kHashAt + 8) return;
  for (std::size_t s = 0; s < kNumSections; ++s) {
    const std::size_t place = kSectionsAt + s * kSectionBytes;
    std::uint64_t section[2];  // first byte, number of bytes
    std::memcpy(section, &bytes[place], sizeof section);
    if (section[0] > bytes.size() || section[1] > bytes.size() - section[0]) continue;
    put(bytes, place + 16, XXH64(bytes.data() + section[0], section[1], 0));
  }
  put(bytes, kHashAt, XXH64(bytes.data(), kHashAt, 0));
}

void check(const std::string& path, const std::string& folder) {
  host::MemorySource source;
  source.path = path;
  if (std::string(SIGHTLINE_FUZZ_SUFFIX) == ".jsonl") source.hashed_width = 8;
  host::MemoryTable memories;
  if (!accepts([&] { memories = host::load_memories(source); })) return;
  host::check_memories(memories);
  for (const auto precision :
       {host::EmbeddingPrecision::kFloat32, host::EmbeddingPrecision::kFloat16}) {
    const std::string once = folder + "/once.slm", again = folder + "/again.slm";
    host::save_memories(memories, once, precision);
    host::save_memories(host::load_memories(once), again, precision);
    require(tests::read_text(once) == tests::read_text(again),
            "memories written and read again are others");
  }
}

}  // namespace
}  // namespace sightline::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("memories" SIGHTLINE_FUZZ_SUFFIX);
  fuzz::check(input.write(data, size), input.folder());
  if (std::string(SIGHTLINE_FUZZ_SUFFIX) != ".slm") return 0;
  std::vector<std::uint8_t> bytes(data, data + size);
  fuzz::seal(bytes);
  fuzz::check(input.write(bytes.data(), bytes.size()), input.folder());
  return 0;
}
