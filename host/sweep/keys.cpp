#include "host/sweep/keys.h"

#include <algorithm>
#include <vector>

#include "host/config/suggest.h"

namespace sightline::host {
namespace {

const std::vector<std::string>& sweepable_keys() {
  static const std::vector<std::string> keys = {
      "world",   "observers", "targets",   "rays",    "visibility", "field_of_view",
      "view",    "arms",      "memories",  "queries", "recall",     "oracle",
      "metrics", "baseline",  "replicate", "seed",    "study"};
  return keys;
}

void check_well_formed(const std::string& key, const ConfigValue& place) {
  const bool well_formed = !key.empty() && key.front() != '.' && key.back() != '.' &&
                           key.find("..") == std::string::npos;
  if (!well_formed) place.fail_at_key("\"" + key + "\" is not a dotted key");
}

std::string first_part(const std::string& key) { return key.substr(0, key.find('.')); }

void check_keys(const ConfigValue& sweep) {
  sweep.allow_only({"name",    "description",     "world",         "observers", "targets",
                    "rays",    "visibility",      "field_of_view", "view",      "arms",
                    "oracle",  "metrics",         "baseline",      "axes",      "zip",
                    "exclude", "replicates",      "replicate",     "seed",      "report",
                    "claims",  "preflight",       "memories",      "queries",   "recall",
                    "study",   "preregistration", "family"});
}

}  // namespace

void check_top_level(const ConfigValue& sweep) {
  check_keys(sweep);
  const ConfigValue* name = sweep.find("name");
  if (name && name->as_text().empty()) {
    name->fail("must not be empty; leave the key out to take the name of the file");
  }
  const ConfigValue* description = sweep.find("description");
  if (description && !description->is_null()) description->as_text();
}

void check_override_key(const std::string& key, const ConfigValue& place) {
  check_well_formed(key, place);
  ConfigValue sweep = ConfigValue::map();
  sweep.set_entry(first_part(key), place);
  check_keys(sweep);
}

void check_axis_key(const std::string& key, const ConfigValue& place) {
  check_well_formed(key, place);
  const std::string first = first_part(key);
  const std::vector<std::string>& keys = sweepable_keys();
  if (std::find(keys.begin(), keys.end(), first) == keys.end()) {
    place.fail_at_key("unknown key \"" + first + "\", which no axis can set; " +
                      suggestion(first, keys));
  }
}

bool is_within(const std::string& key, const std::string& outer) {
  return key.compare(0, outer.size(), outer) == 0 &&
         (key.size() == outer.size() || key[outer.size()] == '.');
}

std::string axis_hint(const ListForOne& fault, const ConfigValue& settings) {
  constexpr std::size_t kMostShown = 40;
  const ConfigValue& list = fault.list();
  if (list.key().find('[') != std::string::npos) return "";  // of a list within a list
  const auto is_at = [&](const std::string& key) {
    const ConfigValue* found = settings.find_path(key);
    return found && found->mark().line == list.mark().line &&
           found->mark().column == list.mark().column;
  };
  // What an arm says for itself is read as if it were said for all.
  std::vector<std::string> keys{list.key()};
  if (const ConfigValue* arms = settings.find("arms"); arms && arms->is_map()) {
    for (const auto& arm : arms->entries()) keys.push_back("arms." + arm.first + "." + list.key());
  }
  const auto key = std::find_if(keys.begin(), keys.end(), is_at);
  const std::string hint = "; to try each of its values put it under axes";
  if (key == keys.end()) return hint;
  const std::string values = list.display();
  return hint + ": {" + *key + ": " + (values.size() > kMostShown ? "[...]" : values) + "}";
}

void erase_names(ConfigValue* settings) {
  for (const char* key : {"name", "description", "report", "claims", "family"}) {
    settings->erase_entry(key);
  }
}

void erase_axes(ConfigValue* sweep) {
  for (const char* key : {"axes", "zip", "exclude", "replicates"}) sweep->erase_entry(key);
}

}  // namespace sightline::host
