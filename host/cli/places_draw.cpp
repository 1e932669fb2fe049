// sightline places draw: a campus drawn by a seed, as a robot that walked over it remembers it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/places.h"
#include "host/cli/ray_options.h"
#include "host/config/json_text.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/campus_entries.h"
#include "host/meta_memory/entry_file.h"
#include "host/meta_memory/place_words.h"
#include "host/meta_memory/question_set.h"
#include "host/random.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host;
using nlohmann::ordered_json;

struct DrawArguments {
  std::uint64_t seed = 1;
  int num_sequences = 1;
  std::string noise = "default", embedder = kHashedEmbedder;
  bool tells_places = false;
  std::string out, buildings, questions;
  bool quiet = false;
};

/// Walks over one campus, and the questions of each; several have none unless they are asked for.
struct DrawnWalks {
  std::shared_ptr<const Campus> campus;
  std::uint64_t campus_key = 0;
  std::vector<CampusWalk> walks;
  std::vector<std::vector<PlaceQuery>> questions;
};

DrawnWalks draw(const DrawArguments& a) {
  GridCampusSettings settings;
  settings.planting = lexicon_planting();
  DrawnWalks drawn;
  if (a.num_sequences == 1) {
    QuestionSetSettings one;
    one.num_sequences = 1;
    QuestionWorld world = std::move(grid_question_set(settings, one, a.seed, 1).front());
    drawn.campus = std::move(world.campus);
    drawn.campus_key = world.campus_key;
    drawn.walks.push_back(std::move(world.walk));
    drawn.questions.push_back(std::move(world.questions));
    return drawn;
  }
  drawn.campus = std::make_shared<const Campus>(make_grid_campus(settings, a.seed));
  drawn.campus_key = a.seed;
  if (!a.questions.empty()) {
    QuestionSetSettings several;
    several.num_sequences = a.num_sequences;
    for (QuestionWorld& world : campus_question_set(drawn.campus, several, a.seed)) {
      drawn.walks.push_back(std::move(world.walk));
      drawn.questions.push_back(std::move(world.questions));
    }
    return drawn;
  }
  for (int sequence = 0; sequence < a.num_sequences; ++sequence) {
    const std::uint64_t seed =
        RandomItem(a.seed, stream_of("places draw: walks"), static_cast<std::uint64_t>(sequence))();
    drawn.walks.push_back(walk_campus(*drawn.campus, {}, seed));
  }
  return drawn;
}

EntryTable remember(const DrawnWalks& drawn, const CaptionNoise& noise,
                    const std::string& embedder) {
  EntryTable table;
  table.width = embedder == kPlaceWords ? kPlaceWordsWidth : kHashedWidth;
  table.embedder = embedder;
  for (std::size_t i = 0; i < drawn.walks.size(); ++i) {
    append_campus_entries(campus_entries(*drawn.campus, drawn.walks[i],
                                         static_cast<std::uint16_t>(i), drawn.campus_key, noise),
                          &table);
  }
  return table;
}

/// A table that read_campus_buildings() reads.
std::string buildings_text(const Campus& campus) {
  std::string text = "osm_id\tname\tbuilding\tlevels\theight\tring_xy_m\n";
  for (std::size_t i = 0; i < campus.rings.size(); ++i) {
    text += fmt::format("{}\t\tyes\t\t\t", i + 1);
    const WallRing& ring = campus.rings[i];
    for (std::size_t c = 0; c < ring.size(); ++c) {
      text += fmt::format("{}{},{}", c > 0 ? " " : "", ring[c][0], ring[c][1]);
    }
    text += "\n";
  }
  return text;
}

ordered_json question_json(const PlaceQuery& one, std::size_t sequence) {
  constexpr const char* kTypes[] = {"basic", "local", "global"};
  const auto place = [](const kernels::Vec3& p) { return ordered_json{p.x, p.y, p.z}; };
  ordered_json line;
  line["question"] = one.text;
  line["sequence"] = sequence;
  line["type"] = kTypes[static_cast<std::size_t>(one.type)];
  line["viewpoint"] = place(one.truth.viewpoint_m);
  line["object"] = place(one.truth.object_m);
  line["object_id"] = one.truth.object;
  if (!one.truth.members.empty()) line["members"] = one.truth.members;
  if (!one.truth.way_m.empty()) {
    line["way"] = ordered_json::array();
    for (const kernels::Vec3& p : one.truth.way_m) line["way"].push_back(place(p));
  }
  line["seed"] = one.seed;
  return line;
}

std::string questions_text(const std::vector<std::vector<PlaceQuery>>& questions) {
  std::string text;
  for (std::size_t sequence = 0; sequence < questions.size(); ++sequence) {
    for (const PlaceQuery& one : questions[sequence]) {
      text += json_text(question_json(one, sequence)) + "\n";
    }
  }
  return text;
}

void run_draw(const DrawArguments& a) {
  check_store_output(a.out, {});
  if (!a.buildings.empty()) check_output(a.buildings, {}, "--buildings");
  if (!a.questions.empty()) check_output_as(".jsonl", a.questions, {}, "--questions");
  check_outputs_differ(
      {{"--out", a.out}, {"--buildings", a.buildings}, {"--questions", a.questions}});
  CaptionNoise noise = caption_noise_preset(a.noise);
  noise.tells_places = a.tells_places;
  const DrawnWalks drawn = draw(a);
  const EntryTable table = remember(drawn, noise, a.embedder);
  save_entries(table, a.out);
  if (!a.buildings.empty()) write_file(a.buildings, buildings_text(*drawn.campus));
  const std::string questions = questions_text(drawn.questions);
  if (!a.questions.empty()) write_file(a.questions, questions);
  if (a.quiet) return;
  fmt::print("wrote {}: {} of {}, {} on a campus of {}\n", a.out,
             plural(table.size(), "entry", "entries"), plural(drawn.walks.size(), "sequence"),
             plural(drawn.campus->objects.size(), "thing"),
             plural(drawn.campus->rings.size(), "building"));
  if (!a.questions.empty()) {
    fmt::print("wrote {}: {}{}\n", a.questions,
               plural(std::count(questions.begin(), questions.end(), '\n'), "question"),
               a.num_sequences > 1 ? ", each true of its own sequence alone: sightline ask "
                                     "--sequence 0, 1, ..."
                                   : "");
  }
}

}  // namespace

void add_places_draw(CLI::App& places) {
  CLI::App* command = add_command(places, "draw", "Draw a campus and what a robot remembers");
  auto a = std::make_shared<DrawArguments>();
  add_seed(*command, a->seed, "Of the campus and the walks (default 1)");
  command->add_option("--sequences", a->num_sequences, "Walks of 11 minutes over it (default 1)")
      ->check(integer_from(1, 65535));
  command->add_option("--noise", a->noise, "Errors of captions (default default)")
      ->option_text("default|mild|perfect")
      ->check(one_of({"default", "mild", "perfect"}));
  command->add_option("--embedder", a->embedder, "Of captions (default hashed)")
      ->option_text("hashed|place_words")
      ->check(one_of({kHashedEmbedder, kPlaceWords}));
  command->add_flag("--places-told", a->tells_places,
                    "Captions say where things stand as well: \"a red mug (12.34, -5.60, 0.75)\"");
  command->add_option("--out", a->out, "Store to write (.slp)")->option_text("FILE")->required();
  command
      ->add_option("--buildings", a->buildings,
                   "Outlines to write, for sight: a table as OpenStreetMap's are kept (.tsv)")
      ->option_text("FILE");
  command
      ->add_option("--questions", a->questions,
                   "45 questions of each walk to write with their true answers (.jsonl): places in "
                   "both answer modes, all things of a local one (members), the route (way)")
      ->option_text("FILE");
  command->add_flag("--quiet", a->quiet, "Print nothing");
  command->footer(
      "Captions err at stated rates; what each entry truly shows is kept beside them, as a "
      "stand-in\n"
      "for its image. True routes go where the robot drove, and between places within 2.5 steps\n"
      "that are in sight of each other: ask with --buildings. A question is true of its own walk,\n"
      "so of several ask each: --sequence N. With --questions the walks are such as can be asked\n"
      "them, and others than without.\n\n"
      "Examples:\n"
      "  sightline places draw --seed 7 --out campus.slp\n"
      "  sightline places draw --seed 7 --noise perfect --out campus.slp --buildings walls.tsv "
      "--questions asked.jsonl\n"
      "  sightline places draw --seed 7 --sequences 6 --out six.slp --questions 270.jsonl");
  command->callback([a] { run_draw(*a); });
}

}  // namespace sightline::cli
