// The header of a `.npy` file is a Python dictionary literal; this reads the few forms it may take.
#include <cctype>
#include <cstring>
#include <limits>
#include <string_view>

#include "host/world/npy.h"

namespace sightline::host {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicBytes = 6;
/// NumPy itself refuses headers above 10,000 bytes; plain arrays need about 128.
constexpr std::uint32_t kMaxHeaderBytes = 65536;
constexpr std::size_t kMaxAxes = 32;  ///< NumPy's own bound

constexpr bool kLittleEndian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

class DictReader {
 public:
  DictReader(const InputFile& file, std::string_view text) : file_(file), text_(text) {}

  NpyHeader read() {
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      read_value(key);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (at_ != text_.size()) malformed();
    if (!seen_descr_ || !seen_order_ || !seen_shape_) malformed();
    return header_;
  }

 private:
  [[noreturn]] void malformed() const {
    file_.fail("its NumPy header cannot be read; write it again with numpy.save");
  }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool accept(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) malformed();
  }
  bool accept_word(std::string_view word) {
    skip_space();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  std::string quoted() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) malformed();
    const std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }

  void read_value(const std::string& key) {
    if (key == "descr" && !seen_descr_) {
      seen_descr_ = true;
      read_type();
    } else if (key == "fortran_order" && !seen_order_) {
      seen_order_ = true;
      header_.fortran_order = accept_word("True");
      if (!header_.fortran_order && !accept_word("False")) malformed();
    } else if (key == "shape" && !seen_shape_) {
      seen_shape_ = true;
      read_shape();
    } else {
      malformed();
    }
  }

  void read_type() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') {
      file_.fail("holds records; save one plain array of numbers");
    }
    const std::string descr = quoted();
    const bool known = descr.size() == 3 && std::strchr("<>|=", descr[0]) &&
                       std::strchr("buif", descr[1]) && std::strchr("1248", descr[2]);
    if (!known) {
      file_.fail("holds items of NumPy type '" + descr +
                 "'; save booleans, integers or floats of at most 8 bytes");
    }
    header_.type = descr[1];
    header_.item_bytes = descr[2] - '0';
    header_.swap_bytes = header_.item_bytes > 1 && descr[0] == (kLittleEndian ? '>' : '<');
  }

  std::int64_t read_extent() {
    skip_space();
    if (at_ >= text_.size() || !std::isdigit(static_cast<unsigned char>(text_[at_]))) malformed();
    std::int64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      if (value > (std::numeric_limits<std::int64_t>::max() - 9) / 10) malformed();
      value = 10 * value + (text_[at_] - '0');
    }
    return value;
  }

  void read_shape() {
    expect('(');
    while (!accept(')')) {
      header_.shape.push_back(read_extent());
      if (header_.shape.size() > kMaxAxes) malformed();
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }

  const InputFile& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  NpyHeader header_;
  bool seen_descr_ = false, seen_order_ = false, seen_shape_ = false;
};

std::uint32_t read_header_length(InputFile& file) {
  unsigned char start[kMagicBytes + 2];
  if (file.size_bytes() < sizeof(start)) file.fail("is too short for a NumPy file");
  file.read(start, sizeof(start));
  if (std::memcmp(start, kMagic, kMagicBytes) != 0) {
    file.fail("is not a NumPy file (it does not begin with \\x93NUMPY); write it with numpy.save");
  }
  const int major = start[kMagicBytes];
  if (major < 1 || major > 3) {
    file.fail("has NumPy format version " + std::to_string(major) +
              "; versions 1 to 3 can be read, write it again with numpy.save");
  }
  unsigned char length[4] = {0, 0, 0, 0};
  file.read(length, major == 1 ? 2 : 4);
  return length[0] | length[1] << 8 | length[2] << 16 | static_cast<std::uint32_t>(length[3]) << 24;
}

/// The items' size in bytes; fails if it overflows.
std::uint64_t checked_bytes(const InputFile& file, const NpyHeader& header) {
  std::uint64_t bytes = static_cast<std::uint64_t>(header.item_bytes);
  for (const std::int64_t extent : header.shape) {
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes)) {
      file.fail("announces an impossible shape " + header.shape_text() + "; write it again");
    }
  }
  return bytes;
}

}  // namespace

std::string NpyHeader::type_name() const {
  if (type == 'b') return "bool";
  const char* kind = type == 'u' ? "uint" : type == 'i' ? "int" : "float";
  return kind + std::to_string(8 * item_bytes);
}

std::string NpyHeader::shape_text() const {
  std::string text = "(";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::int64_t NpyHeader::num_items() const {
  std::int64_t items = 1;
  for (const std::int64_t extent : shape) items *= extent;
  return items;
}

NpyHeader read_npy_header(InputFile& file) {
  const std::uint32_t num_bytes = read_header_length(file);
  if (num_bytes > kMaxHeaderBytes) {
    file.fail("announces a NumPy header of " + std::to_string(num_bytes) + " bytes; at most " +
              std::to_string(kMaxHeaderBytes) + " are read");
  }
  std::string text(num_bytes, '\0');
  file.read(text.data(), text.size());
  const NpyHeader header = DictReader(file, text).read();
  const std::uint64_t wanted = checked_bytes(file, header);
  const std::uint64_t present = file.remaining_bytes();
  if (present != wanted) {
    file.fail("announces " + header.type_name() + " " + header.shape_text() + ", " +
              std::to_string(wanted) + " bytes, but holds " + std::to_string(present) +
              "; the file was cut short or appended to, write it again");
  }
  return header;
}

std::string npy_preamble(const std::string& type, const std::vector<std::int64_t>& shape) {
  NpyHeader header;
  header.shape = shape;
  std::string dict =
      "{'descr': " + type + ", 'fortran_order': False, 'shape': " + header.shape_text() + ", }";
  constexpr std::size_t kAlignment = 64;  // of the first item, asked for by the format
  const std::size_t unpadded = kMagicBytes + 4 + dict.size() + 1;
  dict.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dict += '\n';
  std::string preamble(kMagic, kMagicBytes);
  preamble += {1, 0, static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
  return preamble + dict;
}

std::string npy_u8_preamble(const std::vector<std::int64_t>& shape) {
  return npy_preamble("'|u1'", shape);
}

}  // namespace sightline::host
