// Binary files, read with their size known and written so that no half of one is ever left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::host {

/// A regular file opened for reading. Every failure throws InputError that names the file.
class InputFile {
 public:
  /// Throws if the path is missing, a folder, not a regular file or not readable.
  explicit InputFile(const std::string& path);

  const std::string& path() const { return path_; }
  std::uint64_t size_bytes() const { return size_bytes_; }
  std::uint64_t position() { return static_cast<std::uint64_t>(stream_.tellg()); }
  std::uint64_t remaining_bytes() { return size_bytes_ - position(); }
  /// Reads exactly num_bytes; throws, saying that the file is cut short, if there are fewer.
  void read(void* out, std::size_t num_bytes);
  /// Throws InputError: path + ": " + message.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::string path_;
  std::ifstream stream_;
  std::uint64_t size_bytes_ = 0;
};

/// Calls take(bytes, num_bytes) with what is left of a file, piece by piece.
template <class Take>
void read_in_pieces(InputFile& file, Take take) {
  constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20;
  std::vector<char> piece;
  while (file.remaining_bytes() > 0) {
    piece.resize(static_cast<std::size_t>(std::min(file.remaining_bytes(), kPieceBytes)));
    file.read(piece.data(), piece.size());
    take(piece.data(), piece.size());
  }
}

/// A file written beside its final place and renamed into it by commit(). A file that it replaces
/// is kept until the new one is on the disk, power cuts included.
class OutputFile {
 public:
  /// Throws InputError as check_output_path does, and if the folder may not be written; RunError
  /// when the disk is full or fails.
  explicit OutputFile(const std::string& path);
  /// Removes what was written unless commit() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws RunError if the disk has less room than that: before it is filled.
  void expect(std::uint64_t num_bytes) const;
  /// Throws RunError when the disk is full or fails.
  void write(const void* data, std::size_t num_bytes);
  /// The same.
  void commit();

 private:
  void sync();
  /// Gives unnamed_ a name, unless a file has it: false.
  bool name_unnamed(const std::string& path);
  [[noreturn]] void fail(int reason) const;

  std::string path_, temporary_path_;
  int unnamed_ = -1;  ///< descriptor of a file without a name; -1: temporary_path_ is there
  std::ofstream stream_;
  bool committed_ = false;
};

/// Writes a whole file, which is there as a whole or not at all. Throws as OutputFile does.
void write_file(const std::string& path, std::string_view content);

/// NAME of "NAME.PROCESS.tmp", as an OutputFile is called that is not in its place yet, or never
/// will be since its program was killed. Empty for the name of another file.
std::string finished_name(const std::string& name);

/// Returns when what programs wrote to the file system of `folder` is on the disk. Throws RunError.
void sync_files(const std::string& folder);

/// Makes a folder, and those on the way to it, unless it is there. Throws InputError if it cannot.
void make_folder(const std::string& path);

/// Throws InputError unless a file could be written there: a folder that exists, and at the path
/// nothing or a regular file. For checking before the work that fills the file.
void check_output_path(const std::string& path);

/// Is there a file or folder of this name? Throws InputError where that cannot be told, as in a
/// folder that may not be looked into.
bool is_there(const std::string& path);

/// Do both paths name one existing file?
bool same_file(const std::string& a, const std::string& b);

/// The extension in lower case, with its dot; empty if there is none.
std::string extension_of(const std::string& path);

}  // namespace sightline::host
