// One store of places, one change at a time.
#pragma once

#include <string>

namespace sightline::host {

/// Holds the file of a store from before it is read until what was made of it is written, so that
/// what two programs add at once is all there. Waits for who holds it; the kernel lets go of it
/// when a process dies. Held is the file itself: a new one that takes its name is another.
class StoreLock {
 public:
  /// Of a file that is not there nothing is held. Throws InputError for one that may not be
  /// written, RunError for one that cannot be opened or locked.
  explicit StoreLock(const std::string& path);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace sightline::host
