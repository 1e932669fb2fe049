#include "host/theory_of_space/unexplored.h"

#include <algorithm>

#include "host/random.h"

namespace sightline::host::tos {
namespace {

RoomCells cells_of_room(const Scene& scene, int room) {
  RoomCells cells;
  cells.low = {scene.mask.width, scene.mask.height};
  for (int x = 0; x < scene.mask.width; ++x) {
    for (int y = 0; y < scene.mask.height; ++y) {
      if (scene.mask.at({x, y}) != room) continue;
      cells.cells.push_back({x, y});
      cells.low = {std::min(cells.low.x, x), std::min(cells.low.y, y)};
      cells.high = {std::max(cells.high.x, x), std::max(cells.high.y, y)};
    }
  }
  cells.unexplored.assign(cells.cells.size(), true);
  return cells;
}

}  // namespace

UnexploredCells::UnexploredCells(const Scene& scene) {
  const int num_rooms = scene.num_rooms();
  for (int room = 1; room <= num_rooms; ++room) rooms_.push_back(cells_of_room(scene, room));
}

void UnexploredCells::observe(const Pose& pose, FieldOfView field) {
  for (int room = 1; room <= static_cast<int>(rooms_.size()); ++room) {
    if (!pose.rooms.has(room)) continue;
    RoomCells& cells = rooms_[static_cast<std::size_t>(room) - 1];
    cells.is_visited = true;
    for (std::size_t i = 0; i < cells.cells.size(); ++i) {
      if (is_within(field, cells.cells[i] - pose.cell, eighth_of(pose.heading))) {
        cells.unexplored[i] = false;
      }
    }
  }
}

std::string UnexploredCells::text(int room) const {
  const RoomCells& cells = rooms_[static_cast<std::size_t>(room) - 1];
  const int height = cells.high.y - cells.low.y + 1, width = cells.high.x - cells.low.x + 1;
  std::string text(static_cast<std::size_t>(width * height), '0');
  for (std::size_t i = 0; i < cells.cells.size(); ++i) {
    const Cell at = cells.cells[i] - cells.low;
    if (cells.unexplored[i]) text[static_cast<std::size_t>(at.x * height + at.y)] = '1';
  }
  return text;
}

bool UnexploredCells::is_unexplored(Cell cell) const {
  for (const RoomCells& room : rooms_) {
    const auto found = std::find(room.cells.begin(), room.cells.end(), cell);
    if (found == room.cells.end()) continue;
    return room.unexplored[static_cast<std::size_t>(found - room.cells.begin())];
  }
  return false;
}

std::vector<Cell> unexplored_candidates(const UnexploredCells& explored, Cell agent,
                                        std::uint64_t seed, std::uint64_t turn) {
  constexpr std::size_t kMost = 3;
  constexpr std::uint64_t kStream = stream_of("theory of space: unexplored cells");
  RandomItem random(seed, kStream, turn);
  std::vector<Cell> candidates;
  for (const RoomCells& room : explored.rooms()) {
    if (!room.is_visited) continue;
    std::vector<Cell> open, done;
    for (std::size_t i = 0; i < room.cells.size(); ++i) {
      if (room.cells[i] != agent) (room.unexplored[i] ? open : done).push_back(room.cells[i]);
    }
    const std::size_t count = std::min({kMost, open.size(), done.size()});
    for (std::vector<Cell>* cells : {&open, &done}) {
      shuffle(cells, &random);
      candidates.insert(candidates.end(), cells->begin(),
                        cells->begin() + static_cast<std::ptrdiff_t>(count));
    }
  }
  shuffle(&candidates, &random);
  return candidates;
}

double unexplored_f1(const std::vector<Cell>& candidates, const std::vector<Cell>& chosen,
                     const UnexploredCells& explored) {
  std::size_t right = 0, open = 0, wrong = 0;
  for (const Cell cell : candidates) {
    const bool is_open = explored.is_unexplored(cell);
    const bool is_chosen = std::find(chosen.begin(), chosen.end(), cell) != chosen.end();
    open += is_open ? 1 : 0;
    right += is_open && is_chosen ? 1 : 0;
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const bool is_repeated =
        std::find(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(i), chosen[i]) !=
        chosen.begin() + static_cast<std::ptrdiff_t>(i);
    const bool is_candidate =
        std::find(candidates.begin(), candidates.end(), chosen[i]) != candidates.end();
    wrong += !is_repeated && !(is_candidate && explored.is_unexplored(chosen[i])) ? 1 : 0;
  }
  if (right == 0) return 0;
  return 2.0 * static_cast<double>(right) / static_cast<double>(right + wrong + open);
}

}  // namespace sightline::host::tos
