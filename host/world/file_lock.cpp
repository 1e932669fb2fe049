#include "host/world/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host/error.h"

namespace sightline::host {
namespace {

constexpr mode_t kMayBeWritten = S_IWUSR | S_IWGRP | S_IWOTH;

/// Has another file taken the name since this one was opened?
bool is_replaced(const std::string& path, const struct stat& held) {
  struct stat now {};
  return ::stat(path.c_str(), &now) != 0 || now.st_ino != held.st_ino || now.st_dev != held.st_dev;
}

/// With the words of errno.
[[noreturn]] void fail(const std::string& what) { throw RunError(what + std::strerror(errno)); }

}  // namespace

FileLock::FileLock(const std::string& path) {
  for (;;) {
    struct stat held {};
    file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file_ < 0 && errno == ENOENT) return;
    const bool may_not = file_ < 0 && (errno == EACCES || errno == EPERM || errno == EROFS);
    if (file_ < 0 && !may_not) fail(path + ": cannot be opened: ");
    // Who may do all may write this one too, and it was still made read-only.
    const bool is_read_only =
        file_ >= 0 && ::fstat(file_, &held) == 0 && (held.st_mode & kMayBeWritten) == 0;
    if (may_not || is_read_only) {
      if (file_ >= 0) ::close(file_);
      throw InputError(path + ": is read-only; make it writable, or change a copy of it");
    }
    while (::flock(file_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int error = errno;
      ::close(file_);
      errno = error;
      fail(path + ": cannot be locked: ");
    }
    if (!is_replaced(path, held)) return;
    ::close(file_);
  }
}

FileLock::~FileLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace sightline::host
