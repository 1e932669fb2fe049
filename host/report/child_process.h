// Programs run beside ours, and a private place for their files.
#pragma once

#include <string>
#include <vector>

namespace sightline::host::report {

/// A new directory that only this user can enter, removed with everything in it at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();  ///< throws RunError if none can be made
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct ChildResult {
  int exit_code = 0;   ///< 128 + signal if a signal ended it
  std::string errors;  ///< what it wrote to standard error, its last 4000 characters
};

/// Runs a program without a shell and waits for it. arguments[0] is its path. It reads nothing,
/// its output goes to a file in `directory`. Throws RunError if it cannot be started.
ChildResult run_child(const std::vector<std::string>& arguments, const std::string& directory);

/// First executable file of that name on PATH; empty if there is none.
std::string find_on_path(const std::string& program);
/// May this user execute the file?
bool is_executable(const std::string& path);

}  // namespace sightline::host::report
