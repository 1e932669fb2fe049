// Scenes of Theory of Space: SIGHTLINE_FUZZ_READ is the reader, SIGHTLINE_FUZZ_SUFFIX its format. A
// scene that is accepted is sound, reads back as itself, and can be drawn.
#include "fuzz/fuzz.h"
#include "host/theory_of_space/scene_drawing.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/scene_metadata.h"

namespace sightline::fuzz {

using namespace host::tos;

inline std::vector<Scene> of_lines(const std::string& path) { return read_scenes(path); }
inline std::vector<Scene> of_metadata(const std::string& path) {
  return {read_scene_metadata(path)};
}

}  // namespace sightline::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("scenes" SIGHTLINE_FUZZ_SUFFIX);
  const std::string& path = input.write(data, size);
  std::vector<host::tos::Scene> scenes;
  if (!fuzz::accepts([&] { scenes = fuzz::SIGHTLINE_FUZZ_READ(path); })) return 0;
  for (const host::tos::Scene& scene : scenes) {
    const std::string line = host::tos::scene_line(scene);
    fuzz::require(host::tos::scene_line(host::tos::parse_scene(line, "the scene")) == line,
                  "a scene that reads back as another");
    fuzz::require(!host::tos::scene_text(scene).empty(), "a scene that cannot be drawn");
  }
  return 0;
}
