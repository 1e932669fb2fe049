#include "host/config/value.h"

#include <cmath>

#include "host/config/number_text.h"
#include "host/config/suggest.h"
#include "host/error.h"

namespace sightline::host {
namespace {

// Doubles hold every integer up to here; beyond, a number no longer names one integer.
constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

/// "must be at least 1 and at most 9": only the bounds that exist.
template <typename T>
std::string range_text(T low, T high, T lowest, T highest) {
  std::string text = "must be";
  if (low > lowest) text += " at least " + exact_text(low);
  if (low > lowest && high < highest) text += " and";
  if (high < highest) text += " at most " + exact_text(high);
  return text;
}

/// What a value is, for "must be a number, but is ...".
std::string describe(const ConfigValue& value) {
  switch (value.kind()) {
    case ConfigValue::Kind::kNull:
      return "null (nothing)";
    case ConfigValue::Kind::kBool:
      return "the boolean " + value.display();
    case ConfigValue::Kind::kInteger:
    case ConfigValue::Kind::kNumber:
      return "the number " + value.display();
    case ConfigValue::Kind::kText:
      return "the text " + value.canonical_json();
    case ConfigValue::Kind::kList:
      return "a list";
    case ConfigValue::Kind::kMap:
      return "a map";
  }
  return "unknown";
}

/// Is `key` what the option sets, or within it?
bool names_option(const std::string& key, const std::string& option) {
  const std::size_t length = option.size() - 2;
  return key.compare(0, length, option, 2, length) == 0 &&
         (key.size() == length || key[length] == '.' || key[length] == '[');
}

std::vector<std::string> to_names(std::initializer_list<const char*> names) {
  return {names.begin(), names.end()};
}

}  // namespace

ConfigValue ConfigValue::boolean(bool value) {
  ConfigValue made;
  made.kind_ = Kind::kBool;
  made.bool_ = value;
  return made;
}

ConfigValue ConfigValue::integer(std::int64_t value) {
  ConfigValue made;
  made.kind_ = Kind::kInteger;
  made.integer_ = value;
  return made;
}

ConfigValue ConfigValue::number(double value) {
  ConfigValue made;
  made.kind_ = Kind::kNumber;
  made.number_ = value;
  return made;
}

ConfigValue ConfigValue::text(std::string value) {
  ConfigValue made;
  made.kind_ = Kind::kText;
  made.text_ = std::move(value);
  return made;
}

ConfigValue ConfigValue::list(std::vector<ConfigValue> items) {
  ConfigValue made;
  made.kind_ = Kind::kList;
  made.items_ = SharedItems<ConfigValue>(std::move(items));
  made.rekey("");
  return made;
}

ConfigValue ConfigValue::map(std::vector<Entry> entries) {
  ConfigValue made;
  made.kind_ = Kind::kMap;
  made.entries_ = SharedItems<Entry>(std::move(entries));
  made.rekey("");
  return made;
}

bool ConfigValue::is_of_option() const {
  const std::string& place = mark_.source.str();
  return place.rfind("--", 0) == 0 && names_option(key(), place);
}

std::string ConfigValue::where() const {
  std::string place = mark_.source.str();
  if (is_of_option()) {
    // "--weights: foo" rather than "--weights: weights.foo", "--k" rather than "--k: k".
    const std::string rest = key().substr(place.size() - 2);
    return place + (!rest.empty() && rest.front() == '.' ? ": " + rest.substr(1) : rest);
  }
  if (mark_.line > 0) {
    place += ":" + std::to_string(mark_.line) + ":" + std::to_string(mark_.column);
  }
  if (key_.empty() || place.empty()) return place + key();
  return place + ": " + key();
}

void ConfigValue::fail(const std::string& message) const {
  const std::string place = where();
  throw InputError(place.empty() ? message : place + ": " + message);
}

void ConfigValue::fail_at_key(const std::string& message) const {
  ConfigValue at_key;
  at_key.mark_ = mark_;
  at_key.key_ = key_;
  if (key_line_ > 0) {
    at_key.mark_.line = key_line_;
    at_key.mark_.column = key_column_;
  }
  at_key.fail(message);
}

void ConfigValue::fail_kind(const char* wanted) const {
  fail(std::string("must be ") + wanted + ", but is " + describe(*this));
}

/// As fail_kind, where one scalar is wanted.
void ConfigValue::fail_scalar(const std::string& wanted) const {
  try {
    fail("must be " + wanted + ", but is " + describe(*this));
  } catch (const InputError& error) {
    if (!is_list() || items_.read().empty()) throw;
    throw ListForOne(error.what(), *this);
  }
}

const std::vector<ConfigValue::Entry>& ConfigValue::entries() const {
  if (!is_map()) fail_kind("a map");
  return entries_.read();
}

const ConfigValue* ConfigValue::find(const std::string& key) const {
  for (const Entry& entry : entries()) {
    if (entry.first == key) return &entry.second;
  }
  return nullptr;
}

const ConfigValue& ConfigValue::at(const std::string& key) const {
  const ConfigValue* found = find(key);
  if (found == nullptr) fail("the key \"" + key + "\" is missing");
  return *found;
}

void ConfigValue::allow_only(std::initializer_list<const char*> keys) const {
  const std::vector<std::string> names = to_names(keys);
  for (const auto& [key, value] : entries()) {
    bool allowed = false;
    for (const std::string& name : names) allowed = allowed || name == key;
    if (!allowed) value.fail_at_key("unknown key \"" + key + "\"; " + suggestion(key, names));
  }
}

const std::vector<ConfigValue>& ConfigValue::items() const {
  if (!is_list()) fail_kind("a list");
  return items_.read();
}

bool ConfigValue::as_bool() const {
  if (kind_ != Kind::kBool) fail_scalar("true or false");
  return bool_;
}

/// Of a number with a fraction, or too large to be written as other than digits.
void ConfigValue::fail_no_integer(std::int64_t low, std::int64_t high) const {
  if (!std::isfinite(number_) || std::trunc(number_) != number_) fail_scalar("an integer");
  const bool is_within = number_ >= static_cast<double>(low) && number_ < static_cast<double>(high);
  if (!is_within) {
    fail("must be an integer from " + exact_text(low) + " to " + exact_text(high) + ", but is " +
         display());
  }
  fail("must be an integer in digits beyond 2^53 (" +
       exact_text(static_cast<std::int64_t>(kLargestExactInteger)) + "), but is " + display());
}

std::int64_t ConfigValue::as_integer(std::int64_t low, std::int64_t high) const {
  using Limits = std::numeric_limits<std::int64_t>;
  std::int64_t value = integer_;
  if (kind_ == Kind::kNumber) {
    const bool whole = std::abs(number_) <= kLargestExactInteger && std::trunc(number_) == number_;
    if (!whole) fail_no_integer(low, high);
    value = static_cast<std::int64_t>(number_);
  } else if (kind_ != Kind::kInteger) {
    fail_scalar("an integer");
  }
  if (value < low || value > high) {
    fail(range_text(low, high, Limits::min(), Limits::max()) + ", but is " + exact_text(value));
  }
  return value;
}

double ConfigValue::as_number(double low, double high) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!is_number()) fail_scalar("a number");
  const double value = kind_ == Kind::kInteger ? static_cast<double>(integer_) : number_;
  if (!(value >= low && value <= high)) {
    fail(range_text(low, high, -kInfinity, kInfinity) + ", but is " + display());
  }
  return value;
}

double ConfigValue::as_positive() const {
  const double value = as_number();
  if (!(value > 0 && std::isfinite(value))) {
    fail("must be positive and finite, but is " + display());
  }
  return value;
}

std::string ConfigValue::as_text() const {
  if (!is_text()) {
    const bool scalar = !is_list() && !is_map() && !is_null();
    fail("must be a text, but is " + describe(*this) +
         (scalar ? "; quote it if that text is meant" : ""));
  }
  return text_;
}

std::vector<double> ConfigValue::as_numbers(std::size_t count) const {
  if (items().size() != count) {
    fail("must be a list of " + std::to_string(count) + " numbers, but has " +
         std::to_string(items().size()));
  }
  std::vector<double> numbers;
  numbers.reserve(count);
  for (const ConfigValue& item : items()) {
    numbers.push_back(item.as_number());
    if (!std::isfinite(numbers.back())) item.fail("must be finite, but is " + item.display());
  }
  return numbers;
}

std::size_t ConfigValue::as_choice(std::initializer_list<const char*> names) const {
  const std::vector<std::string> choices = to_names(names);
  if (is_list()) fail_scalar("one text");
  if (!is_text()) fail("must be one of some texts; " + suggestion(display(), choices));
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == text_) return i;
  }
  fail("unknown value \"" + text_ + "\"; " + suggestion(text_, choices));
}

}  // namespace sightline::host
