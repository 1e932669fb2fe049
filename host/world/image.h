// Pictures, and how they become PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sightline::host {

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// Rows from top to bottom, three bytes per pixel.
struct Image {
  std::int64_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< [height, width, 3]
};

/// Numbers as a picture: 16 bits per pixel, rows from top to bottom.
struct Image16 {
  std::int64_t width = 0, height = 0;
  std::vector<std::uint16_t> levels;  ///< [height, width]
};

/// The picture as the bytes of a PNG file. The levels of an Image16 are kept as they are.
std::vector<std::uint8_t> encode_png(const Image& image);
std::vector<std::uint8_t> encode_png(const Image16& image);
void write_png(const Image& image, const std::string& path);
void write_png(const Image16& image, const std::string& path);

}  // namespace sightline::host
