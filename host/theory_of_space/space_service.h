// Scenes as a service of JSON lines (config/tool_lines.h), so that any agent, in any language, can
// explore them: Theory of Space (ToS), section 2.
//
//     {"id": 1, "tool": "reset", "args": {"scene": 0, "budget": 20}}
//     {"id": 1, "result": {"episode": "main", "objects": ["sofa", ...], "instructions": "...",
//     ...}}
//     {"id": 2, "tool": "step", "args": {"actions": "[Rotate(90), Observe()]"}}
//     {"id": 2, "result": {"turn": {...}, "turns_left": 19}}
//
// space_tools.h has all of it, turn_json.h the turn. Several episodes may be under way, told apart
// by "episode". A turn that cannot be read, or whose move fails, is a failed turn, scored as one; a
// step of no episode, or of one that has ended, is an error and changes nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/theory_of_space/scene.h"

namespace sightline::host::tos {

class SpaceService {
 public:
  static constexpr std::size_t kMostEpisodes = 1000;  ///< at a time

  /// `scenes` must outlive this. Its episodes have the errors of perception that explore_scenes()
  /// gives explorers of the same scenes and seed.
  explicit SpaceService(const std::vector<Scene>& scenes);
  ~SpaceService();

  /// One object, without a line end: a result or an error, whatever the line holds. The same lines
  /// in the same order give the same answers.
  std::string answer(const std::string& line);

 private:
  class Calls;
  std::unique_ptr<Calls> calls_;
};

}  // namespace sightline::host::tos
