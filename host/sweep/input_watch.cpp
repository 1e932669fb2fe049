#include "host/sweep/input_watch.h"

#include <sys/stat.h>

#include "host/error.h"
#include "host/sweep/manifest.h"

namespace sightline::host {

FileStamp stamp_of(const std::string& path) {
  constexpr std::int64_t kNsPerS = 1'000'000'000;
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return {};
  return {static_cast<std::int64_t>(about.st_size),
          static_cast<std::int64_t>(about.st_mtim.tv_sec) * kNsPerS + about.st_mtim.tv_nsec,
          static_cast<std::int64_t>(about.st_ino)};
}

InputWatch::InputWatch(const std::vector<InputHash>& inputs) {
  for (const InputHash& input : inputs) watched_[input.path].input = input;
}

void InputWatch::check(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const auto found = watched_.find(file);
    if (found == watched_.end()) continue;
    auto& [input, changed] = found->second;
    const FileStamp now = stamp_of(file);
    if (!changed && (now.num_bytes < 0 || now == input.stamp)) continue;
    if (!changed) {
      // Copied, or written again as it was: the same input.
      const InputHash again = hash_inputs({file}).front();
      changed = again.num_bytes != input.num_bytes || again.xxh64 != input.xxh64;
      input.stamp = again.stamp;
    }
    if (changed) {
      throw InputError(file + ": changed since the run began, so that results would be of two " +
                       "inputs; put it back and continue with --resume, or start a run of the " +
                       "new one in another folder");
    }
  }
}

}  // namespace sightline::host
