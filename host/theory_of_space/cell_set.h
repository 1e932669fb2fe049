// Sets of cells around the start, a bit each, and what relations leave of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/theory_of_space/scene.h"

namespace sightline::host::tos {

/// Cells (x, y) with |x|, |y| <= kRadius.
class CellSet {
 public:
  static constexpr int kRadius = Scene::kMaxSide, kSide = 2 * kRadius + 1;

  /// All cells with x and y in these bounds.
  static CellSet box(Cell low, Cell high);
  static CellSet only(Cell cell);

  bool has(Cell cell) const {
    return (rows_[static_cast<std::size_t>(cell.y + kRadius)] >> (cell.x + kRadius) & 1) != 0;
  }
  int size() const;
  bool empty() const { return first_ > last_; }
  /// Cells by rows from south to north, each from west to east.
  std::vector<Cell> cells() const;
  /// Some cell of it: the one that is nearest the mean; not of an empty set.
  Cell middle() const;
  /// Keeps what is in the other too. Did that take anything away?
  bool intersect(const CellSet& other);
  void erase(Cell cell);
  void insert(const CellSet& other);
  /// Calls visit(offset, n), n > 0: there are n more pairs of a cell p of this and a cell q of the
  /// other with q - p = offset. The offsets of a pair of rows come together; one may come again.
  template <class Visit>
  void count_offsets(const CellSet& other, const Visit& visit) const;
  friend bool operator==(const CellSet& a, const CellSet& b) { return a.rows_ == b.rows_; }

 private:
  friend class Relation;
  void shrink();

  std::array<std::uint64_t, kSide> rows_{};  ///< of y from -kRadius up; bit x + kRadius
  int first_ = kSide, last_ = -1;            ///< rows that are not empty lie between
};

template <class Visit>
void CellSet::count_offsets(const CellSet& other, const Visit& visit) const {
  constexpr int kTopBit = 63;
  for (int y = first_; y <= last_; ++y) {
    const std::uint64_t from = rows_[static_cast<std::size_t>(y)];
    for (int v = other.first_; from != 0 && v <= other.last_; ++v) {
      const std::uint64_t to = other.rows_[static_cast<std::size_t>(v)];
      if (to == 0) continue;
      const int west = __builtin_ctzll(to) - (kTopBit - __builtin_clzll(from));
      const int east = kTopBit - __builtin_clzll(to) - __builtin_ctzll(from);
      for (int dx = west; dx <= east; ++dx) {
        const std::uint64_t moved = dx >= 0 ? to >> dx : to << -dx;
        const int num_pairs = __builtin_popcountll(from & moved);
        if (num_pairs > 0) visit(Cell{dx, v - y}, num_pairs);
      }
    }
  }
}

/// A set of offsets between two things: what an observation says of where one is from the other.
class Relation {
 public:
  /// Offsets p - q at which an observer at q, so heading, sees something at p in these bins.
  static const Relation& seen(FieldOfView field, Heading heading, EgoBin direction,
                              DistanceBin distance);
  /// Offsets in these bins, as if the heading were north.
  static const Relation& near(Heading heading, CardinalBin direction, DistanceBin distance);
  static Relation exactly(Cell offset);

  bool has(Cell offset) const;
  /// What is in both.
  Relation operator&(const Relation& other) const;
  /// -r for every offset r.
  Relation reversed() const;
  /// q + r for every q of the set and every offset r.
  CellSet around(const CellSet& set) const;
  /// Keeps of `cells` what is around `from`. Did that take anything away?
  bool keep_around(const CellSet& from, CellSet* cells) const;
  bool empty() const { return runs_.empty(); }

 private:
  struct Run {
    std::int8_t dy, from, to;  ///< dx from `from` to `to`, both inside
  };
  friend struct RelationTables;
  template <class Holds>
  static Relation where(int reach, const Holds& holds);

  std::vector<Run> runs_;  ///< by dy, then dx; runs of a row do not touch
};

}  // namespace sightline::host::tos
