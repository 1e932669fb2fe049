// The numbers and labels that figures.py draws, as JSON. No drawing happens here.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/report/digest.h"
#include "host/report/example.h"

namespace sightline::host::report {

/// Colours of figures.py by what they mean, the same in every figure.
enum FigureColor : int {
  kRight = 0,
  kFalseVisible = 1,
  kJudgedWrong = 3,
  kFalseHidden = 4,
  kUnknown = 7
};

/// The colour of an arm's lines: the primary arm has the first.
std::size_t arm_color(const Digest& digest, std::size_t arm);

/// A figure: what to draw, and what to tell a reader who cannot see it.
struct FigureData {
  nlohmann::ordered_json drawing;  ///< as figures.py reads it; drawing["name"] is unique
  std::string title;
  std::string held{};   ///< plain text: what it holds fixed, written above it; or nothing
  std::string caption;  ///< plain text
  std::string alt;      ///< plain text: the figure in words
};

/// Accuracy and false-visible rate against the march step. The digest must have a step axis.
FigureData curves_figure(const Digest& digest);
/// Shares of right and wrong answers, a bar per arm.
FigureData arm_bars_figure(const Digest& digest);
/// The same for the primary arm, a bar per value of the line axis.
FigureData line_bars_figure(const Digest& digest);
/// Accuracy against time per ray; none if no time was taken.
std::optional<FigureData> cost_figure(const Digest& digest);
/// A world from above with nothing on it yet. The plan's voxels are written to `directory`, which
/// must outlive the drawing.
nlohmann::ordered_json plan_drawing(const PlanView& plan, const std::string& directory);
/// Likewise.
FigureData slice_figure(const Example& example, const std::string& directory);

/// All that the run has data for, in the order of the page: the first tells the result.
std::vector<FigureData> make_figures(const Digest& digest, const std::optional<Example>& example,
                                     const std::string& directory);

}  // namespace sightline::host::report
