#include "host/sweep/common_folder.h"

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "host/error.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

namespace fs = std::filesystem;

/// How long a disk of the network may take to show what another machine wrote.
constexpr std::chrono::seconds kPatience{10};

/// A file that is there while this is.
class PassingFile {
 public:
  explicit PassingFile(std::string path) : path_(std::move(path)) { write_file(path_, ""); }
  ~PassingFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  PassingFile(const PassingFile&) = delete;
  PassingFile& operator=(const PassingFile&) = delete;

 private:
  const std::string path_;
};

bool appears(const std::string& path) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!is_there(path)) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return true;
}

}  // namespace

void check_common_folder(const std::string& out, Ranks& ranks) {
  // A name that no machine has looked for before, and knows to be absent.
  const std::int64_t number = ranks.joined({static_cast<std::int64_t>(::getpid())}).front();
  const std::string path = (fs::path(out) / (".ranks-" + std::to_string(number))).string();
  const bool is_new = !is_there(out);
  std::unique_ptr<PassingFile> seen_by_all;
  try {
    ranks.together([&] {
      make_folder(out);
      if (ranks.rank() == 0) seen_by_all = std::make_unique<PassingFile>(path);
    });
    ranks.together([&] {
      if (ranks.rank() == 0 || appears(path)) return;
      throw InputError("--out " + out + ": rank " + std::to_string(ranks.rank()) +
                       " finds another folder there than rank 0; name one on a disk that all "
                       "ranks share, by its whole path");
    });
  } catch (const std::exception&) {
    seen_by_all.reset();
    std::error_code ignored;
    if (is_new) fs::remove(out, ignored);  // if there is nothing in it
    throw;
  }
}

}  // namespace sightline::host
