// sightline places import, append and delete: stores made of entries, and changed.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/places.h"
#include "host/cli/world_options.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/entry_file.h"
#include "host/meta_memory/entry_jsonl.h"
#include "host/meta_memory/memory_update.h"
#include "host/meta_memory/place_store.h"
#include "host/meta_memory/place_words.h"
#include "host/world/file_lock.h"
#include "host/world/formats.h"

namespace sightline::cli {
namespace {

using namespace host;

struct ImportArguments {
  EntriesSource source;
  std::string out;
  AnswerMode mode = AnswerMode::kViewpoint;
};

void run_import(const ImportArguments& a) {
  std::vector<std::string> inputs{a.source.path};
  if (!a.source.embeddings.empty()) inputs.push_back(a.source.embeddings);
  check_store_output(a.out, inputs);
  EntriesSource source = a.source;
  source.answer_mode = a.mode;
  if (source.embeddings.empty()) {
    if (source.embedder == kHashedEmbedder) source.embedder.clear();
    if (!source.embedder.empty() && source.embedder != kPlaceWords) {
      throw InputError("--embedder " + source.embedder +
                       " is not built in and goes with --embeddings FILE.npy; " + kHashedEmbedder +
                       " and " + kPlaceWords + " are");
    }
    if (source.embedder.empty()) source.hashed_width = kHashedWidth;
  }
  const EntryTable table = read_entries_jsonl(source);
  save_entries(table, a.out);
  fmt::print("wrote {}: {}, {} by {}\n", a.out, plural(table.size(), "entry", "entries"),
             plural(table.width, "dimension"), table.embedder);
}

/// The new entries' embeddings must be of the store's own kind.
EntriesSource source_for(const EntryTable& table, const std::string& store, const std::string& path,
                         const std::string& embeddings) {
  EntriesSource source;
  source.path = path;
  source.embeddings = embeddings;
  const bool is_hashed = table.embedder == kHashedEmbedder;
  const bool is_of_place_words = table.embedder == kPlaceWords;
  if ((is_hashed || is_of_place_words) && !embeddings.empty()) {
    throw InputError(store + ": its captions are hashed, and so are the new ones; leave " +
                     embeddings + " out");
  }
  if (is_of_place_words) source.embedder = kPlaceWords;
  if (!is_hashed && !is_of_place_words && embeddings.empty()) {
    throw InputError(store + ": its captions are embedded by " + table.embedder +
                     "; give those of the new ones, --embeddings FILE.npy");
  }
  if (is_hashed) source.hashed_width = table.width;
  return source;
}

struct AppendArguments {
  std::string store, entries, embeddings;
  WorldArguments world;
  std::optional<double> update_overlap;
  bool spares_own_sequence = false;
  ViewRules view;
  DeviceArguments device;
};

void check(const AppendArguments& a) {
  if (a.world.file.empty() == !a.update_overlap) return;
  throw InputError(
      "--update-overlap SHARE and --world FILE go together: what views share is looked up there");
}

/// Which of the new entries take the place of older ones, and how many do.
std::size_t update(const AppendArguments& a, std::int64_t first_new, EntryTable* table) {
  Device device = make_device(a.device);
  print_warnings_of(device);
  const World world = open_world(a.world);
  UpdateRules rules;
  rules.threshold = *a.update_overlap;
  rules.spares_own_sequence = a.spares_own_sequence;
  const auto replaced =
      update_by_overlap(first_new, views_to_compare(*table, first_new, world, a.view, device),
                        a.view.range_m, rules, table);
  for (const Replacement& one : replaced) {
    fmt::print("entry {} takes the place of entry {}: their views share {:.3f}\n", one.new_row,
               one.old_row, one.overlap);
  }
  return replaced.size();
}

void run_append(const AppendArguments& a) {
  check(a);
  check_store_output(a.store, {a.entries});
  const FileLock lock(a.store);
  EntryTable table = read_entries(a.store);
  const std::int64_t before = table.size();
  append_entries_jsonl(source_for(table, a.store, a.entries, a.embeddings), &table);
  std::string updated;
  if (a.update_overlap) {
    updated = fmt::format(", {} in place of older ones", update(a, before, &table));
  }
  save_entries(table, a.store);
  fmt::print("wrote {}: {}, {} of them new{}\n", a.store, plural(table.size(), "entry", "entries"),
             table.size() - before, updated);
}

void run_delete(const std::string& store, const std::vector<std::int64_t>& ids) {
  check_store_output(store, {});
  const FileLock lock(store);
  EntryTable table = read_entries(store);
  std::size_t num_new = 0;
  for (const std::int64_t id : ids) {
    try {
      num_new += mark_deleted(id, &table) ? 1 : 0;
    } catch (const InputError& error) {
      throw InputError(store + ": " + error.what());
    }
  }
  save_entries(table, store);
  fmt::print(
      "wrote {}: {} never found again{}\n", store, plural(num_new, "entry is", "entries are"),
      num_new == ids.size() ? "" : fmt::format(", {} were deleted before", ids.size() - num_new));
}

}  // namespace

void add_places_import(CLI::App& places) {
  CLI::App* command = add_command(places, "import", "Make a store of entries in a .jsonl");
  auto a = std::make_shared<ImportArguments>();
  command->add_option("entries", a->source.path, "Entries, one JSON object a line (.jsonl)")
      ->option_text("FILE")
      ->required();
  command
      ->add_option("--embeddings", a->source.embeddings,
                   "Of the captions, a row a line, as scripts/embed.py --key caption makes them "
                   "(default: they are hashed); sightline ask then needs --query-embeddings")
      ->option_text("FILE.npy");
  command
      ->add_option("--embedder", a->source.embedder,
                   "What made the embeddings; without any, hashed (the default) or place_words, "
                   "which knows the lexicon's synonyms")
      ->option_text("NAME");
  add_choice(*command, "--answer", a->mode,
             {{"viewpoint", AnswerMode::kViewpoint}, {"object", AnswerMode::kObject}},
             "What an answer is: where a thing is seen from, or where it is");
  command
      ->add_option("--north-offset-rad", a->source.north_offset_rad,
                   "By which north lies counter-clockwise of +y (default 0)")
      ->option_text("RAD")
      ->check(number_from(-7, 7));
  command->add_option("--out", a->out, "Store to write (.slp)")->option_text("FILE")->required();
  command->footer(
      "An entry:\n"
      "  {\"sequence\": 0, \"time_s\": 3, \"position\": [12.5, -3, 0.4], \"yaw_deg\": 90,\n"
      "   \"caption\": \"A red mug on a desk.\", \"image\": \"0001.jpg\"}\n\n"
      "Example:\n  sightline places import entries.jsonl --out robot.slp");
  command->callback([a] { run_import(*a); });
}

void add_places_append(CLI::App& places) {
  CLI::App* command = add_command(places, "append", "Add entries to a store");
  auto a = std::make_shared<AppendArguments>();
  command->add_option("store", a->store, "Store (.slp)")->option_text("FILE")->required();
  command->add_option("entries", a->entries, "Entries, one JSON object a line (.jsonl)")
      ->option_text("ENTRIES")
      ->required();
  command->add_option("--embeddings", a->embeddings, "Of a store whose captions are not hashed")
      ->option_text("FILE.npy");
  command
      ->add_option("--update-overlap", a->update_overlap,
                   "Of a scene that changes: a new entry takes the place of the one whose view it "
                   "shares most with, if that is at least this (intersection over union of the "
                   "voxels seen, above 0 to 1); needs --world")
      ->option_text("SHARE")
      ->check(number_from(0, 1));
  command->add_flag("--spare-own-sequence", a->spares_own_sequence,
                    "Of --update-overlap: entries of the new one's own sequence stay");
  command
      ->add_option("--view-range-m", a->view.range_m,
                   "Of --update-overlap: how far an entry sees (default 9)")
      ->option_text("METRES")
      ->check(number_from(0.1, 1000));
  command
      ->add_option("--view-deg", a->view.front_deg,
                   "Of --update-overlap: the angle that it sees, about its yaw (default 200)")
      ->option_text("DEG")
      ->check(number_from(1, 360));
  command->add_option("--world", a->world.file, "Map, z up: " + readable_formats())
      ->option_text("FILE");
  add_placement_options(*command, a->world);
  add_device_options(*command, a->device);
  command->footer(
      "Of each sequence, times go on where the store ends. The store is there as a whole or as it\n"
      "was: it is read, and written anew beside itself, since all its columns grow. What took\n"
      "another's place is told; the older entry is marked as deleted. Views of stored entries are\n"
      "looked up in the map as it is now.\n\n"
      "Examples:\n"
      "  sightline places append robot.slp more.jsonl\n"
      "  sightline places append robot.slp today.jsonl --world map.bt --update-overlap 0.5");
  command->callback([a] { run_append(*a); });
}

void add_places_delete(CLI::App& places) {
  CLI::App* command = add_command(places, "delete", "Mark entries of a store as deleted");
  struct Arguments {
    std::string store;
    std::vector<std::int64_t> ids;
  };
  auto a = std::make_shared<Arguments>();
  command->add_option("store", a->store, "Store (.slp)")->option_text("FILE")->required();
  command->add_option("ids", a->ids, "Entries, by their ids")->option_text("ID...")->required();
  command->footer(
      "Ids stay what they are; what is deleted is never found again, but its place stays on the\n"
      "map. The store is read, and written anew beside itself: it is there as a whole or as it "
      "was.\n\n"
      "Example:\n  sightline places delete robot.slp 0 1");
  command->callback([a] { run_delete(a->store, a->ids); });
}

}  // namespace sightline::cli
