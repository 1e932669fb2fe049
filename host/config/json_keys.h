// Keys that a JSON object has twice: the parser would take the last of them in silence.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace sightline::host {

/// Fed with what the parser meets, one text after another.
class DoubledKeys {
 public:
  /// What a callback of nlohmann::basic_json::parse() is told.
  template <class Json>
  void note(typename Json::parse_event_t event, const Json& parsed) {
    using Event = typename Json::parse_event_t;
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event != Event::key) return;
    const auto key = parsed.template get<std::string>();
    if (!keys_.back().insert(key).second) doubled_ = key;
  }

  /// The last key that an object has twice; empty: none.
  const std::string& doubled() const { return doubled_; }

 private:
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
  std::string doubled_;
};

}  // namespace sightline::host
