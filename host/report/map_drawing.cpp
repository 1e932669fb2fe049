#include "host/report/map_drawing.h"

#include <algorithm>

#include <fmt/format.h>

#include "host/report/text.h"

namespace sightline::host::report {
namespace {

using namespace tos;

constexpr int kCell = 24;   ///< units of the drawing a cell
constexpr int kMargin = 2;  ///< cells around the mask, for what is believed to be beyond it

class MapDrawing {
 public:
  explicit MapDrawing(const Scene& scene) : scene_(scene) {}

  void draw_rooms() {
    std::string floor, walls;  // outlines of cells
    for (int x = 0; x < scene_.mask.width; ++x) {
      for (int y = 0; y < scene_.mask.height; ++y) {
        const std::int8_t code = scene_.mask.at({x, y});
        if (code == mask::kOutside) continue;
        const Point at = point_of({x, y});
        (code == mask::kWall ? walls : floor) += fmt::format("M{} {}h{}v{}h-{}z", at.x - kCell / 2,
                                                             at.y - kCell / 2, kCell, kCell, kCell);
      }
    }
    svg_ += "<path d=\"" + floor + "\" style=\"fill:var(--panel)\"/>\n<path d=\"" + walls +
            "\" style=\"fill:var(--grid)\"/>\n";
  }

  void draw_item(const std::string& name, const MapEntry& entry, bool is_strong) {
    const Point at = point_of(entry.cell + scene_.start.cell);
    constexpr int kRadius = 7;
    svg_ += fmt::format("<g style=\"opacity:{}\">", is_strong ? 1 : 0.3);
    if (entry.is_door) {
      svg_ += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" style=\"fill:var(--series-4)\"/>",
          at.x - kRadius, at.y - kRadius, 2 * kRadius, 2 * kRadius);
    } else {
      svg_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" style=\"fill:var(--series-0)\"/>",
                          at.x, at.y, kRadius);
    }
    if (entry.facing) {
      const Cell ahead = vector_of(*entry.facing);
      svg_ += fmt::format(
          "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" "
          "style=\"stroke:var(--ink);stroke-width:2.5\"/>",
          at.x, at.y, at.x + ahead.x * kCell / 2, at.y - ahead.y * kCell / 2);
    }
    svg_ += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" "
        "style=\"fill:var(--ink);font-size:10px\">{}</text></g>\n",
        at.x, at.y - kRadius - 2, escape_html(name));
  }

  void draw_agent(const MapEntry& agent) {
    const Point at = point_of(agent.cell + scene_.start.cell);
    constexpr int kDegrees = 90;
    const int turn = kDegrees * static_cast<int>(agent.facing.value_or(Heading::kNorth));
    svg_ += fmt::format(
        "<path d=\"M0,-11 L8,9 L0,4 L-8,9 Z\" transform=\"translate({} {}) rotate({})\" "
        "style=\"fill:var(--series-1)\"/>\n",
        at.x, at.y, turn);
  }

  std::string svg(const std::string& description) const {
    return fmt::format(
        "<svg viewBox=\"0 0 {} {}\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
        "aria-label=\"{}\" style=\"width:100%;height:auto\">\n{}</svg>\n",
        (scene_.mask.width + 2 * kMargin) * kCell, (scene_.mask.height + 2 * kMargin) * kCell,
        escape_html(description), svg_);
  }

 private:
  struct Point {
    int x = 0, y = 0;
  };

  /// The middle of a cell of the world. North is up, and what lies far out is drawn at the rim.
  Point point_of(Cell cell) const {
    const int x = std::clamp(cell.x, -kMargin, scene_.mask.width + kMargin - 1);
    const int y = std::clamp(cell.y, -kMargin, scene_.mask.height + kMargin - 1);
    return {(x + kMargin) * kCell + kCell / 2,
            (scene_.mask.height - 1 - y + kMargin) * kCell + kCell / 2};
  }

  const Scene& scene_;
  std::string svg_;
};

}  // namespace

std::string map_drawing(const Scene& scene, const SpatialMap& map, std::uint64_t strong,
                        const std::string& description) {
  MapDrawing drawing(scene);
  drawing.draw_rooms();
  for (const auto& [name, entry] : map.items) {
    const int item = scene.item_named(name);
    drawing.draw_item(name, entry, item < 0 || (strong >> item & 1) != 0);
  }
  if (map.agent) drawing.draw_agent(*map.agent);
  return drawing.svg(description);
}

}  // namespace sightline::host::report
