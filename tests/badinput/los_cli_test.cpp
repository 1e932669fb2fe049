// `sightline los` from the outside: its answers, and what it refuses with which exit code.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

constexpr int kBadInput = 2, kEnvironment = 3;  // exit codes
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A `.npy` file of format 1.0, written without the engine's help.
std::string npy(const std::string& descr, const std::string& shape, const void* data,
                std::size_t bytes) {
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize((10 + header.size()) / 64 * 64 + 64 - 10 - 1, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header + std::string(static_cast<const char*>(data), bytes);
}

std::string points_npy(const std::vector<double>& xyz) {
  return npy("<f8", "(" + std::to_string(xyz.size() / 3) + ", 3)", xyz.data(), 8 * xyz.size());
}
std::string pairs_npy(const std::vector<std::int64_t>& pairs) {
  return npy("<i8", "(" + std::to_string(pairs.size() / 2) + ", 2)", pairs.data(),
             8 * pairs.size());
}

/// Eight voxels of 1 m along x: voxel 3 occupied, voxel 5 unknown.
class Los : public testing::Test {
 protected:
  Los() {
    const std::uint8_t states[8] = {0, 0, 0, 1, 0, 2, 0, 0};
    write_text(world_, npy("|u1", "(8, 1, 1)", states, sizeof states));
    write_text(observers_, points_npy({0.5, 0.5, 0.5, 4.5, 0.5, 0.5}));
    write_text(targets_, points_npy({2.5, 0.5, 0.5, 7.5, 0.5, 0.5}));
  }

  ProgramResult los(const std::vector<std::string>& more) const {
    std::vector<std::string> argv{program_path(), "los",       "--world", world_,  "--observers",
                                  observers_,     "--targets", targets_,  "--out", out_};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv);
  }

  /// Runs well and returns the answers after checking their shape.
  std::vector<int> answers(const std::vector<std::string>& more, const std::string& shape) const {
    const ProgramResult result = los(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string file = std::filesystem::exists(out_) ? read_text(out_) : "";
    const std::size_t header_end = file.find('\n');
    if (header_end == std::string::npos) return {};
    const std::string header = file.substr(0, header_end);
    EXPECT_NE(header.find("'|u1'"), std::string::npos) << header;
    EXPECT_NE(header.find("'shape': " + shape), std::string::npos) << header;
    std::vector<int> values;
    for (std::size_t i = header_end + 1; i < file.size(); ++i) {
      values.push_back(static_cast<unsigned char>(file[i]));
    }
    return values;
  }

  /// Refuses with the exit code of bad input, one line that says why, and no output file.
  void expect_refusal(const std::vector<std::string>& more, const std::string& reason) const {
    const ProgramResult result = los(more);
    EXPECT_EQ(result.exit_code, kBadInput) << result.err;
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(out_));
  }

  TemporaryFolder folder_;
  std::string world_ = folder_ / "world.npy", observers_ = folder_ / "a.npy",
              targets_ = folder_ / "b.npy", out_ = folder_ / "vis.npy", pairs_ = folder_ / "p.npy";
};

/// One ray without files, from and to points on the axis of the voxels.
class LosOfOneRay : public Los {
 protected:
  static std::vector<std::string> ends(const std::string& from_x, const std::string& to_x) {
    return {"--from", from_x, "0.5", "0.5", "--to", to_x, "0.5", "0.5"};
  }
  ProgramResult run(std::vector<std::string> rays, const std::vector<std::string>& more) const {
    rays.insert(rays.begin(), {program_path(), "los", "--world", world_});
    rays.insert(rays.end(), more.begin(), more.end());
    return run_program(rays);
  }
  void expect_word(const std::vector<std::string>& rays, const std::vector<std::string>& more,
                   const std::string& word) const {
    const ProgramResult result = run(rays, more);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, word + "\n");
    EXPECT_EQ(result.err, "");
  }
  void expect_refused(const std::vector<std::string>& rays, const std::vector<std::string>& more,
                      const std::string& error) const {
    const ProgramResult result = run(rays, more);
    EXPECT_EQ(result.exit_code, kBadInput) << result.err;
    EXPECT_EQ(result.err.rfind("sightline: error: " + error, 0), 0u) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(out_));
  }
};

TEST_F(LosOfOneRay, IsPrintedAsAWord) {
  expect_word(ends("0.5", "2.5"), {}, "visible");
  expect_word(ends("0.5", "4.5"), {}, "hidden");
  expect_word(ends("4.5", "7.5"), {"--unknown", "unknown"}, "unknown");
  expect_word({"--from", "4.5,0.5,0.5", "--to", "0.5, 0.5, 0.5"}, {}, "hidden");
  expect_word(ends("0.5", "4.5"), {"--method", "march", "--step", "0.1"}, "hidden");
}

TEST_F(LosOfOneRay, IsWrittenAsABatchOfOneWhereAFileIsNamed) {
  expect_word(ends("0.5", "2.5"), {"--out", out_}, "visible");
  const std::string file = read_text(out_);
  EXPECT_NE(file.find("'shape': (1,)"), std::string::npos);
  EXPECT_EQ(file.back(), '\1');
  const ProgramResult quiet = run(ends("0.5", "4.5"), {"--out", out_, "--quiet"});
  EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
  EXPECT_EQ(quiet.out, "");
  EXPECT_EQ(read_text(out_).back(), '\0');
}

TEST_F(LosOfOneRay, TellsOfAnEndOutsideTheGrid) {
  const ProgramResult result = run(ends("-0.5", "2.5"), {});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "visible\n");
  EXPECT_EQ(result.err,
            "sightline: warning: 1 of 1 observer and 0 of 1 target lie outside the grid\n");
}

TEST_F(LosOfOneRay, GoesWithNoOtherRays) {
  const std::string reason = "--from X Y Z and --to X Y Z are one ray; leave out --observers, ";
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--observers", observers_},
                                             {"--targets", targets_},
                                             {"--pairs", pairs_},
                                             {"--directions", targets_},
                                             {"--range", "3"},
                                             {"--cross"}}) {
    expect_refused(ends("0.5", "2.5"), more, reason);
  }
  expect_refused({"--from", "1", "2", "3"}, {}, "--from goes with --to; give both");
  expect_refused({"--to", "1", "2", "3"}, {"--out", out_}, "--from goes with --to; give both");
}

TEST_F(LosOfOneRay, NamesThePointThatIsNone) {
  expect_refused({"--from", "1", "2", "--to", "1", "2", "3"}, {}, "--from 1,2: must be X Y Z");
  expect_refused({"--from", "1", "2", "3", "--to", "1,2,nan"}, {}, "--to 1,2,nan: ");
  expect_refused({"--from", "1", "2", "3", "--to", targets_}, {},
                 "--to " + targets_ + ": must be X Y Z");
  expect_refused(ends("1e9", "2"), {}, "--from: (1e+09, 0.5, 0.5) lies more than");
  expect_refused(ends("2", "1e9"), {}, "--to: (1e+09, 0.5, 0.5) lies more than");
}

TEST_F(LosOfOneRay, IsToldSomewhere) {
  expect_refused(ends("0.5", "2.5"), {"--quiet"}, "--quiet leaves nothing to tell; give --out");
  expect_refused(ends("0.5", "2.5"), {"--packed"}, "--packed is how --out FILE.npy is written");
  expect_refused({"--observers", observers_, "--targets", targets_}, {}, "--out is required");
  expect_refused({}, {"--out", out_}, "--observers is required");
}

using Answers = std::vector<int>;

TEST_F(Los, AnswersElementByElement) {
  for (const std::string method : {"dda", "hdda"}) {
    EXPECT_EQ(answers({"--method", method}, "(2,)"), (Answers{1, 1}));
  }
  for (const std::string method : {"march", "march_uniform"}) {
    EXPECT_EQ(answers({"--method", method, "--step", "0.1"}, "(2,)"), (Answers{1, 1}));
  }
}

TEST_F(Los, AnswersACross) {
  EXPECT_EQ(answers({"--cross"}, "(2, 2)"), (Answers{1, 0, 0, 1}));
  EXPECT_EQ(answers({"--cross", "--batch", "3"}, "(2, 2)"), (Answers{1, 0, 0, 1}));
}

TEST_F(Los, AnswersPairs) {
  write_text(pairs_, pairs_npy({1, 1, 0, 1, 0, 0}));
  EXPECT_EQ(answers({"--pairs", pairs_}, "(3,)"), (Answers{1, 0, 1}));
}

TEST_F(Los, FollowsThePoliciesOfUnknownAndOutsideSpace) {
  EXPECT_EQ(answers({"--cross", "--unknown", "unknown"}, "(2, 2)"), (Answers{1, 0, 0, 2}));
  EXPECT_EQ(answers({"--cross", "--unknown", "blocks"}, "(2, 2)"), (Answers{1, 0, 0, 0}));
  write_text(targets_, points_npy({-3.5, 0.5, 0.5, 11.5, 0.5, 0.5}));
  EXPECT_EQ(answers({"--outside", "unknown"}, "(2,)"), (Answers{2, 2}));
  EXPECT_EQ(answers({"--outside", "blocks"}, "(2,)"), (Answers{0, 0}));
}

TEST_F(Los, PacksAnswersIntoBits) {
  EXPECT_EQ(answers({"--cross", "--packed"}, "(2, 1)"), (Answers{1, 2}));
  out_ = folder_ / "other.npy";
  expect_refusal({"--packed", "--unknown", "unknown"}, "--packed");
}

TEST_F(Los, AnswersAnEmptyBatch) {
  write_text(observers_, points_npy({}));
  write_text(targets_, points_npy({}));
  EXPECT_EQ(answers({}, "(0,)"), Answers{});
  EXPECT_EQ(answers({"--method", "march", "--step", "1"}, "(0,)"), Answers{});
}

TEST_F(Los, TellsOfPointsOutsideTheGrid) {
  EXPECT_EQ(los({}).err, "");
  write_text(targets_, points_npy({2.5, 0.5, 0.5, 8, 0.5, 0.5}));  // the grid ends below 8
  const ProgramResult result = los({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err,
            "sightline: warning: 0 of 2 observers and 1 of 2 targets lie outside the grid\n");
  EXPECT_EQ(los({"--quiet"}).err, "");
}

TEST_F(Los, NamesTheRowOfAPointThatIsNotFinite) {
  std::vector<double> points(3 * 7, 0.5);
  write_text(observers_, points_npy(points));
  for (const double bad : {kNan, double(INFINITY)}) {
    points[3 * 5 + 1] = bad;
    write_text(targets_, points_npy(points));
    expect_refusal({}, "row 5");
  }
}

TEST_F(Los, NamesTheRowOfAPointTooFarAway) {
  write_text(targets_, points_npy({2.5, 0.5, 0.5, 7.5, 1e9, 0.5}));
  expect_refusal({}, "b.npy: targets row 1");
  expect_refusal({"--method", "march", "--step", "0.5"}, "b.npy: targets row 1");
}

TEST_F(Los, RefusesFilesThatAreNotThere) {
  std::filesystem::remove(targets_);
  expect_refusal({}, "b.npy");
  std::filesystem::remove(world_);
  write_text(targets_, points_npy({1, 2, 3, 4, 5, 6}));
  expect_refusal({}, "world.npy");
}

TEST_F(Los, RefusesArraysOfAnotherShapeOrType) {
  const double six[6] = {};
  const float floats[6] = {};
  for (const std::string& bad :
       {npy("<f8", "(3, 2)", six, 48), npy("<f8", "(6,)", six, 48), npy("<i8", "(2, 3)", six, 48),
        npy("<c8", "(2, 3)", six, 48), npy("<f2", "(2, 3)", floats, 12)}) {
    write_text(targets_, bad);
    expect_refusal({}, "b.npy");
  }
  write_text(targets_, points_npy({1, 2, 3, 4, 5, 6}));
  write_text(pairs_, npy("<i4", "(2, 2)", six, 16));
  expect_refusal({"--pairs", pairs_}, "p.npy");
}

TEST_F(Los, RefusesDamagedArrays) {
  const std::string whole = points_npy({1, 2, 3, 4, 5, 6});
  const double one = 1;
  std::string wrong_magic = whole, no_header = whole, huge_header = whole;
  wrong_magic[1] = 'X';
  no_header.replace(10, 20, 20, ' ');
  huge_header[8] = huge_header[9] = '\xff';
  for (const std::string& bad :
       {std::string(), whole.substr(0, 5), whole.substr(0, 9), whole.substr(0, 60),
        whole.substr(0, whole.size() - 1), whole + "x", wrong_magic, no_header, huge_header,
        npy("<f8", "(4611686018427387904, 3)", &one, 8), npy("<f8", "(-1, 3)", &one, 8),
        npy("<f8", "(99999999999999999999999, 3)", &one, 8)}) {
    write_text(targets_, bad);
    expect_refusal({}, "b.npy");
  }
}

TEST_F(Los, RefusesListsThatDoNotFitTogether) {
  write_text(targets_, points_npy({1, 2, 3}));
  expect_refusal({}, "2 observers");
  write_text(pairs_, pairs_npy({0, 0, 1, 1}));
  expect_refusal({"--pairs", pairs_}, "p.npy: pairs row 1");
  write_text(pairs_, pairs_npy({0, 0, -1, 0}));
  expect_refusal({"--pairs", pairs_}, "p.npy: row 1");
  expect_refusal({"--pairs", pairs_, "--cross"}, "--cross");
}

TEST_F(Los, RefusesSettingsOutOfRange) {
  expect_refusal({"--method", "teleport"}, "teleport");
  expect_refusal({"--method", "march"}, "--step");
  expect_refusal({"--method", "march", "--step", "0"}, "--step");
  expect_refusal({"--method", "march", "--step", "-1"}, "--step");
  expect_refusal({"--method", "march", "--step", "nan"}, "step");
  expect_refusal({"--method", "hdda", "--step", "1"}, "--step");
  expect_refusal({"--lattice-bits", "17"}, "17");
  expect_refusal({"--unknown", "maybe"}, "maybe");
  expect_refusal({"--threads", "0"}, "--threads");
  expect_refusal({"--no-such-option"}, "--no-such-option");
}

TEST_F(Los, RefusesOptionsThatTheMethodDoesNotLookAt) {
  const std::string for_exact = "has no effect with --method march; it is for dda and hdda only";
  expect_refusal({"--method", "march", "--step", "1", "--lattice-bits", "8"},
                 "--lattice-bits " + for_exact);
  expect_refusal({"--method", "march", "--step", "1", "--tie-rule", "diagonal"},
                 "--tie-rule " + for_exact);
  expect_refusal({"--step", "0"},
                 "--step has no effect with --method hdda; it is for march and march_uniform only");
  expect_refusal({"--method", "march_uniform", "--step", "1", "--end-rule", "before_target"},
                 "--end-rule has no effect with --method march_uniform; it is for march only");
  expect_refusal({"--method", "dda", "--end-rule", "before_target"}, "--method dda");
  expect_refusal({"--range", "5"}, "--directions");
}

TEST_F(Los, NamesTheFileOfADirectionThatIsNone) {
  const std::string directions = folder_ / "looks.npy", from = folder_ / "from.npy";
  write_text(from, points_npy({0.5, 0.5, 0.5}));
  write_text(directions, points_npy({1, 0, 0, 0, 0, 0}));
  const auto expect_refused = [&](const std::string& words) {
    const ProgramResult result =
        run_program({program_path(), "los", "--world", world_, "--observers", from, "--directions",
                     directions, "--range", "2", "--out", out_});
    EXPECT_EQ(result.exit_code, kBadInput);
    EXPECT_NE(result.err.find(directions + ": directions row " + words), std::string::npos)
        << result.err;
  };
  expect_refused("1: (0, 0, 0) is too short");
  // The square of its length has lost digits.
  write_text(directions, points_npy({1.6e-162, 0, 0}));
  expect_refused("0: (1.6e-162, 0, 0) is too short");
}

TEST_F(Los, PlacesAnArrayWhereItsOptionsSay) {
  // A tenth of the size, around another point: the same answers for points moved alike.
  write_text(observers_, points_npy({10.05, 0.05, -4.95, 10.45, 0.05, -4.95}));
  write_text(targets_, points_npy({10.25, 0.05, -4.95, 10.75, 0.05, -4.95}));
  EXPECT_EQ(answers({"--cross", "--voxel", "0.1", "--origin", "10", "0", "-5"}, "(2, 2)"),
            (Answers{1, 0, 0, 1}));
  EXPECT_EQ(answers({"--cross", "--voxel", "0.1", "--origin", "10", "0", "-5", "--frame", "z_up"},
                    "(2, 2)"),
            (Answers{1, 0, 0, 1}));
  EXPECT_EQ(answers({"--cross"}, "(2, 2)"), (Answers{1, 1, 1, 1}));  // nothing there
}

TEST_F(Los, RefusesToPlaceAWorldThatSaysWhereItLies) {
  const std::string placed = folder_ / "placed.slw";
  ASSERT_EQ(run_program({program_path(), "world", "convert", world_, placed}).exit_code, 0);
  world_ = placed;
  const std::string reason = "placed.slw says itself where it lies";
  expect_refusal({"--voxel", "0.1"}, reason);
  expect_refusal({"--origin", "0", "0", "0"}, reason);
  expect_refusal({"--frame", "z_up"}, reason);
}

TEST_F(Los, RefusesAPlaceThatIsNone) {
  expect_refusal({"--voxel", "0"}, "--voxel");
  expect_refusal({"--voxel", "1", "2"}, "--voxel");
  expect_refusal({"--voxel", "nan"}, "--voxel");
  expect_refusal({"--origin", "1", "2"}, "--origin");
  expect_refusal({"--frame", "x_up"}, "--frame");
}

TEST_F(Los, RefusesAFolderThatIsNotThereBeforeAnyWork) {
  out_ = folder_ / "none/vis.npy";
  expect_refusal({}, "none");
}

TEST_F(Los, RefusesToWriteAnythingButNumPy) {
  const ProgramResult result =
      run_program({program_path(), "los", "--world", world_, "--observers", observers_, "--targets",
                   targets_, "--method", "hdda", "--out", out_ + ".csv"});
  EXPECT_EQ(result.exit_code, kBadInput);
  EXPECT_NE(result.err.find("answers are written as .npy"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(out_ + ".csv"));
}

TEST_F(Los, EndsWithTheCodeOfTheEnvironmentWhenAForcedGpuIsMissing) {
  const ProgramResult result = los({"--device", "cuda"});
  if (result.exit_code == 0) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_EQ(result.exit_code, kEnvironment) << result.err;
  EXPECT_FALSE(std::filesystem::exists(out_));
}

}  // namespace
}  // namespace sightline::tests
