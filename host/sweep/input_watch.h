// Notices that an input file is not what it was when its run began.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "host/sweep/store.h"

namespace sightline::host {

class InputWatch {
 public:
  /// `inputs`: as hash_inputs or hash_once has them, with their stamps.
  explicit InputWatch(const std::vector<InputHash>& inputs);

  /// Throws InputError if one of these files has another content than its hash says, or had when it
  /// was checked before: what was read of it may still be in memory. Only files whose stamp is
  /// another one are read. A file that is gone is left to who reads it.
  void check(const std::vector<std::string>& files);

 private:
  struct Watched {
    InputHash input;
    bool changed = false;
  };
  std::unordered_map<std::string, Watched> watched_;
};

}  // namespace sightline::host
