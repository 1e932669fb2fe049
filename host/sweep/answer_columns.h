// The counts of an answer by name: one list for the database and the CSV files.
#pragma once

#include <array>
#include <cstdint>

#include "host/sweep/row.h"

namespace sightline::host {

struct AnswerColumn {
  const char* name;
  std::int64_t Answers::*count;
};

constexpr std::array<AnswerColumn, 10> kAnswerColumns{{
    {"num_rays", &Answers::num_rays},
    {"num_visible", &Answers::num_visible},
    {"num_occluded", &Answers::num_occluded},
    {"num_unknown", &Answers::num_unknown},
    {"correct", &Answers::correct},
    {"false_visible", &Answers::false_visible},
    {"false_occluded", &Answers::false_occluded},
    {"said_unknown", &Answers::said_unknown},
    {"only_arm_right", &Answers::only_arm_right},
    {"only_baseline_right", &Answers::only_baseline_right},
}};

}  // namespace sightline::host
