// sightline places forest: a semantic forest that was published, built anew from its leaves.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "host/cli/options.h"
#include "host/cli/places.h"
#include "host/meta_memory/forest_file.h"

namespace sightline::cli {
namespace {

using namespace host;

std::int64_t count_of(const ForestFile& file, const std::string& type, bool in_cluster) {
  return std::count_if(file.nodes.begin(), file.nodes.end(), [&](const ForestFileNode& node) {
    return node.level == 0 && node.type == type && (node.parent >= 0) == in_cluster;
  });
}

void print_leaves(const ForestFile& file) {
  fmt::print("level 0: {} nodes\n", file.level_counts().front());
  std::set<std::string> types;
  for (const ForestFileNode& node : file.nodes) {
    if (node.level == 0) types.insert(node.type);
  }
  for (const std::string& type : types) {
    fmt::print("  {:10} {:6} in a cluster, {:6} in none\n", type, count_of(file, type, true),
               count_of(file, type, false));
  }
}

void run_forest(const std::string& folder) {
  const ForestFile file = read_forest_file(folder);
  const SemanticForest forest = file.rebuilt({});
  print_leaves(file);
  fmt::print("\n{:>6}  {:>8}  {:>8}  {:>12}\n", "level", "original", "rebuilt", "same leaves");
  fmt::print("{:>6}  {:>8}  {:>8}  {:>12}\n", 0, file.leaves().size(), forest.num_leaves,
             forest.num_leaves);
  std::int64_t original = 0, same = 0;
  for (const ForestLevel& level : compare(file, forest)) {
    fmt::print("{:>6}  {:>8}  {:>8}  {:>12}\n", level.level, level.num_original, level.num_rebuilt,
               level.num_same);
    original += level.num_original;
    same += level.num_same;
  }
  fmt::print(
      "\n{} of {} clusters hold the same leaves.\n"
      "A level L merges below 5 (1 + L) m by complete linkage, then lets a cluster of one join "
      "the\n"
      "nearest centre within that. It is built from the nodes of level 0 that are in a cluster: "
      "the\n"
      "others, such as where the robot was, the original has in none.\n",
      same, original);
}

}  // namespace

void add_places_forest(CLI::App& places) {
  CLI::App* command = add_command(
      places, "forest", "Build a forest of Embodied-RAG anew, and compare it with the original");
  auto folder = std::make_shared<std::string>();
  command->add_option("folder", *folder, "Folder with nodes.tsv and edges.tsv")
      ->option_text("FOLDER")
      ->required();
  command->footer("Example:\n  sightline places forest building99");
  command->callback([folder] { run_forest(*folder); });
}

}  // namespace sightline::cli
