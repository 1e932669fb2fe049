// Scenes in YAML: the solids of whatever is accepted are made.
#include "fuzz/fuzz.h"
#include "host/world/scene.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  const std::string yaml(reinterpret_cast<const char*>(data), size);
  fuzz::accepts([&] { host::make_scene(host::ConfigValue::parse_yaml(yaml, "input")); });
  return 0;
}
