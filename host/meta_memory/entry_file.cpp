#include "host/meta_memory/entry_file.h"

#include <array>
#include <cstddef>
#include <utility>

#include "host/error.h"
#include "host/memory/memory_table.h"
#include "host/meta_memory/mapped_file.h"
#include "host/world/half.h"
#include "host/world/sectioned_file.h"

namespace sightline::host {
namespace {

constexpr SectionedFormat kFormat = {
    {'\x89', 'S', 'L', 'P', '\r', '\n', '\x1a', '\n'}, 2, "entries", "sightline places import", 1};
constexpr std::uint32_t kWithWidePositions = 1;
constexpr std::size_t kNumSections = 13;

enum SectionIndex : std::size_t {
  kEmbedder,
  kSequence,
  kTime,
  kPosition,
  kYaw,
  kDeleted,
  kCaptionEnds,
  kCaptions,
  kImageEnds,
  kImages,
  kVisibleEnds,
  kVisible,
  kEmbeddings
};

struct Header {
  char magic[8];
  std::uint32_t format;
  std::uint32_t header_bytes;
  std::int64_t num_entries;
  std::uint32_t width;
  std::uint32_t answer_mode;
  double north_offset_rad;
  std::uint32_t num_sections;
  std::uint32_t tells_visible;
  char zeros[16];
  FileSection sections[kNumSections];
  std::uint64_t header_hash;
};
static_assert(sizeof(Header) == 488 && offsetof(Header, sections) == 64,
              "the header is written as it lies in memory");

struct PackedThing {
  std::uint32_t object_id;
  std::uint32_t attributes;
  std::uint16_t class_id;
  std::uint16_t confidence;
  float position_m[3];
};
static_assert(sizeof(PackedThing) == 24, "no gaps: all bytes are written");

template <typename Number>
struct PackedPoint {
  Number x, y, z;
};
static_assert(sizeof(PackedPoint<float>) == 12 && sizeof(PackedPoint<double>) == 24, "no gaps");

// ---- reading -----------------------------------------------------------------------------------

/// Bytes that a section must have, by the counts of the header; of texts, what it says itself.
std::uint64_t wanted_bytes(const Header& header, std::size_t section) {
  const auto n = static_cast<std::uint64_t>(header.num_entries);
  const std::uint64_t told = header.sections[section].num_bytes;
  switch (section) {
    case kSequence:
      return n * sizeof(std::uint16_t);
    case kPosition:
      return n * (header.format == kWithWidePositions ? sizeof(PackedPoint<double>)
                                                      : sizeof(PackedPoint<float>));
    case kYaw:
      return n * sizeof(float);
    case kDeleted:
      return n;
    case kEmbedder:
    case kCaptions:
    case kImages:
      return told;
    case kVisible:
      return told / sizeof(PackedThing) * sizeof(PackedThing);
    case kEmbeddings:
      return n * header.width * sizeof(std::uint16_t);
    default:
      return n * sizeof(std::uint64_t);
  }
}

/// A header whose checksum holds may still have been written by a faulty program. Before any memory
/// is taken: the sections fill the file.
void check_header(const InputFile& file, const Header& header) {
  const bool counts_fit = header.header_bytes == sizeof(Header) &&
                          header.num_sections == kNumSections && header.num_entries >= 0 &&
                          static_cast<std::uint64_t>(header.num_entries) <= file.size_bytes() &&
                          header.width <= static_cast<std::uint32_t>(kMaxEmbeddingWidth) &&
                          header.answer_mode <= 1 && header.tells_visible <= 1;
  if (!counts_fit) file.fail("has an impossible header; save it again");
  check_sections(file, sizeof header, header.sections, kNumSections,
                 [&](std::size_t section) { return wanted_bytes(header, section); });
}

/// The sections of a file whose header has been checked.
class MappedSections {
 public:
  MappedSections(const InputFile& file, const Header& header)
      : header_(header), bytes_(map_file(file.path(), file.size_bytes())) {
    std::uint64_t end = sizeof(Header);
    for (std::size_t s = 0; s < kNumSections; ++s) {
      const FileSection& section = header.sections[s];
      for (; end < section.first_byte; ++end) {
        if (bytes_.get()[end] != 0) fail(file, s, "a damaged gap before it");
      }
      if (section_hash(bytes_.get() + section.first_byte, section.num_bytes) != section.hash) {
        fail(file, s, "a checksum mismatch");
      }
      end += section.num_bytes;
    }
  }

  template <typename Item>
  Column<Item> column(SectionIndex index) const {
    const FileSection& section = header_.sections[index];
    if (section.num_bytes == 0) return {};
    const char* first = bytes_.get() + section.first_byte;
    return {reinterpret_cast<const Item*>(first), section.num_bytes / sizeof(Item), bytes_};
  }

 private:
  [[noreturn]] static void fail(const InputFile& file, std::size_t s, const std::string& fault) {
    file.fail("has a damaged section " + std::to_string(s) + " (" + fault +
              "); copy or save it again");
  }

  const Header& header_;
  std::shared_ptr<const char> bytes_;
};

std::vector<VisibleObject> unpacked(const Column<PackedThing>& packed) {
  std::vector<VisibleObject> things;
  things.reserve(packed.size());
  for (const PackedThing& thing : packed) {
    const kernels::Vec3 position_m = {thing.position_m[0], thing.position_m[1],
                                      thing.position_m[2]};
    things.push_back({thing.object_id, thing.class_id, thing.attributes, position_m,
                      half_to_float(thing.confidence)});
  }
  return things;
}

template <typename Number>
std::vector<kernels::Vec3> unpacked(const Column<PackedPoint<Number>>& packed) {
  std::vector<kernels::Vec3> points;
  points.reserve(packed.size());
  for (const PackedPoint<Number>& point : packed) points.push_back({point.x, point.y, point.z});
  return points;
}

// ---- writing -----------------------------------------------------------------------------------

std::vector<PackedThing> packed(const Column<VisibleObject>& things) {
  std::vector<PackedThing> out;
  out.reserve(things.size());
  for (const VisibleObject& thing : things) {
    out.push_back({thing.object_id,
                   thing.attributes,
                   thing.class_id,
                   float_to_half(static_cast<float>(thing.confidence)),
                   {static_cast<float>(thing.position_m.x), static_cast<float>(thing.position_m.y),
                    static_cast<float>(thing.position_m.z)}});
  }
  return out;
}

/// Of float precision as they are.
std::vector<PackedPoint<float>> packed(const Column<kernels::Vec3>& points) {
  std::vector<PackedPoint<float>> out;
  out.reserve(points.size());
  for (const kernels::Vec3& p : points) {
    out.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  return out;
}

}  // namespace

EntryTable read_entries(const std::string& path) {
  InputFile file(path);
  const auto header = read_sectioned_header<Header>(file, kFormat);
  check_header(file, header);
  const MappedSections sections(file, header);
  EntryTable table;
  table.answer_mode = header.answer_mode == 1 ? AnswerMode::kObject : AnswerMode::kViewpoint;
  table.north_offset_rad = header.north_offset_rad;
  table.width = static_cast<std::int32_t>(header.width);
  const Column<char> embedder = sections.column<char>(kEmbedder);
  table.embedder.assign(embedder.begin(), embedder.end());
  table.sequence = sections.column<std::uint16_t>(kSequence);
  table.time_s = sections.column<double>(kTime);
  table.position_m = header.format == kWithWidePositions
                         ? unpacked(sections.column<PackedPoint<double>>(kPosition))
                         : unpacked(sections.column<PackedPoint<float>>(kPosition));
  table.yaw_rad = sections.column<float>(kYaw);
  table.deleted = sections.column<std::uint8_t>(kDeleted);
  table.caption_end = sections.column<std::uint64_t>(kCaptionEnds);
  table.captions = sections.column<char>(kCaptions);
  table.image_end = sections.column<std::uint64_t>(kImageEnds);
  table.images = sections.column<char>(kImages);
  table.visible_end = sections.column<std::uint64_t>(kVisibleEnds);
  table.visible = unpacked(sections.column<PackedThing>(kVisible));
  table.tells_visible = header.tells_visible == 1 || !table.visible.empty();
  table.embeddings = sections.column<std::uint16_t>(kEmbeddings);
  try {
    table.last_time_s = check_entries(table);
  } catch (const InputError& error) {
    file.fail(std::string(error.what()) + "; save it again");
  }
  return table;
}

void save_entries(const EntryTable& table, const std::string& path) {
  check_entries(table);
  const std::vector<PackedThing> things = packed(table.visible);
  const std::vector<PackedPoint<float>> positions = packed(table.position_m);
  const std::array<SectionBytes, kNumSections> sections = {
      section_bytes(table.embedder),    section_bytes(table.sequence),
      section_bytes(table.time_s),      section_bytes(positions),
      section_bytes(table.yaw_rad),     section_bytes(table.deleted),
      section_bytes(table.caption_end), section_bytes(table.captions),
      section_bytes(table.image_end),   section_bytes(table.images),
      section_bytes(table.visible_end), section_bytes(things),
      section_bytes(table.embeddings)};
  Header header{};
  header.num_entries = table.size();
  header.width = static_cast<std::uint32_t>(table.width);
  header.answer_mode = table.answer_mode == AnswerMode::kObject ? 1 : 0;
  header.north_offset_rad = table.north_offset_rad;
  header.tells_visible = table.tells_visible ? 1 : 0;
  write_sectioned_file(path, kFormat, sections, header);
}

}  // namespace sightline::host
