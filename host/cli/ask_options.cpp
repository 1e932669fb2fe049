#include "host/cli/ask_options.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "host/config/plural.h"
#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/osm_campus.h"
#include "host/meta_memory/phrase_embedder.h"
#include "host/world/formats.h"
#include "host/world/text_scan.h"

namespace sightline::cli {

using namespace host;

namespace {

void check(const PlacesArguments& a) {
  if (!a.world.file.empty() && !a.buildings.empty()) {
    throw InputError("--world and --buildings both say what stands in the way; leave one out");
  }
  if (!(a.reach_m >= 0)) throw InputError("--reach-m is no length; give metres");
  if (!(a.robot_height_m >= 0)) throw InputError("--robot-height-m is no length; give metres");
  const bool speaks_to_model = !a.model_answers.empty() || !a.model_questions.empty();
  if (a.check == ImageCheck::kExternal && a.model_questions.empty()) {
    throw InputError(
        "--check external needs --model-questions FILE.jsonl, for what the model is to look at");
  }
  if (a.check != ImageCheck::kExternal && speaks_to_model) {
    throw InputError("--model-questions and --model-answers go with --check external");
  }
  const bool has_noise = a.check_recall || a.check_false_positives;
  if (has_noise && a.check != ImageCheck::kAuto && a.check != ImageCheck::kVisible) {
    throw InputError("--check-recall and --check-false-positives go with --check visible");
  }
  if (a.model_answers.size() % 2 != 0) {
    throw InputError(
        "--model-answers takes two files each time: the questions that were written, and their "
        "answers");
  }
}

}  // namespace

namespace {

std::string vectors_beside(const std::string& texts) {
  return std::filesystem::path(texts).replace_extension(".npy").string();
}

/// The entries of a store, and what embeds the words of its questions.
EntryTable open_asked(const PlacesArguments& a) {
  EntryTable entries = open_entries(a.store, a.embeddings);
  if (a.query_embeddings.empty()) return entries;
  auto phrases = std::make_shared<const PhraseTable>(a.query_embeddings);
  try {
    embed_questions_by(std::move(phrases), &entries);
  } catch (const InputError& error) {
    throw InputError(a.store + " and " + a.query_embeddings + ": " + error.what());
  }
  return entries;
}

}  // namespace

std::vector<std::string> PlacesArguments::files() const {
  std::vector<std::string> files{store};
  for (const std::string& file : {embeddings, query_embeddings, buildings, world.file}) {
    if (!file.empty()) files.push_back(file);
  }
  if (!query_embeddings.empty()) files.push_back(vectors_beside(query_embeddings));
  files.insert(files.end(), model_answers.begin(), model_answers.end());
  return files;
}

void add_places_options(CLI::App& command, PlacesArguments& a) {
  command.add_option("--store", a.store, "Remembered places: .slp, or entries in a .jsonl")
      ->option_text("FILE");
  command
      .add_option("--sequence", a.sequence,
                  "Ask of one walk alone; of --questions, those without a sequence or of this one")
      ->option_text("N");
  command
      .add_option("--embeddings", a.embeddings,
                  "Embeddings of a .jsonl (default: captions are hashed)")
      ->option_text("FILE.npy");
  command
      .add_option("--query-embeddings", a.query_embeddings,
                  "Of a store that a model embedded: the texts of --write-phrases, whose vectors "
                  "are in the .npy beside")
      ->option_text("FILE.jsonl");
  command.add_option("--world", a.world.file, "What stands in the way: " + readable_formats())
      ->option_text("FILE");
  add_placement_options(command, a.world);
  command
      .add_option(
          "--buildings", a.buildings,
          "Or outlines of buildings: a table with a column ring_xy_m, as places draw writes (.tsv)")
      ->option_text("FILE");
  command
      .add_option("--reach-m", a.reach_m,
                  "Longest step of a way that nobody drove (default 3, or 2.5 steps of the robot "
                  "where it is known what stands in the way)")
      ->option_text("METRES")
      ->check(number_from(0.1, 1000));
  command
      .add_option("--robot-height-m", a.robot_height_m,
                  "Above its entries, where --world must be free for it (default 0.5)")
      ->option_text("METRES")
      ->check(number_from(-100, 100));
  add_choice(command, "--check", a.check,
             {{"auto", ImageCheck::kAuto},
              {"caption", ImageCheck::kCaption},
              {"visible", ImageCheck::kVisible},
              {"external", ImageCheck::kExternal}},
             "Who looks at images: nobody; the known visible things of the store, a stand-in for a "
             "vision model; a model, by files. auto: visible if the store has any, else caption");
  const auto share = [&](const char* name, std::optional<double>& value, const char* help) {
    command.add_option(name, value, help)->option_text("SHARE")->check(number_from(0, 1));
  };
  share("--check-recall", a.check_recall,
        "Of --check visible: how many of the visible things are noticed, 0 to 1 (default 1)");
  share("--check-false-positives", a.check_false_positives,
        "Of --check visible: how often a class is seen that is not there, 0 to 1 (default 0)");
  command
      .add_option(
          "--model-answers", a.model_answers,
          "Of --check external: questions written before, and a model's answers, lines of id, "
          "probability (0 to 1, of showing it) and, if known, position ([x, y, z]); repeatable")
      ->option_text("ASKED.jsonl ANSWERED.jsonl")
      ->expected(2)
      ->allow_extra_args(false);
  command
      .add_option("--model-questions", a.model_questions,
                  "Of --check external: write the images that are still to be looked at (.jsonl)")
      ->option_text("FILE");
}

OpenedPlaces::OpenedPlaces(const PlacesArguments& a) : device_(make_device(a.device)) {
  check(a);
  print_warnings_of(device_);
  PlaceStoreOptions options;
  options.only_sequence = a.sequence;
  if (a.reach_m > 0) options.map.reach_m = a.reach_m;
  if (!a.world.file.empty()) {
    world_ = open_world(a.world);
    options.map.is_free = free_in_world(*world_, a.robot_height_m, device_);
    options.is_free = free_in_world(*world_, 0, device_);
  } else if (!a.buildings.empty()) {
    buildings_.emplace(read_building_rings(a.buildings));
    const BuildingSight& sight = *buildings_;
    options.map.is_free = free_of_buildings(sight);
    options.is_free = [&sight](const std::vector<kernels::Vec3>& from,
                               const std::vector<kernels::Vec3>& to) {
      return sight.are_free(from, to, EndsInBuildings::kPassOwnWalls);
    };
    options.is_inside = [&sight](const kernels::Vec3& place) { return sight.is_inside(place); };
  }
  store_ = std::make_unique<PlaceStore>(open_asked(a), options);
  open_verifier(a);
}

void OpenedPlaces::open_verifier(const PlacesArguments& a) {
  const bool tells_visible = store_->entries().tells_visible;
  if (a.check == ImageCheck::kVisible && !tells_visible) {
    throw InputError(a.store + ": no entry has visible things; use --check caption or external");
  }
  const bool has_noise = a.check_recall || a.check_false_positives;
  if (has_noise && !tells_visible) {
    throw InputError(a.store +
                     ": no entry has visible things for --check-recall and "
                     "--check-false-positives to err about; leave them out");
  }
  if (a.check == ImageCheck::kExternal) {
    auto model = std::make_unique<ExternalVerifier>();
    for (std::size_t i = 0; i + 1 < a.model_answers.size(); i += 2) {
      model->read_answers(store_->entries(), a.model_answers[i], a.model_answers[i + 1]);
    }
    model_ = model.get();
    verifier_ = std::move(model);
    checker_ = "by a model, through files";
  } else if (a.check == ImageCheck::kVisible || (a.check == ImageCheck::kAuto && tells_visible)) {
    OracleNoise noise;
    noise.recall = a.check_recall.value_or(1);
    noise.false_positive_rate = a.check_false_positives.value_or(0);
    verifier_ = std::make_unique<OracleVerifier>(noise);
    checker_ = "by the store's known visible things, a stand-in for a vision model";
    if (has_noise) {
      checker_ += fmt::format(" that notices {} of them and sees what is not there in {} of looks",
                              noise.recall, noise.false_positive_rate);
    }
  } else {
    checker_ = "no image is looked at: captions alone";
  }
}

kernels::Vec3 OpenedPlaces::place_of(const std::string& option, const std::string& text) const {
  std::vector<double> numbers;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    std::string_view part = rest.substr(0, comma);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    double number = 0;
    if (!parse_number(part, number) || !std::isfinite(number)) {
      throw InputError(option + " " + text + ": write metres as X,Y or X,Y,Z");
    }
    numbers.push_back(number);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (numbers.size() < 2 || numbers.size() > 3) {
    throw InputError(option + " " + text + ": write metres as X,Y or X,Y,Z");
  }
  for (const double number : numbers) {
    if (std::fabs(number) <= kFarthest_m) continue;
    throw InputError(option + " " + text +
                     ": is farther than 10,000 km away; give metres in the frame of the store");
  }
  if (numbers.size() == 2) {
    numbers.push_back(ground_height_m(store_->map(), numbers[0], numbers[1]));
  }
  return {numbers[0], numbers[1], numbers[2]};
}

void OpenedPlaces::write_model_questions(const std::string& path) const {
  if (!model_) return;
  model_->write_questions(store_->entries(), path);
  if (model_->num_unanswered() == 0) return;
  print_warnings({fmt::format(
      "{} not looked at yet, and count as not showing it: have a model answer {}, a line "
      "{{\"id\": 0, \"probability\": 0.9}} for each of its lines, and ask again with "
      "--model-answers {} ANSWERED.jsonl --model-questions MORE.jsonl",
      plural(model_->num_unanswered(), "image is", "images are"), path, path)});
}

}  // namespace sightline::cli
