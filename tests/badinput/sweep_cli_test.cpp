// `sightline sweep` as a user meets it: exit codes, messages, what is on which stream, and what is
// left in the folder when it refuses.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/sweep/store.h"
#include "support/places.h"
#include "support/sweep_command.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

TEST_F(SweepCommand, WritesTheRunFolderAndATable) {
  const ProgramResult result = sweep();
  ASSERT_EQ(result.exit_code, kOk) << result.err;
  for (const char* name : {"resolved.yaml", "manifest.json", "run.sqlite", "results.csv",
                           "timings.csv", "summary.json"}) {
    EXPECT_TRUE(written(name)) << name;
  }
  EXPECT_FALSE(written("run.sqlite-wal"));
  EXPECT_FALSE(written("results.csv.tmp"));
  EXPECT_NE(result.out.find("accuracy"), std::string::npos);
  EXPECT_NE(result.out.find("sight"), std::string::npos);
  EXPECT_NE(result.out.find(out() + "/results.csv"), std::string::npos);
}

TEST_F(SweepCommand, TellsOfRecallHowManyRecalledCount) {
  const std::string file = folder_ / "recall.yaml";
  write_text(file, R"(memories: {uniform: {count: 30, dimensions: 16, queries: 5}}
queries: {offset_m: 1, direction: sphere}
recall: {k: 3}
arms: {flat: {recall: {}}, near: {recall: {weights: {spatial: 1}}}}
baseline: flat
)");
  int number = 0;
  const auto table = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{file, "--out", folder_ / ("hits" + std::to_string(number++))};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_program(command(words));
    EXPECT_EQ(result.exit_code, kOk) << result.err;
    return result.out;
  };
  const auto expect = [](const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
  };
  const std::string one = table({});
  expect(one, {"  hit@3", "  ndcg@3"});
  EXPECT_EQ(one.find("k of"), std::string::npos) << one;
  expect(table({"-s", "arms.near.recall.k=7"}), {"k of flat: 3\nk of near: 7\n", "  hit@k"});
  expect(table({"-s", "recall.k=[2, 4]"}), {"k of flat: 2, 4\nk of near: 2, 4\n", "  hit@k"});
  expect(table({"-s", "arms.near.recall.k=4", "-s", "recall.k=[2, 4]"}),
         {"k of flat: 2, 4\nk of near: 4\n"});
}

TEST_F(SweepCommand, RecordsWhereTheResultsComeFrom) {
  ASSERT_EQ(sweep({"--threads", "2", "-s", "seed=9", "--quiet"}).exit_code, kOk);
  const auto manifest = host::parse_json<nlohmann::json>(read_text(out() + "/manifest.json"));
  EXPECT_EQ(manifest.at("status"), "complete");
  EXPECT_EQ(manifest.at("seed"), 9);
  EXPECT_EQ(manifest.at("threads"), 2);
  EXPECT_EQ(manifest.at("command").at(1), "sweep");
  EXPECT_EQ(manifest.at("command").at(2), config());
  EXPECT_FALSE(manifest.at("environment").at("machine").at("cpu_model").get<std::string>().empty());
  EXPECT_FALSE(manifest.at("environment").at("libraries").empty());
  EXPECT_EQ(host::read_run(out()).resolved.at("seed").as_integer(), 9);
}

TEST_F(SweepCommand, ResolvedFileRunsAgainToTheSameAnswers) {
  ASSERT_EQ(sweep({"--quiet", "-s", "axes.visibility.step_m=[0.3, 0.7]"}).exit_code, kOk);
  const std::string again = folder_ / "again";
  const ProgramResult result =
      run_program(command({out() + "/resolved.yaml", "--out", again, "--quiet"}));
  ASSERT_EQ(result.exit_code, kOk) << result.err;
  EXPECT_EQ(read_text(again + "/results.csv"), read_text(out() + "/results.csv"));
}

TEST_F(SweepCommand, PrintsExactlyTheSummaryAsJson) {
  const ProgramResult result = sweep({"--json"});
  ASSERT_EQ(result.exit_code, kOk) << result.err;
  EXPECT_EQ(result.out, read_text(out() + "/summary.json"));
}

TEST_F(SweepCommand, IsSilentWhenAskedTo) {
  const ProgramResult result = sweep({"--quiet"});
  EXPECT_EQ(result.exit_code, kOk);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(SweepCommand, TellsOfPointsOutsideTheWorldOnce) {
  const std::string points = folder_ / "points.csv";
  write_text(points, "x,y,z\n4,1,4\n14,1,4\n");
  write_text(config(), sweep_of_point_file(points));
  const ProgramResult inside = sweep({"--quiet"});
  EXPECT_EQ(inside.exit_code, kOk);
  EXPECT_EQ(inside.err, "");
  std::filesystem::remove_all(out());
  const ProgramResult result =
      sweep({"--quiet", "-s",
             "axes.world.scene=[{name: clutter, seed: 3, size_m: [16, 4, 16], count: 9}, "
             "{name: clutter, seed: 3, size_m: [12, 4, 16], count: 9}, "
             "{name: clutter, seed: 3, size_m: [12, 3.2, 16], count: 9}]"});
  EXPECT_EQ(result.exit_code, kOk) << result.err;
  constexpr const char* kWarning =
      "sightline: warning: world clutter: 0 of 4 observers and 1 of 2 targets lie outside the grid";
  EXPECT_EQ(count_of(result.err, kWarning), 1u) << result.err;
}

TEST_F(SweepCommand, TellsProgressInLinesWithoutATerminal) {
  const ProgramResult result = sweep();
  EXPECT_NE(result.err.find("100 %, 6/6 configurations done"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find('\r'), std::string::npos);
  EXPECT_EQ(result.err.find('\x1b'), std::string::npos);
}

TEST_F(SweepCommand, DrawsABarOnATerminalAndNoColourIfAskedNotTo) {
  constexpr int kManyBlocks = 60;  // long enough for the bar to be drawn some times
  write_text(config(), clutter_sweep(kManyBlocks));
  ProgramOptions options;
  options.stderr_on_terminal = true;
  const auto run = [&](const char* no_color, const char* name) {
    options.environment = {{"TERM", "xterm"}, {"NO_COLOR", no_color}};
    const ProgramResult result =
        run_program(command({config(), "--out", folder_ / name, "--threads", "1"}), options);
    EXPECT_EQ(result.exit_code, kOk) << result.err;
    return result.err;
  };
  const std::string coloured = run("", "coloured"), plain = run("1", "plain");
  EXPECT_NE(coloured.find("\r"), std::string::npos);
  EXPECT_NE(coloured.find("ETA"), std::string::npos);
  EXPECT_NE(coloured.find("\x1b[32m"), std::string::npos);
  EXPECT_NE(plain.find("ETA"), std::string::npos);
  EXPECT_EQ(plain.find("\x1b[32m"), std::string::npos);
}

TEST_F(SweepCommand, LeavesOtherFilesOfTheFolderAlone) {
  fs::create_directory(out());
  write_text(out() + "/notes.txt", "mine");
  EXPECT_EQ(sweep({"--quiet"}).exit_code, kOk);
  EXPECT_EQ(read_text(out() + "/notes.txt"), "mine");
}

TEST_F(SweepCommand, MakesTheFoldersOnTheWay) {
  const std::string deep = folder_ / "a/b/c";
  EXPECT_EQ(run_program(command({config(), "--out", deep, "--quiet"})).exit_code, kOk);
  EXPECT_TRUE(fs::exists(deep + "/results.csv"));
}

TEST_F(SweepCommand, RefusesAFolderThatHoldsARun) {
  ASSERT_EQ(sweep({"--quiet"}).exit_code, kOk);
  const std::string before = read_text(out() + "/manifest.json");
  expect_failure(sweep(), kBadInput, {out(), "already holds a run", "--resume"});
  EXPECT_EQ(read_text(out() + "/manifest.json"), before);
}

TEST_F(SweepCommand, RefusesAFolderThatHoldsARunBeforeItLooksAtTheSweep) {
  ASSERT_EQ(sweep({"--quiet"}).exit_code, kOk);
  expect_failure(sweep({"-s", "visibility.step_m=0"}), kBadInput, {"already holds a run"});
}

TEST_F(SweepCommand, RefusesToOverwriteAFileThatIsNoRuns) {
  fs::create_directory(out());
  write_text(out() + "/results.csv", "my results");
  expect_failure(sweep(), kBadInput, {"results.csv", "would be overwritten"});
  EXPECT_EQ(read_text(out() + "/results.csv"), "my results");
  EXPECT_FALSE(written("run.sqlite"));
}

TEST_F(SweepCommand, RefusesAFileInPlaceOfTheFolder) {
  write_text(out(), "a file");
  expect_failure(sweep(), kBadInput, {out(), "cannot be made a folder"});
  EXPECT_EQ(read_text(out()), "a file");
}

TEST_F(SweepCommand, WarnsOfAnExcludeWithoutEffectNamingItsLine) {
  write_text(config(), "exclude: [{seed: 77}]\n" + clutter_sweep(kFewBlocks));
  const std::string warning = "warning: " + config() + ":1:11: exclude[0]: matches no";
  for (const char* command : {"plan", "sweep"}) {
    std::vector<std::string> argv = {program_path(), command, config()};
    if (command == std::string("sweep")) argv.insert(argv.end(), {"--out", out(), "--quiet"});
    const ProgramResult result = run_program(argv);
    EXPECT_EQ(result.exit_code, kOk) << result.err;
    EXPECT_NE(result.err.find(warning), std::string::npos) << result.err;
  }
}

TEST_F(SweepCommand, RefusesMoreConfigurationsThanARunHoldsWhilePlanCountsThem) {
  const std::vector<std::string> huge = {"-s", "seed={range: {start: 1, stop: 2000, step: 1}}",
                                         "-s", "replicates=600"};
  expect_failure(sweep(huge), kBadInput, {config(), "3600000 configurations", "at most 1000000"});
  EXPECT_FALSE(fs::exists(out()));
  std::vector<std::string> argv = {program_path(), "plan", config()};
  argv.insert(argv.end(), huge.begin(), huge.end());
  const ProgramResult plan = run_program(argv);
  EXPECT_EQ(plan.exit_code, kOk) << plan.err;
  EXPECT_NE(plan.out.find("3600000"), std::string::npos) << plan.out;
  EXPECT_NE(plan.out.find("too many for one run"), std::string::npos) << plan.out;
  argv.push_back("--json");
  const auto json = host::parse_json<nlohmann::json>(run_program(argv).out);
  EXPECT_EQ(json.at("num_configurations"), 3600000);
  EXPECT_TRUE(json.at("seconds").is_null());
}

TEST_F(SweepCommand, ShowsHowFarABlockIsWhileItRuns) {
  // One configuration, so that whatever moves is inside its block, and one that takes its time:
  // every sample asks every solid.
  write_text(config(), R"(world: {scene: clutter, solid: {analytic: true, grid: {voxel_m: 0.5}}}
observers: {random_free: {count: 600, height_m: 1.6}}
targets: {random_free: {count: 600, height_m: 1}}
arms: {sight: {predict: line_of_sight, visibility: {method: march, step_m: 0.2, solid: analytic}}}
)");
  ProgramOptions options;
  options.stderr_on_terminal = true;
  options.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}};
  const ProgramResult result =
      run_program(command({config(), "--out", out(), "--threads", "1"}), options);
  ASSERT_EQ(result.exit_code, kOk) << result.err;
  const std::regex within("[1-9][0-9]? %, 0/1 configurations done  .*ETA [0-9]+:[0-9][0-9]");
  EXPECT_TRUE(std::regex_search(result.err, within)) << result.err;
}

struct BadCase {
  const char* name;
  std::vector<std::string> arguments;  ///< after `sweep CONFIG --out DIR`
  std::vector<std::string> words;
};

class BadSweepArguments : public SweepCommand, public testing::WithParamInterface<BadCase> {};

TEST_P(BadSweepArguments, ExitTwoSayWhyAndWriteNothing) {
  expect_failure(sweep(GetParam().arguments), kBadInput, GetParam().words);
  EXPECT_FALSE(fs::exists(out()));
}
INSTANTIATE_TEST_SUITE_P(
    Cases, BadSweepArguments,
    testing::Values(
        BadCase{"unknown_option", {"--colour"}, {"--colour"}},
        BadCase{"unknown_device", {"--device", "tpu"}, {"--device", "tpu"}},
        BadCase{
            "gpu_that_is_no_number", {"--device", "cuda:x"}, {"--device", "\"cuda:x\"", "cuda:0"}},
        BadCase{"negative_threads", {"--threads", "-1"}, {"--threads"}},
        BadCase{"threads_not_a_number", {"--threads", "two"}, {"--threads"}},
        BadCase{"negative_batch", {"--batch", "-5"}, {"--batch"}},
        BadCase{"batch_of_none", {"--batch", "0"}, {"--batch: must be an integer of at least 1"}},
        BadCase{"no_threads", {"--threads", "0"}, {"--threads: must be an integer of at least 1"}},
        BadCase{"report_of_no_axis",
                {"-s", "report.lines=sead"},
                {"report.lines", "no axis \"sead\"", "\"seed\""}},
        BadCase{"step_too_small_in_a_later_configuration",
                {"-s", "visibility.step_m=[1, 1e-9]"},
                {"visibility.step_m", "2^24"}},
        BadCase{"no_free_space_in_a_later_block",
                {"-s", "observers.random_free.height_m=[1.6, 100]"},
                {"sweep.yaml:5:26: observers.random_free", "no free position"}},
        BadCase{"unequal_counts_in_a_later_block",
                {"-s", "rays=elementwise", "-s", "targets.random_free.count=[40, 41]"},
                {"rays: elementwise", "40 observers and 41 targets"}},
        BadCase{"override_without_value", {"-s", "seed"}, {"seed"}},
        BadCase{
            "override_of_unknown_key", {"-s", "visibilty.step_m=1"}, {"visibilty", "visibility"}},
        BadCase{"override_of_wrong_type",
                {"-s", "visibility.step_m=wide"},
                {"visibility.step_m", "wide"}},
        BadCase{"override_with_nan", {"-s", "visibility.step_m=.nan"}, {"visibility.step_m"}},
        BadCase{"empty_axis", {"-s", "visibility.step_m=[]"}, {"visibility.step_m"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(SweepCommand, NeedsAConfigAndAFolder) {
  expect_failure(run_program(command({})), kBadInput, {"config"});
  expect_failure(run_program(command({config()})), kBadInput, {"--out"});
  expect_failure(run_program(command({folder_ / "absent.yaml", "--out", out()})), kBadInput,
                 {"absent.yaml"});
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(SweepCommand, NamesFileAndLineOfAnUnknownKey) {
  write_text(config(), "observerz: {}\n" + clutter_sweep(kFewBlocks));
  expect_failure(sweep(), kBadInput, {"sweep.yaml:1:", "observerz", "observers"});
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(SweepCommand, ForcedGpuThatIsAbsentIsTheMachinesFault) {
  ProgramOptions no_gpu;
  no_gpu.environment = {{"CUDA_VISIBLE_DEVICES", ""}};
  for (const char* device : {"cuda", "cuda:0", "cuda:3"}) {
    const ProgramResult result =
        run_program(command({config(), "--out", out(), "--device", device}), no_gpu);
    expect_failure(result, kNoEnvironment, {"cuda"});
    EXPECT_FALSE(fs::exists(out()));
  }
}

TEST_F(SweepCommand, RunsOnTheCpuWhereNoGpuIsSeen) {
  ProgramOptions no_gpu;
  no_gpu.environment = {{"CUDA_VISIBLE_DEVICES", ""}};
  const ProgramResult result =
      run_program(command({config(), "--out", out(), "--device", "auto", "--quiet"}), no_gpu);
  EXPECT_EQ(result.exit_code, kOk) << result.err;
}

TEST_F(SweepCommand, FolderThatCannotBeWrittenIsBadInput) {
  fs::create_directories(out() + "/run.lock");  // a folder in a file's place stops root too
  expect_failure(sweep(), kBadInput, {out() + "/run.lock: cannot create"});
  EXPECT_FALSE(written("run.sqlite"));
}

}  // namespace
}  // namespace sightline::tests
