#include "host/world/staged_files.h"

#include <fcntl.h>
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

/// Renaming keeps what is on the disk only: after a power cut, the new names must not be of files
/// that were never written.
void sync_files(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_on_disk = file >= 0 && ::syncfs(file) == 0;
  const int reason = errno;
  if (file >= 0) ::close(file);
  if (!is_on_disk) throw RunError(folder + ": cannot be written: " + std::strerror(reason));
}

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
  make_folder(folder_);
  // New files of a killed program. What it was about to replace stays until there is a whole set.
  for (const std::string& file : files_in(path_)) fs::remove(file);
  make_folder(path_);
}

StagedFiles::~StagedFiles() {
  remove_files(path_);
  std::error_code ignored;
  if (folder_is_new_) fs::remove(folder_, ignored);  // fails, as it should, if files are in it
}

void StagedFiles::move(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    throw RunError(from + ": cannot be moved to " + to + ": " + error.message() +
                   "; what was there before is back in its place");
  }
  done_.push_back({from, to});
}

void StagedFiles::put_back() {
  std::error_code ignored;
  for (; !done_.empty(); done_.pop_back()) fs::rename(done_.back().to, done_.back().from, ignored);
  fs::remove(replaced_path_, ignored);
}

void StagedFiles::commit(const std::vector<std::string>& replaced) {
  sync_files(path_);
  try {
    make_folder(replaced_path_);
    for (const std::string& file : replaced) move(file, in_folder(replaced_path_, file));
    for (const std::string& file : files_in(path_)) move(file, in_folder(folder_, file));
  } catch (...) {
    put_back();
    throw;
  }
  folder_is_new_ = false;
  remove_files(replaced_path_);
  remove_files(path_);
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
