// One file, one change at a time.
#pragma once

#include <string>

namespace sightline::host {

/// Holds a file from before it is read until what was made of it is written, so that what two
/// programs add at once is all there. Waits for who holds it; the kernel lets go of it
/// when a process dies. Held is the file itself: a new one that takes its name is another.
class FileLock {
 public:
  /// Of a file that is not there nothing is held. Throws InputError for one that may not be
  /// written, RunError for one that cannot be opened or locked.
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace sightline::host
