// The one level of parallelism of this folder: tasks over std::threads. FAISS and BLAS run on one
// thread inside each.
#pragma once

#include <cstdint>
#include <functional>

namespace sightline::index {

/// Runs task(0) .. task(num_tasks - 1), each once, on up to num_threads threads, and returns when
/// all are done. With one thread or one task nothing is spawned. Rethrows the exception of the
/// lowest task that threw; tasks after a throw may not run. Throws BadInput if num_threads < 1.
void for_each_task(std::int64_t num_tasks, int num_threads,
                   const std::function<void(std::int64_t)>& task);

}  // namespace sightline::index
