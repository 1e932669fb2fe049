// Trial files of a sweep, read by the rules of NumPy's format alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sightline::tests {

/// Columns by name, as numbers.
struct TrialFile {
  std::int64_t num_rows = 0;
  std::vector<std::string> names;  ///< in the order of the file
  std::map<std::string, std::vector<double>> columns;

  const std::vector<double>& operator[](const std::string& name) const { return columns.at(name); }
};

/// Reads a structured array of one dimension, whose names are ASCII without quotes. Throws
/// std::runtime_error if it is none, or not of the length that it announces.
TrialFile read_trial_file(const std::string& path);

/// The bytes of every file in RUN/trials, by name.
std::map<std::string, std::string> trial_bytes(const std::string& run);

}  // namespace sightline::tests
