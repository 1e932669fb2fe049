#include "host/world/ply.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "host/error.h"
#include "host/world/byte_scan.h"
#include "host/world/text_scan.h"

namespace sightline::host {
namespace {

enum class Type { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat32, kFloat64 };
enum class Encoding { kText, kLittleEndian, kBigEndian };

struct Property {
  std::string name;
  Type type = Type::kFloat32;
  std::optional<Type> count_type;  ///< set: a list
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

struct Header {
  Encoding encoding = Encoding::kText;
  std::vector<Element> elements;
  std::uint64_t num_lines = 0;
};

/// 4000000000 rather than 4e+09, where it is a whole number.
std::string exact_integer_text(double number) {
  const bool is_whole = std::fabs(number) < 0x1p53 && number == std::floor(number);
  return is_whole ? std::to_string(static_cast<std::int64_t>(number)) : exact_text(number);
}

std::optional<Type> type_of(std::string_view word) {
  constexpr std::string_view kNames[][2] = {
      {"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
      {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};
  for (int i = 0; i < 8; ++i) {
    if (word == kNames[i][0] || word == kNames[i][1]) return static_cast<Type>(i);
  }
  return std::nullopt;
}

class HeaderReader {
 public:
  explicit HeaderReader(const InputFile& file) : file_(file) {}

  /// Leaves `text` behind the header.
  Header read(std::string_view& text) {
    std::string_view line;
    if (!next_line(text, line) || line != "ply") {
      file_.fail("is not a PLY file: its first line must be 'ply'");
    }
    bool has_format = false;
    for (header_.num_lines = 1; next_line(text, line);) {
      ++header_.num_lines;
      const std::string_view keyword = next_word(line);
      if (keyword == "end_header") {
        if (!has_format) fail("has a header without a line 'format'");
        return header_;
      }
      if (keyword == "format") {
        read_format(next_word(line));
        has_format = true;
      } else if (keyword == "element") {
        read_element(line);
      } else if (keyword == "property") {
        read_property(line);
      } else if (keyword != "comment" && keyword != "obj_info") {
        fail("has the unknown keyword '" + std::string(keyword.substr(0, 40)) + "'");
      }
    }
    file_.fail("has a header without the line 'end_header'; it was cut short, fetch it again");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    file_.fail("line " + std::to_string(header_.num_lines) + ": " + what + "; export it again");
  }

  void read_format(std::string_view word) {
    if (word == "ascii") {
      header_.encoding = Encoding::kText;
    } else if (word == "binary_little_endian") {
      header_.encoding = Encoding::kLittleEndian;
    } else if (word == "binary_big_endian") {
      header_.encoding = Encoding::kBigEndian;
    } else {
      fail("has the format '" + std::string(word.substr(0, 40)) +
           "'; ascii, binary_little_endian and binary_big_endian are known");
    }
  }

  void read_element(std::string_view line) {
    Element element;
    element.name = next_word(line);
    if (!parse_number(next_word(line), element.count)) {
      fail("announces no whole number of elements '" + element.name + "'");
    }
    header_.elements.push_back(element);
  }

  void read_property(std::string_view line) {
    if (header_.elements.empty()) fail("has a property before any element");
    Property property;
    std::string_view word = next_word(line);
    const bool is_list = word == "list";
    if (is_list) {
      property.count_type = type_of(next_word(line));
      word = next_word(line);
    }
    const std::optional<Type> type = type_of(word);
    property.name = next_word(line);
    if (!type || property.name.empty() || (is_list && !property.count_type)) {
      fail("has a property without a known type and a name");
    }
    property.type = *type;
    header_.elements.back().properties.push_back(property);
  }

  const InputFile& file_;
  Header header_;
};

/// The numbers after the header, one by one.
class Values {
 public:
  Values(const InputFile& file, const Header& header, std::string_view content,
         std::string_view body)
      : file_(file),
        encoding_(header.encoding),
        num_header_lines_(header.num_lines),
        body_(body),
        text_(body),
        bytes_(file, body, content.size() - body.size()) {}

  std::size_t remaining() const { return is_text() ? text_.size() : bytes_.remaining(); }

  double next(Type type) {
    if (is_text()) {
      const std::string_view word = next_word(text_);
      double value;
      if (word.empty()) fail("ends before its last element; it was cut short, fetch it again");
      if (!parse_number(word, value)) {
        fail("'" + std::string(word.substr(0, 40)) + "' is no number; export it again");
      }
      return value;
    }
    const bool swap = encoding_ == Encoding::kBigEndian;  // this machine is little-endian
    switch (type) {
      case Type::kInt8:
        return bytes_.number<std::int8_t>();
      case Type::kUint8:
        return bytes_.number<std::uint8_t>();
      case Type::kInt16:
        return bytes_.number<std::int16_t>(swap);
      case Type::kUint16:
        return bytes_.number<std::uint16_t>(swap);
      case Type::kInt32:
        return bytes_.number<std::int32_t>(swap);
      case Type::kUint32:
        return bytes_.number<std::uint32_t>(swap);
      case Type::kFloat32:
        return static_cast<double>(bytes_.number<float>(swap));
      default:
        return bytes_.number<double>(swap);
    }
  }

  /// Tells that an element without lists begins, for end_scalars().
  void begin_scalars() {
    const std::size_t blanks = std::min(text_.find_first_not_of(" \t\r\n"), text_.size());
    text_.remove_prefix(is_text() ? blanks : 0);
    begin_ = text_.size();
  }

  /// Throws InputError if the element goes on behind its line, which holds too few or too many
  /// numbers: all that follows would be read as something else.
  void end_scalars(const std::string& name, std::uint64_t item) {
    const std::string_view begun = body_.substr(body_.size() - begin_);
    const std::string_view read = begun.substr(0, begin_ - text_.size());
    if (!is_text() || read.find('\n') == std::string_view::npos) return;
    text_ = begun;
    fail(name + " " + std::to_string(item) +
         " goes on in the next line; write the numbers of each in a line of its own");
  }

  /// Throws InputError if lines follow that the header does not announce.
  void end() {
    begin_scalars();
    if (!is_text() || text_.empty()) return;
    fail("goes on beyond what its header announces; correct its counts or export it again");
  }

  /// Throws InputError: the file, the line or the byte reached, the message.
  [[noreturn]] void fail(const std::string& message) const {
    if (!is_text()) bytes_.fail(message);
    const std::string_view read = body_.substr(0, body_.size() - text_.size());
    const auto num_lines = std::count(read.begin(), read.end(), '\n');
    file_.fail("line " +
               std::to_string(num_header_lines_ + 1 + static_cast<std::uint64_t>(num_lines)) +
               ": " + message);
  }

 private:
  bool is_text() const { return encoding_ == Encoding::kText; }

  const InputFile& file_;
  const Encoding encoding_;
  const std::uint64_t num_header_lines_;
  const std::string_view body_;
  std::string_view text_;
  std::size_t begin_ = 0;  ///< of an element: what was left of the text
  ByteScan bytes_;
};

class BodyReader {
 public:
  BodyReader(const InputFile& file, Values values) : file_(file), values_(values) {}

  Surface read(const Header& header) {
    for (const Element& element : header.elements) {
      if (element.name == "vertex") num_vertices_ += element.count;
    }
    for (const Element& element : header.elements) {
      // Each item takes a byte at least: a count that cannot be true is refused.
      if (element.count > values_.remaining() ||
          (element.properties.empty() && element.count > 0)) {
        values_.fail("announces " + std::to_string(element.count) + " elements '" + element.name +
                     "', but only " + std::to_string(values_.remaining()) +
                     " bytes follow; it was cut short, fetch or export it again");
      }
      if (element.name == "tristrips" && element.count > 0) {
        values_.fail("holds triangle strips; export it with faces");
      }
      const bool has_list = std::any_of(element.properties.begin(), element.properties.end(),
                                        [](const Property& p) { return p.count_type.has_value(); });
      for (std::uint64_t item = 0; item < element.count; ++item) {
        values_.begin_scalars();
        read_item(element, item);
        if (!has_list) values_.end_scalars(element.name, item);
      }
      if (element.name == "vertex" && element.count > 0) check_has_coordinates(element);
    }
    values_.end();
    return std::move(surface_);
  }

 private:
  void check_has_coordinates(const Element& element) const {
    for (const char* name : {"x", "y", "z"}) {
      const bool found = std::any_of(element.properties.begin(), element.properties.end(),
                                     [&](const Property& p) { return p.name == name; });
      if (!found) file_.fail(std::string("has vertices without ") + name + "; export it again");
    }
  }

  void read_item(const Element& element, std::uint64_t item) {
    const bool is_vertex = element.name == "vertex", is_face = element.name == "face";
    kernels::Vec3 point{0, 0, 0};
    for (const Property& property : element.properties) {
      if (property.count_type) {
        const bool is_corners =
            property.name == "vertex_indices" || property.name == "vertex_index";
        read_list(property, item, is_face && is_corners);
        continue;
      }
      const double value = values_.next(property.type);
      if (!is_vertex) continue;
      double* coordinate = property.name == "x"   ? &point.x
                           : property.name == "y" ? &point.y
                           : property.name == "z" ? &point.z
                                                  : nullptr;
      if (!coordinate) continue;
      if (!std::isfinite(value)) {
        values_.fail("vertex " + std::to_string(item) + " has a " + property.name +
                     " that is NaN or infinite; export it again without it");
      }
      *coordinate = value;
    }
    if (is_vertex) surface_.points.push_back(point);
  }

  std::uint32_t read_corner(const Property& property, std::uint64_t item) {
    const double value = values_.next(property.type);
    if (!(value >= 0 && value < 0x1p32) || value != std::floor(value)) {
      values_.fail("face " + std::to_string(item) + " has the vertex " + exact_integer_text(value) +
                   "; vertices are counted from 0, export it again");
    }
    if (value >= static_cast<double>(num_vertices_)) {
      values_.fail("face " + std::to_string(item) + " has the vertex " + exact_integer_text(value) +
                   ", but the header announces " + std::to_string(num_vertices_) +
                   " vertices, counted from 0; export it again");
    }
    return static_cast<std::uint32_t>(value);
  }

  void read_list(const Property& property, std::uint64_t item, bool is_corners) {
    const double count = values_.next(*property.count_type);
    if (!(count >= 0) || count != std::floor(count) ||
        count > static_cast<double>(values_.remaining())) {
      const std::string text = exact_integer_text(count);
      values_.fail("announces a list of " + text + " numbers, but only " +
                   std::to_string(values_.remaining()) + " bytes follow; export it again");
    }
    if (is_corners && count < 3) {
      values_.fail("face " + std::to_string(item) + " has " + exact_integer_text(count) +
                   " corners; export it again without it");
    }
    std::uint32_t first = 0, before = 0;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i) {
      if (!is_corners) {
        values_.next(property.type);
        continue;
      }
      const std::uint32_t corner = read_corner(property, item);
      if (i == 0) first = corner;
      if (i >= 2) surface_.triangles.push_back({first, before, corner});
      before = corner;
    }
  }

  const InputFile& file_;
  Values values_;
  Surface surface_;
  std::uint64_t num_vertices_ = 0;  ///< as announced; faces may come first
};

}  // namespace

Surface read_ply(InputFile& file) {
  const std::string content = read_content(file);
  std::string_view body = content;
  const Header header = HeaderReader(file).read(body);
  return BodyReader(file, Values(file, header, content, body)).read(header);
}

OccupancyGrid read_ply_world(const std::string& path, const Placement& placement) {
  InputFile file(path);
  return voxelise_surface(file, read_ply(file), placement);
}

}  // namespace sightline::host
