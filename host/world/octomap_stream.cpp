#include "host/world/octomap_stream.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <locale>
#include <sstream>
#include <string_view>

#include "host/world/binary_file.h"
#include "host/world/text_scan.h"

namespace sightline::host {
namespace {

constexpr std::string_view kBinaryFirstLine = "# Octomap OcTree binary file";
constexpr std::string_view kFullFirstLine = "# Octomap OcTree file";
constexpr int kMaxHeaderLines = 1000;

OctomapStream::Format format_of(const InputFile& file, std::string_view first_line) {
  if (first_line.substr(0, kBinaryFirstLine.size()) == kBinaryFirstLine) {
    return OctomapStream::Format::kBinary;
  }
  if (first_line.substr(0, kFullFirstLine.size()) == kFullFirstLine) {
    return OctomapStream::Format::kFull;
  }
  file.fail("is not an OctoMap file: its first line must be '" + std::string(kBinaryFirstLine) +
            "' or '" + std::string(kFullFirstLine) +
            "'; save the map again with OctoMap 1.5 or later");
}

void read_keyword(const InputFile& file, std::string_view line, OctomapStream& stream) {
  std::istringstream words{std::string(line)};
  words.imbue(std::locale::classic());
  std::string keyword, value, rest;
  words >> keyword >> value;
  const char* begin = value.data();
  const char* end = begin + value.size();
  if (keyword == "id") {
    if (value != "OcTree" && value != "ColorOcTree") {
      file.fail("holds a tree of type '" + value +
                "'; OcTree and ColorOcTree can be read, convert it with OctoMap");
    }
    stream.tree =
        value == "OcTree" ? OctomapStream::Tree::kOcTree : OctomapStream::Tree::kColorOcTree;
  } else if (keyword == "size") {
    const auto parsed = std::from_chars(begin, end, stream.num_nodes);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
      file.fail("has the node count '" + value + "' in its header; a whole number is expected");
    }
  } else if (keyword == "res") {
    const auto parsed = std::from_chars(begin, end, stream.resolution_m);
    if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(stream.resolution_m) ||
        stream.resolution_m <= 0) {
      file.fail("has the resolution '" + value +
                "' in its header; a length in metres above 0 is "
                "expected");
    }
  } else {
    file.fail("has the unknown keyword '" + keyword.substr(0, 40) +
              "' in its header; id, size, res and data are expected");
  }
  if (words >> rest) file.fail("has more than one value for '" + keyword + "' in its header");
}

/// Reads the text up to and including the line `data`; leaves `text` at the first node.
OctomapStream read_header(const InputFile& file, std::string_view& text) {
  OctomapStream stream;
  std::string_view line;
  if (!next_line(text, line)) line = text;
  stream.format = format_of(file, line);
  bool has_id = false;
  for (int num_lines = 0; num_lines < kMaxHeaderLines && next_line(text, line); ++num_lines) {
    if (line.empty() || line[0] == '#') continue;
    if (line == "data") {
      if (!has_id || stream.num_nodes == 0 || stream.resolution_m == 0) {
        file.fail("has no voxels, or a header without 'id', 'size' or 'res'; save the map again");
      }
      return stream;
    }
    has_id = has_id || line.substr(0, 3) == "id ";
    read_keyword(file, line, stream);
  }
  file.fail("has a header without the line 'data'; it was cut short, fetch or save it again");
}

/// Walks the nodes of a stream in the order in which OctoMap wrote them.
class Walk {
 public:
  Walk(const InputFile& file, const OctomapStream& stream, std::string_view nodes)
      : file_(file), stream_(stream), nodes_(nodes) {}

  /// Checks depth and number of nodes, and that they end where the file does.
  void check() {
    std::array<int, kOctomapDepth + 1> waiting{};  // nodes not yet read, per depth
    waiting[0] = 1;
    num_nodes_ = 1;
    for (int depth = 0; depth >= 0;) {
      if (waiting[depth] == 0) {
        --depth;
        continue;
      }
      --waiting[depth];
      const int to_read = is_binary() ? read_binary_node() : read_full_node();
      if (to_read == 0) continue;
      // In binary files, leaves are told by their parents: every node read has children.
      if (depth + (is_binary() ? 2 : 1) > kOctomapDepth) damaged("is deeper than 16 levels");
      waiting[++depth] = to_read;
    }
    if (num_nodes_ != stream_.num_nodes) {
      damaged("has " + std::to_string(num_nodes_) + " nodes where its header says " +
              std::to_string(stream_.num_nodes));
    }
    if (at_ != nodes_.size()) {
      damaged("is followed by " + std::to_string(nodes_.size() - at_) + " more bytes");
    }
  }

 private:
  bool is_binary() const { return stream_.format == OctomapStream::Format::kBinary; }

  [[noreturn]] void damaged(const std::string& how) const {
    file_.fail("holds a tree that " + how + "; the file is damaged, fetch or save it again");
  }

  const char* take(std::size_t num_bytes) {
    if (nodes_.size() - at_ < num_bytes) {
      damaged("ends after " + std::to_string(num_nodes_) + " of " +
              std::to_string(stream_.num_nodes) + " nodes");
    }
    at_ += num_bytes;
    return nodes_.data() + at_ - num_bytes;
  }

  /// Two bits per child: 0 unknown, 1 and 2 a leaf, 3 a node that follows.
  int read_binary_node() {
    const char* bytes = take(2);
    const unsigned kinds = static_cast<unsigned char>(bytes[0]) |
                           static_cast<unsigned>(static_cast<unsigned char>(bytes[1])) << 8;
    if (kinds == 0) damaged("has an inner node without children");
    int num_inner = 0;
    for (int child = 0; child < 8; ++child) {
      const unsigned kind = (kinds >> (2 * child)) & 3;
      num_nodes_ += kind != 0;
      num_inner += kind == 3;
    }
    return num_inner;
  }

  /// Log-odds, three bytes of colour if the tree has it, one bit per child that follows.
  int read_full_node() {
    float log_odds;
    std::memcpy(&log_odds, take(sizeof(log_odds)), sizeof(log_odds));
    if (std::isnan(log_odds)) damaged("has a node whose occupancy is not a number");
    if (stream_.tree == OctomapStream::Tree::kColorOcTree) take(3);
    const int num_children = __builtin_popcount(static_cast<unsigned char>(*take(1)));
    num_nodes_ += static_cast<std::uint64_t>(num_children);
    return num_children;
  }

  const InputFile& file_;
  const OctomapStream& stream_;
  std::string_view nodes_;
  std::size_t at_ = 0;
  std::uint64_t num_nodes_ = 0;
};

}  // namespace

OctomapStream read_octomap_stream(const std::string& path) {
  InputFile file(path);
  std::string content(static_cast<std::size_t>(file.size_bytes()), '\0');
  file.read(content.data(), content.size());
  std::string_view rest = content;
  OctomapStream stream = read_header(file, rest);
  Walk(file, stream, rest).check();
  stream.data = rest;
  return stream;
}

}  // namespace sightline::host
