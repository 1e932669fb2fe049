// sightline memories: look at a store of memories, convert one, make one.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/memory_options.h"
#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/config/json_text.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/memory_summary.h"
#include "host/memory/query_file.h"
#include "host/memory/query_spread.h"
#include "host/sweep/overrides.h"
#include "host/sweep/sweep_memories.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host;
using nlohmann::ordered_json;

// ---- info ------------------------------------------------------------------------------------

ordered_json describe(const MemorySummary& s) {
  const Bounds& b = s.bounds_m;
  ordered_json json;
  json["memories"] = s.num_memories;
  json["width"] = s.width;
  json["embedder"] = s.embedder.empty() ? ordered_json() : ordered_json(s.embedder);
  json["frame"] = !s.frame                     ? ordered_json()
                  : *s.frame == Frame::kMapZUp ? ordered_json("z_up")
                                               : ordered_json("y_up");
  json["ids"] = {s.first_id, s.last_id};
  json["bounds_m"] = {{"min", {b.min.x, b.min.y, b.min.z}}, {"max", {b.max.x, b.max.y, b.max.z}}};
  json["time_s"] = {s.first_time_s, s.last_time_s};
  json["with_text"] = s.num_with_text;
  json["with_observer"] = s.num_with_observer;
  json["last_world_version"] = s.last_version;
  json["regions"] = ordered_json(s.regions);
  json["objects"] = ordered_json(s.objects);
  json["groups"] = ordered_json(s.groups);
  return json;
}

/// "3: kitchen 12, study 4, ...", for people.
std::string names_of(const std::map<std::string, std::int64_t>& counts) {
  constexpr std::size_t kMostShown = 8;
  std::string text = std::to_string(counts.size());
  std::size_t shown = 0;
  for (const auto& [name, count] : counts) {
    if (shown == kMostShown) return text + ", ...";
    text += fmt::format("{}{} {}", shown++ == 0 ? ": " : ", ", name, count);
  }
  return text;
}

void print_text(const std::string& path, const MemorySummary& s) {
  const auto line = [](const char* label, const std::string& text) {
    fmt::print("  {:<12}{}\n", label, text);
  };
  const auto point = [](const kernels::Vec3& p) {
    return fmt::format("{}, {}, {} m", p.x, p.y, p.z);
  };
  fmt::print("{}\n", path);
  line("memories", fmt::format("{}, ids {} to {}", s.num_memories, s.first_id, s.last_id));
  line("embeddings", fmt::format("{}, by {}", plural(s.width, "dimension"),
                                 s.embedder.empty() ? "an embedder not told" : s.embedder));
  line("frame", !s.frame                     ? "not told"
                : *s.frame == Frame::kMapZUp ? "z up, right-handed (map)"
                                             : "y up, left-handed (scene)");
  line("from", point(s.bounds_m.min));
  line("to", point(s.bounds_m.max));
  line("time", fmt::format("{} to {} s", s.first_time_s, s.last_time_s));
  line("texts", std::to_string(s.num_with_text));
  line("observers", std::to_string(s.num_with_observer));
  if (s.last_version > 0) line("versions", fmt::format("to {}", s.last_version));
  line("regions", names_of(s.regions));
  line("objects", names_of(s.objects));
  line("groups", names_of(s.groups));
}

ordered_json describe(const CosineSpread& spread) {
  return {{"pairs", spread.num_pairs},
          {"mean", spread.mean},
          {"sd", spread.sd ? ordered_json(*spread.sd) : ordered_json()}};
}

ordered_json describe(const QuerySpread& spread) {
  return {{"queries", spread.num_queries},
          {"within", describe(spread.within)},
          {"others", describe(spread.others)},
          {"gap", spread.gap()}};
}

void print_text(const QuerySpread& spread) {
  const auto line = [](const char* label, const CosineSpread& cosines) {
    fmt::print("  {:<12}{:.3f}, sd {}, of {} pairs\n", label, cosines.mean,
               cosines.sd ? fmt::format("{:.3f}", *cosines.sd) : "not told by one memory a query",
               cosines.num_pairs);
  };
  fmt::print("  {:<12}{}, and their cosines with\n", "queries", spread.num_queries);
  line("  own", spread.within);
  line("  others", spread.others);
  fmt::print("  {:<12}{:.3f}", "  gap", spread.gap());
  if (spread.within.sd && *spread.within.sd > 0) {
    fmt::print(", {:.1f} sd of their own", spread.gap() / *spread.within.sd);
  }
  fmt::print("\n");
}

struct InfoArguments {
  MemoryArguments memories;
  std::string queries, query_embeddings;
  std::vector<std::string> overrides;
  bool as_json = false;
};

/// A store with the queries that are named, or what a sweep file makes.
MemorySet set_of(const InfoArguments& a) {
  const bool is_sweep = extension_of(a.memories.path) == ".yaml";
  if (is_sweep && !a.queries.empty()) {
    throw InputError(a.memories.path + ": a sweep file names its own queries; leave --queries out");
  }
  if (!is_sweep && !a.overrides.empty()) {
    throw InputError(a.memories.path + ": --set changes a sweep file, .yaml");
  }
  if (a.queries.empty() && !a.query_embeddings.empty()) {
    throw InputError("--query-embeddings goes with --queries FILE.jsonl");
  }
  if (is_sweep) {
    ConfigValue sweep = ConfigValue::load_yaml(a.memories.path);
    for (const std::string& text : a.overrides) apply_override(text, &sweep);
    Device device(DeviceChoice::kCpu);
    return make_sweep_memories(sweep, device);
  }
  MemorySet set;
  set.table = load_memories(source_of(a.memories));
  if (a.queries.empty()) return set;
  QuerySource queries;
  queries.path = a.queries;
  queries.embeddings = a.query_embeddings;
  if (queries.embeddings.empty() && set.table.embedder == kHashedEmbedder) {
    queries.hashed_width = set.table.width;
  }
  read_queries(queries, &set);
  return set;
}

void add_info(CLI::App& memories) {
  CLI::App* command = add_command(memories, "info", "Size, place, times and names of a store");
  auto a = std::make_shared<InfoArguments>();
  command
      ->add_option("file", a->memories.path,
                   std::string(kMemoryFiles) + "; or a sweep file, .yaml: its memories and queries")
      ->option_text("FILE")
      ->required();
  add_memory_options(*command, a->memories);
  command
      ->add_option("--queries", a->queries,
                   "Questions, .jsonl with answers, activity or class: how alike they are to what "
                   "they are after, and to all else")
      ->option_text("FILE.jsonl");
  command
      ->add_option("--query-embeddings", a->query_embeddings,
                   "Embeddings of the questions (default: made as the store's were, or the .npy of "
                   "the same name)")
      ->option_text("FILE.npy");
  command->add_option("-s,--set", a->overrides, "Override a setting of a sweep file; repeatable")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--json", a->as_json, "Print JSON");
  command->footer(
      "Examples:\n"
      "  sightline memories info home.slm\n"
      "  sightline memories info home.jsonl --hashed 384 --queries ask.jsonl --json\n"
      "  sightline memories info configs/wave_e.yaml");
  command->callback([a] {
    const MemorySet set = set_of(*a);
    const MemorySummary summary = summarise(set.table);
    const QuerySpread spread = spread_of(set);
    if (a->as_json) {
      ordered_json json = describe(summary);
      if (spread.num_queries > 0) json["queries"] = describe(spread);
      fmt::print("{}\n", json_text(json, 2));
    } else {
      print_text(a->memories.path, summary);
      if (spread.num_queries > 0) print_text(spread);
    }
  });
}

// ---- convert, make ---------------------------------------------------------------------------

struct OutArguments {
  std::string path;
  bool half = false;
};

void add_out_options(CLI::App& command, OutArguments& out) {
  command.add_option("out", out.path, "File to write: .slm")->option_text("FILE")->required();
  command.add_flag("--half", out.half, "Embeddings of 16 bits: half the size, to three digits");
}

void check_out(const OutArguments& out, const std::vector<std::string>& inputs) {
  if (extension_of(out.path) != ".slm") {
    throw InputError(out.path + ": memories are written as .slm; change the extension");
  }
  check_output(out.path, inputs);
}

void write(const MemoryTable& memories, const OutArguments& out) {
  save_memories(memories, out.path,
                out.half ? EmbeddingPrecision::kFloat16 : EmbeddingPrecision::kFloat32);
  fmt::print("wrote {}: {} of {}\n", out.path, plural(memories.size(), "memory", "memories"),
             plural(memories.width, "dimension"));
}

void add_convert(CLI::App& memories) {
  CLI::App* command = add_command(memories, "convert", "Check a store and write it as .slm");
  auto arguments = std::make_shared<MemoryArguments>();
  auto out = std::make_shared<OutArguments>();
  command->add_option("in", arguments->path, kMemoryFiles)->option_text("FILE")->required();
  add_out_options(*command, *out);
  add_memory_options(*command, *arguments);
  command->footer(
      "Examples:\n"
      "  sightline memories convert home.jsonl home.slm --hashed 384\n"
      "  sightline memories convert home.jsonl home.slm --embeddings home.npy --half\n"
      "  sightline memories convert points.fvecs points.slm --anchors a.npy");
  command->callback([arguments, out] {
    const MemorySource source = source_of(*arguments);
    check_out(*out, files_of(source));
    write(load_memories(source), *out);
  });
}

void add_make(CLI::App& memories) {
  CLI::App* command =
      add_command(memories, "make", "Make the memories of a sweep file and write them as .slm");
  auto sweep = std::make_shared<std::string>();
  auto out = std::make_shared<OutArguments>();
  auto device = std::make_shared<DeviceArguments>();
  command->add_option("sweep", *sweep, "Sweep file, .yaml: its memories, world and seed")
      ->option_text("FILE")
      ->required();
  add_out_options(*command, *out);
  add_device_options(*command, *device);
  command->footer("Example:\n  sightline memories make configs/wave_e.yaml wave_e.slm");
  command->callback([sweep, out, device] {
    check_out(*out, {*sweep});
    Device runs_on = make_device(*device);
    write(make_sweep_memories(ConfigValue::load_yaml(*sweep), runs_on).table, *out);
  });
}

}  // namespace

void add_memories(CLI::App& app) {
  CLI::App* memories =
      add_command(app, "memories", "Look at a store of memories, convert or make one");
  memories->require_subcommand(1);
  memories->footer("Example:\n  sightline memories info home.slm");
  add_info(*memories);
  add_convert(*memories);
  add_make(*memories);
}

}  // namespace sightline::cli
