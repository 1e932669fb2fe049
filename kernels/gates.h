// The ops of gates over memories: by radius, by the k nearest, joined.
#pragma once

#include "kernels/feature_ops.h"
#include "kernels/hd.h"
#include "kernels/recall.h"

namespace sightline::kernels {

/// Slot i is word i % words of query i / words.
struct RadiusGate {
  const Vec3* anchors;
  std::int64_t num_anchors;
  const Vec3* centres;
  double radius_m;
  std::uint64_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t num_words = words_of_bits(num_anchors);
    const Vec3& centre = centres[i / num_words];
    const std::int64_t first = i % num_words * 64;
    const std::int64_t rest = num_anchors - first;
    const int num = static_cast<int>(rest < 64 ? rest : 64);
    const double limit = radius_m * radius_m;
    std::uint64_t word = 0;
    for (int bit = 0; bit < num; ++bit) {
      const bool near = squared_distance(anchors[first + bit], centre) <= limit;
      word |= static_cast<std::uint64_t>(near) << bit;
    }
    out[i] = word;
  }
};

SL_HD inline bool is_nearer(const Neighbour& a, const Neighbour& b) {
  return a.d2 != b.d2 ? a.d2 < b.d2 : a.anchor < b.anchor;
}

/// The nearest so far, in the slots of the answer: a heap with the farthest on top until sort().
class NearestHeap {
 public:
  SL_HD NearestHeap(Neighbour* slots, std::int64_t k) : slots_(slots), k_(k) {}

  SL_HD bool is_full() const { return num_ == k_; }
  SL_HD const Neighbour& farthest() const { return slots_[0]; }

  SL_HD void offer(const Neighbour& neighbour) {
    if (num_ < k_) {
      rise(num_++, neighbour);
    } else if (is_nearer(neighbour, slots_[0])) {
      sink(neighbour, num_);
    }
  }

  /// Puts the nearest first and marks the slots that stay empty.
  SL_HD void sort() {
    for (std::int64_t i = num_; i < k_; ++i) slots_[i] = Neighbour();
    for (std::int64_t num = num_ - 1; num > 0; --num) {
      const Neighbour last = slots_[num];
      slots_[num] = slots_[0];
      sink(last, num);
    }
  }

 private:
  SL_HD void rise(std::int64_t slot, const Neighbour& neighbour) {
    while (slot > 0 && is_nearer(slots_[(slot - 1) / 2], neighbour)) {
      slots_[slot] = slots_[(slot - 1) / 2];
      slot = (slot - 1) / 2;
    }
    slots_[slot] = neighbour;
  }

  /// In place of the top of a heap of num.
  SL_HD void sink(const Neighbour& neighbour, std::int64_t num) {
    std::int64_t slot = 0;
    for (std::int64_t child; (child = 2 * slot + 1) < num; slot = child) {
      if (child + 1 < num && is_nearer(slots_[child], slots_[child + 1])) ++child;
      if (!is_nearer(neighbour, slots_[child])) break;
      slots_[slot] = slots_[child];
    }
    slots_[slot] = neighbour;
  }

  Neighbour* slots_;
  std::int64_t k_, num_ = 0;
};

/// Slot i is a query.
struct NearestAnchors {
  const Vec3* anchors;
  std::int64_t num_anchors;
  const Vec3* centres;
  std::int64_t k;
  Neighbour* out;

  SL_HD void operator()(std::int64_t i) const {
    NearestHeap heap(out + i * k, k);
    for (std::int64_t a = 0; a < num_anchors; ++a) {
      heap.offer({squared_distance(anchors[a], centres[i]), a});
    }
    heap.sort();
  }
};

/// Slot i is a query, and all its words.
struct NearestGate {
  const Neighbour* nearest;
  std::int64_t k;
  std::int64_t num_words;
  std::uint64_t* out;

  SL_HD void operator()(std::int64_t i) const {
    std::uint64_t* words = out + i * num_words;
    for (std::int64_t w = 0; w < num_words; ++w) words[w] = 0;
    for (std::int64_t n = i * k; n < (i + 1) * k && nearest[n].anchor >= 0; ++n) {
      words[nearest[n].anchor / 64] |= std::uint64_t{1} << (nearest[n].anchor % 64);
    }
  }
};

/// Slot i is a word.
struct JoinGates {
  GateJoin join;
  const std::uint64_t* a;
  const std::uint64_t* b;
  std::uint64_t* out;

  SL_HD void operator()(std::int64_t i) const {
    out[i] = join == GateJoin::kAnd  ? a[i] & b[i]
             : join == GateJoin::kOr ? a[i] | b[i]
                                     : a[i] & ~b[i];
  }
};

}  // namespace sightline::kernels
