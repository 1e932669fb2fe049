#include "host/studies/arm_settings.h"

namespace sightline::host {

Anchors parse_anchors(const ConfigValue& arm) {
  const ConfigValue* anchors = arm.find("anchors");
  if (!anchors) return Anchors::kSubject;
  return static_cast<Anchors>(anchors->as_choice({"subject", "observer", "shuffled"}));
}

SightMethod parse_sight_method(const ConfigValue& arm, const SightMethod& usual) {
  SightMethod sight = usual;
  if (const ConfigValue* method = arm.find("method")) {
    sight.query.method =
        static_cast<Method>(method->as_choice({"march", "march_uniform", "dda", "hdda"}));
  }
  const ConfigValue* step = arm.find("step_m");
  if (!sight.is_march()) {
    if (step) step->fail("is for a march; give method: march beside it");
    sight.step_m = 0;
  } else if (step || !(sight.step_m > 0)) {
    sight.step_m = arm.at("step_m").as_positive();
  }
  return sight;
}

}  // namespace sightline::host
