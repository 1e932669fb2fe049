// Walks that are asked about: on drawn campuses, on campuses of OpenStreetMap, along driven ways.
#include "host/studies/location_walks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "host/config/value.h"
#include "support/errors.h"
#include "support/reference_data.h"

namespace sightline::host {
namespace {

using tests::input_error_of;

LocationWalkSettings parsed(const std::string& yaml) {
  return parse_walk(ConfigValue::parse_yaml(yaml, "t.yaml"), 1);
}

TEST(LocationWalks, SayWhereTheyAre) {
  EXPECT_EQ(parsed("{sequence: 3}").campus, CampusKind::kGrid);
  EXPECT_EQ(parsed("{sequence: 3, campus: grid}").sequence, 3);
  const LocationWalkSettings map = parsed("{sequence: 0, campus: {osm: maps/a}, clip_s: 2}");
  EXPECT_EQ(map.campus, CampusKind::kOsm);
  EXPECT_EQ(map.folder, "maps/a");
  EXPECT_EQ(map.clip_s, 2);
  EXPECT_EQ(files_of(map).size(), 5U);
  const LocationWalkSettings way = parsed("{sequence: 0, campus: {navqa: coda, run: 6}}");
  EXPECT_EQ(way.run, 6);
  EXPECT_EQ(files_of(way), std::vector<std::string>{"coda/traj_seq06.tsv"});
}

TEST(LocationWalks, RefuseWhatIsNoPlace) {
  const auto error = [](const std::string& yaml) { return input_error_of([&] { parsed(yaml); }); };
  EXPECT_NE(error("{sequence: 0, campus: village}").find("grid"), std::string::npos);
  EXPECT_NE(error("{sequence: 0, campus: {osm: a, run: 1}}").find("run"), std::string::npos);
  EXPECT_NE(error("{sequence: 0, campus: {navqa: a}}").find("run"), std::string::npos);
  EXPECT_NE(error("{sequence: 0, campus: {}}").find("osm"), std::string::npos);
  EXPECT_NE(error("{sequence: -1}").find("sequence"), std::string::npos);
  EXPECT_NE(error("{sequence: 0, campus: {navqa: a, run: 1}, clip_s: 2}").find("clip_s"),
            std::string::npos);
  EXPECT_NE(error("{sequence: 0, clip_s: 0}").find("clip_s"), std::string::npos);
}

TEST(LocationWalks, ErrorsOfFilesNameTheSetting) {
  const LocationWalkSettings walk = parsed("{sequence: 0, campus: {osm: /nowhere}}");
  const std::string error =
      input_error_of([&] { remember_walk(walk, caption_noise_preset("mild")); });
  EXPECT_EQ(error.rfind("t.yaml:1:", 0), 0U) << error;
  EXPECT_NE(error.find("/nowhere/"), std::string::npos) << error;
}

bool same_place(const kernels::Vec3& a, const kernels::Vec3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// 15 questions of each type, whose truths are what is there: the best view is a place of the walk
/// that sees the thing, or all the things of a place.
void check(const RememberedWalk& walk) {
  constexpr double kView_m = 9;      // CampusWalkSettings::range_m
  constexpr double kRound_m = 1e-3;  // entries hold floats
  const QuestionWorld& world = walk.world;
  EXPECT_TRUE(world.is_full);
  ASSERT_EQ(walk.entries.size(), static_cast<std::int64_t>(world.walk.poses.size()));
  for (const PlaceQuestionType type :
       {PlaceQuestionType::kBasic, PlaceQuestionType::kLocal, PlaceQuestionType::kGlobal}) {
    EXPECT_EQ(walk.questions_of(type).size(), 15U);
  }
  const auto sees = [&](std::int32_t pose, std::uint32_t object) {
    return std::any_of(
        world.walk.sightings.begin(), world.walk.sightings.end(),
        [&](const PlaceSighting& one) { return one.pose == pose && one.object == object; });
  };
  for (const PlaceQuery& query : world.questions) {
    const PlaceTruth& truth = query.truth;
    const CampusObject& object = world.campus->objects[truth.object];
    EXPECT_TRUE(same_place(truth.object_m, object.position_m)) << query.text;
    EXPECT_TRUE(sees(truth.viewpoint_pose, truth.object)) << query.text;
    for (const std::uint32_t member : truth.members) {
      EXPECT_TRUE(sees(truth.viewpoint_pose, member)) << query.text;
    }
    const auto row = static_cast<std::size_t>(truth.viewpoint_pose);
    const kernels::Vec3 entry_m = walk.entries.position_m[row];
    EXPECT_NEAR(entry_m.x, truth.viewpoint_m.x, kRound_m) << query.text;
    EXPECT_NEAR(entry_m.y, truth.viewpoint_m.y, kRound_m) << query.text;
    const kernels::Vec3 apart = kernels::minus(truth.viewpoint_m, truth.object_m);
    EXPECT_LE(std::sqrt(kernels::dot(apart, apart)), kView_m) << query.text;
  }
}

bool same_questions(const RememberedWalk& a, const RememberedWalk& b) {
  return std::equal(a.world.questions.begin(), a.world.questions.end(), b.world.questions.begin(),
                    b.world.questions.end(), [](const PlaceQuery& x, const PlaceQuery& y) {
                      return x.text == y.text &&
                             same_place(x.truth.viewpoint_m, y.truth.viewpoint_m);
                    });
}

RememberedWalk remembered(const LocationWalkSettings& settings) {
  return remember_walk(settings, caption_noise_preset("perfect"));
}

TEST(LocationWalks, OnADrawnCampus) {
  LocationWalkSettings settings;
  const RememberedWalk walk = remembered(settings);
  check(walk);
  EXPECT_EQ(walk.entries.size(), 227);
  EXPECT_TRUE(same_questions(walk, remembered(settings)));
  settings.sequence = 1;
  const RememberedWalk next = remembered(settings);
  EXPECT_FALSE(same_questions(walk, next));
}

TEST(LocationWalks, AShorterClipIsMoreEntries) {
  LocationWalkSettings settings;
  settings.clip_s = 2;
  const RememberedWalk walk = remembered(settings);
  check(walk);
  EXPECT_EQ(walk.entries.size(), 340);
}

class OnMaps : public testing::TestWithParam<const char*> {};

TEST_P(OnMaps, EachSequenceHasItsWalk) {
  const std::string folder = std::string("osm_campus/") + GetParam();
  SIGHTLINE_REQUIRE_REFERENCE_DATA(folder + "/pois.tsv");
  LocationWalkSettings settings;
  settings.campus = CampusKind::kOsm;
  settings.folder = tests::reference_data(folder);
  const RememberedWalk walk = remembered(settings);
  check(walk);
  EXPECT_GT(walk.world.campus->rings.size(), 0U);
  settings.sequence = 1;
  const RememberedWalk next = remembered(settings);
  check(next);
  EXPECT_FALSE(same_questions(walk, next));
  EXPECT_EQ(walk.world.campus->objects.size(), next.world.campus->objects.size());
  EXPECT_EQ(walk.world.campus_key, next.world.campus_key) << "one campus: one draw of captions";
}
INSTANTIATE_TEST_SUITE_P(OfOpenStreetMap, OnMaps, testing::Values("northwestern", "uce_quito"));

TEST(LocationWalks, AMapWithoutWaysIsToldSo) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA("osm_campus/ucsc/pois.tsv");
  LocationWalkSettings settings;
  settings.campus = CampusKind::kOsm;
  settings.folder = tests::reference_data("osm_campus/ucsc");
  EXPECT_NE(input_error_of([&] { remembered(settings); }).find("no path"), std::string::npos);
}

TEST(LocationWalks, AlongEachDrivenWay) {
  LocationWalkSettings settings;
  settings.campus = CampusKind::kNavqa;
  for (const std::int64_t run : {0, 3, 4, 6, 16, 21, 22}) {
    settings.run = run;
    settings.folder = tests::reference_data("navqa_coda");
    SIGHTLINE_REQUIRE_REFERENCE_DATA("navqa_coda/traj_seq00.tsv");
    const RememberedWalk walk = remembered(settings);
    check(walk);
    EXPECT_TRUE(walk.world.campus->rings.empty());
    std::ifstream file(files_of(settings).front());
    const auto lines =
        std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n');
    EXPECT_EQ(walk.entries.size(), lines - 1) << run;
  }
}

}  // namespace
}  // namespace sightline::host
