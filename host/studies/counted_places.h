// Places of memories, counted as they are read: what an arm that must not read them is held to, and
// one that must.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

/// A view of the anchors of a store for one arm. Not for several threads at once.
class CountedPlaces {
 public:
  /// `places_m` must outlive this.
  explicit CountedPlaces(const std::vector<kernels::Vec3>& places_m) : places_m_(&places_m) {}

  const kernels::Vec3& operator[](std::size_t i) {
    ++num_reads_;
    return (*places_m_)[i];
  }
  std::size_t size() const { return places_m_->size(); }
  std::int64_t num_reads() const { return num_reads_; }

 private:
  const std::vector<kernels::Vec3>* places_m_;
  std::int64_t num_reads_ = 0;
};

}  // namespace sightline::host
