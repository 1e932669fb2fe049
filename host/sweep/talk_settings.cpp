#include "host/sweep/talk_settings.h"

#include <algorithm>

#include "host/config/suggest.h"

namespace sightline::host {
namespace {

std::vector<std::pair<std::string, std::string>> labels_of(const ConfigValue& map) {
  std::vector<std::pair<std::string, std::string>> labels;
  for (const ConfigValue::Entry& entry : map.entries()) {
    labels.emplace_back(entry.first, entry.second.as_text());
  }
  return labels;
}

void check_arms(const ConfigValue& map, const std::vector<std::string>& arms) {
  for (const ConfigValue::Entry& entry : map.entries()) {
    if (std::find(arms.begin(), arms.end(), entry.first) != arms.end()) continue;
    entry.second.fail_at_key("no arm is called \"" + entry.first + "\"; " +
                             suggestion(entry.first, arms));
  }
}

}  // namespace

std::optional<TalkSettings> parse_talk(const ConfigValue& report) {
  const ConfigValue* talk = report.find("talk");
  if (talk == nullptr || talk->is_null()) return std::nullopt;
  talk->allow_only({"along", "x", "y", "curves", "levels"});
  TalkSettings parsed{talk->at("along").as_text(),
                      talk->at("x").as_text(),
                      talk->at("y").as_text(),
                      labels_of(talk->at("curves")),
                      {}};
  if (parsed.curves.empty()) talk->at("curves").fail("names no arm");
  if (const ConfigValue* levels = talk->find("levels")) parsed.levels = labels_of(*levels);
  return parsed;
}

void check_talk(const ConfigValue& report, bool is_study, const std::vector<std::string>& axes,
                const std::optional<std::vector<std::string>>& arms, const ConfigValue& settings) {
  const std::optional<TalkSettings> parsed = parse_talk(report);
  if (!parsed) return;
  const ConfigValue& talk = report.at("talk");
  if (!is_study) talk.fail("is for sweeps of a study");
  const bool is_axis = std::find(axes.begin(), axes.end(), parsed->along) != axes.end();
  if (!is_axis && settings.find_path(parsed->along) == nullptr) {
    talk.at("along").fail("no axis is called \"" + parsed->along + "\"; " +
                          suggestion(parsed->along, axes));
  }
  if (!arms) return;
  check_arms(talk.at("curves"), *arms);
  if (const ConfigValue* levels = talk.find("levels")) check_arms(*levels, *arms);
}

}  // namespace sightline::host
