// The config parser: YAML that is accepted must come back equal from the YAML written of it.
#include "fuzz/fuzz.h"
#include "host/config/value.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  const std::string yaml(reinterpret_cast<const char*>(data), size);
  host::ConfigValue value;
  if (!fuzz::accepts([&] { value = host::ConfigValue::parse_yaml(yaml, "input"); })) return 0;
  const host::ConfigValue again = host::ConfigValue::parse_yaml(value.to_yaml(), "again");
  fuzz::require(again.canonical_json() == value.canonical_json(),
                "a value written and read again is another one");
  return 0;
}
