// How far a sweep is, on standard error: a bar on a terminal, a line every few seconds elsewhere.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "host/sweep/run.h"

namespace sightline::cli {

/// Redraws from a thread of its own, so that time goes on within a long block.
class ProgressPrinter {
 public:
  /// quiet: prints nothing. stopping(): the user asked to stop; may be called from any thread.
  ProgressPrinter(bool quiet, std::function<bool()> stopping);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  void update(const host::Progress& progress);
  /// Draws for the last time and takes the bar away; nothing is printed after it.
  void finish();

 private:
  enum class Style { kNone, kLines, kBar };
  using Clock = std::chrono::steady_clock;

  static Style choose_style(bool quiet);
  void tick();
  void draw();
  void draw_bar(const host::Progress& progress);

  const Style style_;
  const bool coloured_;
  std::function<bool()> stopping_;
  std::mutex mutex_;
  std::condition_variable wake_;
  host::Progress progress_;
  Clock::time_point updated_ = Clock::now();
  bool begun_ = false, finished_ = false;
  std::thread thread_;
};

}  // namespace sightline::cli
