// Edits as text and in files: what they mean, and where a fault in them is.
#include "host/world/edit_file.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using host::EditStep;
using host::GridGeometry;
using host::parse_edit;
using host::VoxelState;

using Index = std::array<std::int64_t, 3>;

class EditFile : public testing::Test {
 protected:
  EditFile() {
    geometry_.dims = {20, 30, 40};
    geometry_.origin_m = {-1, 0, 2};
    geometry_.voxel_m = {0.5, 0.25, 1};
  }

  std::vector<EditStep> read(const std::string& name, const std::string& text) {
    write_text(folder_ / name, text);
    return host::read_edits(folder_ / name, geometry_);
  }
  /// What a file is refused for, without its folder.
  std::string fault(const std::string& name, const std::string& text) {
    std::string message = input_error_of([&] { read(name, text); });
    const std::string folder = folder_ / "";
    for (std::size_t at; (at = message.find(folder)) != std::string::npos;) {
      message.erase(at, folder.size());
    }
    return message;
  }
  std::string place_fault(const std::string& place, bool metres = false) const {
    return input_error_of([&] { parse_edit(place, metres, VoxelState::kOccupied, geometry_); });
  }

  TemporaryFolder folder_;
  GridGeometry geometry_;
};

TEST_F(EditFile, PlacesAreVoxelsOrBoxesThatExcludeTheirEnd) {
  const host::Edit voxel = parse_edit("3,4,5", false, VoxelState::kUnknown, geometry_);
  EXPECT_EQ(voxel.lo, (Index{3, 4, 5}));
  EXPECT_EQ(voxel.hi, (Index{4, 5, 6}));
  EXPECT_EQ(voxel.state, VoxelState::kUnknown);
  const host::Edit box = parse_edit("-2,0,0..4,4, 50", false, VoxelState::kFree, geometry_);
  EXPECT_EQ(box.lo, (Index{-2, 0, 0}));
  EXPECT_EQ(box.hi, (Index{4, 4, 50}));
}

TEST_F(EditFile, PlacesInMetresAreTheVoxelsTheyTouch) {
  const host::Edit point = parse_edit("0.2,0.6,2.5", true, VoxelState::kOccupied, geometry_);
  EXPECT_EQ(point.lo, (Index{2, 2, 0}));
  EXPECT_EQ(point.hi, (Index{3, 3, 1}));
  const host::Edit box = parse_edit("-1,0.3,3..0.1,0.5,4.5", true, VoxelState::kFree, geometry_);
  EXPECT_EQ(box.lo, (Index{0, 1, 1}));
  EXPECT_EQ(box.hi, (Index{3, 2, 3}));
}

TEST_F(EditFile, PlacesSayWhatIsWrongWithThem) {
  for (const char* bad : {"", "3,4", "3,4,5,6", "3,4,x", "3,4,5..", "3,4,5..6,7", "nan,1,1"}) {
    EXPECT_NE(place_fault(bad).find("is no place; write a voxel as 3,4,5"), std::string::npos)
        << bad;
  }
  EXPECT_NE(place_fault("3,4.5,5").find("whole numbers"), std::string::npos);
  EXPECT_NE(place_fault("20,0,0").find("outside the grid of (20, 30, 40)"), std::string::npos);
  EXPECT_NE(place_fault("3,3,3..3,4,4").find("is empty"), std::string::npos);
  EXPECT_NE(place_fault("1e300,0,0", true).find("too large"), std::string::npos);
}

TEST_F(EditFile, YamlHoldsVersions) {
  const std::vector<EditStep> steps = read("e.yaml", R"(
versions:
  - note: the door opens
    time_s: 12.5
    edits:
      - {clear: [[4, 0, 3], [6, 8, 4]]}
      - {set: [3, 4, 5]}
  - edits: [{unknown: [9, 9, 9]}]
)");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].note.text, "the door opens");
  EXPECT_EQ(steps[0].note.time_s, 12.5);
  ASSERT_EQ(steps[0].edits.size(), 2u);
  EXPECT_EQ(steps[0].edits[0].hi, (Index{6, 8, 4}));
  EXPECT_EQ(steps[0].edits[0].state, VoxelState::kFree);
  EXPECT_EQ(steps[0].edits[1].state, VoxelState::kOccupied);
  EXPECT_EQ(steps[1].edits[0].state, VoxelState::kUnknown);
  EXPECT_FALSE(steps[1].note.time_s);
  const auto metres = read("m.yaml", "metres: true\nversions: [{edits: [{set: [0.2, 0.6, 2.5]}]}]");
  EXPECT_EQ(metres[0].edits[0].lo, (Index{2, 2, 0}));
}

TEST_F(EditFile, CsvHoldsVoxelsOrBoxesAndSteps) {
  const auto voxels = read("v.csv", "i,j,k,state\n1,2,3,occupied\r\n 4, 5, 6, free\n\n");
  ASSERT_EQ(voxels.size(), 1u);
  ASSERT_EQ(voxels[0].edits.size(), 2u);
  EXPECT_EQ(voxels[0].edits[1].lo, (Index{4, 5, 6}));
  EXPECT_EQ(voxels[0].edits[1].state, VoxelState::kFree);
  const auto marked = read("m.csv", "\xef\xbb\xbfi,j,k,state\n1,2,3,occupied\n");
  EXPECT_EQ(marked[0].edits[0].lo, (Index{1, 2, 3})) << "a spreadsheet's byte order mark";
  const auto boxes = read("b.csv",
                          "step,state,i,j,k,i_end,j_end,k_end\n"
                          "a,occupied,0,0,0,4,4,4\na,free,1,1,1,2,2,2\nb,unknown,5,5,5,9,9,9\n");
  ASSERT_EQ(boxes.size(), 2u);
  EXPECT_EQ(boxes[0].edits.size(), 2u);
  EXPECT_EQ(boxes[1].edits[0].hi, (Index{9, 9, 9}));
}

TEST_F(EditFile, FaultsAreToldWithFileAndLine) {
  EXPECT_EQ(fault("v.csv", "i,j,k,state\n1,2,3,full\n"),
            "v.csv:2: state is 'full'; must be free, occupied or unknown");
  EXPECT_EQ(fault("v.csv", "i,j,k,state\n1,2,3,free\n1,2,3\n"),
            "v.csv:3: has 3 fields; the header has 4");
  EXPECT_EQ(fault("v.csv", "i,j,k,state\n1,2,z,free\n"), "v.csv:2: k is 'z', not a finite number");
  EXPECT_EQ(fault("v.csv", "i,j,k,state\n1,2,40,free\n"),
            "v.csv:2: the box from (1, 2, 40) to (2, 3, 41) lies outside the grid of (20, 30, 40) "
            "voxels");
  EXPECT_EQ(fault("v.csv", "i,j,state\n"), "v.csv:1: column 'k' is missing");
  EXPECT_EQ(fault("v.csv", "i,j,k,i_end,k_end,state\n"), "v.csv:1: column 'j_end' is missing");
  EXPECT_EQ(fault("v.csv", "i,j,k,state,i\n"), "v.csv:1: column 'i' is named twice");
  EXPECT_NE(fault("v.csv", "i,j,k,colour\n").find("v.csv:1: unknown column 'colour'"),
            std::string::npos);
  EXPECT_NE(fault("v.csv", "i,j,k,state\n").find("holds no edit"), std::string::npos);
  EXPECT_NE(fault("v.csv", "").find("is empty"), std::string::npos);
  EXPECT_NE(fault("e.yaml", "versions: [{edits: [{set: [1, 2, 300]}]}]").find("e.yaml:1:"),
            std::string::npos);
  EXPECT_NE(fault("e.yaml", "versions:\n  - edits:\n      - {fill: [1, 2, 3]}").find("e.yaml:3:"),
            std::string::npos);
  for (const char* bad :
       {"versions: []", "versions: [{edits: []}]", "versions: [{note: a}]", "edits: []",
        "versions: [{edits: [{set: [1, 2, 3], clear: [1, 2, 3]}]}]",
        "versions: [{edits: [{set: [1, 2]}]}]", "versions: [{edits: [{set: [1, 2, 3.5]}]}]",
        "versions: [{edits: [{set: [[1, 2, 3], [1, 2, 9]]}]}]"}) {
    EXPECT_EQ(fault("e.yaml", bad).rfind("e.yaml:", 0), 0u) << bad;
  }
  EXPECT_NE(fault("e.txt", "").find(".yaml or .csv"), std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
