// bins.jsonl, observations.jsonl and relations.jsonl of the conformance data.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/theory_of_space.h"

#include "host/config/json_text.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using Json = nlohmann::json;

constexpr int kRadius = 20;

/// The offset of row and column of a table: rows from north to south.
Cell table_offset(int row, int column) { return {column - kRadius, kRadius - row}; }

TEST(TheoryOfSpaceBins, AreThoseOfTheTables) {
  if (has_reference_data(conformance_file("scenes")) &&
      !has_reference_data(conformance_file("bins"))) {
    GTEST_SKIP() << "these scenes come without tables of bins";
  }
  SIGHTLINE_REQUIRE_REFERENCE_DATA(conformance_file("bins"));
  const Json tables = conformance_lines("bins").at(0);
  ASSERT_EQ(tables["grid_radius"], kRadius);
  Conformance conformance("bins");
  for (int row = 0; row <= 2 * kRadius; ++row) {
    for (int column = 0; column <= 2 * kRadius; ++column) {
      const Cell offset = table_offset(row, column);
      const auto at = [&](const Json& rows) {
        return rows[static_cast<std::size_t>(row)]
            .get<std::string>()[static_cast<std::size_t>(column)];
      };
      const auto where = [&] { return host::json_text(Json{offset.x, offset.y}); };
      for (const auto& [letter, rows] : tables["ego"].items()) {
        const Heading heading = heading_of(letter[0]).value();
        const bool visible =
            offset != Cell{} && is_within(FieldOfView::k90, offset, eighth_of(heading));
        const char base = visible ? 'a' : '0';
        const auto bin =
            static_cast<char>(base + static_cast<int>(ego_bin(offset, eighth_of(heading))));
        conformance.check(bin == at(rows), where);
      }
      conformance.check('0' + static_cast<int>(cardinal_bin(offset)) == at(tables["cardinal"]),
                        where);
      conformance.check('0' + static_cast<int>(distance_bin(offset)) == at(tables["distance"]),
                        where);
    }
  }
  for (const Json& angle : tables["angle_cases"]) {
    const double degrees = angle[0];
    conformance.check(static_cast<int>(ego_bin_of_bearing(degrees)) == angle[1],
                      [&] { return host::json_text(angle); });
    conformance.check(static_cast<int>(cardinal_bin_of_bearing(degrees)) == angle[2],
                      [&] { return host::json_text(angle); });
  }
  for (const Json& distance : tables["distance_cases"]) {
    const std::optional<DistanceBin> bin = distance_bin(distance[0].get<double>());
    conformance.check(
        bin.has_value() != distance[1].is_null() && (!bin || static_cast<int>(*bin) == distance[1]),
        [&] { return host::json_text(distance); });
  }
  const auto check_labels = [&](const Json& labels, auto name) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      conformance.check(labels[i] == std::string(name(i)),
                        [&] { return host::json_text(labels[i]); });
    }
  };
  check_labels(tables["ego_labels"], [](std::size_t i) { return name_of(static_cast<EgoBin>(i)); });
  check_labels(tables["cardinal_labels"],
               [](std::size_t i) { return name_of(static_cast<CardinalBin>(i)); });
  check_labels(tables["distance_labels"],
               [](std::size_t i) { return name_of(static_cast<DistanceBin>(i)); });
}

TEST(TheoryOfSpaceObservations, SeeWhatTheCodeSees) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(conformance_file("observations"));
  const auto scenes = conformance_scenes();
  Conformance conformance("observations");
  for (const Json& line : conformance_lines("observations")) {
    const Scene& scene = scenes.at(line["scene"]);
    for (const Json& row : line["obs"]) {
      Pose pose{{row[0], row[1]}, heading_of(row[2].get<std::string>()[0]).value(), {}};
      pose.rooms = row[3].is_array() ? RoomSet{row[3][0], row[3][1]} : RoomSet{row[3], 0};
      const Observation observation = observe(scene, pose);
      const auto what = [&] {
        return scene.id + " " + host::json_text(row) + " is " + seen_tokens(observation) + " " +
               pair_tokens(observation);
      };
      conformance.check(seen_tokens(observation) == row[4], what);
      conformance.check(pair_tokens(observation) == row[5], what);
    }
  }
}

TEST(TheoryOfSpaceRelations, AreThoseOfTheCode) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(conformance_file("relations"));
  const auto scenes = conformance_scenes();
  Conformance conformance("relations");
  for (const Json& line : conformance_lines("relations")) {
    const Scene& scene = scenes.at(line["scene"]);
    const int items = scene.num_items();
    const auto cell = [&](int node) {
      return node < items ? scene.cell_of(node) : scene.start.cell;
    };
    std::string card, dist, pov, visible;
    for (int a = 0; a <= items; ++a) {
      for (int b = 0; b <= items; ++b) {
        const Cell offset = cell(a) - cell(b);
        card += a == b ? '.' : static_cast<char>('0' + static_cast<int>(cardinal_bin(offset)));
        dist += a == b ? '.' : static_cast<char>('0' + static_cast<int>(distance_bin(offset)));
      }
    }
    for (int b = 0; b < scene.num_objects(); ++b) {
      for (int a = 0; a < items; ++a) {
        if (a == b || !scene.object(b).has_facing) {
          pov += '.', visible += '.';
          continue;
        }
        const Eighth view = eighth_of(scene.object(b).facing);
        pov += static_cast<char>('0' + static_cast<int>(ego_bin(cell(a) - cell(b), view)));
        visible += is_visible(cell(a), scene.rooms_of(a), cell(b), scene.rooms_of(b), view,
                              FieldOfView::k90)
                       ? '1'
                       : '0';
      }
    }
    const auto compare = [&](const std::string& ours, const char* key) {
      const std::string theirs = line[key];
      conformance.check(ours.size() == theirs.size(),
                        [&] { return scene.id + " length of " + key; });
      for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
        conformance.check(ours[i] == theirs[i],
                          [&] { return scene.id + " " + key + " " + std::to_string(i); });
      }
    };
    compare(card, "card");
    compare(dist, "dist");
    compare(pov, "pov");
    compare(visible, "povvis");
  }
}

}  // namespace
}  // namespace sightline::tests
