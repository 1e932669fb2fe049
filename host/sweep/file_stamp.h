// Tells cheaply whether a file may have changed since it was looked at.
#pragma once

#include <cstdint>
#include <string>

namespace sightline::host {

/// What a file system says of a file. A file that is written or replaced gets another stamp; an
/// equal one may not, where the clock of the file system is coarse and the size stays the same.
struct FileStamp {
  std::int64_t num_bytes = -1;  ///< -1: there is no such file
  std::int64_t modified_ns = 0;
  std::int64_t inode = 0;

  bool operator==(const FileStamp& other) const {
    return num_bytes == other.num_bytes && modified_ns == other.modified_ns && inode == other.inode;
  }
  bool operator!=(const FileStamp& other) const { return !(*this == other); }
};

FileStamp stamp_of(const std::string& path);

}  // namespace sightline::host
