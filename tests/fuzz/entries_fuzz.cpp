// Files of entries: SIGHTLINE_FUZZ_SUFFIX, as tests/fuzz/CMakeLists.txt lists them. What is read
// must pass the check, and written as .slp, read and written again give the same bytes. An .slp is
// tried as it is, then with its checksums made right: a mutation would go no further.
#include <xxhash.h>

#include <cstring>
#include <vector>

#include "fuzz/fuzz.h"
#include "host/meta_memory/entry_file.h"
#include "host/meta_memory/entry_jsonl.h"

namespace sightline::fuzz {
namespace {

// host/meta_memory/entry_file.h
constexpr std::size_t kSectionsAt = 64, kSectionBytes = 32, kNumSections = 13, kHashAt = 480;

void put(std::vector<std::uint8_t>& bytes, std::size_t place, std::uint64_t number) {
  std::memcpy(&bytes[place], &number, sizeof number);
}

void seal(std::vector<std::uint8_t>& bytes) {
  if (bytes.size() < kHashAt + sizeof(std::uint64_t)) return;
  for (std::size_t s = 0; s < kNumSections; ++s) {
    const std::size_t place = kSectionsAt + s * kSectionBytes;
    std::uint64_t section[2];  // first byte, number of bytes
    std::memcpy(section, &bytes[place], sizeof section);
    if (section[0] > bytes.size() || section[1] > bytes.size() - section[0]) continue;
    put(bytes, place + 16, XXH64(bytes.data() + section[0], section[1], 0));
  }
  put(bytes, kHashAt, XXH64(bytes.data(), kHashAt, 0));
}

host::EntryTable read(const std::string& path) {
  if (std::string(SIGHTLINE_FUZZ_SUFFIX) == ".slp") return host::read_entries(path);
  host::EntriesSource source;
  source.path = path;
  source.hashed_width = 8;
  return host::read_entries_jsonl(source);
}

void check(const std::string& path, const std::string& folder) {
  host::EntryTable entries;
  if (!accepts([&] { entries = read(path); })) return;
  host::check_entries(entries);
  const std::string once = folder + "/once.slp", again = folder + "/again.slp";
  host::save_entries(entries, once);
  host::save_entries(host::read_entries(once), again);
  require(tests::read_text(once) == tests::read_text(again),
          "entries written and read again are others");
}

}  // namespace
}  // namespace sightline::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("entries" SIGHTLINE_FUZZ_SUFFIX);
  fuzz::check(input.write(data, size), input.folder());
  if (std::string(SIGHTLINE_FUZZ_SUFFIX) != ".slp") return 0;
  std::vector<std::uint8_t> bytes(data, data + size);
  fuzz::seal(bytes);
  fuzz::check(input.write(bytes.data(), bytes.size()), input.folder());
  return 0;
}
