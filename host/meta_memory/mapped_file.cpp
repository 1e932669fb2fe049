#include "host/meta_memory/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host/error.h"

namespace sightline::host {

std::shared_ptr<const char> map_file(const std::string& path, std::size_t num_bytes) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw InputError(path + ": cannot be opened: " + std::strerror(errno));
  void* const there = ::mmap(nullptr, num_bytes, PROT_READ, MAP_PRIVATE, file, 0);
  const int fault = errno;
  ::close(file);  // the mapping stays
  if (there == MAP_FAILED) {
    throw RunError(path + ": cannot be mapped into memory: " + std::strerror(fault));
  }
  return {static_cast<const char*>(there),
          [there, num_bytes](const char*) { ::munmap(there, num_bytes); }};
}

}  // namespace sightline::host
