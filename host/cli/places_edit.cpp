// sightline places import, append and delete: stores made of entries, and changed.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/places.h"
#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/entry_file.h"
#include "host/meta_memory/entry_jsonl.h"
#include "host/meta_memory/place_store.h"

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
    if (!source.embedder.empty()) throw InputError("--embedder goes with --embeddings FILE.npy");
    source.hashed_width = kHashedWidth;
  }
  const EntryTable table = read_entries_jsonl(source);
  save_entries(table, a.out);
  fmt::print("wrote {}: {} entries, {} dimensions by {}\n", a.out, table.size(), table.width,
             table.embedder);
}

/// The new entries' embeddings must be of the store's own kind.
EntriesSource source_for(const EntryTable& table, const std::string& store, const std::string& path,
                         const std::string& embeddings) {
  EntriesSource source;
  source.path = path;
  source.embeddings = embeddings;
  const bool is_hashed = table.embedder == kHashedEmbedder;
  if (is_hashed && !embeddings.empty()) {
    throw InputError(store + ": its captions are hashed, and so are the new ones; leave " +
                     embeddings + " out");
  }
  if (!is_hashed && embeddings.empty()) {
    throw InputError(store + ": its captions are embedded by " + table.embedder +
                     "; give those of the new ones, --embeddings FILE.npy");
  }
  if (is_hashed) source.hashed_width = table.width;
  return source;
}

void run_append(const std::string& store, const std::string& path, const std::string& embeddings) {
  check_store_output(store, {path});
  EntryTable table = read_entries(store);
  const std::int64_t before = table.size();
  append_entries_jsonl(source_for(table, store, path, embeddings), &table);
  save_entries(table, store);
  fmt::print("wrote {}: {} entries, {} of them new\n", store, table.size(), table.size() - before);
}

void run_delete(const std::string& store, const std::vector<std::int64_t>& ids) {
  check_store_output(store, {});
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
      "wrote {}: {} entries are never found again{}\n", store, num_new,
      num_new == ids.size() ? "" : fmt::format(", {} were deleted before", ids.size() - num_new));
}

}  // namespace

void add_places_import(CLI::App& places) {
  CLI::App* command = places.add_subcommand("import", "Make a store of entries in a .jsonl");
  auto a = std::make_shared<ImportArguments>();
  command->add_option("entries", a->source.path, "Entries, one JSON object a line (.jsonl)")
      ->option_text("FILE")
      ->required();
  command
      ->add_option("--embeddings", a->source.embeddings,
                   "Of the captions, a row a line (default: they are hashed, which sightline ask "
                   "needs for questions in words)")
      ->option_text("FILE.npy");
  command->add_option("--embedder", a->source.embedder, "What made the embeddings")
      ->option_text("NAME");
  add_choice(*command, "--answer", a->mode,
             {{"viewpoint", AnswerMode::kViewpoint}, {"object", AnswerMode::kObject}},
             "What an answer is: where a thing is seen from, or where it is");
  command
      ->add_option("--north-offset-rad", a->source.north_offset_rad,
                   "By which north lies counter-clockwise of +y (default 0)")
      ->option_text("RAD")
      ->check(CLI::Range(-7.0, 7.0).description(""));
  command->add_option("--out", a->out, "Store to write (.slp)")->option_text("FILE")->required();
  command->footer(
      "An entry:\n"
      "  {\"sequence\": 0, \"time_s\": 3, \"position\": [12.5, -3, 0.4], \"yaw_deg\": 90,\n"
      "   \"caption\": \"A red mug on a desk.\", \"image\": \"0001.jpg\"}\n\n"
      "Example:\n  sightline places import entries.jsonl --out robot.slp");
  command->callback([a] { run_import(*a); });
}

void add_places_append(CLI::App& places) {
  CLI::App* command = places.add_subcommand("append", "Add entries to a store");
  struct Arguments {
    std::string store, entries, embeddings;
  };
  auto a = std::make_shared<Arguments>();
  command->add_option("store", a->store, "Store (.slp)")->option_text("FILE")->required();
  command->add_option("entries", a->entries, "Entries, one JSON object a line (.jsonl)")
      ->option_text("ENTRIES")
      ->required();
  command->add_option("--embeddings", a->embeddings, "Of a store whose captions are not hashed")
      ->option_text("FILE.npy");
  command->footer(
      "Of each sequence, times go on where the store ends. The store is there as a whole or as it\n"
      "was.\n\nExample:\n  sightline places append robot.slp more.jsonl");
  command->callback([a] { run_append(a->store, a->entries, a->embeddings); });
}

void add_places_delete(CLI::App& places) {
  CLI::App* command = places.add_subcommand("delete", "Mark entries of a store as deleted");
  struct Arguments {
    std::string store;
    std::vector<std::int64_t> ids;
  };
  auto a = std::make_shared<Arguments>();
  command->add_option("store", a->store, "Store (.slp)")->option_text("FILE")->required();
  command->add_option("ids", a->ids, "Entries, by their ids")->option_text("ID...")->required();
  command->footer(
      "Ids stay what they are; what is deleted is never found again, but its place stays on the\n"
      "map.\n\nExample:\n  sightline places delete robot.slp 0 1");
  command->callback([a] { run_delete(a->store, a->ids); });
}

}  // namespace sightline::cli
