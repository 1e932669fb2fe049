#include "host/world/canvas.h"

#include <algorithm>
#include <cmath>

namespace sightline::host {
namespace {

constexpr std::int64_t kGlyphColumns = 5, kGlyphRows = 7, kAdvance = kGlyphColumns + 1;

/// A row of dots each, the leftmost in the highest of five bits.
using Glyph = std::array<std::uint8_t, kGlyphRows>;

constexpr std::array<Glyph, 26> kLetters{{
    {0x0E, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11}, {0x1E, 0x11, 0x11, 0x1E, 0x11, 0x11, 0x1E},
    {0x0E, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0E}, {0x1E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1E},
    {0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x1F}, {0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x10},
    {0x0E, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0F}, {0x11, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11},
    {0x0E, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0E}, {0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0C},
    {0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11}, {0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1F},
    {0x11, 0x1B, 0x15, 0x15, 0x11, 0x11, 0x11}, {0x11, 0x11, 0x19, 0x15, 0x13, 0x11, 0x11},
    {0x0E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E}, {0x1E, 0x11, 0x11, 0x1E, 0x10, 0x10, 0x10},
    {0x0E, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0D}, {0x1E, 0x11, 0x11, 0x1E, 0x14, 0x12, 0x11},
    {0x0F, 0x10, 0x10, 0x0E, 0x01, 0x01, 0x1E}, {0x1F, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04},
    {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E}, {0x11, 0x11, 0x11, 0x11, 0x11, 0x0A, 0x04},
    {0x11, 0x11, 0x11, 0x15, 0x15, 0x1B, 0x11}, {0x11, 0x11, 0x0A, 0x04, 0x0A, 0x11, 0x11},
    {0x11, 0x11, 0x0A, 0x04, 0x04, 0x04, 0x04}, {0x1F, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1F},
}};

constexpr std::array<Glyph, 10> kFigures{{
    {0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E},
    {0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E},
    {0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F},
    {0x1F, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0E},
    {0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02},
    {0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E},
    {0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E},
    {0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08},
    {0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E},
    {0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C},
}};

constexpr Glyph kBlank{}, kHyphen{0, 0, 0, 0x1F, 0, 0, 0}, kDot{0, 0, 0, 0, 0, 0x0C, 0x0C},
    kBox{0x1F, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1F};

const Glyph& glyph_of(char letter) {
  if (letter >= 'a' && letter <= 'z') return kLetters[static_cast<std::size_t>(letter - 'a')];
  if (letter >= 'A' && letter <= 'Z') return kLetters[static_cast<std::size_t>(letter - 'A')];
  if (letter >= '0' && letter <= '9') return kFigures[static_cast<std::size_t>(letter - '0')];
  if (letter == ' ') return kBlank;
  if (letter == '-') return kHyphen;
  return letter == '.' ? kDot : kBox;
}

/// On which side of the line from a to b a point lies: the sign tells.
double side_of(Canvas::Point a, Canvas::Point b, Canvas::Point p) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

Canvas::Point middle_of(std::int64_t column, std::int64_t row) {
  return {static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5};
}

}  // namespace

Canvas::Canvas(std::int64_t width, std::int64_t height, Rgb paper)
    : image_{width, height,
             std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height))} {
  rectangle(0, 0, width, height, paper);
}

void Canvas::set(std::int64_t column, std::int64_t row, Rgb color) {
  if (column < 0 || row < 0 || column >= image_.width || row >= image_.height) return;
  std::uint8_t* pixel = &image_.rgb[static_cast<std::size_t>(3 * (row * image_.width + column))];
  pixel[0] = color.red, pixel[1] = color.green, pixel[2] = color.blue;
}

void Canvas::rectangle(std::int64_t left, std::int64_t top, std::int64_t right, std::int64_t bottom,
                       Rgb color) {
  for (std::int64_t row = top; row < bottom; ++row) {
    for (std::int64_t column = left; column < right; ++column) set(column, row, color);
  }
}

void Canvas::triangle(Point a, Point b, Point c, Rgb color) {
  const auto least = [&](std::size_t i) {
    return static_cast<std::int64_t>(std::floor(std::min({a[i], b[i], c[i]})));
  };
  const auto most = [&](std::size_t i) {
    return static_cast<std::int64_t>(std::ceil(std::max({a[i], b[i], c[i]})));
  };
  for (std::int64_t row = least(1); row < most(1); ++row) {
    for (std::int64_t column = least(0); column < most(0); ++column) {
      const Point p = middle_of(column, row);
      const double ab = side_of(a, b, p), bc = side_of(b, c, p), ca = side_of(c, a, p);
      const bool is_inside = (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
      if (is_inside) set(column, row, color);
    }
  }
}

void Canvas::disc(Point middle, double radius, Rgb color) {
  const auto first = [&](std::size_t i) {
    return static_cast<std::int64_t>(std::floor(middle[i] - radius));
  };
  const auto end = [&](std::size_t i) {
    return static_cast<std::int64_t>(std::ceil(middle[i] + radius));
  };
  for (std::int64_t row = first(1); row < end(1); ++row) {
    for (std::int64_t column = first(0); column < end(0); ++column) {
      const Point p = middle_of(column, row);
      const double right = p[0] - middle[0], down = p[1] - middle[1];
      if (right * right + down * down <= radius * radius) set(column, row, color);
    }
  }
}

void Canvas::text(std::int64_t left, std::int64_t top, std::int64_t scale, const std::string& text,
                  Rgb color) {
  for (const char letter : text) {
    const Glyph& glyph = glyph_of(letter);
    for (std::int64_t row = 0; row < kGlyphRows; ++row) {
      for (std::int64_t column = 0; column < kGlyphColumns; ++column) {
        const int dot = glyph[static_cast<std::size_t>(row)] >> (kGlyphColumns - 1 - column) & 1;
        if (dot == 0) continue;
        const std::int64_t x = left + column * scale, y = top + row * scale;
        rectangle(x, y, x + scale, y + scale, color);
      }
    }
    left += kAdvance * scale;
  }
}

void Canvas::paste(const Image& picture, std::int64_t left, std::int64_t top) {
  for (std::int64_t row = 0; row < picture.height; ++row) {
    for (std::int64_t column = 0; column < picture.width; ++column) {
      const std::uint8_t* pixel =
          &picture.rgb[static_cast<std::size_t>(3 * (row * picture.width + column))];
      set(left + column, top + row, {pixel[0], pixel[1], pixel[2]});
    }
  }
}

std::int64_t Canvas::text_width(const std::string& text, std::int64_t scale) {
  return text.empty() ? 0 : (static_cast<std::int64_t>(text.size()) * kAdvance - 1) * scale;
}

std::int64_t Canvas::text_height(std::int64_t scale) { return kGlyphRows * scale; }

}  // namespace sightline::host
