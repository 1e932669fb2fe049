// Memory files of one format: SIGHTLINE_FUZZ_SUFFIX, as tests/fuzz/CMakeLists.txt lists them. What
// is read must pass the check, and written as .slm, read and written again give the same bytes. An
// .slm is tried as it is, then with its checksums made right: a mutation would go no further.
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "fuzz/fuzz.h"
#include "host/memory/memory_table.h"
#include "support/memory_files.h"

namespace sightline::fuzz {
namespace {

// host/memory/slm.h
constexpr std::size_t kSectionsAt = 64, kSectionBytes = 32, kNumSections = 22, kHashAt = 768;

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

/// Anchors for as many vectors as an .fvecs of this many bytes may hold, of the first one's width.
std::string write_anchors(const std::uint8_t* data, std::size_t size, const std::string& folder) {
  std::int32_t width = 0;
  if (size >= sizeof width) std::memcpy(&width, data, sizeof width);
  const std::size_t row_bytes = width > 0 ? 4 * (static_cast<std::size_t>(width) + 1) : 0;
  const std::size_t num_rows = row_bytes == 0 ? 1 : std::max<std::size_t>(1, size / row_bytes);
  const std::string path = folder + "/anchors.npy";
  tests::write_text(path, tests::double_npy(std::vector<double>(3 * num_rows, 0.5), 3));
  return path;
}

void check(const std::string& path, const std::string& folder, const std::string& anchors = "") {
  host::MemorySource source;
  source.path = path;
  source.anchors = anchors;
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
  if (std::string(SIGHTLINE_FUZZ_SUFFIX) == ".fvecs") {
    const std::string anchors = fuzz::write_anchors(data, size, input.folder());
    fuzz::check(input.write(data, size), input.folder(), anchors);
    return 0;
  }
  fuzz::check(input.write(data, size), input.folder());
  if (std::string(SIGHTLINE_FUZZ_SUFFIX) != ".slm") return 0;
  std::vector<std::uint8_t> bytes(data, data + size);
  fuzz::seal(bytes);
  fuzz::check(input.write(bytes.data(), bytes.size()), input.folder());
  return 0;
}
