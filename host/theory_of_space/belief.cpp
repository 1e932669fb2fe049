#include "host/theory_of_space/belief.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sightline::host::tos {
namespace {

/// All cells of a set, or as many as count, spread over it.
std::vector<Cell> some_cells(const CellSet& set) {
  constexpr std::size_t kMost = 30;
  const std::vector<Cell> all = set.cells();
  if (all.size() <= kMost) return all;
  std::vector<Cell> some;
  for (std::size_t i = 0; i < kMost; ++i) some.push_back(all[i * all.size() / kMost]);
  return some;
}

}  // namespace

Belief::Belief(int num_items, int grid, const BeliefOptions& options)
    : num_items_(num_items), options_(options) {
  const bool is_paper = options.profile == Profile::kPaper;
  const int side = is_paper ? std::max(options.map_side, grid) : grid;
  num_cells_ = static_cast<double>(side) * side;
  const Cell start = options.start_in_map;
  const CellSet all =
      is_paper ? CellSet::box({-start.x, -start.y}, {side - 1 - start.x, side - 1 - start.y})
               : CellSet::box({-grid, -grid}, {grid, grid});
  domains_.assign(static_cast<std::size_t>(num_items) + 1, all);
  domains_.back() = CellSet::only({});
  arcs_.resize(domains_.size());
}

void Belief::add(const Turn& turn, int node) {
  if (turn.observation) add(*turn.observation, node);
  if (turn.query) add(*turn.query);
}

void Belief::add(const Observation& observation, int node) {
  const Heading heading = observation.pose.heading;
  for (const SeenItem& seen : observation.items) {
    join(index_of(seen.item), index_of(node),
         Relation::seen(options_.field, heading, seen.direction, seen.distance));
  }
  for (const NearPair& pair : observation.pairs) {
    join(index_of(pair.item), index_of(pair.from),
         Relation::near(heading, pair.direction, pair.distance));
  }
  propagate();
}

void Belief::add(const QueryAnswer& answer) {
  relate(answer.item, kStartNode, Relation::exactly(answer.offset));
}

bool Belief::relate(int item, int node, const Relation& relation) {
  join(index_of(item), index_of(node), relation);
  propagate();
  return !is_contradictory_;
}

bool Belief::relate_if_consistent(int item, int node, const Relation& relation) {
  const std::size_t to = index_of(item), from = index_of(node);
  const std::shared_ptr<const Relation> there = arc(from, to), back = arc(to, from);
  const std::uint64_t related = related_;
  Trail trail;
  trail_ = &trail;
  const bool is_consistent = relate(item, node, relation);
  trail_ = nullptr;
  if (is_consistent) return true;
  for (const auto& [changed, domain] : trail.domains) domains_[changed] = domain;
  put_arc(from, to, there);
  put_arc(to, from, back);
  related_ = related;
  changed_ = 0;
  is_contradictory_ = false;
  return false;
}

/// None: nothing was said of the two.
std::shared_ptr<const Relation> Belief::arc(std::size_t from, std::size_t to) const {
  for (const Arc& arc : arcs_[from]) {
    if (arc.to == to) return arc.offsets;
  }
  return nullptr;
}

void Belief::put_arc(std::size_t from, std::size_t to, std::shared_ptr<const Relation> offsets) {
  std::vector<Arc>& arcs = arcs_[from];
  const auto found =
      std::find_if(arcs.begin(), arcs.end(), [&](const Arc& arc) { return arc.to == to; });
  if (found == arcs.end()) return;
  if (offsets) {
    found->offsets = std::move(offsets);
  } else {
    arcs.erase(found);
  }
}

/// Keeps a domain for who may take back what is about to change it.
void Belief::save(std::size_t node) {
  if (trail_ == nullptr || (trail_->saved >> node & 1) != 0) return;
  trail_->saved |= std::uint64_t{1} << node;
  trail_->domains.emplace_back(node, domains_[node]);
}

/// `node` is at an offset from `from` that the relation has: one more thing that is known of the
/// two, heard of by both.
void Belief::join(std::size_t node, std::size_t from, const Relation& relation) {
  related_ |= (std::uint64_t{1} << node) | (std::uint64_t{1} << from);
  tighten(from, node, relation);
  tighten(node, from, relation.reversed());
}

void Belief::tighten(std::size_t from, std::size_t to, const Relation& relation) {
  std::vector<Arc>& arcs = arcs_[from];
  auto arc = std::find_if(arcs.begin(), arcs.end(), [&](const Arc& a) { return a.to == to; });
  if (arc == arcs.end()) {
    arc = arcs.insert(arcs.end(), {to, std::make_shared<Relation>(relation)});
  } else {
    arc->offsets = std::make_shared<Relation>(*arc->offsets & relation);
  }
  revise(to, from, *arc->offsets);
}

/// `node` is at one of these offsets from `from`: that is all that is left to it.
void Belief::revise(std::size_t node, std::size_t from, const Relation& offsets) {
  CellSet& domain = domains_[node];
  if (trail_ != nullptr) {
    CellSet kept = domain;
    if (!offsets.keep_around(domains_[from], &kept)) return;
    save(node);
    domain = kept;
  } else if (!offsets.keep_around(domains_[from], &domain)) {
    return;
  }
  changed_ |= std::uint64_t{1} << node;
  is_contradictory_ |= domain.empty();
}

void Belief::propagate() {
  if (options_.profile == Profile::kPaper) {
    for (std::size_t node = 0; node + 1 < domains_.size(); ++node) keep_apart(node);
  }
  while (changed_ != 0 && !is_contradictory_) {
    const auto node = static_cast<std::size_t>(__builtin_ctzll(changed_));
    changed_ &= changed_ - 1;
    if (options_.profile == Profile::kPaper) keep_apart(node);
    for (const Arc& arc : arcs_[node]) revise(arc.to, node, *arc.offsets);
  }
}

/// What is certain to be on a cell keeps all others off it.
void Belief::keep_apart(std::size_t node) {
  const bool is_start = node == static_cast<std::size_t>(num_items_);
  if (is_start || domains_[node].size() != 1) return;
  const Cell cell = domains_[node].cells().front();
  for (std::size_t other = 0; other + 1 < domains_.size(); ++other) {
    if (other == node || !domains_[other].has(cell)) continue;
    save(other);
    domains_[other].erase(cell);
    changed_ |= std::uint64_t{1} << other;
    is_contradictory_ |= domains_[other].empty();
  }
}

const Relation* Belief::relation_of(int from, int to) const {
  const std::vector<Arc>& arcs = arcs_[index_of(from)];
  const std::size_t aim = index_of(to);
  const auto arc =
      std::find_if(arcs.begin(), arcs.end(), [&](const Arc& a) { return a.to == aim; });
  return arc == arcs.end() ? nullptr : arc->offsets.get();
}

/// What is left of every domain if `node` is at `cell`.
std::vector<CellSet> Belief::allowed_by(std::size_t node, Cell cell) const {
  std::vector<CellSet> allowed = domains_;
  for (const Arc& arc : arcs_[node]) {
    allowed[arc.to].intersect(arc.offsets->around(CellSet::only(cell)));
  }
  return allowed;
}

int Belief::num_possible_relations(int a, int b) const {
  const std::size_t node_a = index_of(a), node_b = index_of(b);
  const std::vector<Cell> cells_a = some_cells(domains_[node_a]);
  const std::vector<Cell> cells_b = some_cells(domains_[node_b]);
  const Relation* between = relation_of(b, a);
  std::vector<std::vector<CellSet>> allowed_a;
  for (const Cell cell : cells_a) allowed_a.push_back(allowed_by(node_a, cell));
  std::array<bool, kNumCardinalBins * kNumDistanceBins> possible{};
  for (const Cell cell_b : cells_b) {
    const std::vector<CellSet> allowed_b = allowed_by(node_b, cell_b);
    for (std::size_t i = 0; i < cells_a.size(); ++i) {
      const Cell offset = cells_a[i] - cell_b;
      if (between != nullptr && !between->has(offset)) continue;
      bool is_allowed = true;
      for (std::size_t node = 0; node < domains_.size() && is_allowed; ++node) {
        if (node == node_a || node == node_b) continue;
        CellSet both = allowed_a[i][node];
        both.intersect(allowed_b[node]);
        is_allowed = !both.empty();
      }
      const std::size_t bins = static_cast<std::size_t>(cardinal_bin(offset)) * kNumDistanceBins +
                               static_cast<std::size_t>(distance_bin(offset));
      if (is_allowed) possible[bins] = true;
    }
  }
  return static_cast<int>(std::count(possible.begin(), possible.end(), true));
}

double Belief::information_gain() const {
  if (num_items_ == 0) return 0;
  double bits = 0;
  for (int item = 0; item < num_items_; ++item) {
    const bool is_open = options_.profile == Profile::kCode && !is_related(item);
    const double size = is_open ? num_cells_ : domain(item).size();
    bits += std::log2(std::max(1.0, size));
  }
  return 1 - bits / (num_items_ * std::log2(num_cells_));
}

int Belief::domain_size(int item) const {
  if (options_.profile == Profile::kCode && !is_related(item)) return -1;
  return domain(item).size();
}

bool Belief::is_certain() const { return total_domain_size() == num_items_; }

std::int64_t Belief::total_domain_size() const {
  std::int64_t total = 0;
  for (int item = 0; item < num_items_; ++item) total += domain(item).size();
  return total;
}

}  // namespace sightline::host::tos
