// One observer, its targets and the walls between them, seen from above.
#include <fstream>
#include <functional>

#include "host/error.h"
#include "host/report/figure_data.h"
#include "host/report/text.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;

Json point_group(const Example& example, const char* label, int color, const char* marker,
                 double size, bool filled,
                 const std::function<bool(const Example::Target&)>& belongs) {
  Json points = Json::array();
  for (const Example::Target& target : example.targets) {
    if (belongs(target)) points.push_back(target.position_m);
  }
  return {{"label", std::string(label) + " (" + std::to_string(points.size()) + ")"},
          {"color", color},
          {"marker", marker},
          {"size", size},
          {"filled", filled},
          {"points", points}};
}

Json slice_groups(const Example& example) {
  using kernels::Visibility;
  using Target = Example::Target;
  Json groups = Json::array();
  groups.push_back(point_group(example, "visible", kRight, "o", 26, true,
                               [](const Target& t) { return t.truth == Visibility::kVisible; }));
  groups.push_back(point_group(example, "hidden", kFalseVisible, "X", 34, true,
                               [](const Target& t) { return t.truth == Visibility::kHidden; }));
  Json unknown = point_group(example, "unknown", kUnknown, "s", 24, true,
                             [](const Target& t) { return t.truth == Visibility::kUnknown; });
  if (!unknown.at("points").empty()) groups.push_back(unknown);
  Json wrong = point_group(
      example, "judged wrong", kJudgedWrong, "o", 130, false,
      [](const Target& t) { return t.truth != Visibility::kUnknown && t.said != t.truth; });
  if (!wrong.at("points").empty()) groups.push_back(wrong);
  return groups;
}

void write_states(const PlanView& plan, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(plan.states.data()),
             static_cast<std::streamsize>(plan.states.size()));
  file.close();
  if (!file) throw RunError(path + ": cannot write (is the temporary directory full?)");
}

}  // namespace

Json plan_drawing(const PlanView& plan, const std::string& directory) {
  const std::string states = directory + "/plan.bin";
  write_states(plan, states);
  return {{"name", "slice"},
          {"kind", "slice"},
          {"world", plan.world_m},
          {"window", plan.window_m},
          {"states", states},
          {"rows", plan.rows},
          {"columns", plan.columns},
          {"xlabel", std::string(plan.first_axis) + " (m)"},
          {"ylabel", std::string(plan.second_axis) + " (m)"},
          {"observer", nullptr},
          {"cone", Json::array()},
          {"groups", Json::array()}};
}

FigureData slice_figure(const Example& example, const std::string& directory) {
  const PlanView& plan = example.plan;
  FigureData figure;
  const Json groups = slice_groups(example);
  figure.drawing = plan_drawing(plan, directory);
  figure.drawing["observer"] = example.observer_m;
  figure.drawing["cone"] = example.cone_m;
  figure.drawing["groups"] = groups;
  figure.title = "One observer and its targets";
  figure.caption = "The world cut at the observer's eye, " + number_text(plan.height_m) +
                   " m up, seen from above: walls grey, unknown space light grey" +
                   (example.cone_m.empty() ? "." : ", the field of view tinted.");
  if (example.num_other_heights > 0) {
    figure.caption += " " + count_text(example.num_other_heights) +
                      " targets far above or below the cut are left out.";
  }
  if (!example.targets_are_its_own) {
    figure.caption += " Its own rays are few: targets of other rays are shown, as seen from here.";
  }
  std::string judge = "judged wrong by " + example.arm;
  if (example.step_m > 0) judge += " at a step of " + number_text(example.step_m) + " m";
  figure.held = "Cut " + number_text(plan.height_m) + " m up; rings: " + judge;
  figure.caption += " Rings: " + judge + ".";
  std::vector<std::string> counts;
  for (const Json& group : groups) counts.push_back(group.at("label").get<std::string>());
  figure.alt =
      "Map of the world around one observer with targets in two colours: " + join_words(counts) +
      ".";
  return figure;
}

}  // namespace sightline::host::report
