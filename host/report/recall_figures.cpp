#include "host/report/recall_figures.h"

#include <algorithm>
#include <cmath>

#include "host/report/text.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMicroseconds = 1e6;
constexpr double kSameCost = 1.05;  ///< times closer than this are those of one pass, shared

/// What a figure of a rate is called and says.
struct RateWords {
  std::string name, title, axis, caption, held{};
};

/// Which of several verifications the counts are of: "Verified at step 0.1 m".
std::string verified_at(const RecallDigest& digest) {
  std::vector<std::string> values;
  for (const SettingAxis& axis : digest.verified) {
    values.push_back(axis_value_label(axis.key, axis.labels.front()));
  }
  return values.empty() ? "" : "Verified at " + join_words(values);
}

RateWords words_of(const RecallDigest& digest, const std::string& rate) {
  if (rate == "visible_share") {
    const std::string held = verified_at(digest);
    return {"visible", "Which of the recalled memories are called visible",
            "recalled memories called visible",
            "Share of the memories recalled that verification calls visible from where the "
            "question is asked, each arm by its own. Recall itself is blind to walls." +
                (held.empty() ? "" : " " + held + ", where that varies."),
            held};
  }
  return {"hits",
          digest.has_offsets ? digest.hit_name + " by how far off the question is asked"
                             : digest.hit_name + " of each arm",
          digest.hit_name, "Share of queries whose target is among the first memories recalled."};
}

std::string pooled_caption(const RecallDigest& digest) {
  std::string text = " Bars: 95 % Wilson intervals of the pooled counts.";
  for (const std::string& note : pooling_notes(digest)) text += " " + note;
  return text;
}

/// Says that what is shown was picked by its own numbers.
std::string picked_caption(const RecallDigest& digest, std::size_t num_shown) {
  if (num_shown == digest.variants.size()) return "";
  return " Of " + count_text(static_cast<std::int64_t>(digest.variants.size())) +
         " variants, the named ones and the best are shown; what is best was picked by these "
         "numbers.";
}

/// A rate for every offset, with its interval; null where there is nothing to count.
Json rates_of(const RecallDigest& digest, const ShownVariant& shown, const std::string& rate) {
  Json y = Json::array(), low = Json::array(), high = Json::array();
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    const std::optional<Rate> one = digest.at(shown.variant, offset).rate(rate.c_str());
    y.push_back(one ? Json(one->value) : Json());
    low.push_back(one ? Json(one->interval.low) : Json());
    high.push_back(one ? Json(one->interval.high) : Json());
  }
  return {{"label", shown.label}, {"color", shown.color}, {"y", y}, {"low", low}, {"high", high}};
}

/// "spatial: 87.6 % at 1 m, 79.2 % at 3 m.": a line in words.
std::string rates_in_words(const RecallDigest& digest, const Json& line) {
  std::vector<std::string> points;
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    const Json& y = line.at("y")[offset];
    if (y.is_null()) continue;
    const std::string where = digest.has_offsets ? " at " + digest.offset_label(offset) : "";
    points.push_back(percent_text(y) + where);
  }
  return " " + line.at("label").get<std::string>() + ": " + join_words(points) + ".";
}

Json offset_ticks(const RecallDigest& digest) {
  Json ticks = Json::array();
  for (std::size_t i = 0; i < digest.offsets.size(); ++i) ticks.push_back(digest.offset_label(i));
  return ticks;
}

/// How many of the first offsets are distances: a line joins those.
std::size_t num_distances(const RecallDigest& digest) {
  std::size_t count = 0;
  while (count < digest.offsets.size() && digest.offset_label(count) != digest.offsets[count]) {
    ++count;
  }
  return count;
}

Json bar_panels(const RecallDigest& digest, const Json& lines) {
  Json panels = Json::array();
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    Json y = Json::array(), low = Json::array(), high = Json::array();
    for (const Json& line : lines) {
      y.push_back(line.at("y")[offset]);
      low.push_back(line.at("low")[offset]);
      high.push_back(line.at("high")[offset]);
    }
    panels.push_back(
        {{"title", digest.offset_label(offset)}, {"y", y}, {"low", low}, {"high", high}});
  }
  return panels;
}

bool any_recalled(const RecallDigest& digest, const std::vector<ShownVariant>& shown) {
  return std::any_of(shown.begin(), shown.end(), [&](const ShownVariant& one) {
    return digest.over_offsets(one.variant).rate("visible_share").has_value();
  });
}

/// Rows of bars; the baseline's own are marked.
Json bar_labels(const RecallDigest& digest, const std::vector<ShownVariant>& shown) {
  Json labels = Json::array();
  for (const ShownVariant& one : shown) {
    const bool is_baseline =
        digest.arms.size() > 1 && digest.variants[one.variant].arm == digest.baseline;
    labels.push_back(one.label + (is_baseline ? " (baseline)" : ""));
  }
  return labels;
}

/// What a figure of costs measures and says.
struct CostWords {
  RecallPool::Time RecallPool::*time;
  std::string name, title, axis, alt, caption;
};

const CostWords kWholeCost = {
    &RecallPool::whole,
    "cost",
    "What accuracy costs",
    "time per query (µs), logarithmic",
    "time per query",
    "Features that several arms use count for each of them; arms that rank the same features and "
    "gate in one pass share its time evenly."};
const CostWords kGateCost = {
    &RecallPool::gate,
    "gate_cost",
    "What the gates cost",
    "time per query in the gate (µs), logarithmic",
    "time per query in the gate",
    "The time in the gate alone: an index searched, neighbours found, lines of sight walked. An "
    "index is built before the clock starts, and what passes the gate is scored after it stops."};

/// One arm of a cost figure; null if no time was taken.
Json cost_point(const RecallDigest& digest, const ShownVariant& shown, const CostWords& words) {
  const RecallPool pool = digest.over_offsets(shown.variant);
  const RecallPool::Time& time = pool.*words.time;
  const std::optional<Rate> hits = pool.rate("hit_rate");
  if (!hits || !(time.total_s > 0)) return nullptr;
  const double cost = time.total_s * kMicroseconds / static_cast<double>(pool.answers.num_queries);
  // Of equal costs, rounding may put the mean a bit beside the range.
  return {{"label", shown.label},
          {"color", shown.color},
          {"x", {cost}},
          {"cheapest", {std::min(cost, time.cheapest_s * kMicroseconds)}},
          {"dearest", {std::max(cost, time.dearest_s * kMicroseconds)}},
          {"y", {hits->value}},
          {"low", {hits->interval.low}},
          {"high", {hits->interval.high}},
          {"tags", {""}}};
}

/// None where fewer than two arms took time, or all took the same.
std::optional<FigureData> cost_figure(const RecallDigest& digest,
                                      const std::vector<ShownVariant>& shown,
                                      const CostWords& words) {
  Json series = Json::array();
  double cheapest = INFINITY, dearest = 0;
  FigureData figure;
  for (const ShownVariant& one : shown) {
    const Json point = cost_point(digest, one, words);
    if (point.is_null()) continue;
    series.push_back(point);
    const double cost = point.at("x")[0];
    cheapest = std::min(cheapest, cost);
    dearest = std::max(dearest, cost);
    figure.alt += " " + one.label + ": " + number_text(std::round(10 * cost) / 10) + " µs, " +
                  percent_text(point.at("y")[0]) + ".";
  }
  if (series.size() < 2 || dearest < kSameCost * cheapest) return std::nullopt;
  figure.drawing = {
      {"name", words.name},        {"kind", "cost"},  {"log", true}, {"xlabel", words.axis},
      {"ylabel", digest.hit_name}, {"series", series}};
  figure.title = words.title;
  figure.caption =
      std::string("Each point is an arm") +
      (digest.offsets.size() > 1 ? ", all offsets added up; " : "; ") +
      "up and left is better. Horizontal bars: the cheapest and the dearest configuration. " +
      words.caption +
      " Times are of the machine named below and differ on others; the answers on this page do "
      "not.";
  figure.alt = digest.hit_name + " against " + words.alt + "." + figure.alt;
  return figure;
}

}  // namespace

FigureData recall_rate_figure(const RecallDigest& digest, const std::vector<ShownVariant>& shown,
                              const std::string& rate) {
  const RateWords words = words_of(digest, rate);
  const bool as_lines = digest.offsets.size() > 1 && shown.size() <= kMaxOffsetLines;
  Json lines = Json::array();
  FigureData figure;
  for (const ShownVariant& one : shown) {
    lines.push_back(rates_of(digest, one, rate));
    figure.alt += rates_in_words(digest, lines.back());
  }
  if (as_lines) {
    figure.drawing = {{"name", words.name},
                      {"kind", "offsets"},
                      {"xlabel", "distance of the question from its target"},
                      {"ylabel", words.axis},
                      {"ticks", offset_ticks(digest)},
                      {"joined", num_distances(digest)},
                      {"curves", lines}};
  } else {
    figure.drawing = {{"name", words.name},   {"kind", "intervals"},
                      {"xlabel", words.axis}, {"labels", bar_labels(digest, shown)},
                      {"baseline", nullptr},  {"panels", bar_panels(digest, lines)}};
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (digest.arms.size() > 1 && digest.variants[shown[i].variant].arm == digest.baseline) {
        figure.drawing["baseline"] = i;
      }
    }
  }
  figure.title = words.title;
  figure.held = words.held;
  figure.caption = words.caption + pooled_caption(digest);
  if (as_lines && num_distances(digest) < digest.offsets.size()) {
    figure.caption += " The distances are not drawn to scale.";
  }
  if (!as_lines && shown.size() > 1 && !figure.drawing["baseline"].is_null()) {
    figure.caption += " Dashed: the baseline.";
  }
  figure.caption += picked_caption(digest, shown.size());
  figure.alt = words.axis + " of each arm." + figure.alt;
  return figure;
}

std::optional<FigureData> recall_cost_figure(const RecallDigest& digest,
                                             const std::vector<ShownVariant>& shown) {
  return cost_figure(digest, shown, kWholeCost);
}

std::optional<FigureData> recall_gate_cost_figure(const RecallDigest& digest,
                                                  const std::vector<ShownVariant>& shown) {
  return cost_figure(digest, shown, kGateCost);
}

std::vector<FigureData> make_recall_figures(const RunData& run, const RecallDigest& digest,
                                            const std::vector<ShownVariant>& shown,
                                            const std::optional<MixMap>& mixes) {
  std::vector<FigureData> figures{recall_rate_figure(digest, shown, "hit_rate")};
  if (mixes) figures.push_back(mix_figure(digest, *mixes));
  if (any_recalled(digest, shown)) {
    figures.push_back(recall_rate_figure(digest, shown, "visible_share"));
  }
  if (std::optional<FigureData> verified = recall_verify_figure(run, digest, shown)) {
    figures.push_back(std::move(*verified));
  }
  for (const CostWords& words : {kWholeCost, kGateCost}) {
    if (std::optional<FigureData> cost = cost_figure(digest, shown, words)) {
      figures.push_back(std::move(*cost));
    }
  }
  return figures;
}

}  // namespace sightline::host::report
