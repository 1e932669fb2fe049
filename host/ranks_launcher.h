// What both kinds of build need to know of ranks.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>

namespace sightline::host {

/// How many ranks the launcher of this process says it started: Open MPI's mpirun, MPICH's and
/// Intel's, or srun with a PMI. 1 if no launcher says anything.
inline std::int64_t launched_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"}) {
    if (const char* size = std::getenv(name)) return std::strtoll(size, nullptr, 10);
  }
  // PMIx tells each process its rank only; srun tells the number of tasks.
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  if (std::getenv("PMIX_RANK") && tasks) return std::strtoll(tasks, nullptr, 10);
  return 1;
}

/// Items in order, each once; asked by several threads.
class LocalDeal {
 public:
  explicit LocalDeal(std::int64_t num_items) : num_items_(num_items) {}

  std::optional<std::int64_t> next(std::int64_t done) {
    const std::lock_guard<std::mutex> lock(mutex_);
    num_done_ += done;
    if (next_ >= num_items_) return std::nullopt;
    return next_++;
  }
  void stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    next_ = num_items_;
  }
  std::int64_t num_done() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return num_done_;
  }

 private:
  mutable std::mutex mutex_;
  std::int64_t num_items_, next_ = 0, num_done_ = 0;
};

}  // namespace sightline::host
