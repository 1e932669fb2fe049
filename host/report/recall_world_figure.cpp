// The world of a run of recall from above: what is remembered, and where questions are asked.
#include <algorithm>
#include <cmath>

#include "host/device.h"
#include "host/report/arm_nature.h"
#include "host/report/plan_view.h"
#include "host/report/recall_figures.h"
#include "host/report/text.h"
#include "host/sweep/make_queries.h"
#include "host/sweep/recall_settings.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;
using kernels::Vec3;

constexpr std::size_t kMostDrawn = 400;          ///< of a kind: more would hide one another
constexpr std::int64_t kMostMemories = 200'000;  ///< more take long to make again
constexpr std::size_t kFewest = 12;              ///< fewer near the cut: all heights are drawn

double middle_height(const std::vector<Vec3>& points, int up_axis) {
  std::vector<double> heights;
  for (const Vec3 point : points) heights.push_back(coordinate(point, up_axis));
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle;
}

/// Those near the cut, evenly thinned.
std::vector<Vec3> drawn_of(const std::vector<Vec3>& points, int up_axis, double height_m) {
  std::vector<Vec3> near;
  for (const Vec3 point : points) {
    if (std::fabs(coordinate(point, up_axis) - height_m) <= kBand_m) near.push_back(point);
  }
  const std::vector<Vec3>& kept = near.size() < std::min(kFewest, points.size()) ? points : near;
  const std::size_t stride = (kept.size() + kMostDrawn - 1) / kMostDrawn;
  std::vector<Vec3> drawn;
  for (std::size_t i = 0; i < kept.size(); i += std::max<std::size_t>(1, stride)) {
    drawn.push_back(kept[i]);
  }
  return drawn;
}

Json group_of(const std::string& label, int color, const char* marker, const PlanAxes& axes,
              const std::vector<Vec3>& points) {
  Json places = Json::array();
  for (const Vec3 point : points) places.push_back(axes.project(point));
  constexpr int kSize = 22;
  return {{"label", label}, {"color", color}, {"marker", marker},
          {"size", kSize},  {"filled", true}, {"points", places}};
}

std::string of_all(std::size_t drawn, std::size_t all) {
  const std::string count = count_text(static_cast<std::int64_t>(drawn));
  return drawn == all ? count : count + " of " + count_text(static_cast<std::int64_t>(all));
}

bool has_many_memories(const RunData& run) {
  const RunData::Row& row = run.rows.front();
  const std::int64_t num_queries = std::max<std::int64_t>(1, row.result.recall.num_queries);
  return row.cost.num_rays / num_queries > kMostMemories;
}

}  // namespace

std::optional<FigureData> recall_world_figure(const RunData& run, const std::string& directory) {
  if (run.rows.empty() || has_many_memories(run)) return std::nullopt;
  WorldSpecs worlds;
  const RecallExperiment experiment = parse_recall_experiment(settings_of(run, 0), worlds);
  if (!experiment.world) return std::nullopt;
  const World world = make_world(*experiment.world);
  Device device(DeviceChoice::kCpu);  // the drawing needs no GPU to be woken up
  const MemorySet memories =
      make_sweep_memories(experiment.memories, &world, experiment.seed, device);
  const std::vector<Vec3> askers = make_queries(experiment, memories, &world).centre_m;
  const std::vector<Vec3>& things =
      memories.subject_m.empty() ? memories.table.anchor_m : memories.subject_m;
  if (askers.empty() || things.empty()) return std::nullopt;

  const PlanAxes axes = plan_axes(world.frame);
  const double height_m = middle_height(askers, axes.up);
  const std::vector<Vec3> shown = drawn_of(things, axes.up, height_m),
                          asked = drawn_of(askers, axes.up, height_m);
  PlanView plan = cut_world(world, world.grid ? Geometry::kGrid : Geometry::kAnalytic, height_m);
  std::vector<Vec3> all = shown;
  all.insert(all.end(), asked.begin(), asked.end());
  plan.window_m = window_around(plan, axes, all);

  const std::string what = "things remembered (" + of_all(shown.size(), things.size()) + ")",
                    where = "asked from (" + of_all(asked.size(), askers.size()) + ")";
  FigureData figure;
  figure.drawing = plan_drawing(plan, directory);
  figure.drawing["name"] = "world";
  figure.drawing["groups"] = {group_of(what, kRight, "o", axes, shown),
                              group_of(where, kFalseVisible, "X", axes, asked)};
  figure.title = "The world, what is remembered and where questions are asked";
  figure.held = "Cut " + number_text(std::round(1e3 * height_m) / 1e3) + " m up";
  figure.caption = "The world of the first configuration, cut " +
                   number_text(std::round(1e3 * height_m) / 1e3) +
                   " m up and seen from above: walls grey, unknown space light grey. Drawn is what "
                   "lies near the cut, thinned where there is much.";
  figure.alt = "Map of the world: " + what + ", " + where + ".";
  return figure;
}

}  // namespace sightline::host::report
