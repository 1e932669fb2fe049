// Negative controls of the experiments of What Spatial Memory Must Store (2026) that look at the
// world: no claim of theirs is reproduced whatever is broken.
#include "support/controls.h"

namespace sightline::tests {
namespace {

class GeometryControls : public NegativeControls {};

// Section 6.9. A march of 5 m, or truth by one, would not pass the preflight, so it is left out
// there.
TEST_F(GeometryControls, OcclusionLive) {
  expect_controls("occlusion_live", {},
                  {{"preflight=null", "visibility.step_m=5"},
                   {"preflight=null", "oracle.step_m=5"},
                   {"arms.text.predict=line_of_sight"},
                   {"arms.cone.predict=field_of_view_and_line_of_sight"},
                   {"world.solid.grid.voxel_m=2", "preflight=null"}});
}

TEST_F(GeometryControls, Pilot2) {
  expect_controls("pilot2_occlusion", {},
                  {{"oracle.step_m=5"},
                   {"arms.text.predict=line_of_sight"},
                   {"arms.cone.predict=field_of_view_and_line_of_sight"},
                   {"arms.cone_los.predict=field_of_view"},
                   {"arms.exact_walk.predict=field_of_view"}});
}

// Section 7, E3.
TEST_F(GeometryControls, StorageMedium) {
  expect_controls("storage_medium", {},
                  {{"arms.rule_based_reader.anchors=observer"},
                   {"arms.rule_based_reader.anchors=shuffled"},
                   {"arms.rule_based_reader.wall=another"},
                   {"arms.rule_based_reader.answer=blind_text"},
                   {"arms.line_of_sight.anchors=observer"},
                   {"arms.line_of_sight.anchors=shuffled"},
                   {"arms.line_of_sight.step_m=5"},
                   {"arms.blind_text_rule_based_reader.answer=stored_label"},
                   {"arms.blind_text_rule_based_reader.answer=coordinates_only"},
                   {"arms.stored_label_rule_based_reader.answer=blind_text"},
                   {"arms.coordinates_only_rule_based_reader.answer=coordinates_and_occluder"}});
}

// Section 7, E5. A march of steps as wide as the world is as blind as text; one through voxels of
// 0.25 m calls a target hidden that is not.
TEST_F(GeometryControls, StepStress) {
  expect_controls("e5_step_stress", {},
                  {{"arms.march.predict=visible"}, {"arms.march.visibility={solid: grid}"}});
}

// Section 6.4.
TEST_F(GeometryControls, Battery) {
  expect_controls("battery", {},
                  {{"arms.geometry.anchors=observer"},
                   {"arms.geometry.anchors=shuffled"},
                   {"arms.geometry.step_m=5"},
                   {"arms.geometry.answer=text"},
                   {"arms.text.answer=geometry"},
                   {"study.battery.truth=memories"},
                   {"arms.cone_los.step_m=5"},
                   {"arms.cone.answer=cone_line_of_sight"},
                   {"arms.view.anchors=observer"},
                   {"arms.view.anchors=shuffled"}});
}

// Section 10. Arms that no claim compares with each other are broken together.
TEST_F(GeometryControls, Confirmatory) {
  expect_controls(
      "confirmatory", {},
      {{"arms.geometry.anchors=observer", "arms.shuffled.anchors=subject",
        "arms.rule_based_reader.answer=geometry", "arms.cone.answer=cone_line_of_sight"},
       {"study.confirmatory.truth=memories"},
       {"arms.geometry.answer=text"},
       {"arms.text.answer=geometry"}});
}

}  // namespace
}  // namespace sightline::tests
