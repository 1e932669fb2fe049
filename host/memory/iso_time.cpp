#include "host/memory/iso_time.h"

#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <ctime>

namespace sightline::host {
namespace {

/// Takes parts off the front of a text; after the first that is not there, all fail.
class TimeScan {
 public:
  explicit TimeScan(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool failed() const { return failed_; }
  bool accept(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) { failed_ = !accept(c) || failed_; }

  /// A number of so many digits, from low to high.
  std::int64_t digits(std::size_t count, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (rest_.empty() || !std::isdigit(static_cast<unsigned char>(rest_[0]))) {
        failed_ = true;
        return low;
      }
      value = 10 * value + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    failed_ = failed_ || value < low || value > high;
    return value;
  }

  /// The digits after a point, as a fraction; 0 without a point.
  double fraction() {
    if (rest_.empty() || rest_[0] != '.') return 0;
    double value = 0;
    const auto parsed =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, std::chars_format::fixed);
    failed_ = failed_ || parsed.ec != std::errc() || parsed.ptr == rest_.data() + 1;
    rest_.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest_.data()));
    return value;
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

std::int64_t days_in(std::int64_t year, std::int64_t month) {
  constexpr int kDays[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

/// From 1970-01-01; the year is 0 to 9999.
std::int64_t days_to(std::int64_t year, std::int64_t month, std::int64_t day) {
  const auto days_before_year = [](std::int64_t y) {  // from the year 1; y >= 0
    const std::int64_t last = y - 1;
    return y == 0 ? -366 : 365 * last + last / 4 - last / 100 + last / 400;
  };
  std::int64_t days = days_before_year(year) - days_before_year(1970) + day - 1;
  for (std::int64_t m = 1; m < month; ++m) days += days_in(year, m);
  return days;
}

/// Seconds that the local time is ahead of UTC: "Z", "+02:00", "-0330"; nothing is UTC.
std::int64_t read_offset(TimeScan& scan) {
  if (scan.at_end() || scan.accept('Z')) return 0;
  const bool is_ahead = scan.accept('+');
  if (!is_ahead) scan.expect('-');
  const std::int64_t hours = scan.digits(2, 0, 23);
  scan.accept(':');
  const std::int64_t minutes = scan.digits(2, 0, 59);
  return (is_ahead ? 1 : -1) * (hours * 3600 + minutes * 60);
}

}  // namespace

std::optional<double> parse_iso_time(std::string_view text) {
  TimeScan scan(text);
  const std::int64_t year = scan.digits(4, 0, 9999);
  scan.expect('-');
  const std::int64_t month = scan.digits(2, 1, 12);
  scan.expect('-');
  if (scan.failed()) return std::nullopt;
  const std::int64_t day = scan.digits(2, 1, days_in(year, month));
  std::int64_t seconds = 0, offset = 0;
  double fraction = 0;
  if (!scan.at_end()) {
    if (!scan.accept('T')) scan.expect(' ');
    seconds = 3600 * scan.digits(2, 0, 23);
    scan.expect(':');
    seconds += 60 * scan.digits(2, 0, 59);
    if (scan.accept(':')) {
      seconds += scan.digits(2, 0, 59);
      fraction = scan.fraction();
    }
    offset = read_offset(scan);
  }
  if (scan.failed() || !scan.at_end()) return std::nullopt;
  return static_cast<double>(days_to(year, month, day) * 86400 + seconds - offset) + fraction;
}

std::string time_text(double seconds) {
  constexpr double kMoment_s = 1e9, kLast_s = 253402300800;  // the year 10000
  char text[32];
  if (seconds >= kMoment_s && seconds < kLast_s) {
    const auto whole = static_cast<std::time_t>(seconds);
    std::tm parts{};
    gmtime_r(&whole, &parts);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  } else {
    std::snprintf(text, sizeof text, "%.10g s", seconds);
  }
  return text;
}

}  // namespace sightline::host
