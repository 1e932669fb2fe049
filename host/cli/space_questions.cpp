// sightline space questions: questions of the nine tasks about a file of scenes, as a file.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/cli/space.h"
#include "host/config/plural.h"
#include "host/theory_of_space/model_exchange.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct QuestionsArguments {
  std::string scenes, out;
  int count = 3;
  std::uint64_t seed = 1;
};

void run_questions(const QuestionsArguments& a) {
  check_output_as(".jsonl", a.out, {a.scenes});
  std::string lines;
  std::size_t count = 0;
  const std::vector<Scene> scenes = read_scenes(a.scenes);
  for (const EvaluatedScene& scene : scenes_to_evaluate(scenes, {}, a.count, a.seed)) {
    for (const SceneQuestion& question : scene.questions) lines += question_line(question) + "\n";
    count += scene.questions.size();
  }
  host::write_file(a.out, lines);
  fmt::print("{} about {} -> {}\n", host::plural(count, "question"),
             host::plural(scenes.size(), "scene"), a.out);
}

}  // namespace

void add_space_questions(CLI::App& space) {
  CLI::App* command =
      add_command(space, "questions", "Draw questions of the nine tasks, with their answers");
  const auto a = std::make_shared<QuestionsArguments>();
  command->add_option("scenes", a->scenes, "Scenes, .jsonl")->required();
  command->add_option("--out", a->out, "File of questions, .jsonl")->required();
  command->add_option("--count", a->count, "Questions of each task and scene (default 3)")
      ->check(at_least_one());
  add_seed(*command, a->seed, "Of what is drawn (default 1)");
  command->footer("Example:\n  sightline space questions scenes.jsonl --out questions.jsonl");
  command->callback([a] { run_questions(*a); });
}

}  // namespace sightline::cli
