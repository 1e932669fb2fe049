// What every command says of itself: examples in its help, and a completion that knows all of it.
#include <gtest/gtest.h>
#include <octomap/OcTree.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/entry_file.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/world/load.h"
#include "index/backend_info.h"
#include "support/effort.h"
#include "support/matplotlib.h"
#include "support/memory_files.h"
#include "support/place_tables.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/small_campus.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

/// A command as its help tells it.
struct Command {
  std::vector<std::string> words;  ///< after the program's name: world, info
  std::string help;
  std::set<std::string> subcommands, long_options;
};

std::string name_of(const Command& command) {
  std::string name = "sightline";
  for (const std::string& word : command.words) name += " " + word;
  return name;
}

Command read_help(const std::vector<std::string>& words) {
  Command command;
  command.words = words;
  std::vector<std::string> argv{program_path()};
  argv.insert(argv.end(), words.begin(), words.end());
  argv.push_back("--help");
  const ProgramResult result = run_program(argv);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  command.help = result.out;
  static const std::regex option("^  (?:-[a-z],)?(--[a-z-]+).*");
  static const std::regex subcommand("^  ([a-z]+) .*");
  std::istringstream lines(result.out);
  bool in_subcommands = false;
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != ' ') in_subcommands = line == "Subcommands:";
    if (std::regex_match(line, match, option)) command.long_options.insert(match[1]);
    if (in_subcommands && std::regex_match(line, match, subcommand)) {
      command.subcommands.insert(match[1]);
    }
  }
  return command;
}

void add_commands(const std::vector<std::string>& words, std::vector<Command>& commands) {
  commands.push_back(read_help(words));
  for (const std::string& name : std::set<std::string>(commands.back().subcommands)) {
    std::vector<std::string> below = words;
    below.push_back(name);
    add_commands(below, commands);
  }
}

const std::vector<Command>& all_commands() {
  static const std::vector<Command> commands = [] {
    std::vector<Command> found;
    add_commands({}, found);
    return found;
  }();
  return commands;
}

/// What bash offers after the words of a command line, the last of which is being typed.
std::set<std::string> offered(const std::vector<std::string>& words) {
  std::string line = "sightline";
  for (const std::string& word : words) line += " '" + word + "'";
  const std::string script = "source <('" + program_path() + "' completion bash) || exit 1\n" +
                             "COMP_WORDS=(" + line + ")\n" +
                             "COMP_CWORD=" + std::to_string(words.size()) + "\n" +
                             "_sightline_words\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
  const ProgramResult result = run_program({"/bin/bash", "-c", script});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  std::set<std::string> words_offered;
  std::istringstream lines(result.out);
  for (std::string word; std::getline(lines, word);) {
    if (!word.empty()) words_offered.insert(word);
  }
  return words_offered;
}

TEST(Help, IsReadByTheseTests) {
  EXPECT_GE(all_commands().size(), 11u);
  EXPECT_EQ(all_commands().front().long_options, (std::set<std::string>{"--help", "--version"}));
}

TEST(Help, ShowsAnExampleOfEveryCommand) {
  for (const Command& command : all_commands()) {
    const std::size_t examples = command.help.find("\nExample");
    ASSERT_NE(examples, std::string::npos) << name_of(command) << "\n" << command.help;
    EXPECT_NE(command.help.find(name_of(command), examples), std::string::npos)
        << name_of(command) << "\n"
        << command.help;
  }
}

/// The command lines among the examples of a help text, in their order.
std::vector<std::string> examples_of(const std::string& help) {
  static const std::regex example("^  ((?:sightline|source <\\(sightline) .*)");
  std::vector<std::string> found;
  std::istringstream lines(help.substr(std::min(help.size(), help.find("\nExample"))));
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, match, example)) found.push_back(match[1]);
  }
  return found;
}

void write_small_map(const std::string& path) {
  constexpr octomap::key_type kZero = 32768;  // the key of the voxel at the origin
  constexpr int kEdge = 24;
  octomap::OcTree tree(0.2);
  for (int i = 0; i < kEdge; ++i) {
    for (int j = 0; j < kEdge; ++j) {
      for (int k = 0; k < kEdge; ++k) {
        const auto key = [](int x) { return static_cast<octomap::key_type>(kZero + x); };
        const bool is_solid = k == 0 || (i == kEdge / 2 && j < kEdge / 2);
        tree.updateNode(octomap::OcTreeKey(key(i), key(j), key(k)), is_solid, true);
      }
    }
  }
  tree.updateInnerOccupancy();
  tree.writeBinary(path);
}

/// A store of two memories in words, the same with hashed embeddings, and questions to it.
void write_memories(const TemporaryFolder& folder) {
  write_text(folder / "home.jsonl",
             "{\"id\": 1, \"text\": \"a red mug on the desk\", \"anchor\": [6, 1, 5]}\n"
             "{\"id\": 2, \"text\": \"the spare key\", \"anchor\": [12, 1, 8]}\n");
  write_text(folder / "ask.jsonl", "{\"text\": \"where is the key?\"}\n");
  write_text(folder / "home.npy", float_npy({0.6f, 0.8f, 1, 0}, 2));
  write_text(folder / "points.fvecs", fvecs_bytes({{0.6f, 0.8f}, {1, 0}}));
  host::MemorySource source;
  source.path = folder / "home.jsonl";
  source.hashed_width = host::kHashedWidth;
  host::save_memories(host::load_memories(source), folder / "home.slm");
  std::vector<float> embeddings = host::hashed_embedding("a mug");
  const std::vector<float> key = host::hashed_embedding("a key");
  embeddings.insert(embeddings.end(), key.begin(), key.end());
  write_text(folder / "ask.npy", float_npy(embeddings, host::kHashedWidth));
}

/// A robot's memory, walls, questions and calls of the tools.
void write_places(const TemporaryFolder& folder) {
  KnownPlaces places = small_campus();
  places.things.push_back({"red mug", 12, -2});
  for (const char* name : {"campus.slp", "robot.slp"}) {
    host::save_entries(memory_of(places), folder / name);
  }
  write_text(folder / "entries.jsonl",
             "{\"sequence\": 0, \"time_s\": 0, \"position\": [0, 0, 0], \"caption\": \"a red "
             "mug\"}\n");
  write_text(folder / "more.jsonl",
             "{\"sequence\": 2, \"time_s\": 0, \"position\": [0, 0, 0], \"caption\": \"a blue "
             "chair\", \"visible\": []}\n");
  write_text(folder / "today.jsonl",
             "{\"sequence\": 3, \"time_s\": 0, \"position\": [1, 1, 1], \"caption\": \"a blue "
             "mug\", \"visible\": []}\n");
  write_text(folder / "walls.tsv",
             "osm_id\tname\tbuilding\tlevels\theight\tring_xy_m\n"
             "1\tHall\tyes\t\t\t66,1 68,1 68,5 66,5\n");
  write_text(folder / "asked.jsonl", "{\"question\": \"where is the red mug\"}\n");
  write_text(folder / "way.csv", "x,y,z\n1,1,1\n2,1,1\n");
  write_text(folder / "calls.jsonl",
             "{\"id\": 1, \"tool\": \"ssr\", \"args\": {\"queries\": [{\"text\": \"mug\"}]}}\n");
}

/// What was published of forests and of questions along a way.
void write_tables(const TemporaryFolder& folder) {
  std::filesystem::create_directories(folder / "building99");
  for (const auto& [name, text] : small_forest()) write_text(folder / ("building99/" + name), text);
  std::filesystem::create_directories(folder / "navqa_coda");
  for (const auto& [name, text] : small_navqa()) write_text(folder / ("navqa_coda/" + name), text);
}

/// What a model said to the first prompt of the example.
void write_one_answer(const TemporaryFolder& folder) {
  const ProgramResult exported =
      run_program({program_path(), "prompts", "export", source_file("configs/storage_medium.yaml"),
                   "--arm", "rule_based_reader", "--out", folder / "asked.jsonl"});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const std::string asked = read_text(folder / "asked.jsonl");
  const auto prompt = host::parse_json<nlohmann::json>(asked.substr(0, asked.find('\n')));
  const nlohmann::json answer{
      {"custom_id", prompt.at("custom_id")},
      {"error", nullptr},
      {"response",
       {{"status_code", 200}, {"body", {{"choices", {{{"message", {{"content", "HIDDEN"}}}}}}}}}}};
  write_text(folder / "said.jsonl", host::json_text(answer) + "\n");
}

/// Scenes of rooms, what an agent asks of one, and a table of scores.
void write_scenes(const TemporaryFolder& folder) {
  write_text(folder / "scenes.jsonl", std::string(kTwoRooms) + "\n");
  write_text(folder / "turns.jsonl",
             "{\"id\": 1, \"tool\": \"reset\", \"args\": {\"scene\": 0}}\n");
  std::string many;
  for (std::uint64_t number = 0; number < 8; ++number) {
    many += host::tos::scene_line(host::tos::generate_scene({}, 1, number)) + "\n";
  }
  write_text(folder / "many_scenes.jsonl", many);
  write_text(folder / "scores.csv",
             "scene,map_correctness,task_score\nA,0.5,0.4\nB,0.7,0.6\nC,0.9,0.7\nD,0.6,0.7\n");
  write_text(folder / "meta_data.json", kTwoRoomsMetadata);
}

/// The user's folder that the examples speak of: the sweep files, maps and arrays, and the program
/// on the path. The million rays of a sweep become a few.
void prepare_examples(const TemporaryFolder& folder) {
  for (const char* name :
       {"bin", "configs", ".zfunc", ".local/share/bash-completion/completions"}) {
    std::filesystem::create_directories(folder / name);
  }
  std::filesystem::create_symlink(program_path(), folder / "bin/sightline");
  for (const char* name : {"configs/quickstart.yaml", "configs/building.yaml"}) {
    const std::string sweep = read_text(source_file(name));
    write_text(folder / name, std::regex_replace(sweep, std::regex("count: 1000000"), "count: 50"));
  }
  for (const char* name :
       {"configs/wave_e.yaml", "configs/battery.yaml", "configs/storage_medium.yaml"}) {
    std::filesystem::copy_file(source_file(name), folder / name);
  }
  std::filesystem::copy_file(source_file("configs/landscape.yaml"),
                             folder / "configs/landscape.yaml");
  std::filesystem::create_directories(folder / "configs/corpora");
  std::filesystem::copy(source_file("configs/corpora/landscape"),
                        folder / "configs/corpora/landscape");
  write_one_answer(folder);
  write_memories(folder);
  write_places(folder);
  write_scenes(folder);
  write_tables(folder);
  write_small_map(folder / "map.bt");
  write_small_map(folder / "building.bt");
  host::save_world(host::load_world(folder / "map.bt"), folder / "town.slw");
  write_text(folder / "building_site.csv", "i,j,k,state\n1,1,2,occupied\n");
  write_text(folder / "robot.csv", "x,y,z,yaw_deg,pitch_deg\n1.3,1.1,1.5,30,0\n");
  write_text(folder / "things.csv", "id,x,y,z\n4,2.5,1,1\n");
  const std::vector<double> points{1.3, 1.1, 1.5, 4.1, 3.3, 2.1};
  for (const char* name : {"a.npy", "b.npy"}) {
    write_text(folder / name, npy_file(1, npy_header("<f8", false, "(2, 3)"), item_bytes(points)));
  }
  write_text(folder / "voxels.npy",
             npy_file(1, npy_header("|u1", false, "(4, 4, 4)"), std::string(64, '\1')));
}

ProgramResult run_example(const TemporaryFolder& folder, const std::string& line) {
  ProgramOptions options;
  options.working_directory = folder.path();
  options.environment = {{"HOME", folder.path()},
                         {"PATH", (folder / "bin") + ":/usr/local/bin:/usr/bin:/bin"}};
  return run_program({"/bin/bash", "-c", line}, options);
}

/// What needs FAISS, which builds may be without: not to write the words of questions.
bool searches_captions(const std::string& example) {
  const bool asks = example.rfind("sightline ask --store", 0) == 0;
  const bool writes_words = example.find(" --write-phrases ") != std::string::npos;
  return (asks && !writes_words) || example.rfind("sightline places navqa", 0) == 0;
}

void run_examples_of(const Command& command, const TemporaryFolder& prepared) {
  SCOPED_TRACE(name_of(command));
  const TemporaryFolder folder;
  std::filesystem::copy(
      prepared.path(), folder.path(),
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks);
  if (command.words == std::vector<std::string>{"report"}) {
    if (!has_matplotlib()) return;
    const std::string sweep = "sightline sweep configs/quickstart.yaml --out runs/quickstart";
    ASSERT_EQ(run_example(folder, sweep).exit_code, 0);
  }
  const std::vector<std::string> examples = examples_of(command.help);
  EXPECT_FALSE(examples.empty());
  for (const std::string& example : examples) {
    const ProgramResult result = run_example(folder, example);
    if (searches_captions(example) && index::backend_info().faiss_version.empty()) {
      constexpr int kCannotRunHere = 3;
      EXPECT_EQ(result.exit_code, kCannotRunHere) << example << "\n" << result.err;
      continue;
    }
    EXPECT_EQ(result.exit_code, 0) << example << "\n" << result.err;
  }
}

TEST(Help, ShowsExamplesThatRun) {
  const TemporaryFolder prepared;
  prepare_examples(prepared);
  const std::vector<Command>& commands = all_commands();
  const std::size_t stride = commands.size() / effort(commands.size());
  for (std::size_t i = 0; i < commands.size(); i += stride) run_examples_of(commands[i], prepared);
}

TEST(Completion, OffersEverySubcommand) {
  for (const Command& command : all_commands()) {
    std::vector<std::string> words = command.words;
    words.push_back("");
    EXPECT_EQ(offered(words), command.subcommands) << name_of(command);
  }
}

TEST(Completion, OffersEveryLongOption) {
  for (const Command& command : all_commands()) {
    std::vector<std::string> words = command.words;
    words.push_back("--");
    EXPECT_EQ(offered(words), command.long_options) << name_of(command);
  }
}

TEST(Completion, OffersTheValuesOfAChoice) {
  EXPECT_EQ(offered({"los", "--device", ""}), (std::set<std::string>{"auto", "cpu", "cuda"}));
  EXPECT_EQ(offered({"los", "--cross", "--method", "march"}),
            (std::set<std::string>{"march", "march_uniform"}));
  EXPECT_EQ(offered({"recall", "--memory-frame", ""}), (std::set<std::string>{"y_up", "z_up"}));
  EXPECT_EQ(offered({"memories", ""}), (std::set<std::string>{"convert", "info", "make"}));
}

TEST(Completion, LeavesFilesToTheShell) {
  EXPECT_EQ(offered({"los", "--observers", ""}), std::set<std::string>());
  EXPECT_EQ(offered({"sweep", "conf"}), std::set<std::string>());
}

TEST(Completion, GivesZshTheWordsOfBash) {
  const ProgramResult bash = run_program({program_path(), "completion", "bash"});
  const ProgramResult zsh = run_program({program_path(), "completion", "zsh"});
  EXPECT_EQ(zsh.exit_code, 0) << zsh.err;
  EXPECT_EQ(zsh.out.rfind("#compdef sightline\n", 0), 0u) << zsh.out.substr(0, 100);
  EXPECT_NE(zsh.out.find(bash.out), std::string::npos);
}

TEST(Completion, NamesTheShellsItKnows) {
  const ProgramResult result = run_program({program_path(), "completion"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace sightline::tests
