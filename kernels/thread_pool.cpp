#include "kernels/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sightline::kernels {
namespace {

/// A loop often follows another at once, and to wake a thread takes as long as this.
constexpr std::chrono::microseconds kAwake{20};

/// Until ready(), or for as long as a thread stays awake. Other programs may have the core.
template <class Ready>
void stay_awake(const Ready& ready) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + kAwake;
  while (!ready() && Clock::now() < end) continue;
}

/// One call, on the stack of its caller. Changes under the pool's mutex.
struct Job {
  const void* work;
  void (*call)(const void*);
  int num_wanted;               ///< threads that may still join
  std::atomic<int> num_inside;  ///< threads that joined and have not ended
};

class Pool {
 public:
  /// What throws in it ends the process, as on any other thread: others may be inside the job.
  void run(Job& job) noexcept {
    open(job);
    job.call(job.work);
    close(job);
  }

 private:
  void open(Job& job) {
    const std::lock_guard<std::mutex> lock(mutex_);
    hire(job.num_wanted);
    jobs_.push_back(&job);
    num_jobs_.store(jobs_.size(), std::memory_order_relaxed);
    for (int i = std::min(job.num_wanted, num_asleep_); i > 0; --i) wake_.notify_one();
  }

  /// Nobody joins any more; waits for those inside.
  void close(Job& job) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      remove(job);
    }
    stay_awake([&] { return job.num_inside.load(std::memory_order_relaxed) == 0; });
    std::unique_lock<std::mutex> lock(mutex_);
    left_.wait(lock, [&] { return job.num_inside.load(std::memory_order_relaxed) == 0; });
  }

  void hire(int num_threads) {
    try {
      for (; num_threads_ < num_threads; ++num_threads_) {
        std::thread([this] { serve(); }).detach();
      }
    } catch (const std::exception&) {
      // Fewer threads than asked for.
    }
  }

  void remove(const Job& job) {
    jobs_.erase(std::remove(jobs_.begin(), jobs_.end(), &job), jobs_.end());
    num_jobs_.store(jobs_.size(), std::memory_order_relaxed);
  }

  [[noreturn]] void serve() {
    for (;;) {
      stay_awake([this] { return num_jobs_.load(std::memory_order_relaxed) > 0; });
      Job& job = join();
      job.call(job.work);
      const std::lock_guard<std::mutex> lock(mutex_);
      if (job.num_inside.fetch_sub(1, std::memory_order_relaxed) == 1) left_.notify_all();
    }
  }

  /// Waits for a job that wants one more.
  Job& join() {
    std::unique_lock<std::mutex> lock(mutex_);
    ++num_asleep_;
    wake_.wait(lock, [this] { return !jobs_.empty(); });
    --num_asleep_;
    Job& job = *jobs_.front();
    job.num_inside.fetch_add(1, std::memory_order_relaxed);
    if (--job.num_wanted == 0) remove(job);
    return job;
  }

  std::mutex mutex_;
  std::condition_variable wake_, left_;
  std::vector<Job*> jobs_;                ///< those that want threads
  std::atomic<std::size_t> num_jobs_{0};  ///< of them, for who is awake
  int num_threads_ = 0, num_asleep_ = 0;
};

/// Never destroyed: its threads sleep until the process ends.
Pool& pool() {
  static Pool& the_pool = *new Pool;
  return the_pool;
}

}  // namespace

void work_together(int num_threads, const void* work, void (*call)(const void*)) {
  if (num_threads <= 1) return call(work);
  Job job{work, call, num_threads - 1, {0}};
  pool().run(job);
}

}  // namespace sightline::kernels
