// What a page makes of each axis of a run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "host/sweep/store.h"

namespace sightline::host::report {

constexpr std::size_t kMaxLines = 8;  ///< values of the line axis: colours a reader can tell apart

struct AxisUse {
  enum class Role {
    kStep,      ///< the march step: along x
    kLine,      ///< a line per value
    kPooled,    ///< counts added up
    kNoEffect,  ///< changes no answer: shown at its first value
    kTied       ///< moves with an axis before it (`zip`): says nothing new
  };
  std::string key;                  ///< dotted
  std::vector<std::string> values;  ///< labels, each once, in the order of the run
  bool is_numeric = false;
  Role role = Role::kPooled;
};

/// The axes of a run with their roles. `line_key` names the line axis; empty: the axis that changes
/// the answers most. Throws InputError if it names no axis, or one with too many values.
std::vector<AxisUse> assign_axes(const RunData& run, const std::string& line_key);

/// `report.lines` of a run; empty if it names none, or a setting that is no axis of this run.
std::string line_axis_of(const RunData& run);

/// Is the row part of the page: at the first value of every axis without effect?
bool is_shown(const RunData::Row& row, const std::vector<AxisUse>& axes);

}  // namespace sightline::host::report
