// One run folder, one process.
#pragma once

#include <string>

namespace sightline::host {

/// "DIR: in use by process 7 on host; ...".
std::string in_use_text(const std::string& directory, const std::string& holder);

/// Holds a folder for this process until destroyed; the kernel lets go of it when a process dies,
/// so a killed run never leaves a stale lock. The file `run.lock` stays and says who held it last.
class RunLock {
 public:
  /// Throws InputError naming the holder when another process has the folder, EnvironmentError
  /// when the file system cannot lock.
  explicit RunLock(const std::string& directory);
  ~RunLock();
  /// Who works in the folder now, "process 7 on host"; empty if nobody does.
  static std::string holder(const std::string& directory);
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace sightline::host
