#include "host/world/image.h"

#include <png.h>

#include "host/error.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

void check_png(int succeeded, const png_image& image) {
  if (!succeeded) throw RunError(std::string("the picture cannot be encoded: ") + image.message);
}

std::vector<std::uint8_t> encode(std::int64_t width, std::int64_t height, png_uint_32 format,
                                 const void* pixels) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(width);
  header.height = static_cast<png_uint_32>(height);
  header.format = format;
  png_alloc_size_t num_bytes = 0;
  check_png(png_image_write_to_memory(&header, nullptr, &num_bytes, 0, pixels, 0, nullptr), header);
  std::vector<std::uint8_t> bytes(num_bytes);
  check_png(png_image_write_to_memory(&header, bytes.data(), &num_bytes, 0, pixels, 0, nullptr),
            header);
  bytes.resize(num_bytes);
  return bytes;
}

void write(const std::vector<std::uint8_t>& bytes, const std::string& path) {
  write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

std::vector<std::uint8_t> encode_png(const Image& image) {
  return encode(image.width, image.height, PNG_FORMAT_RGB, image.rgb.data());
}

std::vector<std::uint8_t> encode_png(const Image16& image) {
  return encode(image.width, image.height, PNG_FORMAT_LINEAR_Y, image.levels.data());
}

void write_png(const Image& image, const std::string& path) { write(encode_png(image), path); }

void write_png(const Image16& image, const std::string& path) { write(encode_png(image), path); }

}  // namespace sightline::host
