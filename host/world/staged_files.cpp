#include "host/world/staged_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "host/error.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReplaced = "replaced";  ///< where the old files wait until all are in place

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    if (!entry->is_directory(ignored)) files.push_back(entry->path().string());
  }
  return files;
}

/// Removes the files in it, and the folder if nothing else is there.
void remove_files(const std::string& folder) {
  std::error_code ignored;
  for (const std::string& file : files_in(folder)) fs::remove(file, ignored);
  fs::remove(folder, ignored);
}

std::string in_folder(const std::string& folder, const std::string& file) {
  return (fs::path(folder) / fs::path(file).filename()).string();
}

}  // namespace

StagedFiles::StagedFiles(const std::string& folder, const std::string& name)
    : folder_(folder), path_((fs::path(folder) / name).string()) {
  replaced_path_ = (fs::path(path_) / kReplaced).string();
  folder_is_new_ = !is_there(folder_);
  try {
    make_folder(folder_);
    make_folder(path_);
    hold();
    // New files of a killed program. What it was about to replace stays until there is a whole set.
    for (const std::string& file : files_in(path_)) {
      std::error_code error;
      fs::remove(file, error);
      if (error) throw InputError(file + ": cannot be removed: " + error.message());
    }
  } catch (...) {
    remove();
    throw;
  }
}

StagedFiles::~StagedFiles() { remove(); }

/// Locks the folder of the new files, until this object or the process ends.
void StagedFiles::hold() {
  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) throw InputError(path_ + ": cannot be opened: " + std::strerror(errno));
  // Some file systems know no locks: there it is on the user.
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw InputError(folder_ + ": another program is writing into it; wait for its end, or name " +
                     "another folder");
  }
  holds_files_ = true;
}

/// The new files that are not in their place, and the folders if nothing else is in them.
void StagedFiles::remove() {
  if (holds_files_) remove_files(path_);
  holds_files_ = false;
  if (lock_ >= 0) ::close(lock_);
  lock_ = -1;
  std::error_code ignored;
  if (folder_is_new_) fs::remove(folder_, ignored);
}

void StagedFiles::move(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    throw RunError(from + ": cannot be moved to " + to + ": " + error.message());
  }
  done_.push_back({from, to});
}

/// Is everything back?
bool StagedFiles::put_back() {
  bool is_back = true;
  std::error_code error;
  for (; !done_.empty(); done_.pop_back()) {
    fs::rename(done_.back().to, done_.back().from, error);
    is_back = is_back && !error;
  }
  fs::remove(replaced_path_, error);
  return is_back;
}

void StagedFiles::commit(const std::vector<std::string>& replaced) {
  // Renaming keeps what is on the disk only: after a power cut, the new names must not be of files
  // that were never written.
  sync_files(path_);
  try {
    make_folder(replaced_path_);
    for (const std::string& file : replaced) move(file, in_folder(replaced_path_, file));
    for (const std::string& file : files_in(path_)) move(file, in_folder(folder_, file));
  } catch (const std::exception& error) {
    throw RunError(error.what() +
                   (put_back() ? std::string("; what was there before is back in its place")
                               : "; not all that was there before could be put back: look in " +
                                     replaced_path_));
  }
  folder_is_new_ = false;
  remove_files(replaced_path_);
  remove();
}

bool has_staged_files(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  return fs::is_directory(fs::path(folder) / name, ignored);
}

std::vector<std::string> staged_files(const std::string& folder, const std::string& name) {
  const fs::path path = fs::path(folder) / name;
  std::vector<std::string> files = files_in(path.string());
  for (std::string& file : files_in((path / kReplaced).string())) files.push_back(std::move(file));
  return files;
}

}  // namespace sightline::host
