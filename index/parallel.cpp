#include "index/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "index/error.h"

namespace sightline::index {
namespace {

class TaskQueue {
 public:
  TaskQueue(std::int64_t num_tasks, const std::function<void(std::int64_t)>& task)
      : num_tasks_(num_tasks), task_(task) {}

  void work() {
    while (!failed_.load()) {
      const std::int64_t task = next_.fetch_add(1);
      if (task >= num_tasks_) return;
      try {
        task_(task);
      } catch (...) {
        record(task);
      }
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void record(std::int64_t task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!error_ || task < first_failed_) {
      error_ = std::current_exception();
      first_failed_ = task;
    }
    failed_.store(true);
  }

  const std::int64_t num_tasks_;
  const std::function<void(std::int64_t)>& task_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
  std::int64_t first_failed_ = 0;
};

}  // namespace

void for_each_task(std::int64_t num_tasks, int num_threads,
                   const std::function<void(std::int64_t)>& task) {
  if (num_threads < 1) {
    throw BadInput("number of threads " + std::to_string(num_threads) +
                   " is below 1; give at least 1");
  }
  if (num_threads == 1 || num_tasks <= 1) {
    for (std::int64_t i = 0; i < num_tasks; ++i) task(i);
    return;
  }
  TaskQueue queue(num_tasks, task);
  std::vector<std::thread> threads;
  const std::int64_t num_spawned = std::min<std::int64_t>(num_threads, num_tasks) - 1;
  threads.reserve(static_cast<std::size_t>(num_spawned));
  try {
    for (std::int64_t i = 0; i < num_spawned; ++i) threads.emplace_back([&] { queue.work(); });
  } catch (const std::exception&) {
    // Fewer threads than asked for: the answers are the same.
  }
  queue.work();
  for (std::thread& thread : threads) thread.join();
  queue.rethrow();
}

}  // namespace sightline::index
