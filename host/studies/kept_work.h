// Work that configurations of a study have in common, done once.
#pragma once

#include <memory>
#include <mutex>
#include <string>

namespace sightline::host {

/// Keeps the last work that was asked for. Work is a function of its key alone, so that none can
/// tell. Any thread may ask; others wait while it is done.
template <class Work>
class KeptWork {
 public:
  /// make(): the work of the key, as std::shared_ptr<const Work>, if that kept is of another.
  template <class Make>
  std::shared_ptr<const Work> of(const std::string& key, const Make& make) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!last_ || last_key_ != key) {
      last_.reset();  // two need not fit in memory
      last_ = make();
      last_key_ = key;
    }
    return last_;
  }

 private:
  std::mutex mutex_;
  std::string last_key_;
  std::shared_ptr<const Work> last_;
};

}  // namespace sightline::host
