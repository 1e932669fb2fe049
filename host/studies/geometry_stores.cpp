#include "host/studies/geometry_stores.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "host/random.h"
#include "host/world/sight_at.h"

namespace sightline::host {
namespace {

using kernels::Visibility;

/// Adds the time until it goes out of scope.
class Timed {
 public:
  explicit Timed(double* seconds) : seconds_(seconds) {}
  ~Timed() {
    *seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double* seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void make_edits(const std::vector<Edit>& edits, OccupancyGrid* grid) {
  for (const Edit& edit : edits) grid->set_box(edit.lo, edit.hi, edit.state);
}

World world_of(OccupancyGrid grid) {
  World world;
  world.frame = grid.geometry().frame;
  world.grid = std::move(grid);
  return world;
}

/// Some rows of a batch.
RayBatch rows_of(const RayBatch& rays, const std::vector<std::size_t>& rows) {
  RayBatch some;
  for (const std::size_t row : rows) {
    some.observers.push_back(rays.observers[row]);
    some.targets.push_back(rays.targets[row]);
  }
  return some;
}

/// The rows of each key, [num_keys].
template <class Key>
std::vector<std::vector<std::size_t>> rows_by(const std::vector<Key>& keys, std::size_t num_keys) {
  std::vector<std::vector<std::size_t>> rows(num_keys);
  for (std::size_t row = 0; row < keys.size(); ++row) {
    rows[static_cast<std::size_t>(keys[row])].push_back(row);
  }
  return rows;
}

void ask_rows(const World& world, const RayBatch& rays, const std::vector<std::size_t>& rows,
              const VisibilityQuery& query, Device& device, StoreAnswers* answers) {
  if (rows.empty()) return;
  const RayBatch some = rows_of(rays, rows);
  std::vector<Visibility> said;
  {
    const Timed timed(&answers->seconds);
    said = line_of_sight(world, some, query, 0, device);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) answers->said[rows[i]] = said[i];
}

/// One grid that is edited in place, at one version after the other.
class Replayed {
 public:
  explicit Replayed(const GeometryHistory& history)
      : history_(history), world_(world_of(history.first)) {}
  const World& at(std::int64_t version) {
    for (; version_ < version; ++version_) {
      make_edits(history_.edits[static_cast<std::size_t>(version_)], &*world_.grid);
    }
    return world_;
  }

 private:
  const GeometryHistory& history_;
  World world_;
  std::int64_t version_ = 0;
};

StoreAnswers unasked(const GeometryRays& rays) {
  StoreAnswers answers;
  answers.said.assign(rays.memory.size(), Visibility::kUnknown);
  return answers;
}

/// Memories in the order of the versions that they keep something of.
std::vector<std::size_t> by_version(const std::vector<std::int64_t>& versions) {
  std::vector<std::size_t> order(versions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return versions[a] < versions[b]; });
  return order;
}

/// Words of 4^3 voxels of one memory.
struct KeptWords {
  std::vector<std::uint32_t> places;  ///< ascending
  std::vector<std::uint64_t> words;
};

constexpr std::int64_t kWordEdge = 4;

std::int64_t words_along(std::int64_t voxels) { return (voxels + kWordEdge - 1) / kWordEdge; }

/// Calls use(voxel, bit) for the voxels of a word inside the grid.
template <class Use>
void each_voxel(const VoxelIndex& dims, std::uint32_t place, const Use& use) {
  const std::int64_t along_x = words_along(dims[0]), along_y = words_along(dims[1]);
  const VoxelIndex low{kWordEdge * (place % along_x), kWordEdge * (place / along_x % along_y),
                       kWordEdge * (place / (along_x * along_y))};
  for (int bit = 0; bit < 64; ++bit) {
    const VoxelIndex voxel{low[0] + bit % 4, low[1] + bit / 4 % 4, low[2] + bit / 16};
    if (voxel[0] < dims[0] && voxel[1] < dims[1] && voxel[2] < dims[2]) use(voxel, bit);
  }
}

/// Steps of a quarter voxel, and at each the words of the eight corners half a voxel around it:
/// more than the voxels that the line crosses, never fewer.
std::vector<std::uint32_t> words_near(const VoxelIndex& dims, const LatticePlace& from,
                                      const LatticePlace& to) {
  constexpr std::int64_t kHalf = kLatticePerVoxel / 2, kStep = kLatticePerVoxel / 4;
  std::int64_t longest = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    longest = std::max(longest, std::abs(to[axis] - from[axis]));
  }
  const std::int64_t steps = longest / kStep + 1;
  std::vector<std::uint32_t> places;
  for (std::int64_t step = 0; step <= steps; ++step) {
    for (int corner = 0; corner < 8; ++corner) {
      VoxelIndex word;
      bool inside = true;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t at = from[axis] + (to[axis] - from[axis]) * step / steps +
                                ((corner >> axis & 1) != 0 ? kHalf : -kHalf);
        inside = inside && at >= 0 && at < dims[axis] * kLatticePerVoxel;
        word[axis] = at / kLatticePerVoxel / kWordEdge;
      }
      if (!inside) continue;
      places.push_back(static_cast<std::uint32_t>(
          word[0] + words_along(dims[0]) * (word[1] + words_along(dims[1]) * word[2])));
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

KeptWords keep_words(const OccupancyGrid& grid, const GeometryMemory& memory) {
  const VoxelIndex dims = grid.geometry().dims;
  KeptWords kept{words_near(dims, memory.from, memory.place), {}};
  for (const std::uint32_t place : kept.places) {
    std::uint64_t word = 0;
    each_voxel(dims, place, [&](const VoxelIndex& voxel, int bit) {
      const bool solid = grid.at(voxel[0], voxel[1], voxel[2]) == VoxelState::kOccupied;
      word |= std::uint64_t{solid} << bit;
    });
    kept.words.push_back(word);
  }
  return kept;
}

OccupancyGrid unpacked(const GridGeometry& geometry, const KeptWords& kept) {
  OccupancyGrid grid = OccupancyGrid::unknown(geometry);
  for (std::size_t i = 0; i < kept.places.size(); ++i) {
    each_voxel(geometry.dims, kept.places[i], [&](const VoxelIndex& voxel, int bit) {
      const bool solid = (kept.words[i] >> bit & 1) != 0;
      grid.set(voxel[0], voxel[1], voxel[2], solid ? VoxelState::kOccupied : VoxelState::kFree);
    });
  }
  return grid;
}

}  // namespace

StoreAnswers answer_nothing(std::size_t num_rays) {
  StoreAnswers answers;
  {
    const Timed timed(&answers.seconds);
    answers.said.assign(num_rays, Visibility::kUnknown);
  }
  return answers;
}

GeometryHistory history_of(const ChangingWorld& world) {
  GeometryHistory history{OccupancyGrid(world.geometry), {}};
  const VoxelIndex& dims = world.first.dims();
  for (std::int64_t k = 0; k < dims[2]; ++k) {
    for (std::int64_t j = 0; j < dims[1]; ++j) {
      for (std::int64_t i = 0; i < dims[0]; ++i) {
        if (world.first.is_solid({i, j, k})) history.first.set(i, j, k, VoxelState::kOccupied);
      }
    }
  }
  for (const WorldChange& change : world.changes) {
    std::vector<Edit>& edits = history.edits.emplace_back();
    for (const VoxelChange& part : change.voxels) {
      edits.push_back({part.lo, part.hi, part.solid ? VoxelState::kOccupied : VoxelState::kFree});
    }
  }
  return history;
}

StoreAnswers ask_current(const GeometryHistory& history, const GeometryRays& rays, Device& device) {
  StoreAnswers answers = unasked(rays);
  const auto rows = rows_by(rays.version, history.edits.size() + 1);
  Replayed replayed(history);
  for (std::size_t version = 0; version < rows.size(); ++version) {
    ask_rows(replayed.at(static_cast<std::int64_t>(version)), rays.rays, rows[version], {}, device,
             &answers);
  }
  const World& last = replayed.at(static_cast<std::int64_t>(history.edits.size()));
  answers.bytes = static_cast<std::int64_t>(last.grid->compacted().bytes());
  return answers;
}

std::vector<std::size_t> order_of_log(std::size_t num_changes) {
  std::vector<std::size_t> order(num_changes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::vector<std::size_t> shuffled_log(std::size_t num_changes, std::uint64_t seed) {
  std::vector<std::size_t> order = order_of_log(num_changes);
  RandomItem random(seed, stream_of("geometry versions: a log out of order"), 0);
  shuffle(&order, &random);
  return order;
}

StoreAnswers ask_versions(const GeometryHistory& history, std::size_t num_memories,
                          const std::vector<std::size_t>& order, const GeometryRays& rays,
                          Device& device) {
  StoreAnswers answers = unasked(rays);
  World world = world_of(history.first);
  VersionedGrid& versions = start_versions(world);
  for (const std::size_t row : order) versions.edit(history.edits[row]);
  if (!rays.memory.empty()) {
    const Timed timed(&answers.seconds);
    answers.said = line_of_sight_at(world, rays.rays, rays.version, {}, 0, device);
  }
  const std::vector<std::uint32_t> version_of_memory(num_memories);
  std::size_t bytes = version_of_memory.size() * sizeof(version_of_memory[0]);
  for (std::int64_t v = 0; v <= versions.latest(); ++v) bytes += versions.bytes(v);
  answers.bytes = static_cast<std::int64_t>(bytes);
  return answers;
}

StoreAnswers ask_snapshots(const GeometryHistory& history,
                           const std::vector<std::int64_t>& versions, bool shared,
                           const GeometryRays& rays, Device& device) {
  StoreAnswers answers = unasked(rays);
  const auto rows = rows_by(rays.memory, versions.size());
  Replayed replayed(history);
  World snapshot;
  std::int64_t of_version = -1;
  std::size_t bytes = shared ? versions.size() * sizeof(std::uint32_t) : 0;
  for (const std::size_t memory : by_version(versions)) {
    const bool is_new = versions[memory] != of_version;
    if (is_new) {
      snapshot = world_of(replayed.at(versions[memory]).grid->compacted());
      of_version = versions[memory];
    } else if (!shared) {
      snapshot = world_of(OccupancyGrid(*snapshot.grid));
    }
    if (is_new || !shared) bytes += snapshot.grid->bytes();
    ask_rows(snapshot, rays.rays, rows[memory], {}, device, &answers);
  }
  answers.bytes = static_cast<std::int64_t>(bytes);
  return answers;
}

StoreAnswers ask_crossed_bricks(const GeometryHistory& history, const ChangingWorld& world,
                                const std::vector<GeometryMemory>& memories,
                                const std::vector<std::int64_t>& versions, const GeometryRays& rays,
                                Device& device) {
  StoreAnswers answers = unasked(rays);
  const auto rows = rows_by(rays.memory, memories.size());
  VisibilityQuery query;
  query.unknown = kernels::SpacePolicy::kUnknown;
  Replayed replayed(history);
  std::size_t bytes = 0;
  for (const std::size_t memory : by_version(versions)) {
    const KeptWords kept = keep_words(*replayed.at(versions[memory]).grid, memories[memory]);
    bytes += kept.places.size() * sizeof(kept.places[0]) +
             kept.words.size() * sizeof(kept.words[0]) + sizeof(std::uint32_t);
    if (rows[memory].empty()) continue;
    World known;
    {
      const Timed timed(&answers.seconds);
      known = world_of(unpacked(world.geometry, kept));
    }
    ask_rows(known, rays.rays, rows[memory], query, device, &answers);
  }
  answers.bytes = static_cast<std::int64_t>(bytes);
  return answers;
}

StoreAnswers ask_seen_bits(const GeometryHistory& history, const ChangingWorld& world,
                           const std::vector<GeometryMemory>& memories,
                           const std::vector<std::int64_t>& versions, const GeometryRays& rays,
                           Device& device) {
  GeometryRays own;
  for (std::size_t memory = 0; memory < memories.size(); ++memory) {
    own.rays.observers.push_back(metres_of(world.geometry, memories[memory].from));
    own.rays.targets.push_back(metres_of(world.geometry, memories[memory].place));
    own.memory.push_back(memory);
    own.version.push_back(versions[memory]);
  }
  const std::vector<Visibility> seen = ask_current(history, own, device).said;
  constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> bits((seen.size() + kBits - 1) / kBits);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    bits[i / kBits] |= std::uint64_t{seen[i] == Visibility::kVisible} << i % kBits;
  }
  StoreAnswers answers = unasked(rays);
  answers.bytes = static_cast<std::int64_t>((seen.size() + 7) / 8);
  {
    const Timed timed(&answers.seconds);
    for (std::size_t row = 0; row < rays.memory.size(); ++row) {
      const std::size_t i = rays.memory[row];
      answers.said[row] =
          (bits[i / kBits] >> i % kBits & 1) != 0 ? Visibility::kVisible : Visibility::kHidden;
    }
  }
  return answers;
}

ObjectPlaces object_places(const ChangingWorld& world, const GeometryTrials& trials) {
  std::vector<std::uint32_t> object_of_memory;
  for (const GeometryMemory& memory : trials.memories) {
    object_of_memory.push_back(static_cast<std::uint32_t>(memory.object));
  }
  std::vector<std::array<std::int32_t, 3>> table;
  const auto to_row = [](const LatticePlace& place) -> std::array<std::int32_t, 3> {
    return {static_cast<std::int32_t>(place[0]), static_cast<std::int32_t>(place[1]),
            static_cast<std::int32_t>(place[2])};
  };
  for (const LatticePlace& place : world.first_places) table.push_back(to_row(place));
  std::vector<std::int64_t> later;
  for (const GeometryPair& pair : trials.pairs) later.push_back(pair.now);
  const auto rows = rows_by(later, world.changes.size() + 1);
  ObjectPlaces places;
  places.now.resize(trials.pairs.size());
  for (std::size_t version = 0; version < rows.size(); ++version) {
    if (version > 0 && world.changes[version - 1].kind == ChangeKind::kObject) {
      table[world.changes[version - 1].item] = to_row(world.changes[version - 1].object_place);
    }
    for (const std::size_t row : rows[version]) {
      const auto& place = table[object_of_memory[trials.pairs[row].memory]];
      places.now[row] = {place[0], place[1], place[2]};
    }
  }
  places.bytes = static_cast<std::int64_t>(table.size() * sizeof(table[0]) +
                                           object_of_memory.size() * sizeof(object_of_memory[0]));
  return places;
}

}  // namespace sightline::host
