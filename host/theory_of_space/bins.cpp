#include "host/theory_of_space/bins.h"

#include <array>
#include <cmath>
#include <cstdlib>

namespace sightline::host::tos {
namespace {

constexpr std::array<Cell, kNumHeadings> kVectors{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
constexpr std::string_view kLetters = "NESW";
constexpr std::array<std::string_view, kNumHeadings> kHeadings{"north", "east", "south", "west"};
constexpr std::array<std::string_view, kNumEgoBins> kEgoBins{"beyond-fov",
                                                             "front-left",
                                                             "front-slight-left",
                                                             "front",
                                                             "front-slight-right",
                                                             "front-right",
                                                             "beyond-fov",
                                                             "left",
                                                             "right"};
constexpr std::array<std::string_view, kNumCardinalBins> kCardinalBins{
    "north", "north east", "east", "south east", "south", "south west", "west", "north west"};
constexpr std::array<std::string_view, kNumDistanceBins> kDistanceBins{
    "same distance", "near", "mid distance", "slightly far", "far", "very far", "extremely far"};

template <class Bin>
constexpr std::size_t index(Bin bin) {
  return static_cast<std::size_t>(bin);
}

/// |angle| < 22.5 degrees, of the legs of a right triangle: tan 22.5 is the square root of 2, less
/// 1, so no integer legs have that angle.
bool is_slight(std::int64_t side, std::int64_t forward) {
  return (side + forward) * (side + forward) < 2 * forward * forward;
}

}  // namespace

Cell vector_of(Heading heading) { return kVectors[index(heading)]; }
char letter_of(Heading heading) { return kLetters[index(heading)]; }
std::string_view name_of(Heading heading) { return kHeadings[index(heading)]; }

std::optional<Heading> heading_of(char letter) {
  const std::size_t at = kLetters.find(letter);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<Heading>(at);
}

std::optional<Heading> heading_of(std::string_view name) {
  for (std::size_t i = 0; i < kHeadings.size(); ++i) {
    if (kHeadings[i] == name) return static_cast<Heading>(i);
  }
  return std::nullopt;
}

std::optional<Heading> heading_of(Cell unit_vector) {
  for (std::size_t i = 0; i < kVectors.size(); ++i) {
    if (kVectors[i] == unit_vector) return static_cast<Heading>(i);
  }
  return std::nullopt;
}

Heading turned(Heading heading, int degrees) {
  const int quarters = (degrees / 90 % 4 + 4) % 4;
  return static_cast<Heading>((static_cast<int>(heading) + quarters) % 4);
}

int turn_between(Heading from, Heading to) {
  constexpr std::array<int, 4> kTurns{0, 90, 180, -90};
  return kTurns[static_cast<std::size_t>((static_cast<int>(to) - static_cast<int>(from) + 4) % 4)];
}

Heading closest_heading(Cell offset) {
  Heading best = Heading::kNorth;
  std::int32_t most = offset.y;
  for (const Heading heading : {Heading::kEast, Heading::kSouth, Heading::kWest}) {
    const Cell v = vector_of(heading);
    const std::int32_t dot = v.x * offset.x + v.y * offset.y;
    if (dot > most) most = dot, best = heading;
  }
  return best;
}

Ahead ahead_of(Cell offset, Eighth view) {
  constexpr std::array<Cell, 8> kViews{
      {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};
  const Cell v = kViews[static_cast<std::size_t>((view % 8 + 8) % 8)];
  return {offset.x * v.y - offset.y * v.x, offset.x * v.x + offset.y * v.y};
}

EgoBin ego_bin(Cell offset, Eighth view) {
  const Ahead ahead = ahead_of(offset, view);
  const std::int32_t side = std::abs(ahead.right);
  if (side > ahead.forward) return ahead.right < 0 ? EgoBin::kBeyondLeft : EgoBin::kBeyondRight;
  if (side == 0) return EgoBin::kFront;
  if (is_slight(side, ahead.forward)) {
    return ahead.right < 0 ? EgoBin::kFrontSlightLeft : EgoBin::kFrontSlightRight;
  }
  return ahead.right < 0 ? EgoBin::kFrontLeft : EgoBin::kFrontRight;
}

EgoBin seen_bin(Cell offset, Eighth view) {
  const EgoBin bin = ego_bin(offset, view);
  if (bin == EgoBin::kBeyondLeft) return EgoBin::kLeft;
  return bin == EgoBin::kBeyondRight ? EgoBin::kRight : bin;
}

EgoBin ego_bin_of_bearing(double degrees) {
  // Edges belong to no bin, and what is in none is beyond: so the published code has it.
  constexpr double kTolerance = 1e-3;
  constexpr std::array<double, 7> kEdges{-180,           -45 - kTolerance, -22.5 - kTolerance,
                                         -kTolerance,    kTolerance,       22.5 + kTolerance,
                                         45 + kTolerance};
  for (std::size_t bin = 0; bin + 1 < kEdges.size(); ++bin) {
    if (degrees > kEdges[bin] && degrees < kEdges[bin + 1]) return static_cast<EgoBin>(bin);
  }
  return EgoBin::kBeyondRight;
}

std::string_view name_of(EgoBin bin) { return kEgoBins[index(bin)]; }

CardinalBin cardinal_bin(Cell offset) {
  const std::int64_t east = std::abs(offset.x), north = std::abs(offset.y);
  if (east == 0 && north == 0) return CardinalBin::kNorth;
  if (is_slight(east, north)) return offset.y > 0 ? CardinalBin::kNorth : CardinalBin::kSouth;
  if (is_slight(north, east)) return offset.x > 0 ? CardinalBin::kEast : CardinalBin::kWest;
  if (offset.y > 0) return offset.x > 0 ? CardinalBin::kNorthEast : CardinalBin::kNorthWest;
  return offset.x > 0 ? CardinalBin::kSouthEast : CardinalBin::kSouthWest;
}

CardinalBin cardinal_bin(Cell offset, Heading north) {
  const Ahead ahead = ahead_of(offset, eighth_of(north));
  return cardinal_bin(Cell{ahead.right, ahead.forward});
}

CardinalBin cardinal_bin_of_bearing(double degrees) {
  double turn = std::fmod(degrees, 360);
  if (turn < 0) turn += 360;
  return static_cast<CardinalBin>(static_cast<int>((turn + 22.5) / 45) % kNumCardinalBins);
}

std::string_view name_of(CardinalBin bin) { return kCardinalBins[index(bin)]; }

DistanceBin distance_bin(Cell offset) {
  const std::int64_t squared = squared_length(offset);
  if (squared == 0) return DistanceBin::kSame;
  int bin = 1;
  for (std::int64_t edge = 2; squared > edge * edge && edge < kMaxDistance; edge *= 2) ++bin;
  return static_cast<DistanceBin>(bin);
}

std::optional<DistanceBin> distance_bin(double distance) {
  constexpr double kTolerance = 1e-6;
  if (distance > -kTolerance && distance < kTolerance) return DistanceBin::kSame;
  double low = 0;
  int bin = 1;
  for (int edge = 2; edge <= kMaxDistance; edge *= 2, ++bin) {
    if (distance > low + kTolerance && distance < edge + kTolerance) {
      return static_cast<DistanceBin>(bin);
    }
    low = edge;
  }
  return std::nullopt;
}

std::string_view name_of(DistanceBin bin) { return kDistanceBins[index(bin)]; }

std::optional<FieldOfView> field_of_view(int degrees) {
  switch (degrees) {
    case 60:
      return FieldOfView::k60;
    case 90:
      return FieldOfView::k90;
    case 120:
      return FieldOfView::k120;
    case 180:
      return FieldOfView::k180;
    default:
      return std::nullopt;
  }
}

int degrees_of(FieldOfView field) {
  constexpr std::array<int, 4> kDegrees{60, 90, 120, 180};
  return kDegrees[index(field)];
}

bool is_within(FieldOfView field, Cell offset, Eighth view) {
  const Ahead ahead = ahead_of(offset, view);
  const std::int64_t forward = ahead.forward, right = ahead.right;
  if (forward < 0) return false;
  switch (field) {
    case FieldOfView::k60:
      return 3 * right * right <= forward * forward;
    case FieldOfView::k90:
      return std::abs(right) <= forward;
    case FieldOfView::k120:
      return right * right <= 3 * forward * forward;
    case FieldOfView::k180:
      break;
  }
  return true;
}

FacingWord facing_word(Heading facing, Heading viewer) {
  return static_cast<FacingWord>((static_cast<int>(facing) - static_cast<int>(viewer) + 4) % 4);
}

std::string_view name_of(FacingWord word) {
  constexpr std::array<std::string_view, kNumHeadings> kNames{"forward", "right", "backward",
                                                              "left"};
  return kNames[index(word)];
}

WallWord wall_word(Heading into_room, Heading viewer) {
  // A door whose room lies to the left of it, as one looks, is in the wall to the right.
  constexpr std::array<WallWord, 4> kWalls{WallWord::kBack, WallWord::kLeft, WallWord::kFront,
                                           WallWord::kRight};
  return kWalls[static_cast<std::size_t>(
      (static_cast<int>(into_room) - static_cast<int>(viewer) + 4) % 4)];
}

std::string_view name_of(WallWord word) {
  constexpr std::array<std::string_view, 4> kNames{"back", "left", "front", "right"};
  return kNames[index(word)];
}

}  // namespace sightline::host::tos
