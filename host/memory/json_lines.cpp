#include "host/memory/json_lines.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "host/config/json_keys.h"
#include "host/config/json_text.h"
#include "host/config/suggest.h"
#include "host/error.h"
#include "host/memory/iso_time.h"

namespace sightline::host {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kBlockBytes = std::size_t{1} << 20, kMaxLineBytes = std::size_t{1} << 24;

/// A whole number from 0 to `high`?
bool is_count(const Json& value, std::int64_t high) {
  return value.is_number_unsigned() &&
         value.get<std::uint64_t>() <= static_cast<std::uint64_t>(high);
}

std::string short_text(const Json& value) {
  constexpr std::size_t kMaxBytes = 40;
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= kMaxBytes ? text : text.substr(0, kMaxBytes) + "...";
}

}  // namespace

JsonObject::JsonObject(std::string place, const Json& value, const std::string& name,
                       const std::vector<std::string>& keys)
    : place_(std::move(place)), name_(name), value_(value) {
  if (!value_.is_object()) fail((name.empty() ? "the line" : name) + " must be a map {...}");
  for (const auto& entry : value_.items()) {
    if (std::find(keys.begin(), keys.end(), entry.key()) != keys.end()) continue;
    fail("unknown key \"" + entry.key() + "\"; " + suggestion(entry.key(), keys));
  }
}

void JsonObject::fail(const std::string& message) const {
  throw InputError(place_ + ": " + message);
}

void JsonObject::fail_missing(const char* key, const char* example) const {
  fail(name_of(key) + " is missing; add " + example);
}

std::string JsonObject::name_of(const char* key) const {
  return name_.empty() ? key : name_ + "." + key;
}

const Json* JsonObject::find(const char* key) const {
  const auto found = value_.find(key);
  return found == value_.end() ? nullptr : &*found;
}

std::optional<std::string> JsonObject::text(const char* key) const {
  const Json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_string()) fail(name_of(key) + " must be text in quotes");
  return value->get<std::string>();
}

std::optional<double> JsonObject::number(const char* key) const {
  const Json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_number()) fail(name_of(key) + " must be a number");
  return value->get<double>();
}

std::optional<std::int64_t> JsonObject::count(const char* key, std::int64_t high) const {
  const Json* value = find(key);
  if (!value) return std::nullopt;
  if (!is_count(*value, high)) {
    fail(name_of(key) + " is " + short_text(*value) + "; must be a whole number from 0 to " +
         std::to_string(high));
  }
  return value->get<std::int64_t>();
}

std::optional<std::vector<std::int64_t>> JsonObject::ids(const char* key) const {
  const Json* value = find(key);
  if (!value) return std::nullopt;
  const bool is_list =
      value->is_array() && std::all_of(value->begin(), value->end(), [](const Json& id) {
        return is_count(id, std::numeric_limits<std::int64_t>::max());
      });
  if (!is_list) fail(name_of(key) + " must be a list of ids, [4, 7]");
  return value->get<std::vector<std::int64_t>>();
}

std::optional<double> JsonObject::seconds(const char* key) const {
  const Json* value = find(key);
  if (!value || value->is_number()) return number(key);
  const std::optional<double> time_s =
      value->is_string() ? parse_iso_time(value->get_ref<const std::string&>()) : std::nullopt;
  if (!time_s) {
    fail(name_of(key) + " must be a number of seconds, or a date and time like " +
         "\"2026-05-01T12:30:00Z\"");
  }
  return time_s;
}

std::optional<kernels::Vec3> JsonObject::point(const char* key) const {
  const Json* value = find(key);
  if (!value) return std::nullopt;
  const bool is_point =
      value->is_array() && value->size() == 3 &&
      std::all_of(value->begin(), value->end(), [](const Json& item) { return item.is_number(); });
  if (!is_point) fail(name_of(key) + " must be three numbers [x, y, z], in metres");
  return kernels::Vec3{(*value)[0].get<double>(), (*value)[1].get<double>(),
                       (*value)[2].get<double>()};
}

std::optional<JsonObject> JsonObject::object(const char* key,
                                             const std::vector<std::string>& keys) const {
  const Json* value = find(key);
  if (!value) return std::nullopt;
  return JsonObject(place_, *value, name_of(key), keys);
}

bool JsonLines::next() {
  for (std::string line; next_line(&line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    parse(line);
    return true;
  }
  return false;
}

JsonObject JsonLines::object(const std::vector<std::string>& keys) const {
  return JsonObject(place(), value_, "", keys);
}

bool JsonLines::next_line(std::string* line) {
  std::size_t end = block_.find('\n', taken_);
  while (end == std::string::npos && file_.remaining_bytes() > 0) {
    block_.erase(0, taken_);
    taken_ = 0;
    const std::size_t searched = block_.size();
    if (searched > kMaxLineBytes) {
      throw InputError(file_.path() + ":" + std::to_string(line_ + 1) + ": is longer than " +
                       std::to_string(kMaxLineBytes) + " bytes; write one object a line");
    }
    const auto count = std::min<std::uint64_t>(kBlockBytes, file_.remaining_bytes());
    block_.resize(searched + static_cast<std::size_t>(count));
    file_.read(&block_[searched], static_cast<std::size_t>(count));
    end = block_.find('\n', searched);
  }
  if (end == std::string::npos) {
    if (taken_ == block_.size()) return false;
    end = block_.size();
  }
  ++line_;
  line->assign(block_, taken_, end - taken_);
  taken_ = std::min(end + 1, block_.size());
  constexpr const char* kByteOrderMark = "\xef\xbb\xbf";
  if (line_ == 1 && line->rfind(kByteOrderMark, 0) == 0) line->erase(0, 3);
  return true;
}

void JsonLines::parse(const std::string& line) {
  DoubledKeys keys;
  const auto note = [&](int, Json::parse_event_t event, Json& parsed) {
    keys.note(event, parsed);
    return true;
  };
  try {
    value_ = Json::parse(line, note);
  } catch (const Json::exception& error) {
    throw InputError(place() + ": cannot be read as JSON: " + json_fault(error.what()));
  }
  if (!keys.doubled().empty()) {
    throw InputError(place() + ": key \"" + keys.doubled() + "\" is there twice");
  }
}

}  // namespace sightline::host
