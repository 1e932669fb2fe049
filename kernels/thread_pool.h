// The threads of the CPU's loops, kept from one loop to the next.
#pragma once

namespace sightline::kernels {

/// Calls work() on up to num_threads threads, the caller among them, and returns when each that
/// began it has ended it. `work` is to take what there is to do, bit by bit, from a counter that
/// all share: a thread that comes late, as on a busy machine, finds nothing left, and nobody waits
/// for it. (A loop of OpenMP ends when all its threads have been there, and they spin until then.)
/// `work` must not throw. Any number of threads may call this at a time; where the system gives
/// fewer threads, fewer work.
void work_together(int num_threads, const void* work, void (*call)(const void* work));

template <class Work>
void work_together(int num_threads, const Work& work) {
  work_together(num_threads, &work, [](const void* it) { (*static_cast<const Work*>(it))(); });
}

}  // namespace sightline::kernels
