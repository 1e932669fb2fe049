// A number to know again what was stored of a configuration.
#pragma once

#include <cstdint>
#include <string>

namespace sightline::host {

/// Of what is stored of one configuration: its identity, then every count of its rows.
class ResultChecksum {
 public:
  ResultChecksum(const std::string& id, const std::string& axis_values,
                 const std::string& axis_labels) {
    add(id);
    add(axis_values);
    add(axis_labels);
  }
  void add(const std::string& text) { stored_ += text + '\0'; }
  void add(std::int64_t number) { add(std::to_string(number)); }

  std::int64_t value() const;

 private:
  std::string stored_;
};

}  // namespace sightline::host
