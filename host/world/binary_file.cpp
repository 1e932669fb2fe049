#include "host/world/binary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "host/error.h"

namespace sightline::host {
namespace fs = std::filesystem;

InputFile::InputFile(const std::string& path) : path_(path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) fail("no such file; check the path");
  if (status.type() == fs::file_type::directory) fail("is a folder; name a file in it");
  if (status.type() == fs::file_type::none) fail("cannot be opened: " + error.message());
  if (status.type() != fs::file_type::regular) fail("is not a regular file; copy it to disk first");
  stream_.open(path, std::ios::binary);
  if (!stream_) fail(std::string("cannot be opened: ") + std::strerror(errno));
  size_bytes_ = fs::file_size(path, error);
  if (error) fail("cannot be read: " + error.message());
}

void InputFile::read(void* out, std::size_t num_bytes) {
  stream_.read(static_cast<char*>(out), static_cast<std::streamsize>(num_bytes));
  if (static_cast<std::size_t>(stream_.gcount()) == num_bytes) return;
  stream_.clear();
  fail("ends after " + std::to_string(size_bytes_) +
       " bytes, in the middle of its data; the file was cut short, fetch or write it again");
}

void InputFile::fail(const std::string& message) const { throw InputError(path_ + ": " + message); }

void check_output_path(const std::string& path) {
  if (path.empty()) throw InputError("the name of the file to write is empty; give a path");
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::directory) {
    throw InputError(path + ": is a folder; name a file to write");
  }
  // A device or a pipe would be replaced by a file when the finished one is moved into place.
  if (fs::exists(status) && status.type() != fs::file_type::regular) {
    throw InputError(path + ": is not a regular file; name one to write");
  }
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    if (fs::exists(folder, error)) {
      throw InputError(path + ": cannot be written: " + folder.string() +
                       " is a file and no folder; name another");
    }
    throw InputError(path + ": cannot be written: the folder " + folder.string() +
                     " does not exist; create it first");
  }
}

bool is_there(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) {
    throw InputError(path + ": cannot be looked for: " + error.message() +
                     "; check the permissions of the folders on the way");
  }
  return fs::exists(status);
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

namespace {

constexpr const char* kUnfinished = ".tmp";

std::string name_of_descriptor(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

/// What the disk is to blame for, and not the path.
std::string advice_for_disk(int reason) {
  if (reason == ENOSPC || reason == EDQUOT) {
    return "; free some space (or names of files: df -i), and go on";
  }
  return reason == EIO ? "; check the disk, and go on" : "";
}

/// What a link leads to: a file that is moved into place would replace the link.
std::string file_behind(const std::string& path) {
  constexpr int kMostLinks = 40;  // as Linux follows
  std::error_code error;
  fs::path file = path;
  for (int i = 0; i < kMostLinks && fs::is_symlink(file, error); ++i) {
    const fs::path target = fs::read_symlink(file, error);
    file = target.is_absolute() ? target : file.parent_path() / target;
  }
  return file.string();
}

}  // namespace

OutputFile::OutputFile(const std::string& path)
    : path_(file_behind(path)),
      temporary_path_(path_ + "." + std::to_string(::getpid()) + kUnfinished) {
  check_output_path(path);
  // Without a name, a file is gone with the program, however that ends. Not every file system has
  // such files, and where /proc is not mounted they could not be named in the end.
  const std::string folder = fs::path(path_).parent_path().string();
  unnamed_ = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (unnamed_ >= 0) stream_.open(name_of_descriptor(unnamed_), std::ios::binary);
  if (!stream_.is_open()) {
    if (unnamed_ >= 0) ::close(unnamed_);
    unnamed_ = -1;
    stream_.clear();
    stream_.open(temporary_path_, std::ios::binary | std::ios::trunc);
  }
  if (stream_) return;
  const int reason = errno;
  if (!advice_for_disk(reason).empty()) fail(reason);
  throw InputError(path + ": cannot be written: " + std::strerror(reason));
}

OutputFile::~OutputFile() {
  stream_.close();
  const bool is_named = unnamed_ < 0;
  if (!is_named) ::close(unnamed_);
  if (committed_ || !is_named) return;
  std::error_code ignored;
  fs::remove(temporary_path_, ignored);
}

void OutputFile::expect(std::uint64_t num_bytes) const {
  const fs::path folder = fs::path(path_).parent_path();
  std::error_code error;
  const fs::space_info disk = fs::space(folder.empty() ? fs::path(".") : folder, error);
  // There are file systems that tell nothing, or 0 of everything.
  if (error || disk.capacity == 0 || num_bytes <= disk.available) return;
  constexpr double kMegabyte = 1e6;
  throw RunError(fmt::format(
      "{}: would take {:.1f} MB, and its disk has {:.1f} MB left; free some space, or write it "
      "elsewhere",
      path_, static_cast<double>(num_bytes) / kMegabyte,
      static_cast<double>(disk.available) / kMegabyte));
}

void OutputFile::write(const void* data, std::size_t num_bytes) {
  stream_.write(static_cast<const char*>(data), static_cast<std::streamsize>(num_bytes));
  if (!stream_) fail(errno);
}

void OutputFile::sync() {
  const int file = unnamed_ >= 0 ? unnamed_ : ::open(temporary_path_.c_str(), O_WRONLY | O_CLOEXEC);
  const bool is_on_disk = file >= 0 && ::fsync(file) == 0;
  const int reason = errno;
  if (unnamed_ < 0 && file >= 0) ::close(file);
  // EINVAL: a file system that has nothing to write to.
  if (!is_on_disk && reason != EINVAL) fail(reason);
}

void OutputFile::commit() {
  stream_.close();
  if (!stream_) fail(errno);
  std::error_code error;
  if (fs::exists(path_, error)) sync();
  if (unnamed_ < 0 || !name_unnamed(path_)) {
    // A new name cannot replace a file, so it gets the temporary one first.
    if (unnamed_ >= 0) {
      ::unlink(temporary_path_.c_str());
      if (!name_unnamed(temporary_path_)) fail(EEXIST);
    }
    fs::rename(temporary_path_, path_, error);
    if (error) fail(error.value());
  }
  committed_ = true;
}

bool OutputFile::name_unnamed(const std::string& path) {
  if (::linkat(AT_FDCWD, name_of_descriptor(unnamed_).c_str(), AT_FDCWD, path.c_str(),
               AT_SYMLINK_FOLLOW) != 0) {
    if (errno == EEXIST) return false;
    fail(errno);
  }
  ::close(unnamed_);
  unnamed_ = -1;
  return true;
}

void OutputFile::fail(int reason) const {
  throw RunError(path_ + ": cannot be written: " + std::strerror(reason) + advice_for_disk(reason));
}

std::string finished_name(const std::string& name) {
  const fs::path of_process = fs::path(name).stem();
  const std::string process = of_process.extension().string();  // ".71"
  const bool is_number =
      process.size() > 1 && process.find_first_not_of("0123456789", 1) == std::string::npos;
  return is_number && fs::path(name).extension() == kUnfinished ? of_process.stem().string() : "";
}

void write_file(const std::string& path, std::string_view content) {
  OutputFile file(path);
  file.write(content.data(), content.size());
  file.commit();
}

void sync_files(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_on_disk = file >= 0 && ::syncfs(file) == 0;
  const int reason = errno;
  if (file >= 0) ::close(file);
  if (!is_on_disk) throw RunError(folder + ": cannot be written: " + std::strerror(reason));
}

void make_folder(const std::string& path) {
  std::error_code error, ignored;
  fs::create_directories(path, error);
  if (fs::is_directory(path, ignored)) return;
  throw InputError(path + ": cannot be made a folder: " +
                   (error ? error.message() : std::string("a file of this name exists")));
}

std::string extension_of(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

}  // namespace sightline::host
