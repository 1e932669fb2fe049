#include "host/report/replay_page.h"

#include <fmt/format.h>

#include "host/report/map_drawing.h"
#include "host/report/page.h"
#include "host/report/table.h"
#include "host/report/text.h"
#include "host/theory_of_space/cognitive_map.h"

namespace sightline::host::report {
namespace {

using namespace tos;

constexpr std::uint64_t kAllItems = ~std::uint64_t{0};

std::string score_text(double score) { return fmt::format("{:.3f}", score); }

SpatialMap truth_at(const Scene& scene, const LivedTurn& turn) {
  SpatialMap truth = true_map(scene);
  truth.agent = MapEntry{turn.truth.pose.cell - scene.start.cell, turn.truth.pose.heading, false};
  return truth;
}

/// How right the map of a turn is, of what was seen by then.
std::optional<MapScore> score_of(const Replay& replay, std::size_t i) {
  if (!replay.maps[i]) return std::nullopt;
  const LivedTurn& turn = replay.lived.turns[i];
  const MapContext context{replay.scene, turn.truth.pose, turn.seen, turn.in_view, turn.first_seen};
  return score_maps(context, *replay.maps[i], SpatialMap{}).update;
}

std::vector<std::string> numbers_of(const Replay& replay, std::size_t i) {
  const TurnRecord& record = replay.lived.exploration.turns[i];
  std::vector<std::string> cells{std::to_string(record.num_observes), std::to_string(record.cost),
                                 score_text(record.information_gain),
                                 score_text(record.node_coverage),
                                 score_text(record.edge_coverage)};
  const std::optional<MapScore> score = score_of(replay, i);
  for (const double MapScore::*part :
       {&MapScore::direction, &MapScore::facing, &MapScore::position}) {
    cells.push_back(score ? score_text((*score).*part) : "–");
  }
  cells.push_back(score ? score_text(score->overall()) : "–");
  return cells;
}

constexpr const char* kNumbers[] = {"observes",      "cost",          "information gain",
                                    "node coverage", "edge coverage", "map: direction",
                                    "map: facing",   "map: position", "map: overall"};

std::string overview(const Replay& replay) {
  std::vector<Table::Column> columns{{"turn", Table::Kind::kNumber},
                                     {"actions", Table::Kind::kLongText}};
  for (const char* name : kNumbers) columns.push_back({name, Table::Kind::kNumber});
  Table table(std::move(columns));
  for (std::size_t i = 0; i < replay.lived.turns.size(); ++i) {
    std::vector<std::string> cells{std::to_string(i + 1), replay.lived.turns[i].told.said};
    for (std::string& cell : numbers_of(replay, i)) cells.push_back(std::move(cell));
    table.add(cells);
  }
  return table.html();
}

std::string captioned(const std::string& drawing, const std::string& caption) {
  return "<figure style=\"flex:1 1 20rem;margin:0\">\n" + drawing + "<figcaption>" +
         escape_html(caption) + "</figcaption>\n</figure>\n";
}

std::string maps_html(const Replay& replay, std::size_t i) {
  const LivedTurn& turn = replay.lived.turns[i];
  const std::string predicted =
      replay.maps[i] ? captioned(map_drawing(replay.scene, *replay.maps[i], kAllItems,
                                             fmt::format("Map believed in after turn {}", i + 1)),
                                 "Believed by " + replay.believer)
                     : "<p class=\"note\">No map was answered.</p>\n";
  const std::string truth =
      captioned(map_drawing(replay.scene, truth_at(replay.scene, turn), turn.seen,
                            fmt::format("True map at turn {}", i + 1)),
                "True; faint: not seen so far");
  return "<div style=\"display:flex;flex-wrap:wrap;gap:1rem\">\n" + predicted + truth + "</div>\n";
}

std::string turn_section(const Replay& replay, std::size_t i) {
  const LivedTurn& turn = replay.lived.turns[i];
  std::string html = fmt::format("<section id=\"turn-{0}\">\n<h2>Turn {0}</h2>\n", i + 1);
  html += "<p><code>" + escape_html(turn.told.said) + "</code></p>\n";
  if (turn.truth.failed) html += "<p class=\"warning\">This turn failed.</p>\n";
  html += "<pre>" + escape_html(turn.told.told) + "</pre>\n" + maps_html(replay, i) + "<p>";
  const std::vector<std::string> numbers = numbers_of(replay, i);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    html += fmt::format("{}{} {}", k == 0 ? "" : " · ", kNumbers[k], numbers[k]);
  }
  return html + "</p>\n</section>\n";
}

std::string summary(const Replay& replay) {
  if (replay.lived.turns.empty()) return "Nothing was done so far.";
  const TurnRecord& last = replay.lived.exploration.last();
  std::string text =
      fmt::format("{} turns and {} looks: information gain {}, {} of all things seen.",
                  replay.lived.turns.size(), last.num_observes, score_text(last.information_gain),
                  percent_text(last.node_coverage));
  const std::optional<MapScore> score = score_of(replay, replay.lived.turns.size() - 1);
  if (score) text += fmt::format(" The last map is {} right.", percent_text(score->overall()));
  return text;
}

}  // namespace

std::string replay_page(const Replay& replay) {
  std::string main = "<section>\n<h2>All turns</h2>\n" + overview(replay) +
                     note(
                         "Map: of what was seen by then and of the agent, against the truth. "
                         "Overall is the mean of direction, facing and position.") +
                     "</section>\n";
  for (std::size_t i = 0; i < replay.lived.turns.size(); ++i) main += turn_section(replay, i);
  return make_document(fmt::format("Scene {}, explored by {}", replay.scene.id, replay.explorer),
                       fmt::format("What was believed is by {}.{}", replay.believer,
                                   replay.lived.has_ended ? "" : " The exploration has not ended."),
                       summary(replay), "", main);
}

}  // namespace sightline::host::report
