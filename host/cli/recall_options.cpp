#include "host/cli/recall_options.h"

#include <utility>
#include <vector>

#include "host/error.h"

namespace sightline::cli {

using namespace host;

namespace {

/// One option: its name, for messages, and what was typed.
struct Typed {
  const char* option;
  const std::string& text;

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(std::string(option) + " " + text + ": " + message);
  }
  ConfigValue yaml(const std::string& part) const { return ConfigValue::parse_yaml(part, option); }
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// "radius:4" is radius and 4; without a colon the second is empty.
std::pair<std::string, std::string> name_and_value(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

ConfigValue one_entry(const std::string& key, ConfigValue value) {
  return ConfigValue::map({{key, std::move(value)}});
}

bool is_yaml_map(const std::string& text) { return !text.empty() && text.front() == '{'; }

/// "0.5,0.5,0,0,0" or "relevance=0.5,spatial=0.5".
ConfigValue weights_of(const Typed& typed) {
  if (is_yaml_map(typed.text)) return typed.yaml(typed.text);
  ConfigValue map = ConfigValue::map();
  std::vector<ConfigValue> list;
  for (const std::string& part : split(typed.text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) {
      list.push_back(typed.yaml(part));
    } else {
      const std::string name = part.substr(0, equals);
      if (map.find(name)) typed.fail("names " + name + " twice");
      map.set_entry(name, typed.yaml(part.substr(equals + 1)));
    }
  }
  if (!list.empty() && !map.entries().empty()) typed.fail("names some weights; name all or none");
  return list.empty() ? map : ConfigValue::list(std::move(list));
}

/// "linear:100": a form and its scale in metres.
ConfigValue proximity_of(const Typed& typed) {
  if (is_yaml_map(typed.text)) return typed.yaml(typed.text);
  const auto [form, scale_m] = name_and_value(typed.text);
  if (scale_m.empty()) typed.fail("needs FORM:METRES, such as linear:100");
  return ConfigValue::map({{"form", ConfigValue::text(form)}, {"scale_m", typed.yaml(scale_m)}});
}

/// "half_life:14d": a form and its scale in days, hours or seconds.
ConfigValue recency_of(const Typed& typed) {
  if (is_yaml_map(typed.text)) return typed.yaml(typed.text);
  const auto [form, scale] = name_and_value(typed.text);
  const std::string unit = scale.empty() ? "" : scale.substr(scale.size() - 1);
  const std::string key = unit == "d"   ? "scale_days"
                          : unit == "h" ? "scale_hours"
                          : unit == "s" ? "scale_s"
                                        : "";
  if (key.empty()) typed.fail("needs FORM:SCALE in days, hours or seconds, such as half_life:14d");
  return ConfigValue::map(
      {{"form", ConfigValue::text(form)}, {key, typed.yaml(scale.substr(0, scale.size() - 1))}});
}

/// "supplied", "constant" or "linear:45" days.
ConfigValue staleness_of(const Typed& typed) {
  const auto [form, days] = name_and_value(typed.text);
  if (form != "linear") {
    const bool is_known = typed.text == "supplied" || typed.text == "constant";
    if (!is_known) typed.fail("is none of supplied, constant and linear:DAYS, such as linear:45");
    return ConfigValue::text(typed.text);
  }
  return one_entry("linear_days", typed.yaml(days));
}

/// "los", "los:encoding", "radius:4", "nearest:15", "fov:45", "region:study", "object:mug_2",
/// "around", or YAML.
ConfigValue gate_of(const Typed& typed) {
  if (is_yaml_map(typed.text)) return typed.yaml(typed.text);
  const auto [name, value] = name_and_value(typed.text);
  if (typed.text == "los") return one_entry("line_of_sight", ConfigValue::map());
  if (name == "los") {
    return one_entry("line_of_sight", one_entry("when", ConfigValue::text(value)));
  }
  const bool needs_value = name == "los" || name == "radius" || name == "nearest" ||
                           name == "region" || name == "object" || name == "fov";
  if (needs_value && value.empty()) {
    typed.fail(
        "needs a value, such as radius:4, nearest:15, fov:45, region:study, object:mug_2 or "
        "los:encoding");
  }
  if (name == "radius") return one_entry("radius_m", typed.yaml(value));
  if (name == "nearest") return one_entry("nearest", typed.yaml(value));
  if (name == "region" || name == "object") return one_entry(name, ConfigValue::text(value));
  if (typed.text == "around") return one_entry("around", ConfigValue::boolean(true));
  if (name == "fov") {
    return one_entry("field_of_view", ConfigValue::map({{"kind", ConfigValue::text("cone")},
                                                        {"half_angle_deg", typed.yaml(value)}}));
  }
  typed.fail(
      "is no gate; give los, los:encoding, radius:METRES, nearest:COUNT, fov:DEGREES, region:NAME, "
      "object:KEY, around, or a map in YAML such as '{any: [{radius_m: 4}, {region: study}]}'");
}

/// "hdda", "march:0.1", or YAML.
ConfigValue verify_of(const Typed& typed) {
  if (is_yaml_map(typed.text)) return typed.yaml(typed.text);
  const auto [method, step_m] = name_and_value(typed.text);
  ConfigValue verify = one_entry("method", ConfigValue::text(method));
  if (!step_m.empty()) verify.set_entry("step_m", typed.yaml(step_m));
  return verify;
}

}  // namespace

void add_rank_options(CLI::App& command, RankArguments& a) {
  command.add_option("--k", a.k, "How many memories, 1 to 64 (default 5)")->option_text("N");
  command
      .add_option("--weights", a.weights,
                  "Of relevance, spatial, recency, importance, staleness: all five, or by name "
                  "(default relevance=1)")
      ->option_text("0.5,0.5,0,0,0|NAME=W,...");
  command
      .add_option("--normalise", a.normalise,
                  "Divide the score by the sum of the weights (default true)")
      ->option_text("true|false");
  command
      .add_option("--proximity", a.proximity,
                  "How the spatial part falls with distance: linear, exponential, hyperbolic, "
                  "gaussian, step, half_life (default linear:100)")
      ->option_text("FORM:METRES");
  command
      .add_option("--recency", a.recency,
                  "How recency falls with age, the same forms; d, h or s (default half_life:14d)")
      ->option_text("FORM:14d");
  command
      .add_option("--since", a.since, "Age counts from the encoding (default) or the last access")
      ->option_text("encoding|last_access");
  command
      .add_option("--staleness", a.staleness,
                  "The staleness part: the memories' own (default), 1, or falling with age")
      ->option_text("supplied|constant|linear:DAYS");
  command
      .add_option("--gate", a.gate,
                  "Which memories take part: los, los:encoding (in the world as it was then), "
                  "radius:METRES, nearest:COUNT, fov:DEGREES (half-angle of a cone; needs --yaw), "
                  "region:NAME, object:KEY, around (things that you are in), or YAML")
      ->option_text("GATE");
  command
      .add_option("--penalty", a.penalty,
                  "Charge this to the score outside the gate, instead of leaving out")
      ->option_text("P");
  command
      .add_option("--verify", a.verify,
                  "Look at what is recalled: hdda (default with a world), dda, march:STEP_M, "
                  "march_uniform:STEP_M, YAML, or none")
      ->option_text("METHOD");
}

ConfigValue recall_settings(const RankArguments& a, bool has_world) {
  ConfigValue recall = ConfigValue::map();
  const auto set = [&](const std::string& key, const char* option, const std::string& text,
                       ConfigValue (*read)(const Typed&)) {
    if (!text.empty()) recall.set_path(key, read({option, text}).with_mark({option, 0, 0}));
  };
  const auto as_yaml = [](const Typed& typed) { return typed.yaml(typed.text); };
  const auto as_text = [](const Typed& typed) { return ConfigValue::text(typed.text); };
  if (!a.since.empty() && a.recency.empty()) {
    throw InputError("--since goes with --recency FORM:SCALE; give both");
  }
  set("k", "--k", a.k, as_yaml);
  set("weights", "--weights", a.weights, weights_of);
  set("normalise", "--normalise", a.normalise, as_yaml);
  set("proximity", "--proximity", a.proximity, proximity_of);
  set("recency", "--recency", a.recency, recency_of);
  set("recency.since", "--since", a.since, as_text);
  set("staleness", "--staleness", a.staleness, staleness_of);
  set("gate", "--gate", a.gate, gate_of);
  set("penalty", "--penalty", a.penalty, as_yaml);
  const std::string verify = a.verify.empty() && has_world ? "hdda" : a.verify;
  if (verify != "none") set("verify", "--verify", verify, verify_of);
  return recall;
}

}  // namespace sightline::cli
