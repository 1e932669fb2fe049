// Files that come into a folder all together: written in a folder inside it, then put in place.
#pragma once

#include <string>
#include <vector>

namespace sightline::host {

/// New files for `folder`, to be written into path(), a folder `name` inside it. commit() puts them
/// in place of what is there; without it they are gone with this object, and so is `folder` if it
/// was made for them. A program that is killed leaves the folder `name` behind, which tells of it.
/// One program fills it at a time.
class StagedFiles {
 public:
  /// Makes the folders. Throws InputError if they cannot be made, or another program fills them.
  StagedFiles(const std::string& folder, const std::string& name);
  ~StagedFiles();
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  const std::string& path() const { return path_; }

  /// Takes the files `replaced` out of the folder and puts the new ones in. If that fails, all is
  /// put back, and RunError is thrown. What cannot be put back stays in path()/replaced, and the
  /// error says so.
  void commit(const std::vector<std::string>& replaced);

 private:
  struct Move {
    std::string from, to;
  };

  void hold();
  void remove();
  void move(const std::string& from, const std::string& to);
  bool put_back();

  std::string folder_, path_, replaced_path_;
  bool folder_is_new_ = false;
  int lock_ = -1;             ///< on path_
  bool holds_files_ = false;  ///< path_ is this object's to fill, and to remove
  std::vector<Move> done_;    ///< in the order of doing
};

/// Is there a folder `name` that a killed program left, or that one is filling?
bool has_staged_files(const std::string& folder, const std::string& name);

/// The files that are in it, those that were to be replaced included.
std::vector<std::string> staged_files(const std::string& folder, const std::string& name);

}  // namespace sightline::host
