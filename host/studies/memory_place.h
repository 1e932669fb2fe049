// Where a memory is, behind a counter: nobody gets the coordinates without being counted, neither
// an arm nor whoever writes down what is right.
//
// What Spatial Memory Must Store (2026), section 10: "geometry unread" (F3) and "ground-truth
// contamination" (F4) are falsification conditions; both are told by these counts.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/kernels.h"

namespace sightline::host {

/// The place of a memory's thing, and the one that it was seen from; metres. Not for several
/// threads at once. Copies are of the same memory and count together: who reads the place where it
/// was copied from is counted too.
class MemoryPlace {
 public:
  MemoryPlace() = default;
  MemoryPlace(const kernels::Vec3& thing_m, const kernels::Vec3& seen_from_m)
      : thing_m_(thing_m), seen_from_m_(seen_from_m) {}

  const kernels::Vec3& thing_m() const { return counted(thing_m_); }
  const kernels::Vec3& seen_from_m() const { return counted(seen_from_m_); }
  /// How often either has been read so far, of any copy; the same object for all copies.
  const std::int64_t& num_reads() const { return *num_reads_; }

 private:
  const kernels::Vec3& counted(const kernels::Vec3& place_m) const {
    ++*num_reads_;
    return place_m;
  }

  kernels::Vec3 thing_m_, seen_from_m_;
  std::shared_ptr<std::int64_t> num_reads_ = std::make_shared<std::int64_t>(0);
};

}  // namespace sightline::host
