// Editing of configuration values: dotted paths, overlays, keys and marks.
#include <algorithm>

#include "host/config/value.h"

namespace sightline::host {
namespace {

/// "a.b.c" -> "a", and "b.c" or "".
std::pair<std::string, std::string> split_first(const std::string& dotted) {
  const std::size_t dot = dotted.find('.');
  if (dot == std::string::npos) return {dotted, ""};
  return {dotted.substr(0, dot), dotted.substr(dot + 1)};
}

}  // namespace

ConfigValue* ConfigValue::find_entry(const std::string& key) {
  const std::vector<Entry>& all = entries_.read();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Entry& entry) { return entry.first == key; });
  if (found == all.end()) return nullptr;
  return &entries_.write()[static_cast<std::size_t>(found - all.begin())].second;
}

const ConfigValue* ConfigValue::find_path(const std::string& dotted) const {
  if (!is_map()) return nullptr;
  const auto [first, rest] = split_first(dotted);
  const ConfigValue* found = find(first);
  if (found == nullptr || rest.empty()) return found;
  return found->find_path(rest);
}

void ConfigValue::set_path(const std::string& dotted, ConfigValue value) {
  if (is_null()) kind_ = Kind::kMap;
  if (!is_map()) {
    value.fail("cannot set \"" + dotted +
               "\": " + (key_.empty() ? "the root" : "\"" + key() + "\"") + " is not a map");
  }
  const auto [first, rest] = split_first(dotted);
  if (rest.empty()) return set_entry(first, std::move(value));
  if (find(first) == nullptr) set_entry(first, ConfigValue().with_mark(value.mark_));
  find_entry(first)->set_path(rest, std::move(value));
}

void ConfigValue::erase_path(const std::string& dotted) {
  if (!is_map()) return;
  const auto [first, rest] = split_first(dotted);
  if (rest.empty()) return erase_entry(first);
  ConfigValue* entry = find_entry(first);
  if (entry != nullptr) entry->erase_path(rest);
}

void ConfigValue::set_entry(const std::string& key, ConfigValue value) {
  if (!is_map()) fail_kind("a map");
  const std::string path = key_.empty() ? key : this->key() + "." + key;
  if (value.key() != path) value.rekey(path);
  ConfigValue* entry = find_entry(key);
  if (entry == nullptr) {
    entries_.write().emplace_back(key, std::move(value));
  } else {
    *entry = std::move(value);
  }
}

void ConfigValue::erase_entry(const std::string& key) {
  if (!is_map()) fail_kind("a map");
  if (find(key) == nullptr) return;
  const auto named = [&](const Entry& entry) { return entry.first == key; };
  std::vector<Entry>& all = entries_.write();
  all.erase(std::remove_if(all.begin(), all.end(), named), all.end());
}

void ConfigValue::merge(const ConfigValue& overlay) {
  if (!is_map() || !overlay.is_map()) {
    const std::string key = this->key();
    *this = overlay;
    rekey(key);
    return;
  }
  for (const auto& [key, value] : overlay.entries()) {
    ConfigValue* entry = find_entry(key);
    if (entry == nullptr) {
      set_entry(key, value);
    } else {
      entry->merge(value);
    }
  }
}

ConfigValue ConfigValue::with_mark(const SourceMark& mark) const {
  ConfigValue copy = *this;
  copy.set_marks(mark);
  return copy;
}

void ConfigValue::set_marks(const SourceMark& mark) {
  mark_ = mark;
  key_line_ = key_column_ = 0;
  if (!items_.read().empty()) {
    for (ConfigValue& item : items_.write()) item.set_marks(mark);
  }
  if (!entries_.read().empty()) {
    for (Entry& entry : entries_.write()) entry.second.set_marks(mark);
  }
}

void ConfigValue::rekey(const std::string& key) {
  key_ = key;
  if (!items_.read().empty()) {
    std::vector<ConfigValue>& items = items_.write();
    for (std::size_t i = 0; i < items.size(); ++i) {
      items[i].rekey(key + "[" + std::to_string(i) + "]");
    }
  }
  if (!entries_.read().empty()) {
    for (auto& [name, value] : entries_.write()) {
      value.rekey(key.empty() ? name : key + "." + name);
    }
  }
}

}  // namespace sightline::host
