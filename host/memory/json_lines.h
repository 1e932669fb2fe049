// Files of one JSON object a line (`.jsonl`), read line by line: a file may be larger than memory.
//
// UTF-8, a byte order mark allowed; blank lines are skipped; a line is at most 16 MiB long.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/world/binary_file.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// An object of a line, or one within it. Getters throw InputError naming file, line and key when a
/// value is there and of another kind. JSON knows neither NaN nor infinity, so numbers are finite.
class JsonObject {
 public:
  /// `value` must outlive this. Throws unless it is an object whose keys are all in `keys`, naming
  /// the nearest; `name` is the key it stands at, empty for the line's own.
  JsonObject(std::string place, const nlohmann::json& value, const std::string& name,
             const std::vector<std::string>& keys);

  bool has(const char* key) const { return value_.contains(key); }
  std::optional<std::string> text(const char* key) const;
  std::optional<double> number(const char* key) const;
  /// A whole number from 0 to `high`.
  std::optional<std::int64_t> count(const char* key, std::int64_t high) const;
  /// A list of whole numbers from 0 to the largest of 64 bits.
  std::optional<std::vector<std::int64_t>> ids(const char* key) const;
  /// Seconds: a number, or a date and time by ISO 8601 (iso_time.h).
  std::optional<double> seconds(const char* key) const;
  /// [x, y, z]
  std::optional<kernels::Vec3> point(const char* key) const;
  std::optional<JsonObject> object(const char* key, const std::vector<std::string>& keys) const;
  /// Throws InputError: file, line, message.
  [[noreturn]] void fail(const std::string& message) const;
  /// The same, for a key that is missing.
  [[noreturn]] void fail_missing(const char* key, const char* example) const;

 private:
  const nlohmann::json* find(const char* key) const;
  std::string name_of(const char* key) const;

  std::string place_, name_;
  const nlohmann::json& value_;
};

class JsonLines {
 public:
  /// Throws InputError if the file cannot be read.
  explicit JsonLines(const std::string& path) : file_(path) {}

  /// Goes to the next object; false at the end. Throws InputError, naming file and line, on what is
  /// no JSON object, or holds a key twice.
  bool next();
  /// The object gone to, whose keys must be among these.
  JsonObject object(const std::vector<std::string>& keys) const;
  /// The same, of a format of others whose keys may be more than those that are known here.
  const nlohmann::json& value() const { return value_; }
  std::int64_t line() const { return line_; }  ///< of the object, from 1
  [[noreturn]] void fail(const std::string& message) const { file_.fail(message); }
  std::string place() const { return file_.path() + ":" + std::to_string(line_); }

 private:
  bool next_line(std::string* line);
  void parse(const std::string& line);

  InputFile file_;
  std::string block_;      ///< what was read of the file and not yet taken
  std::size_t taken_ = 0;  ///< of the block
  std::int64_t line_ = 0;
  nlohmann::json value_;
};

}  // namespace sightline::host
