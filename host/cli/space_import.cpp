// sightline space import: scenes of the published dataset become lines of our own format.
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/space.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/scene_metadata.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct ImportArguments {
  std::vector<std::string> files;
  std::string id, out;
};

void import(const ImportArguments& a) {
  if (!a.id.empty() && a.files.size() > 1) {
    throw host::InputError("--id is for one file; those of several come from their run_seed");
  }
  check_output_as(".jsonl", a.out, a.files);
  std::string lines;
  std::set<std::string> ids;
  for (const std::string& file : a.files) {
    const Scene scene = read_scene_metadata(file, a.id);
    if (!ids.insert(scene.id).second) {
      throw host::InputError(file + ": an earlier file is scene \"" + scene.id +
                             "\" too; import it alone with --id");
    }
    lines += scene_line(scene) + "\n";
  }
  host::write_file(a.out, lines);
  fmt::print("wrote {}: {}\n", a.out, host::plural(ids.size(), "scene"));
}

}  // namespace

void add_space_import(CLI::App& space) {
  CLI::App* command =
      add_command(space, "import", "Scenes of the published dataset, meta_data.json each");
  const auto arguments = std::make_shared<ImportArguments>();
  ImportArguments& a = *arguments;
  command->add_option("files", a.files, "Files like run00/meta_data.json")->required();
  command->add_option("--id", a.id, "Of one file: the scene's id (default run and its run_seed)");
  command->add_option("--out", a.out, "Scenes to write, .jsonl")->option_text("FILE")->required();
  command->footer("Example:\n  sightline space import meta_data.json --out published.jsonl");
  command->callback([arguments] { import(*arguments); });
}

}  // namespace sightline::cli
