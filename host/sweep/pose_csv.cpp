#include "host/sweep/pose_csv.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "host/error.h"

namespace sightline::host {
namespace {

constexpr const char* kColumns[] = {"x", "y", "z", "yaw_deg", "pitch_deg"};
constexpr std::size_t kNumColumns = 5, kNumPositions = 3;

class PoseTable {
 public:
  explicit PoseTable(const std::string& path) : path_(path), file_(path) {
    if (!file_) throw InputError(path + ": cannot be opened: " + std::strerror(errno));
    read_header();
  }

  PointSet read() {
    PointSet set;
    double values[kNumColumns] = {};
    while (next_line()) {
      if (fields_.size() == 1 && fields_[0].empty()) continue;
      if (fields_.size() != num_fields_) {
        fail("has " + std::to_string(fields_.size()) + " fields; the header has " +
             std::to_string(num_fields_));
      }
      for (std::size_t c = 0; c < kNumColumns; ++c) {
        if (field_of_[c] != kAbsent) values[c] = number(fields_[field_of_[c]], kColumns[c]);
      }
      set.points_m.push_back({values[0], values[1], values[2]});
      if (field_of_[kNumPositions] == kAbsent) continue;
      set.yaw_deg.push_back(values[3]);
      set.pitch_deg.push_back(values[4]);
    }
    if (set.points_m.empty()) fail("holds no pose below its header");
    return set;
  }

 private:
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(path_ + ":" + std::to_string(line_) + ": " + message);
  }

  bool next_line() {
    std::string line;
    if (!std::getline(file_, line)) return false;
    ++line_;
    line.erase(std::remove_if(line.begin(), line.end(),
                              [](char c) { return c == ' ' || c == '\t' || c == '\r'; }),
               line.end());
    fields_.clear();
    std::istringstream text(line);
    std::string field;
    while (std::getline(text, field, ',')) fields_.push_back(field);
    if (line.empty() || line.back() == ',') fields_.emplace_back();
    return true;
  }

  void read_header() {
    if (!next_line()) fail("is empty; needs a header line: x,y,z[,yaw_deg,pitch_deg]");
    num_fields_ = fields_.size();
    std::fill(field_of_, field_of_ + kNumColumns, kAbsent);
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      const auto* column = std::find(kColumns, kColumns + kNumColumns, fields_[f]);
      if (column == kColumns + kNumColumns) {
        fail("unknown column '" + fields_[f] + "'; known are x, y, z, yaw_deg, pitch_deg");
      }
      std::size_t& slot = field_of_[column - kColumns];
      if (slot != kAbsent) fail("column '" + fields_[f] + "' is named twice");
      slot = f;
    }
    for (std::size_t c = 0; c < kNumPositions; ++c) {
      if (field_of_[c] == kAbsent) fail(std::string("column '") + kColumns[c] + "' is missing");
    }
    if ((field_of_[3] == kAbsent) != (field_of_[4] == kAbsent)) {
      fail("has one of yaw_deg and pitch_deg; give both or neither");
    }
  }

  double number(const std::string& text, const char* column) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
      fail(std::string(column) + " is '" + text + "', not a finite number");
    }
    return value;
  }

  std::string path_;
  std::ifstream file_;
  std::int64_t line_ = 0;
  std::vector<std::string> fields_;
  std::size_t num_fields_ = 0;
  std::size_t field_of_[kNumColumns];
};

}  // namespace

PointSet read_poses_csv(const std::string& path) { return PoseTable(path).read(); }

}  // namespace sightline::host
