// Plans that are scored (view2act): which moves there are, and that a bad one scores nothing.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/theory_of_space/task_scorers.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

/// A thing two cells off on each side of the start.
SpatialMap around() {
  SpatialMap map;
  map.items["north"].cell = {0, 2};
  map.items["east"].cell = {2, 0};
  map.items["south"].cell = {0, -2};
  map.items["west"].cell = {-2, 0};
  return map;
}

std::vector<SeenFact> ahead(const std::string& name) {
  return {{name, EgoBin::kFront, DistanceBin::kNear}};
}

struct Turning {
  int degrees;
  const char* sees;
};

/// Theory of Space rotates by 0, 90, 180 and 270, either way; clockwise is positive.
TEST(PlanScores, RotateByAtMostThreeQuarters) {
  for (const Turning& turning :
       {Turning{0, "north"}, Turning{90, "east"}, Turning{180, "south"}, Turning{270, "west"},
        Turning{-90, "west"}, Turning{-180, "south"}, Turning{-270, "east"}}) {
    const std::string plan = "Rotate(" + std::to_string(turning.degrees) + ")";
    for (const auto& [name, entry] : around().items) {
      EXPECT_EQ(score_plan(plan, around(), ahead(name)), name == turning.sees ? 1 : 0)
          << plan << " " << name;
    }
  }
}

TEST(PlanScores, AnyOtherRotationScoresNothing) {
  // As rotations of a whole turn more they would see these.
  for (const Turning& turning :
       {Turning{360, "north"}, Turning{-360, "north"}, Turning{450, "east"}, Turning{-450, "west"},
        Turning{720, "north"}, Turning{45, "north"}, Turning{1, "north"}}) {
    const std::string plan = "Rotate(" + std::to_string(turning.degrees) + ")";
    EXPECT_EQ(score_plan(plan, around(), ahead(turning.sees)), 0) << plan;
    EXPECT_EQ(score_plan(plan + ", JumpTo(" + turning.sees + ")", around(), {}), 0) << plan;
  }
  EXPECT_EQ(score_plan("Rotate(180), Rotate(180)", around(), ahead("north")), 1);
}

}  // namespace
}  // namespace sightline::tests
