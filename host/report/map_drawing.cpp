#include "host/report/map_drawing.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "host/report/text.h"

namespace sightline::host::report {
namespace {

using namespace tos;

constexpr int kCell = 24;   ///< units of the drawing a cell
constexpr int kRadius = 7;  ///< of a thing
constexpr int kFont = 10;   ///< high, of a name
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
    svg_ += "</g>\n";
    keep_clear({at.x - kRadius, at.y - kRadius, at.x + kRadius, at.y + kRadius});
    labels_.push_back({at, name, is_strong});
  }

  /// Above its thing, or where it covers the least of things and of other names.
  void draw_labels() {
    for (const Label& label : labels_) {
      Box best = boxes_of(label).front();
      int least = -1;
      for (const Box& box : boxes_of(label)) {
        int covered = 0;
        for (const Box& taken : taken_) covered += overlap(box, taken);
        if (least < 0 || covered < least) least = covered, best = box;
      }
      keep_clear(best);
      svg_ += fmt::format(
          "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" style=\"fill:var(--ink);"
          "stroke:var(--panel);stroke-width:2px;paint-order:stroke;font-size:{}px;opacity:{}\">{}"
          "</text>\n",
          (best.left + best.right) / 2, best.bottom - kFont / 4, kFont, label.is_strong ? 1 : 0.5,
          escape_html(label.name));
    }
  }

  void draw_agent(const MapEntry& agent) {
    const Point at = point_of(agent.cell + scene_.start.cell);
    constexpr int kDegrees = 90;
    const int turn = kDegrees * static_cast<int>(agent.facing.value_or(Heading::kNorth));
    svg_ += fmt::format(
        "<path d=\"M0,-11 L8,9 L0,4 L-8,9 Z\" transform=\"translate({} {}) rotate({})\" "
        "style=\"fill:var(--series-1)\"/>\n",
        at.x, at.y, turn);
    keep_clear({at.x - kRadius, at.y - kRadius, at.x + kRadius, at.y + kRadius});
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
  struct Box {
    int left = 0, top = 0, right = 0, bottom = 0;
  };
  struct Label {
    Point at;
    std::string name;
    bool is_strong = true;
  };

  static int overlap(const Box& a, const Box& b) {
    const int width = std::min(a.right, b.right) - std::max(a.left, b.left);
    const int height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    return std::max(0, width) * std::max(0, height);
  }
  void keep_clear(const Box& box) { taken_.push_back(box); }

  /// Where a name may stand: above, below, and aside at the height of its thing and off it.
  static std::vector<Box> boxes_of(const Label& label) {
    constexpr int kAway = kRadius + 2;
    // Letters are half as wide as they are high, and bytes of a character beyond ASCII count one.
    const auto num_letters = static_cast<int>(std::count_if(
        label.name.begin(), label.name.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    const int half = num_letters * kFont * 11 / 40, x = label.at.x, y = label.at.y;
    std::vector<Box> boxes{{x - half, y - kAway - kFont, x + half, y - kAway},
                           {x - half, y + kAway, x + half, y + kAway + kFont}};
    for (const int up : {kFont / 2, kAway + kFont, -kAway}) {
      boxes.push_back({x + kAway, y - up, x + kAway + 2 * half, y - up + kFont});
      boxes.push_back({x - kAway - 2 * half, y - up, x - kAway, y - up + kFont});
    }
    return boxes;
  }

  /// The middle of a cell of the world. North is up, and what lies far out is drawn at the rim.
  Point point_of(Cell cell) const {
    const int x = std::clamp(cell.x, -kMargin, scene_.mask.width + kMargin - 1);
    const int y = std::clamp(cell.y, -kMargin, scene_.mask.height + kMargin - 1);
    return {(x + kMargin) * kCell + kCell / 2,
            (scene_.mask.height - 1 - y + kMargin) * kCell + kCell / 2};
  }

  const Scene& scene_;
  std::string svg_;
  std::vector<Label> labels_;
  std::vector<Box> taken_;  ///< by things and by names that are drawn
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
  drawing.draw_labels();
  return drawing.svg(description);
}

}  // namespace sightline::host::report
