// Configuration values from canonical JSON, which runs store millions of.
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/config/value.h"

namespace sightline::host {
namespace {

using nlohmann::ordered_json;

ConfigValue value_of(const ordered_json& json) {
  switch (json.type()) {
    case ordered_json::value_t::boolean:
      return ConfigValue::boolean(json.get<bool>());
    case ordered_json::value_t::number_integer:
      return ConfigValue::integer(json.get<std::int64_t>());
    case ordered_json::value_t::number_unsigned: {
      const auto number = json.get<std::uint64_t>();
      return number <= std::uint64_t{INT64_MAX}
                 ? ConfigValue::integer(static_cast<std::int64_t>(number))
                 : ConfigValue::number(static_cast<double>(number));
    }
    case ordered_json::value_t::number_float:
      return ConfigValue::number(json.get<double>());
    case ordered_json::value_t::string:
      return ConfigValue::text(json.get<std::string>());
    case ordered_json::value_t::array: {
      std::vector<ConfigValue> items;
      for (const ordered_json& item : json) items.push_back(value_of(item));
      return ConfigValue::list(std::move(items));
    }
    case ordered_json::value_t::object: {
      std::vector<ConfigValue::Entry> entries;
      for (const auto& item : json.items()) {
        entries.emplace_back(item.key(), value_of(item.value()));
      }
      return ConfigValue::map(std::move(entries));
    }
    default:
      return ConfigValue();
  }
}

}  // namespace

ConfigValue ConfigValue::parse_json(const std::string& json, const std::string& source_name) {
  const auto parsed = parse_json_or_discarded<ordered_json>(json);
  if (parsed.is_discarded()) throw InputError(source_name + ": is no JSON: " + json);
  return value_of(parsed).with_mark({source_name, 0, 0});
}

}  // namespace sightline::host
