#include "host/theory_of_space/briefing_text.h"

#include <fmt/core.h>

#include "host/config/plural.h"

namespace sightline::host::tos {
namespace {

/// The names of items from `first` on.
std::string list_of(const Briefing& briefing, int first, int last) {
  std::string list;
  for (int item = first; item < last; ++item) {
    list += (list.empty() ? "" : ", ") + briefing.names[static_cast<std::size_t>(item)];
  }
  return list.empty() ? "none" : list;
}

std::string actions_help(const EpisodeOptions& options) {
  std::string text =
      "A turn is a list of moves and, last, one of Observe(), Query(name) and Term():\n"
      "  [Rotate(90), JumpTo(red door), Observe()]\n"
      "- JumpTo(name): go to a thing that you observed before and that is in sight now. You keep "
      "your heading.\n"
      "- Rotate(degrees): turn clockwise by 0, 90, 180 or 270, or by as much the other way.\n";
  if (options.allows_return) text += "- Return(): go back to where you began, facing north.\n";
  text += fmt::format(
      "- Observe(): see what is in sight. Costs 1.\n"
      "- Query(name): be told exactly where a thing{} is. Costs 2.\n"
      "- Term(): end the exploration. It stands alone.\n"
      "When a move fails, the rest of the turn is dropped and you observe instead.\n",
      options.queries_need_sight ? " that you observed before" : "");
  return text;
}

constexpr const char* kWordsHelp =
    "- Directions as you see them, in degrees to the right of straight ahead: front-left "
    "[-45, -22.5), front-slight-left [-22.5, 0), front 0, front-slight-right (0, 22.5], "
    "front-right (22.5, 45]; left and right: in view, but further out; beyond-fov: not in view.\n"
    "- Cardinal directions: north, north east, east, south east, south, south west, west, north "
    "west, of 45 degrees each.\n"
    "- Distances in cells, as the crow flies: same distance 0, near (0, 2], mid distance (2, 4], "
    "slightly far (4, 8], far (8, 16], very far (16, 32], extremely far (32, 64].\n"
    "Facing says where a thing looks as you see it: forward is away from you. Of things no more "
    "than 2 cells apart you are told where one is from the other, north being the way you face.\n";

}  // namespace

std::string briefing_text(const Briefing& briefing, const EpisodeOptions& options) {
  const int degrees = degrees_of(options.field);
  std::string text = fmt::format(
      "You explore rooms on a grid, to learn where everything is. You begin at (0, 0) in room 1 "
      "and face north; x is east, y is north.\n"
      "Objects: {}.\nDoors: {}.\n"
      "You see {} degrees, half to either side of straight ahead, and only what is in your room. "
      "On a door you are in both of its rooms. Nothing hides another thing.\n",
      list_of(briefing, 0, briefing.num_objects),
      list_of(briefing, briefing.num_objects, briefing.num_items()), degrees);
  text += actions_help(options) + kWordsHelp;
  if (options.budget > 0) {
    text += fmt::format("You have {}.\n", plural(options.budget, "turn"));
  }
  return text;
}

}  // namespace sightline::host::tos
