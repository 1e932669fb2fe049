// A run of recall boiled down to what a page shows: counts by variant and by how far off the
// question is asked.
//
// A variant is an arm with one value of every axis that sets something: weights, a scale, a gate.
// Distance (`queries.offset_m`) is told apart within a variant, seeds and replicates are added up.
// An arm that replaces what an axis sets is one variant along that axis, counted once.
//
// A sweep file may choose: `report: {arm: NAME, lines: AXIS_KEY}`; then only that axis is told
// apart and the others are added up.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "host/sweep/measures.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

constexpr const char* kOffsetKey = "queries.offset_m";
constexpr const char* kWeightsPrefix = "recall.weights.";
constexpr const char* kVerifyPrefix = "recall.verify.";

/// Counts added up over configurations.
struct RecallPool {
  RecallAnswers answers;
  std::int64_t num_rows = 0;
  /// Seconds, and seconds per query of the configurations added up: the least and the most.
  struct Time {
    double total_s = 0;
    double cheapest_s = std::numeric_limits<double>::infinity(), dearest_s = 0;

    void add(const Time& other);
  };
  Time whole, gate;

  void add(const RecallPool& other);
  /// A rate of measures.h; none where there is nothing to count.
  std::optional<Rate> rate(const char* name) const;
};

/// An axis whose values are told apart.
struct SettingAxis {
  std::string key;                  ///< dotted
  std::vector<std::string> labels;  ///< each once, in the order of the run
  std::vector<double> numbers;      ///< the same as numbers; empty where one is none
};

struct RecallVariant {
  std::size_t arm = 0;
  std::vector<std::uint32_t> values;  ///< index into labels, one per setting axis
  std::size_t first_row = 0;          ///< of the run
  bool uses_place = false;            ///< recall_place.h
};

/// An axis whose counts are added up.
struct PooledAxis {
  std::string key;
  std::size_t num_values = 0;
};

struct RecallDigest {
  std::string name, description;
  std::string hit_name;  ///< "Hit@5"; "Hit@k" where k varies
  std::vector<std::string> arms;
  std::size_t baseline = 0;  ///< index into arms
  std::size_t primary = 0;   ///< the arm that the page is about
  bool has_offsets = false;
  std::vector<std::string> offsets;  ///< labels: "1", "far"; one empty text without the axis
  std::vector<SettingAxis> settings;
  std::vector<std::vector<bool>>
      arm_replaces;  ///< [arm][setting]: the axis says nothing of the arm
  /// Axes of how the recalled is verified: they move no rank, so the counts are those of the first
  /// value of each.
  std::vector<SettingAxis> verified;
  std::vector<PooledAxis> pooled;
  bool repeats_are_equal = false;  ///< seeds changed no count: shown for the first
  /// Questions come from a file, and replicates ask them again from other places: their counts are
  /// not of independent questions, so nothing is tested on them.
  bool questions_repeat = false;
  bool is_partial = false;   ///< `exclude` leaves configurations out
  bool knows_place = false;  ///< uses_place could be told
  std::vector<RecallVariant> variants;
  std::vector<RecallPool> pools;  ///< [variant][offset]

  const RecallPool& at(std::size_t variant, std::size_t offset) const {
    return pools[variant * offsets.size() + offset];
  }
  RecallPool over_offsets(std::size_t variant) const;
  /// The mean of the hit rates at the offsets: each tells as much, whatever its number of queries.
  double mean_hit_rate(std::size_t variant) const;
  /// "1 m", "far".
  std::string offset_label(std::size_t offset) const;
};

/// Throws InputError if the run has no rows, or `report` names what the run does not have.
RecallDigest make_recall_digest(const RunData& run);

}  // namespace sightline::host::report
