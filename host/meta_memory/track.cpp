#include "host/meta_memory/track.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kDegrees = 180 / 3.14159265358979323846;
constexpr double kGapSteps = 3;

double on_ground(const Vec3& a, const Vec3& b) { return std::hypot(b.x - a.x, b.y - a.y); }

/// Degrees in (-180, 180]; positive: left.
double bend_deg(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
  return std::atan2(ux * vy - uy * vx, ux * vx + uy * vy) * kDegrees;
}

/// Bends that follow each other in one sense, as one.
class TurnFinder {
 public:
  TurnFinder(const EntryTable& entries, std::vector<std::int64_t> corners,
             std::vector<TrackTurn>* turns)
      : entries_(entries), corners_(std::move(corners)), turns_(*turns) {}

  void find() {
    for (std::size_t i = 1; i + 1 < corners_.size(); ++i) {
      add(i, bend_deg(place(i - 1), place(i), place(i + 1)));
    }
    end();
  }

 private:
  const Vec3& place(std::size_t i) const {
    return entries_.position_m[static_cast<std::size_t>(corners_[i])];
  }

  void add(std::size_t corner, double angle_deg) {
    if (std::fabs(angle_deg) < kLeastBend_deg) return;
    const bool goes_on = is_open_ && (angle_deg > 0) == (sum_deg_ > 0) && corner <= last_ + 2 &&
                         length_m_ + on_ground(place(last_), place(corner)) <= kTurnLength_m;
    if (!goes_on) {
      end();
      is_open_ = true;
    } else {
      length_m_ += on_ground(place(last_), place(corner));
    }
    sum_deg_ += angle_deg;
    if (std::fabs(angle_deg) > sharpest_deg_) {
      sharpest_deg_ = std::fabs(angle_deg);
      sharpest_ = corner;
    }
    last_ = corner;
  }

  void end() {
    if (is_open_ && std::fabs(sum_deg_) >= kLeastTurn_deg) {
      turns_.push_back({corners_[sharpest_], sum_deg_});
    }
    is_open_ = false;
    sum_deg_ = sharpest_deg_ = length_m_ = 0;
  }

  const EntryTable& entries_;
  const std::vector<std::int64_t> corners_;
  std::vector<TrackTurn>& turns_;
  bool is_open_ = false;
  double sum_deg_ = 0, sharpest_deg_ = 0, length_m_ = 0;
  std::size_t sharpest_ = 0, last_ = 0;
};

}  // namespace

std::vector<std::vector<std::int64_t>> tracks_of(const EntryTable& entries) {
  std::map<std::uint16_t, std::vector<std::int64_t>> by_sequence;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    if (entries.is_deleted(row)) continue;
    by_sequence[entries.sequence[static_cast<std::size_t>(row)]].push_back(row);
  }
  std::vector<std::vector<std::int64_t>> tracks;
  for (auto& one : by_sequence) tracks.push_back(std::move(one.second));
  return tracks;
}

std::vector<TrackTurn> turns_of(const EntryTable& entries) {
  std::vector<TrackTurn> turns;
  for (const std::vector<std::int64_t>& track : tracks_of(entries)) {
    std::vector<std::int64_t> corners;
    for (const std::int64_t row : track) {
      const Vec3& here = entries.position_m[static_cast<std::size_t>(row)];
      if (!corners.empty()) {
        const auto last = static_cast<std::size_t>(corners.back());
        if (on_ground(entries.position_m[last], here) < kTrackLeg_m) continue;
      }
      corners.push_back(row);
    }
    TurnFinder(entries, std::move(corners), &turns).find();
  }
  return turns;
}

std::vector<TrackStep> steps_of(const EntryTable& entries) {
  std::vector<TrackStep> steps;
  std::vector<double> durations;
  for (const std::vector<std::int64_t>& track : tracks_of(entries)) {
    for (std::size_t i = 0; i + 1 < track.size(); ++i) {
      const auto a = static_cast<std::size_t>(track[i]), b = static_cast<std::size_t>(track[i + 1]);
      const Vec3 apart = kernels::minus(entries.position_m[b], entries.position_m[a]);
      steps.push_back({track[i], track[i + 1], entries.time_s[b] - entries.time_s[a],
                       std::sqrt(kernels::dot(apart, apart))});
      durations.push_back(steps.back().seconds);
    }
  }
  if (steps.empty()) return steps;
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  const double longest_s = kGapSteps * *middle;
  for (TrackStep& step : steps) step.is_gap = step.seconds > longest_s;
  return steps;
}

}  // namespace sightline::host
