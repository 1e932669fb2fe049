#include "host/report/figure_data.h"

namespace sightline::host::report {

std::size_t arm_color(const Digest& digest, std::size_t arm) {
  if (arm == digest.primary) return 0;
  return arm < digest.primary ? arm + 1 : arm;
}

std::vector<FigureData> make_figures(const Digest& digest, const std::optional<Example>& example,
                                     const std::string& directory) {
  std::vector<FigureData> figures;
  if (!digest.steps_m.empty()) figures.push_back(curves_figure(digest));
  if (digest.steps_m.empty() && digest.has_lines()) figures.push_back(line_bars_figure(digest));
  figures.push_back(arm_bars_figure(digest));
  if (example) figures.push_back(slice_figure(*example, directory));
  if (std::optional<FigureData> cost = cost_figure(digest)) figures.push_back(std::move(*cost));
  return figures;
}

}  // namespace sightline::host::report
