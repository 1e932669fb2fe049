// Says now and then that something is still under way.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace sightline::cli {

/// From `first` on and then after each `every`, until it is destroyed, calls tell(seconds since it
/// was made) from a thread of its own.
class Patience {
 public:
  using Duration = std::chrono::milliseconds;

  Patience(Duration first, Duration every, std::function<void(double seconds)> tell)
      : tell_(std::move(tell)), thread_([this, first, every] { run(first, every); }) {}
  ~Patience() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  void run(Duration first, Duration every) {
    const Clock::time_point begin = Clock::now();
    std::unique_lock<std::mutex> lock(mutex_);
    for (Duration wait = first; !wake_.wait_for(lock, wait, [this] { return done_; });
         wait = every) {
      tell_(std::chrono::duration<double>(Clock::now() - begin).count());
    }
  }

  const std::function<void(double)> tell_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;  ///< the last: it uses the others
};

}  // namespace sightline::cli
