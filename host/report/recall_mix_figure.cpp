// Hits over the triangle of weights.
#include <algorithm>

#include "host/report/recall_figures.h"
#include "host/report/text.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;

double hits_at(const RecallDigest& digest, std::size_t variant, std::size_t offset) {
  const std::optional<Rate> rate = digest.at(variant, offset).rate("hit_rate");
  return rate ? rate->value : 0;
}

/// The weights of a mix in words: a label without the arm and the context.
std::string mix_label(const RecallDigest& digest, const MixMap& mixes, std::size_t variant) {
  std::vector<std::string> parts;
  for (const std::size_t axis : mixes.weight_axes) {
    const SettingAxis& weights = digest.settings[axis];
    const std::uint32_t value = digest.variants[variant].values[axis];
    if (weights.numbers[value] == 0) continue;
    parts.push_back(number_text(weights.numbers[value]) + " " + axis_name(weights.key));
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " + ") + part;
  return text;
}

Json mark(const std::string& label, const MixPoint& point, bool is_best) {
  return {{"label", label}, {"spatial", point.spatial}, {"other", point.other}, {"best", is_best}};
}

Json panel_of(const RecallDigest& digest, const MixMap& mixes, std::size_t offset) {
  const MixPanel& panel = mixes.panels[offset];
  Json cells = Json::array(), marks = Json::array();
  for (const MixPanel::Cell& cell : panel.cells) {
    cells.push_back({cell.point.spatial, cell.point.other, hits_at(digest, cell.variant, offset)});
  }
  for (const NamedMix& named : mixes.named) {
    marks.push_back(mark(named.name + " " + percent_text(hits_at(digest, named.variant, offset)),
                         named.point, false));
  }
  marks.push_back(mark("best " + percent_text(hits_at(digest, panel.best, offset)),
                       mixes.point_of(digest, panel.best), true));
  return {{"title", digest.offset_label(offset)}, {"cells", cells}, {"marks", marks}};
}

/// "At 1 m 98.3 %: 0.2 relevance + 0.8 spatial."
std::string best_text(const RecallDigest& digest, const MixMap& mixes, std::size_t offset) {
  const MixPanel& panel = mixes.panels[offset];
  std::string text = digest.has_offsets ? "at " + digest.offset_label(offset) + " " : "";
  text += mix_label(digest, mixes, panel.best) + " (" +
          percent_text(hits_at(digest, panel.best, offset));
  if (panel.num_best > 1) {
    text += ", as " + count_text(panel.num_best - 1) +
            (panel.num_best == 2 ? " other mix" : " other mixes");
  }
  return text + ")";
}

std::string caption_of(const RecallDigest& digest, const MixMap& mixes) {
  std::string text =
      "Each cell: the best of the mixes that weigh relevance and place so, whatever "
      "they make of " +
      join_words(mixes.others) + "; " + count_text(mixes.num_mixes) + " mixes in steps of " +
      number_text(mixes.step) + ".";
  if (!mixes.context.empty()) {
    text += " Shown at " + mixes.context +
            (mixes.context_is_usual ? ", as the sweep file has it beside the axis, of "
                                    : ", where the best mix of all offsets lies, of ") +
            count_text(mixes.num_contexts) +
            " such settings; the best of all are in the table below.";
  }
  if (!mixes.named.empty()) {
    text += " Marks: the mixes that the sweep file names, with their own " + digest.hit_name +
            ", which may be below that of their cell.";
  }
  std::vector<std::string> best;
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    best.push_back(best_text(digest, mixes, offset));
  }
  return text + " Best: " + join_words(best) + ".";
}

std::string alt_of(const RecallDigest& digest, const MixMap& mixes) {
  std::string text = "Triangles of weights, one per offset, coloured by " + digest.hit_name + ".";
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    std::vector<std::string> points;
    for (const NamedMix& named : mixes.named) {
      points.push_back(named.name + " " + percent_text(hits_at(digest, named.variant, offset)));
    }
    points.push_back("best " + best_text(digest, mixes, offset));
    text += " " + join_words(points) + ".";
  }
  return text;
}

}  // namespace

FigureData mix_figure(const RecallDigest& digest, const MixMap& mixes) {
  Json panels = Json::array();
  double low = 1, high = 0;
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    panels.push_back(panel_of(digest, mixes, offset));
    for (const Json& cell : panels.back().at("cells")) {
      low = std::min(low, cell[2].get<double>());
      high = std::max(high, cell[2].get<double>());
    }
  }
  std::vector<std::string> others = mixes.others;
  FigureData figure;
  figure.drawing = {
      {"name", "mixes"},          {"kind", "triangle"},
      {"step", mixes.step},       {"corners", {"relevance", "spatial", join_words(others)}},
      {"label", digest.hit_name}, {"range", {low, high}},
      {"panels", panels}};
  figure.title = "Where geometry must lead: " + digest.hit_name + " over the mixes of weights";
  figure.caption = caption_of(digest, mixes);
  figure.alt = alt_of(digest, mixes);
  return figure;
}

}  // namespace sightline::host::report
