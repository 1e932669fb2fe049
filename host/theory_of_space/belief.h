// Where things can be, given all that was seen: the domains of Theory of Space (ToS), B.2.
//
// Every observation is a relation between two things. A domain is kept if each of its cells has,
// for each relation, a cell of the other thing's domain that goes with it (arc consistency, AC-3).
// That fixed point is unique, so domains do not depend on the order of relations.
//
// Node: an item, or kStartNode, which is at (0, 0). Cells count from the start.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "host/theory_of_space/cell_set.h"
#include "host/theory_of_space/episode.h"

namespace sightline::host::tos {

/// The published code and the paper differ in what a domain begins with.
enum class Profile : std::uint8_t {
  /// Not related to anything: M = g x g cells count. From its first relation on: any of the
  /// (2g + 1) x (2g + 1) cells around the start. Two things may be on one cell.
  kCode,
  /// Any cell of a map of 20 x 20 (of g x g, if that is more), which the start's place in it is
  /// known of; M is their number. No two things are on one cell (ALLDIFFERENT).
  kPaper
};

struct BeliefOptions {
  Profile profile = Profile::kCode;
  Cell start_in_map;                     ///< kPaper: where the start is on the map
  int map_side = 20;                     ///< kPaper
  FieldOfView field = FieldOfView::k90;  ///< of the observations
};

class Belief {
 public:
  /// `grid` is g, at most Scene::kMaxSide.
  Belief(int num_items, int grid, const BeliefOptions& options = {});

  /// Adds what a turn brought; `node` is what the agent stood on as it observed.
  void add(const Turn& turn, int node);
  void add(const Observation& observation, int node);
  void add(const QueryAnswer& answer);
  /// `item` is at an offset from `node` that the relation has. True: domains are still consistent.
  bool relate(int item, int node, const Relation& relation);
  /// The same, of domains that are consistent; if they would not stay so, nothing is changed.
  bool relate_if_consistent(int item, int node, const Relation& relation);

  /// 1 - sum of log2 of the sizes of the domains over N log2 M (ToS, A.1). The start is not
  /// counted.
  double information_gain() const;
  /// -1: nothing was said of it.
  int domain_size(int item) const;
  /// What `domain_size` counts; of an item that nothing was said of, all that it may be.
  const CellSet& domain(int item) const { return domains_[static_cast<std::size_t>(item)]; }
  bool is_related(int item) const { return related_ >> item & 1; }
  /// Every domain has one cell.
  bool is_certain() const;
  std::int64_t total_domain_size() const;  ///< of all items
  /// How many pairs of direction and distance bin `a` may still be at from `b`, both nodes: of
  /// cells of their domains to which every third thing has a cell that goes with both (path
  /// consistency). Of domains of more than 30 cells, that many are looked at, spread over them.
  int num_possible_relations(int a, int b) const;
  /// Offsets at which `to` is from `from`, as far as it was said of the two; null: it was not.
  const Relation* relation_of(int from, int to) const;
  /// Some domain became empty: the relations cannot all be true.
  bool is_contradictory() const { return is_contradictory_; }
  int num_items() const { return num_items_; }

 private:
  struct Arc {
    std::size_t to = 0;
    std::shared_ptr<const Relation> offsets;  ///< of `to` from the node whose arc it is
  };

  /// What a relation changed, to be taken back.
  struct Trail {
    std::vector<std::pair<std::size_t, CellSet>> domains;  ///< as they were
    std::uint64_t saved = 0;                               ///< nodes whose domain is there
  };

  std::size_t index_of(int node) const {
    return static_cast<std::size_t>(node == kStartNode ? num_items_ : node);
  }
  void put_arc(std::size_t from, std::size_t to, std::shared_ptr<const Relation> offsets);
  std::shared_ptr<const Relation> arc(std::size_t from, std::size_t to) const;
  void save(std::size_t node);
  std::vector<CellSet> allowed_by(std::size_t node, Cell cell) const;
  void join(std::size_t node, std::size_t from, const Relation& relation);
  void tighten(std::size_t from, std::size_t to, const Relation& relation);
  void revise(std::size_t node, std::size_t from, const Relation& offsets);
  void propagate();
  void keep_apart(std::size_t node);

  int num_items_;
  double num_cells_;  ///< M
  BeliefOptions options_;
  std::vector<CellSet> domains_;        ///< [num_items + 1]
  std::vector<std::vector<Arc>> arcs_;  ///< [num_items + 1]
  std::uint64_t related_ = 0;
  std::uint64_t changed_ = 0;  ///< nodes whose domain shrank and which others must hear of
  bool is_contradictory_ = false;
  Trail* trail_ = nullptr;  ///< of a relation that may be taken back
};

}  // namespace sightline::host::tos
