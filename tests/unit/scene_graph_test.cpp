// Objects at locations: in, on, near, and sides of a pose.
#include "host/studies/scene_graph.h"

#include <gtest/gtest.h>

namespace sightline::host {
namespace {

using Objects = std::vector<std::size_t>;

/// A table with a mug on it, a stool under nothing, and a lamp far away.
class SceneGraphTest : public testing::Test {
 protected:
  SceneGraph graph_{Frame::kSceneYUp};
  std::size_t table_ = graph_.add_object("table", {{2, 0, 2}, {4, 0.8, 3}});
  std::size_t mug_ = graph_.add_object("mug", {{3, 0.8, 2.4}, {3.1, 0.9, 2.5}});
  std::size_t stool_ = graph_.add_object("stool", {{5, 0, 2}, {5.4, 0.5, 2.4}});
  std::size_t lamp_ = graph_.add_object("lamp", {{9, 0, 9}, {9.2, 1.5, 9.2}});
};

TEST_F(SceneGraphTest, ThingsStandOnWhatTheyTouchFromAbove) {
  EXPECT_EQ(graph_.on(table_), Objects{mug_});
  EXPECT_EQ(graph_.on(mug_), Objects{});
  const std::size_t shelf = graph_.add_object("shelf", {{3, 1.0, 2}, {4, 1.1, 3}});
  EXPECT_EQ(graph_.on(table_), Objects{mug_}) << "a shelf 0.2 m above stands on nothing";
  EXPECT_EQ(graph_.on(shelf), Objects{});
}

TEST_F(SceneGraphTest, RegionsHoldWhatHasItsMiddleInThem) {
  const std::size_t kitchen = graph_.add_region("kitchen", {{0, 0, 0}, {5.2, 3, 4}});
  EXPECT_EQ(graph_.in(kitchen), (Objects{table_, mug_, stool_})) << "faces belong to a region";
  const std::size_t hall = graph_.add_region("hall", {{6, 0, 6}, {12, 3, 12}});
  EXPECT_EQ(graph_.in(hall), Objects{lamp_});
}

TEST_F(SceneGraphTest, NearIsNearestFirst) {
  EXPECT_EQ(graph_.near({5.2, 0.25, 2.2}, 3), (Objects{stool_, table_, mug_}));
  EXPECT_EQ(graph_.near({5.2, 0.25, 2.2}, 0), Objects{stool_}) << "a radius is closed";
}

TEST_F(SceneGraphTest, FindsObjectsByName) {
  const std::size_t second = graph_.add_object("mug", {{0, 0, 0}, {1, 1, 1}});
  EXPECT_EQ(graph_.named("mug"), (Objects{mug_, second}));
  EXPECT_EQ(graph_.named("cup"), Objects{});
}

// As the battery's arm makes it: of anchors alone.
TEST(RememberedThings, HaveABoxAndAPlace) {
  SceneGraph graph(Frame::kSceneYUp);
  const std::size_t crate = graph.add_remembered("crate", {4, 0.25, 4});
  const std::size_t mug = graph.add_remembered("mug", {4.1, 0.75, 4.2});
  const std::size_t lamp = graph.add_remembered("lamp", {9, 0.25, 4});
  EXPECT_EQ(graph.on(crate), Objects{mug});
  EXPECT_EQ(graph.on(mug), Objects{});
  EXPECT_EQ(graph.near({4, 0.25, 4}, 0), Objects{crate}) << "the middle is the anchor";
  ASSERT_EQ(graph.num_places(), 2u);
  EXPECT_EQ(graph.at(0), (Objects{crate, mug}));
  EXPECT_EQ(graph.at(1), Objects{lamp});
  EXPECT_EQ(graph.place(1).at_m.x, 9);
  graph.add_remembered("cup", {9, 0.25, 5});
  EXPECT_EQ(graph.num_places(), 2u) << "the radius of a place is closed";
}

TEST(SideOf, TurnsWithThePose) {
  const kernels::Vec3 here{5, 1, 5};
  const kernels::Vec3 north{5, 1, 9}, east{9, 4, 5}, south{5, 0, 1}, west{1, 1, 5};
  const auto sides = [&](double yaw_deg) {
    const kernels::Pose pose = make_pose_deg(Frame::kSceneYUp, here, yaw_deg, 0);
    return std::vector<Side>{side_of(pose, north), side_of(pose, east), side_of(pose, south),
                             side_of(pose, west)};
  };
  EXPECT_EQ(sides(0), (std::vector<Side>{Side::kFront, Side::kRight, Side::kBehind, Side::kLeft}));
  EXPECT_EQ(sides(90), (std::vector<Side>{Side::kLeft, Side::kFront, Side::kRight, Side::kBehind}));
  EXPECT_EQ(sides(180),
            (std::vector<Side>{Side::kBehind, Side::kLeft, Side::kFront, Side::kRight}));
}

TEST(SideOf, BordersBelongToFrontAndBehind) {
  const kernels::Pose pose = make_pose_deg(Frame::kSceneYUp, {0, 0, 0}, 0, 0);
  EXPECT_EQ(side_of(pose, {1, 0, 1}), Side::kFront);
  EXPECT_EQ(side_of(pose, {-1, 0, 1}), Side::kFront);
  EXPECT_EQ(side_of(pose, {1, 0, -1}), Side::kRight);
  EXPECT_EQ(side_of(pose, {-1, 0, -1}), Side::kBehind);
}

}  // namespace
}  // namespace sightline::host
