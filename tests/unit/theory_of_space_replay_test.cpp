// The page of an exploration, turn by turn.
#include "host/report/replay_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "host/report/map_drawing.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using host::report::map_drawing;
using host::report::Replay;
using host::report::replay_page;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

class ReplayPage : public testing::Test {
 protected:
  ReplayPage() : scene_(parse_scene(kTwoRooms, "here")) {
    const auto scout = make_explorer("scout", scene_, {}, Profile::kCode, 1, "here");
    lived_ = live(scene_, scout.get(), {});
  }
  std::string page_of(std::vector<std::optional<SpatialMap>> maps) const {
    return replay_page({scene_, lived_, std::move(maps), "scout", "<nobody>"});
  }

  Scene scene_;
  LivedExploration lived_;
};

TEST_F(ReplayPage, HasEveryTurnWithBothMaps) {
  const std::string page =
      page_of(std::vector<std::optional<SpatialMap>>(lived_.turns.size(), true_map(scene_)));
  EXPECT_EQ(count_of(page, "<section id=\"turn-"), lived_.turns.size());
  EXPECT_EQ(count_of(page, "<svg "), 2 * lived_.turns.size());
  for (const LivedTurn& turn : lived_.turns) {
    EXPECT_NE(page.find("<code>" + turn.told.said + "</code>"), std::string::npos);
    EXPECT_NE(page.find("<pre>" + turn.told.told + "</pre>"), std::string::npos);
  }
  EXPECT_NE(page.find("information gain"), std::string::npos);
}

TEST_F(ReplayPage, NeedsNothingElse) {
  const std::string page =
      page_of(std::vector<std::optional<SpatialMap>>(lived_.turns.size(), true_map(scene_)));
  const std::string without_name_of_format =
      std::regex_replace(page, std::regex("xmlns=\"[^\"]*\""), "");
  for (const char* link : {"http:", "https:", "<script", "<link", "<img", "url(", "@import"}) {
    EXPECT_EQ(without_name_of_format.find(link), std::string::npos) << link;
  }
}

TEST_F(ReplayPage, EscapesWhatOthersWrote) {
  lived_.turns[0].told.said = "<script>alert(1)</script>";
  const std::string page =
      page_of(std::vector<std::optional<SpatialMap>>(lived_.turns.size(), std::nullopt));
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_EQ(page.find("<nobody>"), std::string::npos);
  EXPECT_NE(page.find("&lt;nobody&gt;"), std::string::npos);
  EXPECT_EQ(count_of(page, "No map was answered."), lived_.turns.size());
}

TEST_F(ReplayPage, OfNothingYetSaysSo) {
  lived_ = {};
  const std::string page = page_of({});
  EXPECT_NE(page.find("Nothing was done so far."), std::string::npos);
  EXPECT_NE(page.find("has not ended"), std::string::npos);
}

TEST_F(ReplayPage, ScoresTheMapsAgainstTheTruth) {
  std::vector<std::optional<SpatialMap>> maps(lived_.turns.size());
  for (std::size_t i = 0; i < maps.size(); ++i) {
    maps[i] = true_map(scene_);
    maps[i]->agent = MapEntry{lived_.turns[i].truth.pose.cell - scene_.start.cell,
                              lived_.turns[i].truth.pose.heading, false};
  }
  EXPECT_NE(page_of(maps).find("The last map is 100 % right."), std::string::npos);
  maps.back()->items.clear();
  EXPECT_EQ(page_of(maps).find("The last map is 100 % right."), std::string::npos);
}

TEST_F(ReplayPage, DrawsNorthUpAndWhatIsFarAtTheRim) {
  SpatialMap map;
  map.items["lamp"] = {{0, 0}, std::nullopt, false};
  const std::string here = map_drawing(scene_, map, ~std::uint64_t{0}, "map");
  map.items["lamp"].cell = {0, 1};
  const std::string north = map_drawing(scene_, map, ~std::uint64_t{0}, "map");
  // The start is cell (2, 2) of a mask of 9 x 5 cells, drawn with 2 cells around it, 24 units each.
  EXPECT_NE(here.find("cx=\"108\" cy=\"108\""), std::string::npos) << here;
  EXPECT_NE(north.find("cx=\"108\" cy=\"84\""), std::string::npos) << north;
  map.items["lamp"].cell = {1000000, -1000000};
  EXPECT_NE(map_drawing(scene_, map, 0, "map").find("cx=\"300\" cy=\"204\""), std::string::npos);
}

TEST(ReplayCommand, ReplaysAModelFromItsAnswers) {
  const TemporaryFolder folder;
  const std::string scenes = folder / "scenes.jsonl", said = folder / "said.jsonl",
                    page = folder / "replay.html";
  write_text(scenes, std::string(kTwoRooms) + "\n");
  const auto space = [&](const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> argv{program_path(), "space", command, scenes};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv);
  };
  ASSERT_EQ(space("answer", {"--ask", "global_map", "--to-the-end", "--out", said}).exit_code, 0);
  const ProgramResult run =
      space("replay", {"--ask", "global_map", "--answers", said, "--out", page});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string of_answers = read_text(page);
  EXPECT_EQ(of_answers.find("No map was answered."), std::string::npos);
  EXPECT_NE(of_answers.find("explored by the model"), std::string::npos);
  const ProgramResult unknown = space("replay", {"--scene", "two_roms", "--out", page});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("two_rooms"), std::string::npos) << unknown.err;
  EXPECT_EQ(space("replay", {"--from", "truth", "--out", page}).exit_code, 2);
  EXPECT_EQ(read_text(page), of_answers) << "a failure leaves what was there";
}

/// Names of things side by side stand apart.
TEST_F(ReplayPage, KeepsNamesOffOneAnother) {
  constexpr double kFont = 10, kLetter = 5.5;  // of the drawing
  SpatialMap map;
  const std::vector<std::string> names{"refrigerator", "microwave", "rocking horse", "sofa",
                                       "telescope"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    map.items[names[i]] = {{static_cast<int>(i % 3), static_cast<int>(i / 3)}, {}, false};
  }
  const std::string svg = map_drawing(scene_, map, ~std::uint64_t{0}, "crowded");
  struct Place {
    double x, y, half;
  };
  std::vector<Place> places;
  const std::regex text("<text x=\"(-?[0-9]+)\" y=\"(-?[0-9]+)\"[^>]*>([^<]*)</text>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), text), end; at != end; ++at) {
    places.push_back({std::stod((*at)[1]), std::stod((*at)[2]),
                      static_cast<double>((*at)[3].length()) * kLetter / 2});
  }
  ASSERT_EQ(places.size(), names.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool overlap =
          std::abs(places[i].y - places[j].y) < kFont &&
          std::abs(places[i].x - places[j].x) + 1 < places[i].half + places[j].half;
      EXPECT_FALSE(overlap) << i << " " << j << "\n" << svg;
    }
  }
}

}  // namespace
}  // namespace sightline::tests
