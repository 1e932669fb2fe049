// The robot's own way through its entries: turns, and how long it was where.
//
// Positions alone are read (yaw is not known of every memory), so a turn on the spot shows only by
// the way after it. Deleted entries are left out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "host/meta_memory/entries.h"

namespace sightline::host {

/// The way is cut into legs of this length at least, so that standing about turns nothing; entries
/// of a walk lie a few metres apart.
constexpr double kTrackLeg_m = 2;
/// Legs bend one way by this in sum at least, in bends of 10 deg or more with at most one
/// straighter leg between them, and within kTurnLength_m: that is a turn.
constexpr double kLeastTurn_deg = 50;
constexpr double kLeastBend_deg = 10;
constexpr double kTurnLength_m = 15;
/// A turn by this at least is one around.
constexpr double kLeastTurnAround_deg = 135;

struct TrackTurn {
  std::int64_t row = -1;  ///< the entry at its sharpest bend
  double angle_deg = 0;   ///< positive: left
  bool is_around() const {
    return angle_deg >= kLeastTurnAround_deg || angle_deg <= -kLeastTurnAround_deg;
  }
};

/// Of all sequences, by their numbers, each in order of time.
std::vector<TrackTurn> turns_of(const EntryTable& entries);

/// Entries of one sequence in order of time, without deleted ones, for each sequence by its number.
std::vector<std::vector<std::int64_t>> tracks_of(const EntryTable& entries);

/// Two entries, one after the other, of one sequence.
struct TrackStep {
  std::int64_t from = -1, to = -1;
  double seconds = 0, metres = 0;
  bool is_gap = false;  ///< takes over three times the median: where one was meanwhile is not known
};

/// The steps of all tracks.
std::vector<TrackStep> steps_of(const EntryTable& entries);

}  // namespace sightline::host
