#include "host/sweep/recall_request.h"

#include "host/sweep/gate_settings.h"

namespace sightline::host {

RecallRequest parse_recall_request(const ConfigValue& recall, const WorldSpec* world) {
  recall.allow_only({"weights", "normalise", "proximity", "recency", "staleness", "gate", "penalty",
                     "k", "verify"});
  RecallRequest request;
  request.blend = parse_blend(recall);
  if (const ConfigValue* k = recall.find("k")) {
    request.k = static_cast<int>(k->as_integer(1, kernels::kMaxTop));
  }
  if (const ConfigValue* gate = recall.find("gate")) request.gate = parse_gate(*gate, world);
  if (const ConfigValue* penalty = recall.find("penalty")) {
    if (!request.gate) penalty->fail("charges what lies outside a gate; give `gate`");
    request.penalty = parse_penalty(*penalty, request.blend);
  }
  if (const ConfigValue* verify = recall.find("verify")) {
    request.verify = parse_verify(*verify, world);
  }
  return request;
}

}  // namespace sightline::host
