#include "host/sweep/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "host/error.h"

namespace sightline::host {
namespace {

constexpr std::size_t kMaxHolderBytes = 256;

std::string holder_of(int file) {
  char text[kMaxHolderBytes];
  const ssize_t size = ::pread(file, text, sizeof text, 0);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "another process";
}

std::string this_process() {
  char host[kMaxHolderBytes / 2] = "";
  ::gethostname(host, sizeof host - 1);
  return "process " + std::to_string(::getpid()) + " on " + host;
}

}  // namespace

std::string in_use_text(const std::string& directory, const std::string& holder) {
  return directory + ": in use by " + holder + "; wait for it, stop it, or choose another folder";
}

RunLock::RunLock(const std::string& directory) {
  const std::string path = directory + "/run.lock";
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw InputError(path + ": cannot create: " + std::strerror(errno));
  // holder() of another process has it for a moment.
  constexpr int kTries = 10;
  constexpr std::chrono::milliseconds kBetweenTries{20};
  int locked = ::flock(file_, LOCK_EX | LOCK_NB);
  for (int i = 1; i < kTries && locked != 0 && errno == EWOULDBLOCK; ++i) {
    std::this_thread::sleep_for(kBetweenTries);
    locked = ::flock(file_, LOCK_EX | LOCK_NB);
  }
  if (locked != 0) {
    const int error = errno;
    const std::string holder = holder_of(file_);
    ::close(file_);
    if (error == EWOULDBLOCK) throw InputError(in_use_text(directory, holder));
    throw EnvironmentError(path + ": cannot lock: " + std::strerror(error) +
                           "; choose a folder on a file system that locks files");
  }
  const std::string me = this_process();
  // The text is for people only; a disk too full to hold it will fail at the first result.
  if (::ftruncate(file_, 0) == 0 && ::pwrite(file_, me.data(), me.size(), 0) < 0) errno = 0;
}

std::string RunLock::holder(const std::string& directory) {
  const std::string path = directory + "/run.lock";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  const std::string holder = held ? holder_of(file) : "";
  ::close(file);
  return holder;
}

RunLock::~RunLock() { ::close(file_); }

}  // namespace sightline::host
