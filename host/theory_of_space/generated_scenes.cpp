#include "host/theory_of_space/generated_scenes.h"

#include <algorithm>
#include <vector>

#include "host/memory/parallel_rows.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/world/binary_file.h"

namespace sightline::host::tos {

std::int64_t write_generated_scenes(const SceneSettings& settings, std::uint64_t seed,
                                    std::int64_t count, int num_threads, const std::string& path) {
  check_scene_settings(settings, "generated scenes");
  constexpr std::int64_t kBlock = 4096;  // lines in memory at a time
  const int num_objects = settings.num_rooms * settings.objects_per_room;
  OutputFile file(path);
  std::int64_t num_short = 0;
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const std::int64_t size = std::min(kBlock, count - first);
    std::vector<std::string> lines(static_cast<std::size_t>(size));
    std::vector<char> is_short(lines.size());
    for_each_row(size, num_threads, [&](std::int64_t row) {
      const Scene scene = generate_scene(settings, seed, static_cast<std::uint64_t>(first + row));
      // What is written can be read: in tiny rooms there may be no place for any object.
      check_scene(scene, "generated scene " + scene.id);
      const auto i = static_cast<std::size_t>(row);
      lines[i] = scene_line(scene) + "\n";
      is_short[i] = scene.num_objects() < num_objects ? 1 : 0;
    });
    for (const std::string& line : lines) file.write(line.data(), line.size());
    num_short += std::count(is_short.begin(), is_short.end(), 1);
  }
  file.commit();
  return num_short;
}

}  // namespace sightline::host::tos
