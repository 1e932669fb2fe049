// A picture to draw on: rectangles, triangles, discs, small letters. Pixels, from the upper left.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "host/world/image.h"

namespace sightline::host {

/// What lies beyond the picture's edges is left out. No edge is smoothed, so that equal drawings
/// are equal pictures.
class Canvas {
 public:
  using Point = std::array<double, 2>;  ///< right, down

  Canvas(std::int64_t width, std::int64_t height, Rgb paper);

  /// From the low corner to the high one, which is outside.
  void rectangle(std::int64_t left, std::int64_t top, std::int64_t right, std::int64_t bottom,
                 Rgb color);
  /// The pixels whose middle lies in it or on its edge.
  void triangle(Point a, Point b, Point c, Rgb color);
  void disc(Point middle, double radius, Rgb color);
  /// Capitals, figures, '-' and '.', each 5 x 7 dots of `scale` pixels; small letters become
  /// capitals, and what has no shape here a box.
  void text(std::int64_t left, std::int64_t top, std::int64_t scale, const std::string& text,
            Rgb color);
  /// Puts another picture there.
  void paste(const Image& picture, std::int64_t left, std::int64_t top);

  static std::int64_t text_width(const std::string& text, std::int64_t scale);
  static std::int64_t text_height(std::int64_t scale);

  const Image& image() const { return image_; }

 private:
  void set(std::int64_t column, std::int64_t row, Rgb color);

  Image image_;
};

}  // namespace sightline::host
