// What every subcommand shares: exit codes, messages, and output that cannot be written.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "kernels/kernels.h"
#include "support/places.h"
#include "support/run_program.h"

#include "host/config/json_text.h"

namespace sightline::tests {
namespace {

const std::string kProgram = program_path();
constexpr int kRunFailed = 1;
constexpr int kBadUsage = 2;

/// The program under a shell, so that its output can go to a device or a closed descriptor.
ProgramResult run_in_shell(const std::string& arguments) {
  return run_program({"/bin/sh", "-c", "exec '" + kProgram + "' " + arguments});
}

TEST(CommandLine, RefusesBadUsageWithOneLine) {
  const std::vector<std::vector<std::string>> bad = {
      {kProgram}, {kProgram, "nosuchcommand"}, {kProgram, "doctor", "--nosuchflag"}};
  for (const std::vector<std::string>& argv : bad) {
    const ProgramResult result = run_program(argv);
    EXPECT_EQ(result.exit_code, kBadUsage) << argv.back();
    EXPECT_EQ(result.out, "") << argv.back();
    EXPECT_EQ(result.err.rfind("sightline: error: ", 0), 0u) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST(CommandLine, NamesTheArgumentItDoesNotKnow) {
  EXPECT_NE(run_program({kProgram, "nosuchcommand"}).err.find("nosuchcommand"), std::string::npos);
}

TEST(CommandLine, NamesAMisspeltOptionThatIsRequired) {
  const ProgramResult result = run_program({kProgram, "sweep", "some.yaml", "--ot", "folder"});
  EXPECT_EQ(result.exit_code, kBadUsage);
  EXPECT_NE(result.err.find("--out is required; sightline sweep has no option --ot (did you mean "
                            "--out?) (see sightline sweep --help)"),
            std::string::npos)
      << result.err;
}

TEST(CommandLine, SuggestsTheCommandOrOptionThatWasMeant) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> slips = {
      {{"swep"}, "sightline has no command \"swep\"; did you mean \"sweep\"?"},
      {{"world", "inf"}, "sightline world has no command \"inf\"; did you mean \"info\"?"},
      {{"world"}, "sightline world: give a command: info, convert, slice, edit, history"},
      {{"world", "convert", "--scene", "village"}, "the file to write is missing"},
      {{"world", "slice"}, "the file to write is missing, and before it, unless --scene names one"},
      {{"completion", "fish"}, "sightline completion has no command \"fish\""},
      {{"world", "info", "--scen", "village"},
       "sightline world info has no option --scen (did you mean --scene?)"},
      {{"world", "info", "--scene", "village", "--colour"},
       "sightline world info has no option --colour (see"}};
  for (const auto& [words, message] : slips) {
    std::vector<std::string> argv = {kProgram};
    argv.insert(argv.end(), words.begin(), words.end());
    const ProgramResult result = run_program(argv);
    EXPECT_EQ(result.exit_code, kBadUsage);
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  }
}

TEST(CommandLine, SuggestsNothingThatIsFar) {
  const ProgramResult result = run_program({kProgram, "bogus"});
  EXPECT_NE(result.err.find("no command \"bogus\"; known are doctor, world, los"),
            std::string::npos)
      << result.err;
}

TEST(CommandLine, TellsOfAnOptionWhatItMustBeAndWhatWasGiven) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> slips = {
      {{"world", "info", "--scene", "village", "--voxel", "abc"},
       "--voxel: must be a number each, but is abc"},
      {{"render", "--width", "3.5"}, "--width: must be an integer, but is 3.5"},
      {{"world", "info", "--scene", "a", "--scene", "b"},
       "--scene: is given 2 times; give it once"},
      {{"render", "--at", "1", "2"}, "--at: takes 3 values, but is given 2"},
      {{"recall", "--from", "1", "2", "3", "4"}, "--from: takes 1 to 3 values, but is given 4"},
      {{"recall", "--store"}, "--store: its value is missing"},
      {{"los", "--lattice-bits", "17"},
       "--lattice-bits: must be an integer from 0 to 16, but is 17"},
      {{"los", "--method", "hda"}, "--method: unknown value \"hda\"; did you mean \"dda\"?"},
      {{"report", "a", "--figures", "b", "--out", "c"},
       "--out and --figures exclude each other; give one of them"},
      {{"world", "info", "a", "b", "c"},
       "sightline world info takes no more arguments: b, c is too much"},
      {{"recall", "--store", "m.slm", "--query-text", "a", "--from", "1", "2", "3", "--k", "0"},
       "--k: must be at least 1 and at most 64, but is 0"},
      {{"world", "info", "--scene", "{name: village, foo: 3}"}, "--scene: foo: unknown key"}};
  for (const auto& [words, message] : slips) {
    std::vector<std::string> argv = {kProgram};
    argv.insert(argv.end(), words.begin(), words.end());
    const ProgramResult result = run_program(argv);
    EXPECT_EQ(result.exit_code, kBadUsage);
    EXPECT_NE(result.err.find("sightline: error: " + message), std::string::npos) << result.err;
  }
}

TEST(CommandLine, ListsEverySubcommandInItsHelp) {
  const ProgramResult result = run_program({kProgram, "--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* name :
       {"doctor", "world", "los", "memories", "recall", "plan", "sweep", "report"}) {
    EXPECT_NE(result.out.find(std::string("\n  ") + name), std::string::npos) << name;
  }
}

TEST(CommandLine, UsesTheInstructionSetThatTheEnvironmentNames) {
  const auto doctor = [](const std::string& name) {
    ProgramOptions options;
    options.environment = {{"SIGHTLINE_ISA", name}};
    return run_program({kProgram, "doctor", "--json"}, options);
  };
  const std::pair<const char*, kernels::InstructionSet> sets[] = {
      {"portable", kernels::InstructionSet::kPortable},
      {"avx2", kernels::InstructionSet::kAvx2},
      {"avx512", kernels::InstructionSet::kAvx512},
      {"", kernels::InstructionSet::kBest}};
  for (const auto& [name, set] : sets) {
    const ProgramResult result = doctor(name);
    if (kernels::has_instruction_set(set)) {
      ASSERT_EQ(result.exit_code, 0) << result.err;
      EXPECT_EQ(host::parse_json<nlohmann::json>(result.out)["machine"]["vectors"],
                kernels::vector_target(set));
    } else {
      EXPECT_EQ(result.exit_code, kBadUsage);
      EXPECT_NE(result.err.find("has no " + std::string(name)), std::string::npos) << result.err;
    }
  }
  const ProgramResult refused = doctor("AVX2");
  EXPECT_EQ(refused.exit_code, kBadUsage);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("SIGHTLINE_ISA=AVX2: no such instruction set; set it to portable"),
            std::string::npos)
      << refused.err;
}

TEST(CommandLine, PrintsItsVersion) {
  const ProgramResult result = run_program({kProgram, "--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out.rfind("sightline ", 0), 0u) << result.out;
}

TEST(CommandLine, FailsWhereStandardOutputIsFull) {
  for (const char* arguments : {"doctor --json", "--help", "--version"}) {
    const ProgramResult result = run_in_shell(std::string(arguments) + " >/dev/full");
    EXPECT_EQ(result.exit_code, kRunFailed) << arguments;
    EXPECT_NE(result.err.find("standard output"), std::string::npos) << result.err;
  }
}

TEST(CommandLine, FailsWhereStandardOutputIsClosed) {
  EXPECT_EQ(run_in_shell("doctor --json >&-").exit_code, kRunFailed);
}

TEST(CommandLine, KeepsItsExitCodeWhereStandardErrorIsClosed) {
  EXPECT_EQ(run_in_shell("nosuchcommand >&- 2>&-").exit_code, kBadUsage);
}

TEST(CommandLine, SweepsWhereNobodyCanBeTold) {
  const TemporaryFolder folder;
  const std::string sweep = "sweep '" + source_file("configs/quickstart.yaml") + "' --out '";
  for (const char* redirection : {"2>&-", "2>/dev/full"}) {
    const std::string run = folder / (redirection[2] == '&' ? "closed" : "full");
    EXPECT_EQ(run_in_shell(sweep + run + "' " + redirection).exit_code, 0) << redirection;
    EXPECT_FALSE(read_text(run + "/results.csv").empty()) << redirection;
  }
}

TEST(CommandLine, EndsBySignalWhereTheReaderWentAway) {
  // The shell ignores SIGPIPE, and the program inherits that; `true` reads nothing.
  const std::string pipe = "{ sleep 0.2; '" + kProgram + "' doctor; echo $? >&2; } | true";
  const ProgramResult result = run_program({"/bin/sh", "-c", "trap '' PIPE; " + pipe});
  EXPECT_EQ(result.err, std::to_string(128 + SIGPIPE) + "\n");
}

TEST(Doctor, PrintsVersionsAndNamesTheMachine) {
  const ProgramResult result = run_program({kProgram, "doctor"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* words :
       {"sightline ", "revision", "compiler", "CPU", "GPU", "SQLite", "FAISS"}) {
    EXPECT_NE(result.out.find(words), std::string::npos) << words;
  }
}

TEST(Doctor, SaysWhichFigureToolIsMissing) {
  // A Python without its libraries stands for a machine without Matplotlib.
  ProgramOptions options;
  options.environment = {{"PYTHONHOME", "/nowhere"}};
  const ProgramResult result = run_program({kProgram, "doctor"}, options);
  EXPECT_EQ(result.exit_code, 0);
  const std::size_t missing = result.out.find("\nmissing\n");
  ASSERT_NE(missing, std::string::npos) << result.out;
  EXPECT_NE(result.out.find("python3-matplotlib", missing), std::string::npos) << result.out;
}

TEST(Doctor, WritesOneJsonObject) {
  const nlohmann::json json =
      host::parse_json<nlohmann::json>(run_program({kProgram, "doctor", "--json"}).out);
  EXPECT_GT(json["machine"]["num_cores"].get<int>(), 0);
  EXPECT_TRUE(json["libraries"].contains("SQLite"));
  EXPECT_TRUE(json["gpus"].is_array());
}

// Pilot 2: a wall at x = 10 from floor to lintel, with a door in it.
TEST(CommandLine, TakesRaysInASceneWithoutAFile) {
  const auto ask = [](const std::string& what, const std::vector<std::string>& more) {
    std::vector<std::string> argv{program_path(), what};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv);
  };
  const ProgramResult scene =
      ask("los", {"--scene", "pilot2", "--from", "2", "1.6", "2", "--to", "16", "1.6", "2"});
  EXPECT_EQ(scene.exit_code, 0) << scene.err;
  EXPECT_EQ(scene.out, "hidden\n");
  const ProgramResult hit =
      ask("gaze", {"--scene", "pilot2", "--from", "2", "1.6", "2", "--to", "16", "1.6", "2"});
  EXPECT_EQ(hit.exit_code, 0) << hit.err;
  EXPECT_EQ(hit.out.rfind("voxel ", 0), 0u) << hit.out;
  const ProgramResult none = ask("los", {"--from", "2", "1.6", "2", "--to", "16", "1.6", "2"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("name one world: a FILE, or --scene NAME"), std::string::npos)
      << none.err;
}

}  // namespace
}  // namespace sightline::tests
