// Cells, headings and the words for where things are: Theory of Space (ToS), section 2 and C.1.
//
// The world is an integer grid, x east and y north. A bearing is in degrees, clockwise, 0 straight
// ahead. All bins of integer offsets are decided in integers, so no rounding can move a thing over
// the edge of a bin.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sightline::host::tos {

struct Cell {
  std::int32_t x = 0, y = 0;
  friend constexpr bool operator==(Cell a, Cell b) { return a.x == b.x && a.y == b.y; }
  friend constexpr bool operator!=(Cell a, Cell b) { return !(a == b); }
  friend constexpr Cell operator+(Cell a, Cell b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Cell operator-(Cell a, Cell b) { return {a.x - b.x, a.y - b.y}; }
};

constexpr std::int64_t squared_length(Cell v) {
  return std::int64_t{v.x} * v.x + std::int64_t{v.y} * v.y;
}

enum class Heading : std::uint8_t { kNorth, kEast, kSouth, kWest };
constexpr int kNumHeadings = 4;

Cell vector_of(Heading heading);            ///< of length 1
char letter_of(Heading heading);            ///< 'N', 'E', 'S', 'W'
std::string_view name_of(Heading heading);  ///< "north", ...
std::optional<Heading> heading_of(char letter);
std::optional<Heading> heading_of(std::string_view name);
/// The heading whose vector this is.
std::optional<Heading> heading_of(Cell unit_vector);
/// Clockwise by `degrees`, a multiple of 90, positive or negative.
Heading turned(Heading heading, int degrees);
/// How far to turn from one to the other: 0, 90, 180 or -90.
int turn_between(Heading from, Heading to);
/// The heading with the greatest dot product; on a tie the first in the order N, E, S, W.
Heading closest_heading(Cell offset);

/// A direction of view in eighths of a turn, clockwise from north: even ones are headings.
using Eighth = int;
constexpr Eighth eighth_of(Heading heading) { return 2 * static_cast<int>(heading); }
/// The components of an offset to the right of a view and ahead of it; of diagonal views both are
/// greater by the square root of 2, which no comparison of the two sees.
struct Ahead {
  std::int32_t right = 0, forward = 0;
};
Ahead ahead_of(Cell offset, Eighth view);

/// Where something is in a field of view; the numbers are those of the conformance data. The field
/// of the paper has 90 degrees; wider ones say kLeft and kRight of what is beyond it.
enum class EgoBin : std::uint8_t {
  kBeyondLeft,        ///< not within 45 degrees, to the left
  kFrontLeft,         ///< [-45, -22.5)
  kFrontSlightLeft,   ///< [-22.5, 0)
  kFront,             ///< exactly 0
  kFrontSlightRight,  ///< (0, 22.5]
  kFrontRight,        ///< (22.5, 45]
  kBeyondRight,       ///< not within 45 degrees, to the right or straight behind
  kLeft,              ///< seen, further left than 45 degrees
  kRight              ///< seen, further right than 45 degrees
};
constexpr int kNumEgoBins = 9;
EgoBin ego_bin(Cell offset, Eighth view);
EgoBin ego_bin_of_bearing(double degrees);  ///< as the code: edges moved out by 1e-3
std::string_view name_of(EgoBin bin);       ///< "front-slight-left"; "beyond-fov"

/// Clockwise from north, 45 degrees each, the lower edge inside.
enum class CardinalBin : std::uint8_t {
  kNorth,
  kNorthEast,
  kEast,
  kSouthEast,
  kSouth,
  kSouthWest,
  kWest,
  kNorthWest
};
constexpr int kNumCardinalBins = 8;
CardinalBin cardinal_bin(Cell offset);                 ///< of no offset: north
CardinalBin cardinal_bin(Cell offset, Heading north);  ///< as if that heading were north
CardinalBin cardinal_bin_of_bearing(double degrees);
std::string_view name_of(CardinalBin bin);  ///< "north west"

/// Upper edges 0, 2, 4, 8, 16, 32, 64, all inside.
enum class DistanceBin : std::uint8_t {
  kSame,
  kNear,
  kMid,
  kSlightlyFar,
  kFar,
  kVeryFar,
  kExtremelyFar
};
constexpr int kNumDistanceBins = 7;
constexpr int kMaxDistance = 64;
/// Of offsets no longer than kMaxDistance, which scenes see to.
DistanceBin distance_bin(Cell offset);
std::optional<DistanceBin> distance_bin(double distance);  ///< edges moved out by 1e-6, in no bin
std::string_view name_of(DistanceBin bin);                 ///< "slightly far"

/// How wide one sees, in degrees: the paper has 90.
enum class FieldOfView : std::uint8_t { k60, k90, k120, k180 };
std::optional<FieldOfView> field_of_view(int degrees);
int degrees_of(FieldOfView field);
/// Both edges are inside.
bool is_within(FieldOfView field, Cell offset, Eighth view);
/// The bin of something that is seen: of kBeyond... the one with a name.
EgoBin seen_bin(Cell offset, Eighth view);

/// What an observation says of a facing: as the viewer's own heading sees it.
enum class FacingWord : std::uint8_t { kForward, kRight, kBackward, kLeft };
FacingWord facing_word(Heading facing, Heading viewer);
std::string_view name_of(FacingWord word);  ///< "backward"
/// The wall that a door stands in, of the heading that points from it into the viewer's room.
enum class WallWord : std::uint8_t { kBack, kLeft, kFront, kRight };
WallWord wall_word(Heading into_room, Heading viewer);
std::string_view name_of(WallWord word);  ///< "front"

}  // namespace sightline::host::tos
