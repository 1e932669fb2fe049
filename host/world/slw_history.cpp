#include "host/world/slw_history.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "host/error.h"

namespace sightline::host {
namespace {

struct RecordHeader {
  std::uint64_t num_words;
  double time_s;
  std::uint32_t num_regions, num_edits, note_bytes, zero;
};
struct EditRecord {
  std::int64_t lo[3], hi[3];
  std::uint32_t state, zero;
};
static_assert(sizeof(RecordHeader) == 32 && sizeof(EditRecord) == 56 && sizeof(RegionRoots) == 12,
              "records are written as they lie in memory");

class Reader {
 public:
  explicit Reader(const std::vector<char>& bytes) : bytes_(bytes) {}

  bool at_end() const { return at_ == bytes_.size(); }
  void read(void* out, std::size_t num_bytes) {
    if (num_bytes > bytes_.size() - at_) fail();
    if (num_bytes > 0) std::memcpy(out, bytes_.data() + at_, num_bytes);
    at_ += num_bytes;
  }
  /// Checks that so many items are there before memory is taken for them.
  template <class T>
  std::vector<T> read_items(std::uint32_t count) {
    if (count > (bytes_.size() - at_) / sizeof(T)) fail();
    std::vector<T> items(count);
    read(items.data(), count * sizeof(T));
    return items;
  }
  [[noreturn]] static void fail() {
    throw InputError("history: its records do not fill it; the file is damaged, write it again");
  }

 private:
  const std::vector<char>& bytes_;
  std::size_t at_ = 0;
};

Edit to_edit(const EditRecord& record) {
  Edit edit;
  for (std::size_t a = 0; a < 3; ++a) {
    edit.lo[a] = record.lo[a];
    edit.hi[a] = record.hi[a];
  }
  if (record.state > static_cast<std::uint32_t>(VoxelState::kUnknown)) {
    throw InputError("history: an edit has the state " + std::to_string(record.state) +
                     "; 0 (free), 1 (occupied) and 2 (unknown) are known");
  }
  edit.state = static_cast<VoxelState>(record.state);
  return edit;
}

GridVersion read_record(Reader& reader) {
  RecordHeader header;
  reader.read(&header, sizeof(header));
  GridVersion version;
  version.num_words = static_cast<std::size_t>(header.num_words);
  if (!std::isnan(header.time_s)) version.note.time_s = header.time_s;
  version.regions = reader.read_items<RegionRoots>(header.num_regions);
  for (const EditRecord& record : reader.read_items<EditRecord>(header.num_edits)) {
    version.edits.push_back(to_edit(record));
  }
  const std::vector<char> note = reader.read_items<char>(header.note_bytes);
  version.note.text.assign(note.begin(), note.end());
  return version;
}

void append(std::string& bytes, const void* data, std::size_t num_bytes) {
  bytes.append(static_cast<const char*>(data), num_bytes);
}

}  // namespace

std::string write_history(const VersionedGrid& versions) {
  std::string bytes;
  for (std::int64_t v = 0; v < versions.num_versions(); ++v) {
    const GridVersion& version = versions.version(v);
    const RecordHeader header{
        version.num_words,
        version.note.time_s.value_or(std::numeric_limits<double>::quiet_NaN()),
        static_cast<std::uint32_t>(version.regions.size()),
        static_cast<std::uint32_t>(version.edits.size()),
        static_cast<std::uint32_t>(version.note.text.size()),
        0};
    append(bytes, &header, sizeof(header));
    append(bytes, version.regions.data(), version.regions.size() * sizeof(RegionRoots));
    for (const Edit& edit : version.edits) {
      const EditRecord record{{edit.lo[0], edit.lo[1], edit.lo[2]},
                              {edit.hi[0], edit.hi[1], edit.hi[2]},
                              static_cast<std::uint32_t>(edit.state),
                              0};
      append(bytes, &record, sizeof(record));
    }
    bytes += version.note.text;
  }
  return bytes;
}

std::vector<GridVersion> read_history(const std::vector<char>& bytes, std::uint64_t num_versions) {
  if (num_versions > bytes.size() / sizeof(RecordHeader)) Reader::fail();
  Reader reader(bytes);
  std::vector<GridVersion> versions;
  for (std::uint64_t v = 0; v < num_versions; ++v) versions.push_back(read_record(reader));
  if (!reader.at_end()) Reader::fail();
  return versions;
}

}  // namespace sightline::host
