#include "host/memory/slm.h"

#include <array>
#include <cstddef>
#include <utility>

#include "host/error.h"
#include "host/memory/unit_embedding.h"
#include "host/world/half.h"
#include "host/world/sectioned_file.h"

namespace sightline::host {
namespace {

static_assert(sizeof(kernels::Vec3) == 3 * sizeof(double), "a point is three numbers of the file");

constexpr SectionedFormat kFormat = {
    {'\x89', 'S', 'L', 'M', '\r', '\n', '\x1a', '\n'}, 2, "memories", "sightline memories convert"};
constexpr std::uint32_t kFrameNotTold = 2;
constexpr std::size_t kNumSections = 22;

enum SectionIndex : std::size_t {
  kId,
  kAnchor,
  kHasObserver,
  kObserver,
  kYaw,
  kPitch,
  kTime,
  kLastAccess,
  kImportance,
  kStaleness,
  kWorldVersion,
  kTextEnds,
  kText,
  kObjectEnds,
  kObject,
  kRegionEnds,
  kRegion,
  kGroupEnds,
  kGroup,
  kEmbedder,
  kSize,
  kEmbeddings
};

struct Header {
  char magic[8];
  std::uint32_t format;
  std::uint32_t header_bytes;
  std::int64_t num_memories;
  std::uint32_t width;
  std::uint32_t component_bytes;
  std::uint32_t frame;
  std::uint32_t num_sections;
  char zeros[24];
  FileSection sections[kNumSections];
  std::uint64_t header_hash;
};
static_assert(sizeof(Header) == 776 && offsetof(Header, sections) == 64,
              "the header is written as it lies in memory");

// ---- reading -----------------------------------------------------------------------------------

/// Bytes that a section must have, by the counts of the header; of texts, what it says itself.
std::uint64_t wanted_bytes(const Header& header, std::size_t section) {
  const auto n = static_cast<std::uint64_t>(header.num_memories);
  switch (section) {
    case kHasObserver:
      return n;
    case kWorldVersion:
      return n * sizeof(std::int32_t);
    case kAnchor:
    case kObserver:
    case kSize:
      return n * sizeof(kernels::Vec3);
    case kText:
    case kObject:
    case kRegion:
    case kGroup:
    case kEmbedder:
      return header.sections[section].num_bytes;
    case kEmbeddings:
      return n * header.width * header.component_bytes;
    default:
      return n * sizeof(std::uint64_t);
  }
}

/// A header whose checksum holds may still have been written by a faulty program. Before any memory
/// is taken: the sections fill the file.
void check_header(const InputFile& file, const Header& header) {
  const bool counts_fit = header.header_bytes == sizeof(Header) &&
                          header.num_sections == kNumSections && header.num_memories >= 0 &&
                          static_cast<std::uint64_t>(header.num_memories) <= file.size_bytes() &&
                          header.width >= 1 && header.width <= kMaxEmbeddingWidth &&
                          header.frame <= kFrameNotTold;
  const bool is_half = header.component_bytes == sizeof(std::uint16_t);
  if (!counts_fit || (!is_half && header.component_bytes != sizeof(float))) {
    file.fail("has an impossible header; save it again");
  }
  check_sections(file, sizeof header, header.sections, kNumSections,
                 [&](std::size_t section) { return wanted_bytes(header, section); });
}

class SectionReader {
 public:
  SectionReader(InputFile& file, const Header& header) : file_(file), header_(header) {}

  /// The next section, whole: they are read in their order.
  template <typename Item>
  std::vector<Item> next() {
    const FileSection& section = header_.sections[next_];
    skip_zeros(section.first_byte);
    std::vector<Item> items(static_cast<std::size_t>(section.num_bytes / sizeof(Item)));
    const std::size_t num_bytes = items.size() * sizeof(Item);
    file_.read(items.data(), num_bytes);
    if (section_hash(items.data(), num_bytes) != section.hash) {
      file_.fail("has a damaged section " + std::to_string(next_) +
                 " (checksum mismatch); copy or save it again");
    }
    ++next_;
    return items;
  }

  std::string next_text() {
    const std::vector<char> bytes = next<char>();
    return std::string(bytes.begin(), bytes.end());
  }

  /// Two sections: where each text ends, and all texts.
  std::vector<std::string> next_texts() {
    const std::size_t section = next_;
    const std::vector<std::uint64_t> ends = next<std::uint64_t>();
    const std::string bytes = next_text();
    std::vector<std::string> texts;
    texts.reserve(ends.size());
    std::uint64_t begin = 0;
    for (const std::uint64_t end : ends) {
      if (end < begin || end > bytes.size()) fail_ends(section);
      texts.push_back(bytes.substr(begin, end - begin));
      begin = end;
    }
    if (begin != bytes.size()) fail_ends(section);
    return texts;
  }

 private:
  [[noreturn]] void fail_ends(std::size_t section) const {
    file_.fail("has texts that end where they cannot (section " + std::to_string(section) +
               "); save it again");
  }

  void skip_zeros(std::uint64_t to_byte) {
    char gap[kSectionAlignment] = {};
    const auto num_bytes = static_cast<std::size_t>(to_byte - file_.position());
    file_.read(gap, num_bytes);
    for (std::size_t i = 0; i < num_bytes; ++i) {
      if (gap[i] != 0) file_.fail("has a damaged gap before a section; copy or save it again");
    }
  }

  InputFile& file_;
  const Header& header_;
  std::size_t next_ = 0;
};

void read_columns(SectionReader& sections, MemoryTable* memories) {
  memories->id = sections.next<std::int64_t>();
  memories->anchor_m = sections.next<kernels::Vec3>();
  memories->has_observer = sections.next<std::uint8_t>();
  memories->observer_m = sections.next<kernels::Vec3>();
  for (auto* column :
       {&memories->observer_yaw_deg, &memories->observer_pitch_deg, &memories->time_s,
        &memories->last_access_s, &memories->importance, &memories->staleness}) {
    *column = sections.next<double>();
  }
  memories->world_version = sections.next<std::int32_t>();
  for (auto* column :
       {&memories->text, &memories->object_key, &memories->region, &memories->group}) {
    *column = sections.next_texts();
  }
  memories->embedder = sections.next_text();
  memories->size_m = sections.next<kernels::Vec3>();
}

void widen(const std::vector<std::uint16_t>& halves, MemoryTable* memories) {
  std::vector<float>& embeddings = memories->embeddings.own();
  embeddings.resize(halves.size());
  for (std::size_t i = 0; i < halves.size(); ++i) embeddings[i] = half_to_float(halves[i]);
  memories->half_length.reserve(memories->id.size());
  for (std::int64_t row = 0; row < memories->size(); ++row) {
    memories->half_length.push_back(length_of(memories->embedding(row), memories->width));
  }
}

void normalise(MemoryTable* memories) {
  for (std::int64_t row = 0; row < memories->size(); ++row) {
    float* embedding =
        memories->embeddings.own().data() + row * static_cast<std::int64_t>(memories->width);
    if (const char* fault = to_unit_length(embedding, memories->width)) {
      throw InputError(memories->place_of(row) + ": its embedding " + fault + "; save it again");
    }
  }
}

// ---- writing -----------------------------------------------------------------------------------

struct Texts {
  explicit Texts(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      bytes += text;
      ends.push_back(bytes.size());
    }
  }
  std::vector<std::uint64_t> ends;
  std::string bytes;
};

/// What read_slm makes these floats of: the halves they were read from, if they were.
std::vector<std::uint16_t> narrow(const MemoryTable& memories) {
  std::vector<std::uint16_t> halves;
  halves.reserve(memories.embeddings.size());
  for (std::int64_t row = 0; row < memories.size(); ++row) {
    const float* embedding = memories.embedding(row);
    const float length =
        memories.half_length.empty() ? 1 : memories.half_length[static_cast<std::size_t>(row)];
    for (std::int32_t i = 0; i < memories.width; ++i) {
      halves.push_back(float_to_half(embedding[i] * length));
    }
  }
  return halves;
}

}  // namespace

MemoryTable read_slm(const std::string& path) {
  InputFile file(path);
  const auto header = read_sectioned_header<Header>(file, kFormat);
  check_header(file, header);
  MemoryTable memories;
  memories.source = path;
  memories.width = static_cast<std::int32_t>(header.width);
  if (header.frame != kFrameNotTold) {
    memories.frame = header.frame == 1 ? Frame::kMapZUp : Frame::kSceneYUp;
  }
  SectionReader sections(file, header);
  read_columns(sections, &memories);
  if (header.component_bytes == sizeof(float)) {
    memories.embeddings = sections.next<float>();
  } else {
    widen(sections.next<std::uint16_t>(), &memories);
  }
  normalise(&memories);
  check_memories(memories);
  return memories;
}

void save_memories(const MemoryTable& memories, const std::string& path,
                   EmbeddingPrecision precision) {
  check_memories(memories);
  const bool is_half = precision == EmbeddingPrecision::kFloat16;
  const Texts text(memories.text), object(memories.object_key), region(memories.region),
      group(memories.group);
  const std::vector<std::uint16_t> halves =
      is_half ? narrow(memories) : std::vector<std::uint16_t>();
  const std::array<SectionBytes, kNumSections> sections = {
      section_bytes(memories.id),
      section_bytes(memories.anchor_m),
      section_bytes(memories.has_observer),
      section_bytes(memories.observer_m),
      section_bytes(memories.observer_yaw_deg),
      section_bytes(memories.observer_pitch_deg),
      section_bytes(memories.time_s),
      section_bytes(memories.last_access_s),
      section_bytes(memories.importance),
      section_bytes(memories.staleness),
      section_bytes(memories.world_version),
      section_bytes(text.ends),
      section_bytes(text.bytes),
      section_bytes(object.ends),
      section_bytes(object.bytes),
      section_bytes(region.ends),
      section_bytes(region.bytes),
      section_bytes(group.ends),
      section_bytes(group.bytes),
      section_bytes(memories.embedder),
      section_bytes(memories.size_m),
      is_half ? section_bytes(halves) : section_bytes(memories.embeddings)};
  Header header{};
  header.num_memories = memories.size();
  header.width = static_cast<std::uint32_t>(memories.width);
  header.component_bytes = is_half ? sizeof(std::uint16_t) : sizeof(float);
  header.frame = !memories.frame ? kFrameNotTold : *memories.frame == Frame::kMapZUp ? 1 : 0;
  write_sectioned_file(path, kFormat, sections, header);
}

}  // namespace sightline::host
