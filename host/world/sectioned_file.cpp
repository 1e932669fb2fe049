#include "host/world/sectioned_file.h"

#include <xxhash.h>

namespace sightline::host {
namespace {

constexpr std::uint64_t kMostSectionBytes = std::uint64_t{1} << 48;  ///< no sum of them runs over

std::uint64_t aligned(std::uint64_t byte) {
  return (byte + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

}  // namespace

std::uint64_t section_hash(const void* data, std::size_t num_bytes) {
  return XXH64(data, num_bytes, 0);
}

void check_sections(const InputFile& file, std::size_t header_bytes, const FileSection* sections,
                    std::size_t num_sections,
                    const std::function<std::uint64_t(std::size_t)>& wanted_bytes) {
  std::uint64_t end = header_bytes;
  for (std::size_t s = 0; s < num_sections; ++s) {
    const FileSection& section = sections[s];
    if (section.first_byte != aligned(end) || section.num_bytes != wanted_bytes(s) ||
        section.num_bytes > kMostSectionBytes) {
      file.fail("has an impossible section " + std::to_string(s) + "; save it again");
    }
    end = section.first_byte + section.num_bytes;
  }
  if (end == file.size_bytes()) return;
  file.fail("announces " + std::to_string(end) + " bytes but holds " +
            std::to_string(file.size_bytes()) +
            (end > file.size_bytes() ? "; it was cut short" : "; it was appended to") +
            ", copy or save it again");
}

namespace sectioned {

void read_header(InputFile& file, const SectionedFormat& format, void* header,
                 std::size_t num_bytes) {
  const auto* bytes = static_cast<const char*>(header);
  if (file.size_bytes() < num_bytes) {
    file.fail(std::string("is too short for Sightline ") + format.content + " (" +
              std::to_string(file.size_bytes()) + " bytes); copy or save it again");
  }
  file.read(header, num_bytes);
  if (std::memcmp(bytes, format.magic, sizeof format.magic) != 0) {
    file.fail(std::string("is not a file of Sightline ") + format.content + "; `" + format.saver +
              "` writes one");
  }
  std::uint32_t number = 0;
  std::memcpy(&number, bytes + sizeof format.magic, sizeof number);
  const std::uint32_t oldest = format.oldest_number > 0 ? format.oldest_number : format.number;
  if (number < oldest || number > format.number) {
    const std::string several = oldest < format.number ? std::to_string(oldest) + " to " : "";
    file.fail("has format version " + std::to_string(number) + "; this program reads " + several +
              std::to_string(format.number) + ", use the Sightline that wrote it or save again");
  }
  std::uint64_t hash = 0;
  const std::size_t num_hashed = num_bytes - sizeof hash;
  std::memcpy(&hash, bytes + num_hashed, sizeof hash);
  if (section_hash(header, num_hashed) != hash) {
    file.fail("has a damaged header (checksum mismatch); copy or save it again");
  }
}

void place(std::size_t header_bytes, const SectionBytes* bytes, std::size_t num_sections,
           FileSection* sections) {
  std::uint64_t end = header_bytes;
  for (std::size_t s = 0; s < num_sections; ++s) {
    sections[s].first_byte = aligned(end);
    sections[s].num_bytes = bytes[s].num_bytes;
    sections[s].hash = section_hash(bytes[s].data, bytes[s].num_bytes);
    end = sections[s].first_byte + sections[s].num_bytes;
  }
}

void write(const std::string& path, const void* header, std::size_t header_bytes,
           const FileSection* sections, const SectionBytes* bytes, std::size_t num_sections) {
  OutputFile file(path);
  file.write(header, header_bytes);
  std::uint64_t end = header_bytes;
  for (std::size_t s = 0; s < num_sections; ++s) {
    constexpr char kZeros[kSectionAlignment] = {};
    file.write(kZeros, static_cast<std::size_t>(sections[s].first_byte - end));
    file.write(bytes[s].data, bytes[s].num_bytes);
    end = sections[s].first_byte + sections[s].num_bytes;
  }
  file.commit();
}

}  // namespace sectioned
}  // namespace sightline::host
