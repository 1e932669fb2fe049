// trajectories.jsonl of the conformance data: domains and information gain after every turn.
#include <gtest/gtest.h>

#include "host/config/json_text.h"
#include "host/theory_of_space/explorer.h"
#include "support/theory_of_space.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using Json = nlohmann::json;

constexpr double kTolerance = 1e-9;  ///< of sums of logarithms in another order

TEST(TheoryOfSpaceBelief, HasTheDomainsOfTheCode) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(conformance_file("trajectories"));
  const auto scenes = conformance_scenes();
  Conformance conformance("trajectories: belief");
  for (const Json& line : conformance_lines("trajectories")) {
    const Scene& scene = scenes.at(line["scene"]);
    Episode episode(scene);
    Belief belief = first_belief(scene, {}, Profile::kCode);
    std::size_t num_turns = 0;
    for (const Json& recorded : line["turns"]) {
      const std::string actions = recorded["a"];
      const Turn& turn = episode.act(actions);
      belief.add(turn, episode.node());
      const auto what = [&] {
        return scene.id + " " + host::json_text(line["policy"]) + " " + host::json_text(recorded);
      };
      Json sizes = Json::array();
      for (int item = 0; item < scene.num_items(); ++item)
        sizes.push_back(belief.domain_size(item));
      conformance.check(sizes == recorded["dom"], what);
      conformance.check(
          std::abs(belief.information_gain() - recorded["ig"].get<double>()) < kTolerance, what);
      if (line.contains("published_ig")) {
        const double published = line["published_ig"].at(num_turns);
        conformance.check(std::abs(belief.information_gain() - published) < kTolerance, what);
      }
      for (int item = 0; item < scene.num_items(); ++item) {
        conformance.check(belief.domain(item).has(scene.cell_of(item) - scene.start.cell), what);
      }
      ++num_turns;
    }
  }
}

}  // namespace
}  // namespace sightline::tests
