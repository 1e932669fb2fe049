// sightline places navqa: how far from the truth simple answers to NaVQA's questions lie.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/places.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/meta_memory/navqa.h"
#include "host/meta_memory/navqa_memory.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host;

constexpr int kLeastOffset_h = -12, kMostOffset_h = 14;

/// Meta-Memory (Mao et al.), Table II: mean errors in metres as printed.
constexpr std::array<std::int64_t, 7> kPrintedRuns{0, 3, 4, 6, 16, 21, 22};
struct PrintedRow {
  const char* method;
  std::array<double, 7> error_m;
  double mean_m;
};
constexpr PrintedRow kPrinted[]{
    {"ReMEmbR", {27.5, 13.3, 23.5, 57.9, 29.6, 33.2, 14.5}, 28.5},
    {"Embodied-RAG", {31.8, 9.4, 33.5, 33.4, 43.4, 37.1, 29.4}, 31.1},
    {"Meta-Memory", {17.1, 5.6, 18.7, 37.5, 36.9, 22.8, 13.4}, 21.7},
};

void print_clock(const Navqa& navqa) {
  const auto num_questions = navqa.questions.size();
  fmt::print(
      "clock: questions about a place of which an annotated time lies in their run, and of\n"
      "all questions those with one outside what may be remembered\n\n");
  fmt::print("{:>8}  {:>12}  {:>16}\n", "UTC", "in their run", "outside window");
  for (int offset = kLeastOffset_h; offset <= kMostOffset_h; ++offset) {
    const NavqaClock clock = check_clock(navqa, offset);
    fmt::print("{:>+8}  {:>5} of {:>3}  {:>8} of {:>4}{}\n", offset, clock.num_in_run,
               clock.num_position, clock.num_outside_window, num_questions,
               offset == static_cast<int>(kNavqaOffset_h) ? "  <- the annotations' own" : "");
  }
}

/// A column for each run and one for all of them.
void print_header(const Navqa& navqa, const char* title) {
  fmt::print("\n{:26}", title);
  for (const NavqaRun& run : navqa.runs) fmt::print("{:>9}", fmt::format("run {}", run.sequence));
  fmt::print("{:>9}\n", "all");
}

template <class Text>
void print_rows(const std::vector<NavqaErrors>& errors, const Navqa& navqa, const Text& text) {
  for (std::size_t m = 0; m < kNumNavqaMethods; ++m) {
    const auto method = static_cast<NavqaMethod>(m);
    const bool is_there = std::any_of(errors.begin(), errors.end(),
                                      [&](const NavqaErrors& one) { return one.method == method; });
    if (!is_there) continue;
    fmt::print("  {:24}", name_of(method));
    const auto print_cell = [&](std::int64_t sequence) {
      const auto row = std::find_if(errors.begin(), errors.end(), [&](const NavqaErrors& one) {
        return one.method == method && one.sequence == sequence;
      });
      fmt::print("{:>9}", row == errors.end() ? "-" : text(*row));
    };
    for (const NavqaRun& run : navqa.runs) print_cell(run.sequence);
    print_cell(-1);
    fmt::print("\n");
  }
}

std::string metres(double error_m) {
  return std::isfinite(error_m) ? fmt::format("{:.1f}", error_m) : "-";
}

/// Of things, whose frame is another than the robot's, to the metre.
std::string metres_of(NavqaTruth truth, double error_m) {
  if (truth == NavqaTruth::kSeenFrom || !std::isfinite(error_m)) return metres(error_m);
  return fmt::format("{:.0f}", error_m);
}

void print_errors(const Navqa& navqa, NavqaTruth truth, const std::vector<NavqaErrors>& errors) {
  print_header(navqa, "mean error in space, m");
  print_rows(errors, navqa,
             [&](const NavqaErrors& row) { return metres_of(truth, row.error_3d_m); });
  print_header(navqa, "mean error on the ground, m");
  print_rows(errors, navqa,
             [&](const NavqaErrors& row) { return metres_of(truth, row.error_2d_m); });
  print_header(navqa, "within 15 m, of answered");
  print_rows(errors, navqa, [](const NavqaErrors& row) {
    if (row.method == NavqaMethod::kRandom) return std::string("-");  // a mean, not an answer
    return fmt::format("{}/{}", row.num_within, row.num_answered);
  });
}

/// Of questions whose truth is known to be wrong, and what comes out without them.
void print_without_wrong(const Navqa& navqa, const NavqaVectors* vectors) {
  const std::vector<const NavqaQuestion*> wrong = out_of_run(navqa);
  if (wrong.empty()) return;
  fmt::print("\nWRONG TRUTH: no annotated time of these lies in their run:\n");
  for (const NavqaQuestion* one : wrong) fmt::print("  run {}  {}\n", one->sequence, one->id);
  fmt::print(
      "Their robot pose was taken from another time. They count in the tables above, as in NaVQA\n"
      "itself, and are left out of this one.\n");
  const Navqa right = without_out_of_run(navqa);
  print_header(right, "without them, in space, m");
  print_rows(navqa_errors(right, NavqaTruth::kSeenFrom, vectors), right,
             [](const NavqaErrors& row) { return metres(row.error_3d_m); });
}

/// How many of the answers are the planner's.
void print_planned(const std::vector<NavqaErrors>& errors) {
  fmt::print("\n");
  for (const NavqaErrors& row : errors) {
    if (row.sequence >= 0 || row.num_planned == 0) continue;
    fmt::print(
        "{}: {} of {} answers are the planner's, the others, whose question the\n"
        "closed language does not have, the caption most like the question.\n",
        name_of(row.method), row.num_planned, row.num_answered);
  }
}

void print_printed(const Navqa& navqa) {
  print_header(navqa, "Table II as printed, m");
  for (const PrintedRow& printed : kPrinted) {
    fmt::print("  {:24}", printed.method);
    for (const NavqaRun& run : navqa.runs) {
      const auto* at = std::find(kPrintedRuns.begin(), kPrintedRuns.end(), run.sequence);
      const bool is_printed = at != kPrintedRuns.end();
      fmt::print("{:>9}",
                 is_printed
                     ? metres(printed.error_m[static_cast<std::size_t>(at - kPrintedRuns.begin())])
                     : "-");
    }
    fmt::print("{:>9}\n", metres(printed.mean_m));
  }
  fmt::print(
      "\nThe errors above are not comparable with Table II: its systems searched the captions of\n"
      "all segments of a run, with images and a language model. Here the {} captions are those of\n"
      "segments that answer some question, an easy pool; methods without captions know nothing of\n"
      "the question; runs come without yaw; and Table II's mean is over all seven runs.\n",
      navqa.captions.size());
}

std::string csv_of(const std::vector<std::pair<std::string, std::vector<NavqaErrors>>>& tables) {
  std::string csv = "truth,method,run,asked,answered,error_3d_m,error_2d_m,within_15_m\n";
  for (const auto& [truth, errors] : tables) {
    for (const NavqaErrors& row : errors) {
      const std::string run = row.sequence < 0 ? "all" : std::to_string(row.sequence);
      const auto number = [](double value) {
        return std::isfinite(value) ? fmt::format("{}", value) : std::string();
      };
      csv += fmt::format("{},{},{},{},{},{},{},{}\n", truth, name_of(row.method), run,
                         row.num_asked, row.num_answered, number(row.error_3d_m),
                         number(row.error_2d_m), row.num_within);
    }
  }
  return csv;
}

struct NavqaArguments {
  std::string folder, csv;
  std::string captions, phrases;  ///< vectors
  std::string write_phrases;
};

void check(const NavqaArguments& a) {
  if (a.captions.empty() != a.phrases.empty()) {
    throw InputError("--caption-embeddings and --query-embeddings go together");
  }
  if (!a.csv.empty()) check_output_as(".csv", a.csv, {}, "--csv");
  if (!a.write_phrases.empty()) check_output_as(".jsonl", a.write_phrases, {}, "--write-phrases");
}

void write_texts(const Navqa& navqa, const std::string& path) {
  const std::vector<std::string> texts = navqa_texts(navqa);
  write_file(path, texts_file(texts));
  fmt::print("wrote {}: {}\n", path, plural(texts.size(), "text"));
}

void run_navqa(const NavqaArguments& a) {
  check(a);
  const Navqa navqa = read_navqa(a.folder);
  if (!a.write_phrases.empty()) return write_texts(navqa, a.write_phrases);
  std::optional<NavqaVectors> given;
  if (!a.captions.empty()) given = read_navqa_vectors(navqa, a.captions, a.phrases);
  const NavqaVectors* const vectors = given ? &*given : nullptr;
  const auto seen_from = navqa_errors(navqa, NavqaTruth::kSeenFrom, vectors);
  const auto object = navqa_errors(navqa, NavqaTruth::kObject, vectors);
  fmt::print("{}: {}, {}, {}\n\n", a.folder, plural(navqa.runs.size(), "run"),
             plural(navqa.questions.size(), "question"), plural(navqa.captions.size(), "caption"));
  print_clock(navqa);
  fmt::print("\nTRUTH: where the robot was when it saw the answer (NaVQA)\n");
  print_errors(navqa, NavqaTruth::kSeenFrom, seen_from);
  print_planned(seen_from);
  print_without_wrong(navqa, vectors);
  print_printed(navqa);
  fmt::print(
      "\nTRUTH: where the thing is (OC-NaVQA); another task, never to be mixed with the "
      "first.\n"
      "Things are placed in CODa's frame dense_global, the robot in dense, which differ a little:\n"
      "errors are told to the metre, and no finer difference means anything. A thing is looked "
      "for\n"
      "where it is seen from, since no caption tells where it stands.\n");
  print_errors(navqa, NavqaTruth::kObject, object);
  if (a.csv.empty()) return;
  write_file(a.csv, csv_of({{"robot pose", seen_from}, {"object", object}}));
  fmt::print("\nwrote {}\n", a.csv);
}

}  // namespace

void add_places_navqa(CLI::App& places) {
  CLI::App* command =
      add_command(places, "navqa", "Clock, baselines and positional errors on NaVQA's questions");
  auto a = std::make_shared<NavqaArguments>();
  command
      ->add_option("folder", a->folder,
                   "Folder with navqa_questions.tsv, oc_navqa_positions.tsv, "
                   "captions_at_answers.jsonl and a traj_seqNN.tsv for each run")
      ->option_text("FOLDER")
      ->required();
  command->add_option("--csv", a->csv, "Write the errors as a table too")->option_text("FILE");
  command
      ->add_option("--write-phrases", a->write_phrases,
                   "Only write the texts that questions need embedded by a model (.jsonl)")
      ->option_text("FILE");
  command
      ->add_option("--caption-embeddings", a->captions,
                   "A model's vectors of the captions, a row a line")
      ->option_text("FILE.npy");
  command
      ->add_option("--query-embeddings", a->phrases,
                   "The texts of --write-phrases, whose vectors are in the .npy beside")
      ->option_text("FILE.jsonl");
  command->footer(
      "With a model of yours, its rows are added to each table:\n"
      "  sightline places navqa navqa_coda --write-phrases phrases.jsonl\n"
      "  scripts/embed.py phrases.jsonl phrases.npy --bge\n"
      "  scripts/embed.py navqa_coda/captions_at_answers.jsonl captions.npy --bge --key caption\n"
      "  sightline places navqa navqa_coda --caption-embeddings captions.npy --query-embeddings "
      "phrases.jsonl\n\n"
      "Example:\n  sightline places navqa navqa_coda --csv errors.csv");
  command->callback([a] { run_navqa(*a); });
}

}  // namespace sightline::cli
