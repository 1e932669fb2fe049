#include "host/theory_of_space/cell_set.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

namespace sightline::host::tos {
namespace {

constexpr std::uint64_t kAllBits = (std::uint64_t{1} << CellSet::kSide) - 1;

/// Every bit also moved up by 1 to n.
std::uint64_t smeared_up(std::uint64_t bits, int n) {
  for (int covered = 1; covered <= n;) {
    const int step = std::min(covered, n + 1 - covered);
    bits |= bits << step;
    covered += step;
  }
  return bits;
}

std::uint64_t smeared_down(std::uint64_t bits, int n) {
  for (int covered = 1; covered <= n;) {
    const int step = std::min(covered, n + 1 - covered);
    bits |= bits >> step;
    covered += step;
  }
  return bits;
}

/// Every bit moved by each of `from` to `to`; what leaves the row is lost.
std::uint64_t spread(std::uint64_t bits, int from, int to) {
  if (from > 0) return smeared_up(bits << from, to - from) & kAllBits;
  if (to < 0) return smeared_down(bits >> -to, to - from);
  return (smeared_up(bits, to) | smeared_down(bits, -from)) & kAllBits;
}

}  // namespace

CellSet CellSet::box(Cell low, Cell high) {
  CellSet set;
  const int west = std::max(low.x, -kRadius), east = std::min(high.x, kRadius);
  const int south = std::max(low.y, -kRadius), north = std::min(high.y, kRadius);
  if (west > east || south > north) return set;
  const std::uint64_t row = spread(std::uint64_t{1} << (west + kRadius), 0, east - west);
  set.first_ = south + kRadius, set.last_ = north + kRadius;
  for (int y = set.first_; y <= set.last_; ++y) set.rows_[static_cast<std::size_t>(y)] = row;
  return set;
}

CellSet CellSet::only(Cell cell) { return box(cell, cell); }

int CellSet::size() const {
  int size = 0;
  for (int y = first_; y <= last_; ++y) {
    size += __builtin_popcountll(rows_[static_cast<std::size_t>(y)]);
  }
  return size;
}

std::vector<Cell> CellSet::cells() const {
  std::vector<Cell> cells;
  for (int y = first_; y <= last_; ++y) {
    for (std::uint64_t row = rows_[static_cast<std::size_t>(y)]; row != 0; row &= row - 1) {
      cells.push_back({__builtin_ctzll(row) - kRadius, y - kRadius});
    }
  }
  return cells;
}

Cell CellSet::middle() const {
  const std::vector<Cell> all = cells();
  const auto count = static_cast<std::int64_t>(all.size());
  std::int64_t x = 0, y = 0;
  for (const Cell cell : all) x += cell.x, y += cell.y;
  Cell best = all.front();
  std::int64_t least = -1;
  for (const Cell cell : all) {
    const std::int64_t dx = count * cell.x - x, dy = count * cell.y - y;
    const std::int64_t apart = dx * dx + dy * dy;
    if (least < 0 || apart < least) least = apart, best = cell;
  }
  return best;
}

bool CellSet::intersect(const CellSet& other) {
  bool changed = false;
  for (int y = first_; y <= last_; ++y) {
    const auto row = static_cast<std::size_t>(y);
    const std::uint64_t kept = rows_[row] & other.rows_[row];
    changed |= kept != rows_[row];
    rows_[row] = kept;
  }
  if (changed) shrink();
  return changed;
}

void CellSet::erase(Cell cell) {
  rows_[static_cast<std::size_t>(cell.y + kRadius)] &= ~(std::uint64_t{1} << (cell.x + kRadius));
  shrink();
}

void CellSet::insert(const CellSet& other) {
  for (std::size_t y = 0; y < rows_.size(); ++y) rows_[y] |= other.rows_[y];
  first_ = std::min(first_, other.first_), last_ = std::max(last_, other.last_);
}

void CellSet::shrink() {
  while (first_ <= last_ && rows_[static_cast<std::size_t>(first_)] == 0) ++first_;
  while (first_ <= last_ && rows_[static_cast<std::size_t>(last_)] == 0) --last_;
  if (first_ > last_) first_ = kSide, last_ = -1;
}

template <class Holds>
Relation Relation::where(int reach, const Holds& holds) {
  Relation relation;
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      if (!holds(Cell{dx, dy})) continue;
      std::vector<Run>& runs = relation.runs_;
      if (!runs.empty() && runs.back().dy == dy && runs.back().to == dx - 1) {
        runs.back().to = static_cast<std::int8_t>(dx);
      } else {
        const auto x = static_cast<std::int8_t>(dx);
        runs.push_back({static_cast<std::int8_t>(dy), x, x});
      }
    }
  }
  return relation;
}

/// Relations by their bins, made once a process, those of a field of view when it is first used.
struct RelationTables {
  template <int kBins>
  using Table = std::array<std::array<std::array<Relation, kNumDistanceBins>, kBins>, kNumHeadings>;

  /// `direction` gives the bin of an offset, and kBins for one that cannot be.
  template <int kBins, class Direction>
  static Table<kBins> make(const Direction& direction) {
    Table<kBins> table;
    for (std::size_t heading = 0; heading < table.size(); ++heading) {
      for (std::size_t bin = 0; bin < kBins; ++bin) {
        for (std::size_t distance = 0; distance < kNumDistanceBins; ++distance) {
          const int reach = std::min(distance == 0 ? 0 : 1 << distance, 2 * CellSet::kRadius);
          table[heading][bin][distance] = Relation::where(reach, [&](Cell offset) {
            return static_cast<std::size_t>(distance_bin(offset)) == distance &&
                   direction(offset, static_cast<Heading>(heading)) == bin;
          });
        }
      }
    }
    return table;
  }

  static const Table<kNumEgoBins>& seen(FieldOfView field) {
    static std::array<std::once_flag, 4> made;
    static std::array<Table<kNumEgoBins>, 4> tables;
    const auto i = static_cast<std::size_t>(field);
    std::call_once(made[i], [&] {
      tables[i] = make<kNumEgoBins>([&](Cell offset, Heading heading) {
        const Eighth view = eighth_of(heading);
        if (offset == Cell{} || !is_within(field, offset, view)) {
          return static_cast<std::size_t>(kNumEgoBins);
        }
        return static_cast<std::size_t>(seen_bin(offset, view));
      });
    });
    return tables[i];
  }

  static const Table<kNumCardinalBins>& near() {
    static const Table<kNumCardinalBins> table =
        make<kNumCardinalBins>([](Cell offset, Heading heading) {
          return static_cast<std::size_t>(cardinal_bin(offset, heading));
        });
    return table;
  }
};

const Relation& Relation::seen(FieldOfView field, Heading heading, EgoBin direction,
                               DistanceBin distance) {
  return RelationTables::seen(field)[static_cast<std::size_t>(heading)][static_cast<std::size_t>(
      direction)][static_cast<std::size_t>(distance)];
}

const Relation& Relation::near(Heading heading, CardinalBin direction, DistanceBin distance) {
  return RelationTables::near()[static_cast<std::size_t>(heading)][static_cast<std::size_t>(
      direction)][static_cast<std::size_t>(distance)];
}

Relation Relation::exactly(Cell offset) {
  Relation relation;
  const auto x = static_cast<std::int8_t>(offset.x);
  relation.runs_.push_back({static_cast<std::int8_t>(offset.y), x, x});
  return relation;
}

bool Relation::has(Cell offset) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
    return run.dy == offset.y && run.from <= offset.x && offset.x <= run.to;
  });
}

Relation Relation::operator&(const Relation& other) const {
  Relation both;
  auto a = runs_.begin(), b = other.runs_.begin();
  while (a != runs_.end() && b != other.runs_.end()) {
    if (a->dy != b->dy) {
      ++(a->dy < b->dy ? a : b);
      continue;
    }
    const std::int8_t from = std::max(a->from, b->from), to = std::min(a->to, b->to);
    if (from <= to) both.runs_.push_back({a->dy, from, to});
    ++(a->to < b->to ? a : b);
  }
  return both;
}

Relation Relation::reversed() const {
  Relation other;
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    other.runs_.push_back({static_cast<std::int8_t>(-run->dy), static_cast<std::int8_t>(-run->to),
                           static_cast<std::int8_t>(-run->from)});
  }
  return other;
}

CellSet Relation::around(const CellSet& set) const {
  CellSet reached;
  for (const Run& run : runs_) {
    const int first = std::max(set.first_, -run.dy);
    const int last = std::min(set.last_, CellSet::kSide - 1 - run.dy);
    for (int y = first; y <= last; ++y) {
      const std::uint64_t row = set.rows_[static_cast<std::size_t>(y)];
      if (row != 0) {
        reached.rows_[static_cast<std::size_t>(y + run.dy)] |= spread(row, run.from, run.to);
      }
    }
  }
  reached.first_ = 0, reached.last_ = CellSet::kSide - 1;
  reached.shrink();
  return reached;
}

/// Row by row of what is to be kept, each only until all of it is reached: of large sets, which
/// belief begins with, a few runs reach it.
bool Relation::keep_around(const CellSet& from, CellSet* cells) const {
  bool changed = false;
  for (int y = cells->first_; y <= cells->last_; ++y) {
    std::uint64_t& row = cells->rows_[static_cast<std::size_t>(y)];
    std::uint64_t open = row;
    for (auto run = runs_.begin(); open != 0 && run != runs_.end(); ++run) {
      const int source = y - run->dy;
      if (source < from.first_ || source > from.last_) continue;
      const std::uint64_t reaching = from.rows_[static_cast<std::size_t>(source)];
      if (reaching != 0) open &= ~spread(reaching, run->from, run->to);
    }
    changed |= open != 0;
    row &= ~open;
  }
  if (changed) cells->shrink();
  return changed;
}

}  // namespace sightline::host::tos
