// The conformance data of Theory of Space: its scenes, and its lines as JSON.
#pragma once

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "host/config/json_text.h"
#include "host/theory_of_space/observation.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "support/reference_data.h"

namespace sightline::tests {

inline std::string conformance_file(const std::string& name) {
  return "theory_of_space/" + name + ".jsonl";
}

inline std::vector<nlohmann::json> conformance_lines(const std::string& name) {
  std::ifstream file(reference_data(conformance_file(name)));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) lines.push_back(host::parse_json<nlohmann::json>(line));
  }
  if (lines.empty()) throw std::runtime_error("no lines in " + conformance_file(name));
  return lines;
}

/// The scenes of the conformance data, by id.
inline std::map<std::string, host::tos::Scene> conformance_scenes() {
  std::map<std::string, host::tos::Scene> scenes;
  for (host::tos::Scene& scene :
       host::tos::read_scenes(reference_data(conformance_file("scenes")))) {
    scenes.emplace(scene.id, std::move(scene));
  }
  return scenes;
}

/// "1332f": two digits of the item, both bins, the facing or the wall.
inline std::string seen_tokens(const host::tos::Observation& observation) {
  std::string tokens;
  for (const host::tos::SeenItem& seen : observation.items) {
    char word = '.';
    if (seen.facing) word = "FRBL"[static_cast<int>(*seen.facing)];
    if (seen.wall) word = "blfr"[static_cast<int>(*seen.wall)];
    tokens += static_cast<char>('0' + seen.item / 10);
    tokens += static_cast<char>('0' + seen.item % 10);
    tokens += static_cast<char>('0' + static_cast<int>(seen.direction));
    tokens += static_cast<char>('0' + static_cast<int>(seen.distance));
    tokens += word;
  }
  return tokens;
}

/// "011251": both items, two digits each, and both bins.
inline std::string pair_tokens(const host::tos::Observation& observation) {
  std::string tokens;
  for (const host::tos::NearPair& pair : observation.pairs) {
    for (const int item : {int{pair.item}, int{pair.from}}) {
      tokens += static_cast<char>('0' + item / 10);
      tokens += static_cast<char>('0' + item % 10);
    }
    tokens += static_cast<char>('0' + static_cast<int>(pair.direction));
    tokens += static_cast<char>('0' + static_cast<int>(pair.distance));
  }
  return tokens;
}

/// What was compared and what differed: zero mismatches of many is what a test of conformance asks
/// for, and it prints both.
class Conformance {
 public:
  explicit Conformance(std::string name) : name_(std::move(name)) {}
  /// Counts one comparison; `what` is asked for only if it failed.
  template <class What>
  void check(bool equal, const What& what) {
    ++num_checked_;
    if (equal) return;
    constexpr int kShown = 10;
    if (++num_different_ <= kShown) ADD_FAILURE() << name_ << ": " << what();
  }
  /// Prints the counts; fails if nothing was compared.
  ~Conformance() {
    std::printf("%s: %lld compared, %lld mismatches\n", name_.c_str(),
                static_cast<long long>(num_checked_), static_cast<long long>(num_different_));
    EXPECT_GT(num_checked_, 0) << name_;
    EXPECT_EQ(num_different_, 0) << name_;
  }
  Conformance(const Conformance&) = delete;
  Conformance& operator=(const Conformance&) = delete;

 private:
  std::string name_;
  long long num_checked_ = 0, num_different_ = 0;
};

}  // namespace sightline::tests
