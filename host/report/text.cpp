#include "host/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/error.h"

namespace sightline::host::report {
namespace {

struct Unit {
  const char* suffix;  ///< of a key
  const char* after_number;
};
constexpr Unit kUnits[] = {{"_m", " m"}, {"_deg", "°"},       {"_rad", " rad"},
                           {"_s", " s"}, {"_vox", " voxels"}, {"", ""}};

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The last part of a dotted key as words, and its unit; the last of kUnits fits every key.
std::pair<std::string, Unit> split_unit(const std::string& key) {
  std::string name = key.substr(key.find_last_of('.') + 1);
  const Unit* unit = kUnits;
  while (!ends_with(name, unit->suffix)) ++unit;
  name.erase(name.size() - std::string(unit->suffix).size());
  std::replace(name.begin(), name.end(), '_', ' ');
  return {name, *unit};
}

/// Three significant digits without an exponent and without trailing zeros.
std::string three_digits(double value) {
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const int decimals = std::max(0, 2 - magnitude);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

}  // namespace

std::string count_text(std::int64_t count) {
  std::string digits = std::to_string(count);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t place = digits.size(); place > first + 3;) {
    place -= 3;
    digits.insert(place, ",");
  }
  return digits;
}

std::string number_text(double value) { return fmt::format("{:.6g}", value); }

std::string digits_text(double value) { return three_digits(value); }

std::string rate_text(double per_s) {
  constexpr struct {
    double unit;
    const char* prefix;
  } kPrefixed[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (const auto& [unit, prefix] : kPrefixed) {
    if (per_s >= unit) return fmt::format("{:.4g}{}", per_s / unit, prefix);
  }
  return fmt::format("{:.4g}", per_s);
}

std::string percent_text(double share) {
  // Rounding must not promote "nearly all" to "all", nor "hardly any" to "none".
  if (share < 1 && three_digits(100 * share) == "100") {
    const int decimals = std::min(12, static_cast<int>(-std::floor(std::log10(1 - share))) - 2);
    return fmt::format("{:.{}f} %", 100 * share, decimals);
  }
  return three_digits(100 * share) + " %";
}

std::string interval_text(const stats::Interval& share) {
  return "95 % CI " + percent_text(share.low) + " to " + percent_text(share.high);
}

std::string signed_points_text(double share) {
  return share == 0 ? "0" : (share > 0 ? "+" : "\u2212") + three_digits(std::fabs(100 * share));
}

std::string p_value_text(double p) {
  if (p == 0) return "< 1e-300";  // underflow; a p value is never 0
  return p < 1e-3 ? fmt::format("{:.2e}", p) : three_digits(p);
}

std::string axis_name(const std::string& key) { return split_unit(key).first; }

std::string axis_title(const std::string& key) {
  const auto [name, unit] = split_unit(key);
  std::string symbol = unit.after_number;
  symbol.erase(0, symbol.find_first_not_of(' '));
  return (name == "step" ? "march step" : name) + (symbol.empty() ? "" : " (" + symbol + ")");
}

std::string axis_value(const std::string& key, const std::string& value) {
  return value + split_unit(key).second.after_number;
}

std::string axis_value_label(const std::string& key, const std::string& value) {
  return axis_name(key) + " " + axis_value(key, value);
}

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string escape_html(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string fill_template(const std::string& page,
                          const std::map<std::string, std::string>& values) {
  std::string filled;
  std::size_t copied = 0;
  for (std::size_t open = page.find("{{"); open != std::string::npos;
       open = page.find("{{", copied)) {
    const std::size_t close = page.find("}}", open);
    if (close == std::string::npos) throw RunError("report template: '{{' without '}}'");
    const std::string name = page.substr(open + 2, close - open - 2);
    const auto value = values.find(name);
    if (value == values.end()) throw RunError("report template: no value for '" + name + "'");
    filled += page.substr(copied, open - copied) + value->second;
    copied = close + 2;
  }
  return filled + page.substr(copied);
}

}  // namespace sightline::host::report
