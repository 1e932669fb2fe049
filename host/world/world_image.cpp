#include "host/world/world_image.h"

#include <cstring>
#include <utility>
#include <vector>

#include "host/world/slw_history.h"

namespace sightline::host {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);

/// What stands at the beginning of an image; the name, the history and the words follow.
struct Head {
  GridGeometry geometry;
  kernels::GridLayout layout;
  Bounds bounds_m;
  std::uint64_t name_bytes, history_bytes, num_words, words_begin;
  std::uint64_t num_versions;  ///< 0: a world without versions
  std::int64_t chosen;         ///< version that the world's grid is
};
static_assert(std::is_trivially_copyable_v<Head>, "an image is memory as it lies");

/// Which version a world's grid is.
std::int64_t chosen_version(const World& world) {
  return static_cast<std::int64_t>(world.grid->host_grid().version);
}

}  // namespace

WorldImage::WorldImage(const World& world) {
  const std::string history = world.versions ? write_history(*world.versions) : "";
  words_ = world.versions ? world.versions->words() : world.grid->words();
  Head head{};
  head.geometry = world.grid->geometry();
  head.layout = world.versions ? world.versions->first_layout() : world.grid->layout();
  head.bounds_m = world.bounds_m;
  head.name_bytes = world.name.size();
  head.history_bytes = history.size();
  head.num_words = words_.size();
  head.num_versions =
      world.versions ? static_cast<std::uint64_t>(world.versions->num_versions()) : 0;
  head.chosen = world.versions ? chosen_version(world) : 0;
  const std::size_t before = sizeof head + world.name.size() + history.size();
  words_begin_ = (before + kWordBytes - 1) / kWordBytes * kWordBytes;
  head.words_begin = words_begin_;
  head_.assign(reinterpret_cast<const char*>(&head), sizeof head);
  head_ += world.name + history;
}

void WorldImage::write(std::byte* to) const {
  std::memcpy(to, head_.data(), head_.size());
  std::memcpy(to + words_begin_, words_.data(), words_.size() * kWordBytes);
}

World world_over(const std::byte* image) {
  Head head{};
  std::memcpy(static_cast<void*>(&head), image, sizeof head);
  const char* const name = reinterpret_cast<const char*>(image) + sizeof head;
  const char* const history = name + head.name_bytes;
  const Words words(reinterpret_cast<const std::uint64_t*>(image + head.words_begin),
                    head.num_words);
  World world;
  world.name.assign(name, head.name_bytes);
  world.frame = head.geometry.frame;
  world.bounds_m = head.bounds_m;
  if (head.num_versions == 0) {
    world.grid = OccupancyGrid::over(head.geometry, head.layout, words);
    return world;
  }
  world.versions = std::make_shared<VersionedGrid>(
      head.geometry, PackedBlock(words), head.layout.occupied.offset, head.layout.not_free.offset,
      read_history(std::vector<char>(history, history + head.history_bytes), head.num_versions));
  world.grid = world.versions->grid(head.chosen);
  return world;
}

}  // namespace sightline::host
