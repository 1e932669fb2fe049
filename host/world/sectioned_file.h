// Files of columns: a header with a checksum, then sections that begin at multiples of 64 bytes,
// each with a checksum of its own. Memories (.slm) and entries (.slp) are kept so; such a file can
// be mapped, and a damaged byte is told with the section that it lies in.
//
// A header is a struct without gaps, written as it lies in memory (little-endian):
//
//     char magic[8];
//     std::uint32_t format, header_bytes;
//     ...                                    what the format keeps besides
//     std::uint32_t num_sections;            anywhere before `sections`
//     FileSection sections[N];
//     std::uint64_t header_hash;             the last: of all bytes before it
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>

#include "host/world/binary_file.h"

namespace sightline::host {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file is memory as it lies");

constexpr std::size_t kSectionAlignment = 64;

struct FileSection {
  std::uint64_t first_byte, num_bytes, hash, zero;
};

/// What a section is written from.
struct SectionBytes {
  const void* data = nullptr;
  std::size_t num_bytes = 0;
};

template <typename Items>
SectionBytes section_bytes(const Items& items) {
  return {items.data(), items.size() * sizeof(*items.data())};
}

/// A kind of file, and what its errors call it.
struct SectionedFormat {
  char magic[8];
  std::uint32_t number;
  const char* content;  ///< "memories"
  const char* saver;    ///< the command that writes one: "sightline memories convert"
  /// Of those that are read as well; 0: none but `number`.
  std::uint32_t oldest_number = 0;
};

/// Of bytes, as files keep it (XXH64).
std::uint64_t section_hash(const void* data, std::size_t num_bytes);

/// The header of a file of this format or an older one that is read. Throws InputError for a
/// shorter file, another magic or number, and a checksum that does not hold. A header that is right
/// may still have been written by a faulty program: see check_sections().
template <typename Header>
Header read_sectioned_header(InputFile& file, const SectionedFormat& format);

/// Throws InputError unless section i of [num_sections] has wanted_bytes(i) bytes, where it must
/// lie, and all of them fill the file. Takes no memory for them.
void check_sections(const InputFile& file, std::size_t header_bytes, const FileSection* sections,
                    std::size_t num_sections,
                    const std::function<std::uint64_t(std::size_t)>& wanted_bytes);

/// Writes a file whole or not at all. Of `header` all is filled in but what the format keeps
/// besides. Throws as OutputFile does.
template <typename Header, std::size_t kNum>
void write_sectioned_file(const std::string& path, const SectionedFormat& format,
                          const std::array<SectionBytes, kNum>& sections, Header header);

// ---- details ------------------------------------------------------------------------------------

namespace sectioned {
/// Reads [num_bytes] of a header, whose last eight bytes are its checksum.
void read_header(InputFile& file, const SectionedFormat& format, void* header,
                 std::size_t num_bytes);
/// Where sections of these bytes lie behind such a header, and their checksums.
void place(std::size_t header_bytes, const SectionBytes* bytes, std::size_t num_sections,
           FileSection* sections);
void write(const std::string& path, const void* header, std::size_t header_bytes,
           const FileSection* sections, const SectionBytes* bytes, std::size_t num_sections);
}  // namespace sectioned

template <typename Header>
Header read_sectioned_header(InputFile& file, const SectionedFormat& format) {
  Header header{};
  sectioned::read_header(file, format, &header, sizeof header);
  return header;
}

template <typename Header, std::size_t kNum>
void write_sectioned_file(const std::string& path, const SectionedFormat& format,
                          const std::array<SectionBytes, kNum>& sections, Header header) {
  static_assert(sizeof header.sections == kNum * sizeof(FileSection), "one for each");
  std::memcpy(header.magic, format.magic, sizeof format.magic);
  header.format = format.number;
  header.header_bytes = sizeof header;
  header.num_sections = kNum;
  sectioned::place(sizeof header, sections.data(), kNum, header.sections);
  header.header_hash = section_hash(&header, offsetof(Header, header_hash));
  sectioned::write(path, &header, sizeof header, header.sections, sections.data(), kNum);
}

}  // namespace sightline::host
