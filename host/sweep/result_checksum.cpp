#include "host/sweep/result_checksum.h"

#include <xxhash.h>

namespace sightline::host {

std::int64_t ResultChecksum::value() const {
  return static_cast<std::int64_t>(XXH64(stored_.data(), stored_.size(), 0));
}

}  // namespace sightline::host
