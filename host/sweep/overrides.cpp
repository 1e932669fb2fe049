#include "host/sweep/overrides.h"

#include <algorithm>
#include <vector>

#include "host/config/characters.h"
#include "host/error.h"
#include "host/sweep/axes.h"
#include "host/sweep/keys.h"

namespace sightline::host {
namespace {

bool is_scalar(const ConfigValue& value) { return !value.is_list() && !value.is_map(); }

/// The top-level settings that hold one scalar; the others hold lists and maps.
bool is_scalar_setting(const std::string& key) {
  return key == "seed" || key == "replicate" || key == "baseline";
}

/// One override being applied: what it says, and the sweep file it changes.
class Override {
 public:
  Override(const std::string& text, ConfigValue* sweep, std::vector<std::string>* warnings)
      : text_(text), sweep_(*sweep), warnings_(warnings) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw InputError("-s " + text + ": an override is key=value, such as " +
                       "visibility.step_m=0.25; to unset a key, give it null");
    }
    key_ = text.substr(0, equals);
    const std::string source = "-s " + text;
    check_characters(key_, source);
    value_ = ConfigValue::parse_yaml(text.substr(equals + 1), source).with_mark({source, 0, 0});
  }

  /// As apply_override().
  bool apply(bool list_is_value) {
    const std::string prefix = "axes.";
    const bool names_axis = key_.compare(0, prefix.size(), prefix) == 0;
    if (names_axis) key_.erase(0, prefix.size());
    check_key(names_axis);
    if (names_axis && value_.is_null() && axis(key_) && sweep_.find_path(key_)) {
      remove_axis(key_);  // what the file sets beside it is what is left
      return false;
    }
    replace_other_world();
    const bool makes_axis = names_axis ? value_.is_list() || is_axis_map(value_) : means_axis();
    const bool guesses = makes_axis && !names_axis && may_be_value();
    if (makes_axis && !(guesses && list_is_value)) {
      set_axis();
    } else {
      set_plain();
    }
    return guesses;
  }

 private:
  const ConfigValue* axis(const std::string& name) const {
    const ConfigValue* axes = sweep_.find("axes");
    if (axes == nullptr || axes->is_null()) return nullptr;
    return axes->find(name);
  }
  bool is_simplex_label() const {
    const ConfigValue* swept = axis(key_);
    return swept != nullptr && is_axis_map(*swept) && swept->find("simplex") != nullptr;
  }
  bool makes_simplex() const { return is_axis_map(value_) && value_.find("simplex") != nullptr; }

  /// A simplex has a free label; everything else names a key of the file.
  void check_key(bool names_axis) const {
    if (is_simplex_label() || makes_simplex()) return;
    if (names_axis) {
      check_axis_key(key_, value_);
    } else {
      check_override_key(key_, value_);
    }
  }

  bool means_axis() const {
    if (axis(key_) != nullptr) return value_.is_list() || is_axis_map(value_);
    const ConfigValue* plain = sweep_.find_path(key_);
    if (is_axis_map(value_)) return plain == nullptr || !plain->is_map();
    if (!value_.is_list() || key_.rfind("report.", 0) == 0) return false;
    if (plain != nullptr && !plain->is_null()) return is_scalar(*plain);
    const bool top_level = key_.find('.') == std::string::npos;
    if (top_level && !is_scalar_setting(key_)) return false;
    return std::all_of(value_.items().begin(), value_.items().end(), is_scalar);
  }

  /// A list, for a key of which the file tells nothing.
  bool may_be_value() const {
    const ConfigValue* plain = sweep_.find_path(key_);
    return value_.is_list() && axis(key_) == nullptr && (plain == nullptr || plain->is_null());
  }

  void set_axis() {
    if (key_ == "replicate") sweep_.erase_entry("replicates");
    ConfigValue axes = axes_or_empty();
    axes.set_entry(key_, value_);
    sweep_.set_entry("axes", std::move(axes));
  }

  void set_plain() {
    if (is_simplex_label()) {
      value_.fail("\"" + key_ + "\" is the label of a simplex axis; give it another axis");
    }
    check_not_hidden();
    warn_of_left_out();
    remove_axis(key_);
    if (key_ == "replicate") sweep_.erase_entry("replicates");
    if (key_ == "replicates") remove_axis("replicate");
    sweep_.set_path(key_, value_);
  }

  /// A map with nothing new may have been meant to change a part of the file's.
  void warn_of_left_out() {
    const ConfigValue* old = sweep_.find_path(key_);
    if (warnings_ == nullptr || !value_.is_map() || old == nullptr || !old->is_map()) return;
    const auto is_old = [&](const ConfigValue::Entry& e) { return old->find(e.first) != nullptr; };
    const auto& entries = value_.entries();
    if (entries.empty() || !std::all_of(entries.begin(), entries.end(), is_old)) return;
    std::string left_out;
    for (const ConfigValue::Entry& entry : old->entries()) {
      if (value_.find(entry.first) != nullptr) continue;
      left_out += (left_out.empty() ? "" : ", ") + key_ + "." + entry.first;
    }
    if (left_out.empty()) return;
    const std::string first = key_ + "." + entries.front().first;
    warnings_->push_back("-s " + text_ + ": replaces all of " + key_ + ", so that the file's " +
                         left_out + " no longer holds; to set one key, name it: " + first + "=" +
                         entries.front().second.display());
  }

  /// An axis on an outer key, or a simplex, would overwrite what this override sets.
  void check_not_hidden() const {
    if (sweep_.find("axes") == nullptr || sweep_.at("axes").is_null()) return;
    for (const auto& [name, entry] : sweep_.at("axes").entries()) {
      if (name != key_ && is_within(key_, name)) {
        value_.fail("the axis \"" + name + "\" sets this; override \"" + name + "\" as a whole");
      }
      const ConfigValue* dims = entry.find_path("simplex.dims");
      if (dims == nullptr || !dims->is_list()) continue;
      for (const ConfigValue& dim : dims->items()) {
        if (dim.is_text() && dim.as_text() == key_) {
          value_.fail("the simplex axis \"" + name + "\" sets this; override axes." + name);
        }
      }
    }
  }

  ConfigValue axes_or_empty() const {
    const ConfigValue* axes = sweep_.find("axes");
    if (axes != nullptr && !axes->is_null()) return *axes;
    return ConfigValue::map().with_mark(value_.mark());
  }

  void remove_axis(const std::string& name) {
    if (axis(name) == nullptr) return;
    ConfigValue axes = axes_or_empty();
    axes.erase_entry(name);
    sweep_.set_entry("axes", std::move(axes));
    remove_from_zip(name);
  }

  void remove_from_zip(const std::string& name) {
    const ConfigValue* zip = sweep_.find("zip");
    if (zip == nullptr || zip->is_null()) return;
    std::vector<ConfigValue> groups;
    for (const ConfigValue& group : zip->items()) {
      std::vector<ConfigValue> kept;
      for (const ConfigValue& member : group.items()) {
        if (member.as_text() != name) kept.push_back(member);
      }
      if (kept.size() > 1) groups.push_back(ConfigValue::list(kept).with_mark(group.mark()));
    }
    sweep_.set_entry("zip", ConfigValue::list(std::move(groups)).with_mark(zip->mark()));
  }

  void replace_other_world() {
    if (value_.is_null()) return;
    if (is_within(key_, "world.file")) {
      drop("world.scene");
      drop("world.solid");
    } else if (is_within(key_, "world.scene")) {
      drop("world.file");
    }
  }

  /// Removes a key, the axes on it or inside it, and what `exclude` says of it.
  void drop(const std::string& outer) {
    sweep_.erase_path(outer);
    const ConfigValue axes = axes_or_empty();
    for (const ConfigValue::Entry& entry : axes.entries()) {
      if (is_within(entry.first, outer)) remove_axis(entry.first);
    }
    const ConfigValue* exclude = sweep_.find("exclude");
    if (exclude == nullptr || !exclude->is_list()) return;
    std::vector<ConfigValue> kept;
    for (const ConfigValue& rule : exclude->items()) {
      const auto names_it = [&](const ConfigValue::Entry& e) { return is_within(e.first, outer); };
      const auto& keys = rule.entries();
      if (std::none_of(keys.begin(), keys.end(), names_it)) kept.push_back(rule);
    }
    sweep_.set_entry("exclude", ConfigValue::list(std::move(kept)).with_mark(exclude->mark()));
  }

  const std::string& text_;
  ConfigValue& sweep_;
  std::vector<std::string>* warnings_;
  std::string key_;
  ConfigValue value_;
};

}  // namespace

bool apply_override(const std::string& override_text, ConfigValue* sweep, bool list_is_value,
                    std::vector<std::string>* warnings) {
  return Override(override_text, sweep, warnings).apply(list_is_value);
}

}  // namespace sightline::host
