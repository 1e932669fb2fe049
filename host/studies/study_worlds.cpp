#include "host/studies/study_worlds.h"

#include <string>
#include <vector>

#include "host/config/suggest.h"

namespace sightline::host {

const ConfigValue& chosen_world(const ConfigValue& study) {
  const ConfigValue& name = study.at("world");
  std::vector<std::string> names;
  for (const ConfigValue::Entry& world : study.at("worlds").entries()) {
    if (world.first == name.as_text()) return world.second;
    names.push_back(world.first);
  }
  name.fail("there is no world \"" + name.as_text() + "\"; " + suggestion(name.as_text(), names));
}

}  // namespace sightline::host
