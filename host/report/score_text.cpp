#include "host/report/score_text.h"

#include "host/report/text.h"

namespace sightline::host::report {
namespace {

constexpr double kPercent = 100;

}  // namespace

bool has_unit(const ScoreSense& sense) { return std::string(" %") != sense.unit; }

std::string score_text(const ScoreSense& sense, double score) {
  if (!has_unit(sense)) return percent_text(score);
  return digits_text(sense.units_per_score * score) + sense.unit;
}

std::string score_range_text(const ScoreSense& sense, const stats::Interval& scores) {
  return score_text(sense, scores.low) + " – " + score_text(sense, scores.high);
}

std::string score_gain_text(const ScoreSense& sense, double gain) {
  if (!has_unit(sense)) return signed_points_text(gain);
  return signed_points_text(gain * sense.units_per_score / kPercent) + sense.unit;
}

std::string score_note(const ScoreSense& sense) {
  std::string note;
  if (has_unit(sense)) {
    note = "100 % = " + number_text(sense.units_per_score) + sense.unit;
  }
  if (sense.less_is_better) note += (note.empty() ? "" : ", ") + std::string("less is better");
  return note;
}

}  // namespace sightline::host::report
