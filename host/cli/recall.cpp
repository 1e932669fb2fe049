// sightline recall: what a store of memories answers to one question, or to many.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/memory_options.h"
#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/cli/recall_options.h"
#include "host/cli/world_options.h"
#include "host/config/place.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/memory/iso_time.h"
#include "host/memory/questions.h"
#include "host/memory/recall_files.h"
#include "host/sweep/recall_request.h"
#include "host/world/binary_file.h"
#include "host/world/formats.h"
#include "host/world/visibility.h"

namespace sightline::cli {
namespace {

using namespace host;

struct RecallArguments {
  MemoryArguments memories;
  std::string query_text, queries, query_embeddings, now, out;
  std::vector<std::string> from;
  double yaw_deg = 0, pitch_deg = 0;
  const CLI::Option *yaw = nullptr, *pitch = nullptr;
  RankArguments rank;
  WorldArguments world;
  bool as_json = false, quiet = false;
  DeviceArguments device;

  /// Neither words nor an embedding: asked by place, time and importance alone.
  bool is_wordless() const { return query_text.empty() && queries.empty(); }
  bool has_world() const { return !world.file.empty() || !world.scene.empty(); }
  /// --from names a file of places.
  bool has_places() const { return from.size() == 1 && extension_of(from.front()) == ".npy"; }
};

// ---- what is asked ---------------------------------------------------------------------------

constexpr const char* kHowToAsk =
    "ask one question with --query-text TEXT, or many with --queries FILE";

void check(const RecallArguments& a) {
  if (!a.query_text.empty() && !a.queries.empty()) throw InputError(kHowToAsk);
  if (a.from.empty() && extension_of(a.queries) != ".jsonl") {
    throw InputError("--from is required: X Y Z in metres, or a .npy with a place per question");
  }
  if (a.has_places() && extension_of(a.queries) != ".npy") {
    throw InputError("--from " + a.from.front() + ": places in a .npy go with --queries FILE.npy");
  }
  if (!a.query_embeddings.empty() && a.queries.empty()) {
    throw InputError("--query-embeddings goes with --queries FILE.jsonl");
  }
  if (a.pitch->count() > 0 && a.yaw->count() == 0) {
    throw InputError("--pitch goes with --yaw; give both");
  }
  const WorldArguments& w = a.world;
  const bool places_world = !w.frame.empty() || !w.fill.empty() || !w.version.empty() ||
                            !w.voxel_m.empty() || !w.origin_m.empty();
  if (!a.has_world() && places_world) {
    throw InputError(
        "--voxel, --origin, --frame, --version and --fill say how a world lies; name it with "
        "--world FILE or --scene NAME");
  }
  const std::string extension = extension_of(a.out);
  if (!a.out.empty() && extension != ".jsonl" && extension != ".npy") {
    throw InputError("--out " + a.out +
                     ": answers are written as .jsonl or .npy; change the "
                     "extension");
  }
}

double seconds_of(const std::string& text) {
  if (const std::optional<double> seconds = parse_iso_time(text)) return *seconds;
  const ConfigValue number = ConfigValue::parse_yaml(text, "--now");
  if (number.is_number()) {
    return number.with_mark({"--now", 0, 0}).as_number(-kMaxTime_s, kMaxTime_s);
  }
  throw InputError("--now " + text +
                   ": is neither seconds nor a time by ISO 8601, such as 2026-05-01T12:30:00Z");
}

Asker asker_of(const RecallArguments& a, const MemoryTable& memories, const World* world) {
  Asker asker;
  if (!a.from.empty() && !a.has_places()) asker.from_m = point_of("--from", a.from);
  if (a.yaw->count() > 0) asker.yaw_deg = a.yaw_deg;
  asker.pitch_deg = a.pitch_deg;
  if (!a.now.empty()) asker.now_s = seconds_of(a.now);
  asker.frame = world ? world->frame : memories.frame.value_or(Frame::kSceneYUp);
  return asker;
}

QuestionFile question_file(const RecallArguments& a) {
  return {a.queries, a.query_embeddings, a.has_places() ? a.from.front() : ""};
}

void check_words(const RecallArguments& a, const RecallRequest& request) {
  if (!a.is_wordless() || !asks_by_meaning(request)) return;
  const bool is_weighed = request.blend.weight(ScorePart::kRelevance) != 0;
  throw InputError(kHowToAsk + std::string(is_weighed ? ", or weigh relevance=0"
                                                      : "; a dense --gate searches by meaning"));
}

MemorySource store_of(const RecallArguments& a) {
  MemorySource source = source_of(a.memories);
  source.needs_embeddings = !a.is_wordless();
  return source;
}

Questions questions_of(const RecallArguments& a, const MemoryTable& memories, const Asker& asker) {
  if (a.is_wordless()) return ask_without_words(memories, asker);
  return a.queries.empty() ? ask(memories, a.query_text, asker)
                           : read_questions(question_file(a), memories, asker);
}

void check_out(const RecallArguments& a, const MemoryTable& memories) {
  if (a.out.empty()) return;
  std::vector<std::string> inputs = files_of(source_of(a.memories));
  inputs.push_back(a.world.file);
  if (!a.queries.empty()) {
    for (const std::string& file : files_of(question_file(a), memories)) inputs.push_back(file);
  }
  check_output(a.out, inputs);
  // Embeddings that are not there are not needed, but would be read the next time.
  for (const std::string& file : files_of(source_of(a.memories))) {
    check_outputs_differ({{"--store", file}, {"--out", a.out}});
  }
  check_recalled_output(a.out);
}

/// What is asked as if by mistake: answers are given, and may not be those that are wanted.
void warn_of_questions(const MemoryTable& memories, const Questions& questions,
                       const RecallRequest& request, const World* world) {
  const std::vector<double>& times_s = memories.time_s;
  const std::size_t num_asked = questions.table.centre_m.size();
  std::vector<std::string> warnings;
  if (world && (request.gate || request.verify)) {
    const Bounds b = extent_of(*world);
    const std::int64_t outside = num_outside(*world, questions.table.centre_m);
    if (outside > 0) {
      warnings.push_back(
          fmt::format("{} of {} questions are asked from outside the world, which "
                      "spans {} {} {} to {} {} {}",
                      outside, num_asked, b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z));
    }
  }
  const double first_s = times_s.empty() ? 0 : *std::min_element(times_s.begin(), times_s.end());
  const auto early = std::count_if(questions.table.now_s.begin(), questions.table.now_s.end(),
                                   [&](double now_s) { return now_s < first_s; });
  if (early > 0) {
    warnings.push_back(
        fmt::format("{} of {} questions are asked before the first memory was made: "
                    "their ages count as 0",
                    early, num_asked));
  }
  print_warnings(warnings);
}

// ---- what is answered ------------------------------------------------------------------------

using Answers = std::vector<std::vector<Recalled>>;

std::string first_line_of(const std::string& text) {
  const std::size_t end = text.find('\n');
  return end == std::string::npos ? text : text.substr(0, end) + " ...";
}

/// Parts that weigh something; all five are in the files.
std::vector<std::size_t> shown_parts(const RecallRequest& request) {
  std::vector<std::size_t> parts;
  for (std::size_t part = 0; part < kNumScoreParts; ++part) {
    if (request.blend.weights[part] != 0) parts.push_back(part);
  }
  return parts;
}

void print_answer(const MemoryTable& memories, const RecallRequest& request,
                  const std::vector<Recalled>& answer) {
  if (answer.empty()) {
    fmt::print("  nothing: the gate keeps no memory\n");
    return;
  }
  std::string head = fmt::format("{:>4}  {:>8}  {:>8}  {:>10}", "rank", "id", "score", "distance");
  const std::vector<std::size_t> parts = shown_parts(request);
  for (const std::size_t part : parts) head += fmt::format("  {:>10}", kScorePartNames[part]);
  const bool is_soft = request.gate && request.penalty;
  if (is_soft) head += "  gate   ";
  if (request.verify) head += "  sight  ";
  fmt::print("{}  text\n", head);
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const Recalled& recalled = answer[i];
    const auto row = static_cast<std::size_t>(recalled.row);
    std::string line = fmt::format("{:>4}  {:>8}  {:>8.4f}  {:>8.2f} m", i + 1, memories.id[row],
                                   recalled.score, recalled.distance_m);
    for (const std::size_t part : parts) line += fmt::format("  {:>10.4f}", recalled.parts[part]);
    if (is_soft) line += recalled.in_gate ? "  inside " : "  outside";
    if (recalled.sight) line += fmt::format("  {:<7}", name_of(*recalled.sight));
    fmt::print("{}  {}\n", line, first_line_of(memories.text[row]));
  }
}

void print_answers(const MemoryTable& memories, const Questions& questions,
                   const RecallRequest& request, const Answers& answers) {
  for (std::size_t q = 0; q < answers.size(); ++q) {
    const kernels::Vec3& from = questions.table.centre_m[q];
    const std::string& text = questions.text[q];
    const std::string asked = questions.table.width == 0 ? ""
                              : text.empty()             ? fmt::format("question {}, ", q)
                                                         : first_line_of(text) + ", ";
    fmt::print("{}{}from {} {} {}\n", q == 0 ? "" : "\n", asked, from.x, from.y, from.z);
    print_answer(memories, request, answers[q]);
  }
}

void report(const RecallArguments& a, const MemoryTable& memories, const Questions& questions,
            const RecallRequest& request, const Answers& answers) {
  if (extension_of(a.out) == ".npy") write_recalled_npy(a.out, memories, request, answers);
  if (extension_of(a.out) == ".jsonl") {
    write_recalled_jsonl(a.out, memories, questions, request, answers);
  }
  if (a.as_json) {
    fmt::print("{}\n", recalled_json(memories, questions, request, answers));
  } else if (a.out.empty()) {
    print_answers(memories, questions, request, answers);
  } else if (!a.quiet) {
    std::size_t num_recalled = 0;
    for (const std::vector<Recalled>& answer : answers) num_recalled += answer.size();
    fmt::print("{} to {}: {} recalled -> {}\n", plural(answers.size(), "question"),
               plural(memories.size(), "memory", "memories"), num_recalled, a.out);
  }
}

void run(const RecallArguments& a) {
  check(a);
  std::optional<WorldSpec> spec;
  if (a.has_world()) spec = world_spec(a.world);
  const RecallRequest request =
      parse_recall_request(recall_settings(a.rank, a.has_world()), spec ? &*spec : nullptr);
  check_words(a, request);
  const MemoryTable memories = load_memories(store_of(a));
  check_out(a, memories);
  std::optional<World> world;
  if (spec) world = make_world(*spec);
  const World* const where = world ? &*world : nullptr;
  check_memories(memories, where);
  if (request.gate) at_place("--gate", [&] { check_gate(*request.gate, memories); });
  const Asker asker = asker_of(a, memories, where);
  const Questions questions = questions_of(a, memories, asker);
  warn_of_questions(memories, questions, request, where);
  Device device = make_device(a.device);
  print_warnings_of(device);
  const Answers answers = recall(memories, questions.table, request, where, device);
  report(a, memories, questions, request, answers);
}

// ---- options ---------------------------------------------------------------------------------

void add_question_options(CLI::App& command, RecallArguments& a) {
  command
      .add_option("--query-text", a.query_text,
                  "The question, of a store whose embeddings the built-in embedder made; none is "
                  "needed where --weights gives relevance 0")
      ->option_text("TEXT");
  command
      .add_option("--queries", a.queries,
                  "Many: embeddings [n, d] in a .npy, or a .jsonl with text, and from, yaw_deg, "
                  "pitch_deg, now_s where they are not those below")
      ->option_text("FILE");
  command
      .add_option("--query-embeddings", a.query_embeddings,
                  "Embeddings of a .jsonl of questions (default: made as the store's were, or the "
                  ".npy of the same name)")
      ->option_text("FILE.npy");
  command.add_option("--from", a.from, "Where it is asked, metres; or places [n, 3] in a .npy")
      ->expected(1, 3)
      ->option_text("X Y Z|FILE.npy");
  a.yaw = command
              .add_option("--yaw", a.yaw_deg,
                          "Where the asker looks, degrees (0: +z, or +x where z is up)")
              ->check(angle_up_to(kMaxYaw_deg));
  a.pitch = command.add_option("--pitch", a.pitch_deg, "Degrees above the horizon, -90 to 90")
                ->check(angle_up_to(kMaxPitch_deg));
  command
      .add_option("--now", a.now,
                  "When it is asked: seconds, or a time by ISO 8601 (default: the latest time in "
                  "the store)")
      ->option_text("TIME");
}

}  // namespace

void add_recall(CLI::App& app) {
  auto arguments = std::make_shared<RecallArguments>();
  RecallArguments& a = *arguments;
  CLI::App* command = add_command(app, "recall", "Ask a store of memories, by meaning and place");
  command->add_option("--store", a.memories.path, kMemoryFiles)->required();
  add_memory_options(*command, a.memories);
  add_question_options(*command, a);
  add_rank_options(*command, a.rank);
  command->add_option("--world", a.world.file, "World for gates and sight: " + readable_formats());
  add_world_options(*command, a.world);
  command->add_flag("--json", a.as_json, "Print one JSON object");
  command->add_option("--out", a.out,
                      "Write the answers: .jsonl, an object per question, or .npy, a structured "
                      "array [n, k]; replaces earlier answers only");
  command->add_flag("--quiet", a.quiet, "Do not say what was written");
  add_device_options(*command, a.device);
  command->footer(
      "A score is the sum of weight times part, over the sum of the weights: relevance is the\n"
      "cosine, spatial falls with distance, recency with age. Recall is blind to walls unless a\n"
      "gate says otherwise; sight is told of what is recalled, and drops nothing.\n\n"
      "Examples:\n"
      "  sightline recall --store home.slm --query-text \"where is my mug?\" --from 5 1.6 5\n"
      "  sightline recall --store home.slm --query-text mug --from 5 1.6 5 --scene pilot2 --gate "
      "los\n"
      "  sightline recall --store home.slm --query-text mug --from 5,1.6,5 --weights "
      "0.5,0.5,0,0,0\n"
      "  sightline recall --store home.jsonl --from 5 1.6 5 --weights spatial=1   # what is near\n"
      "  sightline recall --store home.slm --queries ask.jsonl --from 5 1.6 5 --out found.jsonl\n"
      "  sightline recall --store home.slm --queries ask.npy --from a.npy --out found.npy --json");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace sightline::cli
