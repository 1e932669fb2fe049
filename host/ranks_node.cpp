#include "host/ranks_node.h"

#include <mpi.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "host/ranks_wait.h"

namespace sightline::host {
namespace {

constexpr std::size_t kAlignment = Ranks::kSharedAlignment;

void wait_for(MPI_Request* request) {
  int done = 0;
  nap_until([&] { return MPI_Test(request, &done, MPI_STATUS_IGNORE), done != 0; });
}

/// Cores that this process may use, shared evenly with the ranks of `node` that may use the same.
int share_of_cores(MPI_Comm node) {
  cpu_set_t own;
  CPU_ZERO(&own);
  if (::sched_getaffinity(0, sizeof own, &own) != 0) return 1;
  int size = 0;
  MPI_Comm_size(node, &size);
  std::vector<cpu_set_t> all(static_cast<std::size_t>(size));
  MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, node);
  const auto sharers = std::count_if(
      all.begin(), all.end(), [&](const cpu_set_t& other) { return CPU_EQUAL(&own, &other); });
  return std::max(1, CPU_COUNT(&own) / static_cast<int>(sharers));
}

/// Bytes that programs may still take without swapping, as Linux tells; the most there can be if it
/// does not.
std::uint64_t available_memory_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  for (std::uint64_t kibibytes = 0; file >> key >> kibibytes; std::getline(file, unit)) {
    if (key == "MemAvailable:") return kibibytes << 10;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

/// Open MPI wants 5 % more than a window has, and keeps a page or two for itself.
std::size_t with_aside(std::size_t num_bytes) {
  return num_bytes + num_bytes / 10 + (std::size_t{1} << 20);
}

/// May this process make a file so long there? Limits of its size and of the folder's files say no.
bool can_make_file(const std::string& folder, std::size_t num_bytes) {
  std::string path = folder + "/sightline.XXXXXX";
  const int file = ::mkstemp(path.data());
  if (file < 0) return false;
  ::unlink(path.c_str());
  const bool can = ::ftruncate(file, static_cast<off_t>(num_bytes)) == 0;
  ::close(file);
  return can;
}

/// Is there room for a window? Asked before MPI is: the rank of Open MPI 4 that cannot make the
/// file of a window returns an error, and the others wait for it for ever.
bool has_room_for(std::size_t num_bytes) {
  // Where Open MPI keeps windows: MCA parameters of mpirun reach its ranks as such variables.
  const char* const told = std::getenv("OMPI_MCA_osc_sm_backing_directory");
  const std::string folder = told ? told : "/dev/shm";
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0) return told == nullptr;  // another MPI's place
  const std::uint64_t free_bytes = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  // Of the memory, half is left to the work.
  return with_aside(num_bytes) <= free_bytes && num_bytes <= available_memory_bytes() / 2 &&
         can_make_file(folder, with_aside(num_bytes));
}

/// Has this process that much of its address space left?
bool can_map(std::size_t num_bytes) {
  void* const there = ::mmap(nullptr, num_bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return there != MAP_FAILED && ::munmap(there, num_bytes) == 0;
}

/// Takes the pages now: the file of a window has none yet, and a page for which the file system has
/// no room kills whoever touches it first. False if there is no room.
bool take_pages(std::byte* begin, std::size_t num_bytes) {
#ifdef MADV_POPULATE_WRITE
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(begin) / page * page;
  const std::size_t length = reinterpret_cast<std::uintptr_t>(begin) + num_bytes - first;
  if (::madvise(reinterpret_cast<void*>(first), length, MADV_POPULATE_WRITE) == 0) return true;
  return errno == EINVAL;  // Linux before 5.14 cannot tell
#else
  (void)begin, (void)num_bytes;
  return true;
#endif
}

std::byte* aligned(std::byte* begin) {
  const std::uintptr_t off = reinterpret_cast<std::uintptr_t>(begin) % kAlignment;
  return off == 0 ? begin : begin + (kAlignment - off);
}

}  // namespace

struct NodeRanks::Impl {
  MPI_Comm node = MPI_COMM_NULL;
  int rank = 0, size = 1, num_threads = 1;
  std::vector<MPI_Win> windows;

  /// The number of rank `from`, on all.
  std::int64_t number_of(int from, std::int64_t number) const {
    MPI_Request request;
    MPI_Ibcast(&number, 1, MPI_INT64_T, from, node, &request);
    wait_for(&request);
    return number;
  }

  /// Do all say so?
  bool all(bool own) const {
    int word = own ? 1 : 0, least = 0;
    MPI_Request request;
    MPI_Iallreduce(&word, &least, 1, MPI_INT, MPI_MIN, node, &request);
    wait_for(&request);
    return least != 0;
  }

  void meet() const {
    MPI_Request request;
    MPI_Ibarrier(node, &request);
    wait_for(&request);
  }
};

NodeRanks::NodeRanks(int world_rank) : impl_(new Impl) {
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world_rank, MPI_INFO_NULL,
                      &impl_->node);
  MPI_Comm_rank(impl_->node, &impl_->rank);
  MPI_Comm_size(impl_->node, &impl_->size);
  impl_->num_threads = share_of_cores(impl_->node);
  MPI_Comm_set_errhandler(impl_->node, MPI_ERRORS_RETURN);  // of windows that cannot be made
}

NodeRanks::~NodeRanks() {
  for (MPI_Win& window : impl_->windows) MPI_Win_free(&window);
  MPI_Comm_free(&impl_->node);
}

int NodeRanks::rank() const { return impl_->rank; }
int NodeRanks::size() const { return impl_->size; }
int NodeRanks::num_threads() const { return impl_->num_threads; }

std::string NodeRanks::told(int from, const std::string& words) {
  std::string text = words;
  const auto size = impl_->number_of(from, static_cast<std::int64_t>(text.size()));
  text.resize(static_cast<std::size_t>(size));
  constexpr std::int64_t kMost = std::int64_t{1} << 30;  // counts of MPI are int
  for (std::int64_t first = 0; first < size; first += kMost) {
    MPI_Request request;
    MPI_Ibcast(&text[static_cast<std::size_t>(first)],
               static_cast<int>(std::min(kMost, size - first)), MPI_BYTE, from, impl_->node,
               &request);
    wait_for(&request);
  }
  return text;
}

SharedBytes NodeRanks::share(int from, std::size_t num_bytes,
                             const std::function<void(std::byte*)>& fill) {
  const bool fills = impl_->rank == from;
  const bool can = fills && impl_->size > 1 && num_bytes > 0 && has_room_for(num_bytes);
  const auto size = static_cast<std::size_t>(
      impl_->number_of(from, can ? static_cast<std::int64_t>(num_bytes) : 0));
  if (size == 0 || !impl_->all(can_map(with_aside(size)))) return {};
  MPI_Win window = MPI_WIN_NULL;
  void* base = nullptr;
  const auto length = static_cast<MPI_Aint>(fills ? size + kAlignment : 0);
  if (MPI_Win_allocate_shared(length, 1, MPI_INFO_NULL, impl_->node, &base, &window) !=
      MPI_SUCCESS) {
    return {};
  }
  impl_->windows.push_back(window);
  MPI_Aint there = 0;
  int unit = 0;
  MPI_Win_shared_query(window, from, &there, &unit, &base);
  std::byte* const data = aligned(static_cast<std::byte*>(base));
  if (impl_->number_of(from, fills && take_pages(data, size) ? 1 : 0) == 0) {
    MPI_Win_free(&impl_->windows.back());
    impl_->windows.pop_back();
    return {};
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  if (fills) fill(data);
  MPI_Win_sync(window);
  impl_->meet();
  MPI_Win_sync(window);
  MPI_Win_unlock_all(window);
  return {data, size};
}

}  // namespace sightline::host
