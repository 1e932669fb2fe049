// sightline ask: where is it? Questions about places that a robot remembers, and the tools that
// answer them.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/cli/ask_files.h"
#include "host/cli/ask_options.h"
#include "host/cli/ask_questions.h"
#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/cli/serve_lines.h"
#include "host/config/json_text.h"
#include "host/error.h"
#include "host/meta_memory/parse_query.h"
#include "host/meta_memory/place_report.h"
#include "host/meta_memory/tool_schema.h"
#include "host/meta_memory/tool_service.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host;

enum class AnswerChoice { kStore, kViewpoint, kObject };

struct AskArguments {
  PlacesArguments places;
  std::string question, questions, coverage, column = "question";
  std::string phrases;  ///< to write, not to answer
  bool serves = false, prints_schema = false, lists_each = false;
  std::string here;
  AnswerChoice answer = AnswerChoice::kStore;
  PlannerOptions planner;
  bool no_range = false, no_integration = false;
  std::string map, waypoints, log;
  std::string geo_origin;
  std::optional<CampusOrigin> origin;  ///< by geo_origin
  bool as_json = false;
};

// ---- answers ---------------------------------------------------------------------------------

/// A report, or why there is none.
struct TriedReport {
  PlaceReport report;
  std::exception_ptr fault;
};

class Asking {
 public:
  explicit Asking(const AskArguments& a)
      : a_(a),
        places_(a.places),
        planner_(places_.store().memory(), places_.verifier(), a.planner) {
    mode_ = a.answer == AnswerChoice::kStore    ? places_.store().entries().answer_mode
            : a.answer == AnswerChoice::kObject ? AnswerMode::kObject
                                                : AnswerMode::kViewpoint;
    if (!a.here.empty()) here_ = places_.place_of("--here", a.here);
  }

  /// Throws QueryError, and InputError for what cannot be asked of this store.
  PlaceReport ask(const std::string& question) const {
    const AskedQuestion asked = read(question);
    return report_on(asked, planner_.answer(asked.query, asked.text, asked.here));
  }

  /// The same of many, on all threads unless a model is asked. A question that cannot be asked
  /// keeps no other from its answer.
  std::vector<TriedReport> ask_all(const std::vector<std::string>& questions) const {
    std::vector<TriedReport> tried(questions.size());
    std::vector<AskedQuestion> asked;
    std::vector<std::size_t> whose;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      try {
        asked.push_back(read(questions[i]));
        whose.push_back(i);
      } catch (const InputError&) {
        tried[i].fault = std::current_exception();
      }
    }
    std::vector<TriedAnswer> answers = planner_.try_answer_all(asked, places_.num_threads());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      TriedReport& one = tried[whose[i]];
      one.fault = answers[i].fault;
      if (!one.fault) one.report = report_on(asked[i], std::move(answers[i].answer));
    }
    return tried;
  }

  void print(const PlaceReport& report) const {
    const EntryTable& entries = places_.store().entries();
    if (a_.as_json) {
      fmt::print("{}\n", json_text(place_report_json(report, entries)));
    } else {
      fmt::print("{}", place_report_text(report, entries));
    }
  }

  OpenedPlaces& places() { return places_; }
  const std::optional<kernels::Vec3>& here() const { return here_; }
  AnswerMode mode() const { return mode_; }

 private:
  AskedQuestion read(const std::string& question) const {
    AskedQuestion asked{parse_query(question), question, here_};
    if (!here_ && says_here(asked.query)) {
      throw InputError("the question says \"here\"; --here X,Y says where that is");
    }
    return asked;
  }
  PlaceReport report_on(const AskedQuestion& asked, PlaceAnswer answer) const {
    PlaceReport report =
        report_of(asked.query, asked.text, std::move(answer), places_.store().map(), here_);
    report.mode = mode_;
    report.checker = places_.checker();
    return report;
  }

  const AskArguments& a_;
  OpenedPlaces places_;
  Planner planner_;
  AnswerMode mode_ = AnswerMode::kViewpoint;
  std::optional<kernels::Vec3> here_;
};

void ask_one(const AskArguments& a) {
  Asking asking(a);
  PlaceReport report;
  try {
    report = asking.ask(a.question);
  } catch (const QueryError& error) {
    throw InputError(caret_text(a.question, error));
  }
  if (!a.map.empty()) {
    const PlaceStore& store = asking.places().store();
    write_map(a.map, report, store.entries(), store.map());
  }
  if (!a.waypoints.empty()) write_waypoints(a.waypoints, report, a.origin);
  if (!a.log.empty()) write_file(a.log, report.answer.session.json() + "\n");
  asking.print(report);
  asking.places().write_model_questions(a.places.model_questions);
}

/// Those that cannot be asked are told in their place; the others are answered.
void ask_many(const AskArguments& a) {
  const std::vector<ListedQuestion> questions =
      listed_questions(a.questions, a.column, a.places.sequence);
  Asking asking(a);
  if (!a.places.sequence) {
    const std::string warning =
        sequences_warning(a.questions, questions, asking.places().store().entries());
    if (!warning.empty()) print_warnings({warning});
  }
  std::string log;
  std::size_t num_bad = 0;
  constexpr std::size_t kTogether = 1024;  // whose answers are kept at a time
  for (std::size_t begin = 0; begin < questions.size(); begin += kTogether) {
    std::vector<std::string> texts;
    for (std::size_t i = begin; i < std::min(begin + kTogether, questions.size()); ++i) {
      texts.push_back(questions[i].text);
    }
    const std::vector<TriedReport> tried = asking.ask_all(texts);
    for (std::size_t i = 0; i < tried.size(); ++i) {
      try {
        if (tried[i].fault) std::rethrow_exception(tried[i].fault);
        if (!a.log.empty()) log += tried[i].report.answer.session.json() + "\n";
        asking.print(tried[i].report);
      } catch (const InputError& error) {
        ++num_bad;
        print_refused(questions[begin + i], error, a.as_json);
      }
    }
  }
  if (!a.log.empty()) write_file(a.log, log);
  asking.places().write_model_questions(a.places.model_questions);
  if (num_bad == 0) return;
  throw InputError(fmt::format("{}: {} of {} questions cannot be asked; the others are answered",
                               a.questions, num_bad, questions.size()));
}

// ---- texts for another embedder --------------------------------------------------------------

/// Of one question, or of all of a file that can be asked: others need nothing embedded.
std::vector<Query> asked_queries(const AskArguments& a) {
  if (a.questions.empty()) return {parse_or_point(a.question)};
  std::vector<Query> queries;
  const auto listed = listed_questions(a.questions, a.column, a.places.sequence);
  for (const ListedQuestion& one : listed) {
    ParsedQuery parsed = try_parse_query(one.text);
    if (parsed.query) queries.push_back(std::move(*parsed.query));
  }
  if (queries.size() == listed.size()) return queries;
  print_warnings(
      {fmt::format("{}: {} of {} questions cannot be asked, and their words are left out",
                   a.questions, listed.size() - queries.size(), listed.size())});
  return queries;
}

// ---- the service -----------------------------------------------------------------------------

void serve(const AskArguments& a) {
  Asking asking(a);
  ToolServiceOptions options;
  options.planner = a.planner;
  options.mode = asking.mode();
  options.here = asking.here();
  options.checker = asking.places().checker();
  ToolService service(asking.places().store(), asking.places().verifier(), options);
  serve_lines([&](const std::string& line) { return service.answer(line); });
  if (!a.log.empty()) write_file(a.log, service.session().json() + "\n");
  asking.places().write_model_questions(a.places.model_questions);
}

// ---- the command -----------------------------------------------------------------------------

void check(const AskArguments& a) {
  const int num_tasks =
      !a.question.empty() + !a.questions.empty() + !a.coverage.empty() + a.serves + a.prints_schema;
  if (num_tasks != 1) {
    throw InputError(
        "give one of: a question in quotes, --questions FILE, --coverage FILE, --serve-stdio, "
        "--schema");
  }
  if (!a.phrases.empty() && a.question.empty() && a.questions.empty()) {
    throw InputError("--write-phrases is of questions: give one in quotes, or --questions FILE");
  }
  if (a.prints_schema || !a.coverage.empty()) return;
  if (a.places.store.empty())
    throw InputError(
        "--store FILE is missing; name a store (places draw makes one, places import yours)");
  if (!a.phrases.empty()) {
    check_output_as(".jsonl", a.phrases, {}, "--write-phrases");
    for (const std::string& out : {a.map, a.waypoints, a.log, a.places.model_questions}) {
      if (out.empty()) continue;
      throw InputError("--write-phrases answers nothing that could be written to " + out);
    }
  }
  if (a.question.empty() && (!a.map.empty() || !a.waypoints.empty())) {
    throw InputError("--map and --waypoints are of one question; ask it by itself");
  }
  if (!a.map.empty() && extension_of(a.map) != ".svg" && extension_of(a.map) != ".json") {
    throw InputError("--map " + a.map + ": a map is written as .svg or .json");
  }
  if (!a.waypoints.empty() && extension_of(a.waypoints) != ".geojson" &&
      extension_of(a.waypoints) != ".csv") {
    throw InputError("--waypoints " + a.waypoints + ": written as .geojson or .csv");
  }
  if (!a.geo_origin.empty() && extension_of(a.waypoints) != ".geojson") {
    throw InputError("--geo-origin goes with --waypoints FILE.geojson");
  }
  std::vector<std::string> inputs = a.places.files();
  if (!a.questions.empty()) inputs.push_back(a.questions);
  const std::vector<NamedOutput> outputs{{"--map", a.map},
                                         {"--waypoints", a.waypoints},
                                         {"--log", a.log},
                                         {"--model-questions", a.places.model_questions},
                                         {"--write-phrases", a.phrases}};
  for (const auto& [option, out] : outputs) {
    if (!out.empty()) check_output(out, inputs, option);
  }
  check_outputs_differ(outputs);
}

void run(AskArguments& a) {
  check(a);
  if (!a.geo_origin.empty()) a.origin = geo_origin_of(a.geo_origin);
  a.planner.uses_spatial_range = !a.no_range;
  a.planner.uses_integration = !a.no_integration;
  a.planner.keeps_log = !a.log.empty();
  if (a.prints_schema) {
    fmt::print("{}\n", json_text(place_tools().schema(), 2));
  } else if (!a.coverage.empty()) {
    const auto questions = read_listed_questions(a.coverage, a.column);
    fmt::print("{}", coverage_text(cover_questions(questions), a.lists_each));
  } else if (!a.phrases.empty()) {
    write_phrases(a.phrases, asked_queries(a), open_entries(a.places.store, a.places.embeddings));
  } else if (a.serves) {
    serve(a);
  } else if (!a.questions.empty()) {
    ask_many(a);
  } else {
    ask_one(a);
  }
}

void add_question_options(CLI::App& command, AskArguments& a) {
  command.add_option("question", a.question, "In quotes: \"where is the red mug\"");
  command
      .add_option("--questions", a.questions,
                  "Many: one a line (.txt), or .jsonl, .tsv or .json with question")
      ->option_text("FILE");
  command
      .add_option("--coverage", a.coverage,
                  "Only tell how many of a file's questions can be asked, by type where the file "
                  "has types (.txt, .tsv, .jsonl, .json)")
      ->option_text("FILE");
  command.add_option("--column", a.column, "Column or key of the question (default question)")
      ->option_text("NAME");
  command
      .add_option("--write-phrases", a.phrases,
                  "Answer nothing: write the texts that questions need embedded, for a store that "
                  "a model embedded (.jsonl); see --query-embeddings")
      ->option_text("FILE");
  command.add_flag("--each", a.lists_each, "Of --coverage: list every question as well");
  command.add_flag("--serve-stdio", a.serves,
                   "Serve the tools: a JSON object a line in, one out, to the end of input");
  command.add_flag("--schema", a.prints_schema, "Print the JSON schema of the tools");
}

void add_answer_options(CLI::App& command, AskArguments& a) {
  command.add_option("--here", a.here, "Where one asks, metres")->option_text("X,Y[,Z]");
  add_choice(command, "--answer", a.answer,
             {{"store", AnswerChoice::kStore},
              {"viewpoint", AnswerChoice::kViewpoint},
              {"object", AnswerChoice::kObject}},
             "Where it is seen from, or where it is as far as known; store: as that says");
  command.add_option("--k", a.planner.basic_k, "Images checked of a basic search (default 5)")
      ->check(at_least_one());
  command
      .add_option("--global-k", a.planner.global_k,
                  "Images checked of the first search of a global question (default 25)")
      ->check(at_least_one());
  command.add_flag("--no-range", a.no_range, "Never look around a place");
  command.add_flag("--no-integration", a.no_integration, "Take no account of relations");
  command.add_option("--map", a.map, "Write the cognitive map: .svg, a picture, or .json")
      ->option_text("FILE");
  command
      .add_option("--waypoints", a.waypoints,
                  "Write the way there, from --here or from the first place named: .geojson, .csv")
      ->option_text("FILE");
  command
      .add_option("--geo-origin", a.geo_origin,
                  "Where (0, 0) of the store lies on Earth: the .geojson of --waypoints is then in "
                  "degrees, not in metres; or a file that says it, a campus' origin.txt")
      ->option_text("LAT,LON");
  command
      .add_option("--log", a.log,
                  "Write each question's tool calls with their checks (.jsonl); of --serve-stdio, "
                  "the last session")
      ->option_text("FILE");
  command.add_flag("--json", a.as_json, "Print one JSON object a question");
}

}  // namespace

void add_ask(CLI::App& app) {
  auto arguments = std::make_shared<AskArguments>();
  AskArguments& a = *arguments;
  CLI::App* command = add_command(app, "ask", "Where is it? Ask what a robot remembers");
  add_question_options(*command, a);
  add_places_options(*command, a.places);
  add_answer_options(*command, a);
  add_device_options(*command, a.places.device);
  command->footer(
      "Questions are of a closed language; what does not parse is refused, never guessed at:\n"
      "  where is THING; where did I (put|leave|last see) THING; can you take me to THING\n"
      "  which (room|area|place) has THING, THING and THING; where can I find THING near THING\n"
      "  where is [the second] THING on the route from PLACE to PLACE\n"
      "  where is the nearest THING to the (north|southwest|...) of PLACE\n"
      "  where is THING closest to the east side of PLACE; THING between PLACE and PLACE\n"
      "  where is THING visible from PLACE; the nearest THING to PLACE [on foot]\n"
      "  did you see THING; is there THING near THING, near here, between PLACE and PLACE, ...\n"
      "  when did you [first|last] see THING, pass by THING; how many THINGS did you see\n"
      "  what color is THING; what is THING made of; did you pass by THING\n"
      "  how long were you near THING; how long did you wait near THING\n"
      "  how many turns did you make; when, where did you [first|last] turn (left|right|around)\n"
      "  when, where did you [first|last] (enter|leave) the building; are you inside; how long "
      "were\n"
      "  you, have you been (inside|outside): by the outlines that --buildings gives\n"
      "THING: the red mug, a building named \"Tech\". PLACE: a thing, here, (12, -3).\n"
      "One that cannot be asked ends with exit code 2; of --questions the others are answered "
      "first.\n"
      "An answer has a status: found, guess (no image shows it), not_found, or off_graph and\n"
      "disconnected (an answer, but the way is a straight line: far off the map, or none "
      "there).\n\n"
      "Examples:\n"
      "  sightline ask --store campus.slp \"where is the nearest vending machine to the west of "
      "the library\"\n"
      "  sightline ask --store campus.slp --here 10,20 --map found.svg --waypoints way.csv "
      "\"where is the red mug\"\n"
      "  sightline ask --store campus.slp --buildings walls.tsv --questions asked.jsonl --json\n"
      "  sightline ask --store robot.slp --questions asked.jsonl --write-phrases phrases.jsonl\n"
      "  sightline ask --coverage asked.jsonl\n"
      "  sightline ask --store campus.slp --serve-stdio < calls.jsonl\n"
      "  sightline ask --schema");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace sightline::cli
