#include "host/cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "host/cli/options.h"

namespace sightline::cli {
namespace {

constexpr std::chrono::milliseconds kBarPeriod{100};
constexpr std::chrono::milliseconds kLinePeriod{5000};
constexpr int kDefaultColumns = 80;
constexpr int kWidestBar = 40, kNarrowestBar = 8;
constexpr double kSecondsPerMinute = 60, kSecondsPerHour = 3600;

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(seconds + 0.5);
  const long long minutes = whole / 60;
  if (seconds < kSecondsPerHour) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, whole % 60);
}

std::string rate_text(double per_second) {
  if (per_second >= 1) return fmt::format("{:.1f}/s", per_second);
  const double per_minute = per_second * kSecondsPerMinute;
  if (per_minute >= 1) return fmt::format("{:.1f}/min", per_minute);
  return fmt::format("{:.2g}/h", per_second * kSecondsPerHour);
}

/// Configurations done, with those of the block at work by the part of it that is.
double done_so_far(const host::Progress& progress) {
  return static_cast<double>(progress.done_configurations) +
         progress.running_done * static_cast<double>(progress.running_configurations);
}

/// From 0 to 1.
double done_part(const host::Progress& progress) {
  const auto total = static_cast<double>(std::max<std::int64_t>(progress.num_configurations, 1));
  return done_so_far(progress) / total;
}

/// "33 %, 0/66 configurations done": the part counts what is at work, too. Rounded down: 100 % are
/// all, not almost all.
std::string count_text(const host::Progress& progress) {
  return fmt::format("{} %, {}/{} configurations done", static_cast<int>(100 * done_part(progress)),
                     progress.done_configurations, progress.num_configurations);
}

/// Has this session done anything to tell a rate from?
bool has_rate(const host::Progress& progress) {
  return progress.seconds > 0 &&
         done_so_far(progress) > static_cast<double>(progress.skipped_configurations);
}

/// "12.3/s, ETA 0:42", from what this session has done.
std::string progress_text(const host::Progress& progress) {
  if (!has_rate(progress)) return clock_text(progress.seconds) + " elapsed";
  const double done = done_so_far(progress);
  const double per_second =
      (done - static_cast<double>(progress.skipped_configurations)) / progress.seconds;
  const double left = static_cast<double>(progress.num_configurations) - done;
  return fmt::format("{}, ETA {}", rate_text(per_second), clock_text(left / per_second));
}

int terminal_columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kDefaultColumns;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

}  // namespace

ProgressPrinter::Style ProgressPrinter::choose_style(bool quiet) {
  if (quiet) return Style::kNone;
  const char* terminal = std::getenv("TERM");
  const bool dumb = !terminal || std::string(terminal) == "dumb";
  return ::isatty(STDERR_FILENO) && !dumb ? Style::kBar : Style::kLines;
}

ProgressPrinter::ProgressPrinter(bool quiet, std::function<bool()> stopping)
    : style_(choose_style(quiet)), coloured_(!is_set("NO_COLOR")), stopping_(std::move(stopping)) {
  if (style_ != Style::kNone) thread_ = std::thread([this] { tick(); });
}

ProgressPrinter::~ProgressPrinter() { finish(); }

void ProgressPrinter::update(const host::Progress& progress) {
  const std::lock_guard<std::mutex> lock(mutex_);
  progress_ = progress;
  updated_ = Clock::now();
  begun_ = true;
}

void ProgressPrinter::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_ = true;
  }
  wake_.notify_all();
  thread_.join();
  if (!begun_) return;
  if (style_ == Style::kBar) {
    write_stderr("\r\x1b[K");
  } else {
    draw();
  }
}

void ProgressPrinter::tick() {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto period = style_ == Style::kBar ? kBarPeriod : kLinePeriod;
  while (!wake_.wait_for(lock, period, [this] { return finished_; })) {
    if (begun_) draw();
  }
}

/// The caller holds the mutex, or is alone.
void ProgressPrinter::draw() {
  host::Progress now = progress_;
  // The rate is that of what was told last; only the clock runs on until there is one.
  if (!has_rate(now)) {
    now.seconds += std::chrono::duration<double>(Clock::now() - updated_).count();
  }
  if (style_ == Style::kBar) {
    draw_bar(now);
  } else {
    write_stderr(fmt::format("sightline: {}, {}\n", count_text(now), progress_text(now)));
  }
}

void ProgressPrinter::draw_bar(const host::Progress& progress) {
  const std::string text = stopping_ && stopping_()
                               ? "stopping (again to stop at once)"
                               : count_text(progress) + "  " + progress_text(progress);
  const int room = terminal_columns() - static_cast<int>(text.size()) - 4;
  if (room < kNarrowestBar) {
    const int most = std::max(terminal_columns() - 1, 0);
    write_stderr("\r\x1b[K" + text.substr(0, static_cast<std::size_t>(most)));
    return;
  }
  const int width = std::min(room, kWidestBar);
  const int filled = static_cast<int>(width * done_part(progress));
  write_stderr(fmt::format("\r\x1b[K[{}{:=<{}}{}{: <{}}] {}", coloured_ ? "\x1b[32m" : "", "",
                           filled, coloured_ ? "\x1b[0m" : "", "", width - filled, text));
}

}  // namespace sightline::cli
