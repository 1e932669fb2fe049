// sightline places info: what a store of places holds.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/places.h"
#include "host/cli/ray_options.h"
#include "host/config/json_text.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/meta_memory/place_store.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host;
using nlohmann::ordered_json;

ordered_json describe(const EntryTable& entries) {
  std::int64_t num_deleted = 0;
  std::set<std::uint16_t> sequences;
  std::set<std::uint32_t> objects;
  kernels::Vec3 low{}, high{};
  double first_s = 0, last_s = 0;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    const auto i = static_cast<std::size_t>(row);
    const kernels::Vec3& p = entries.position_m[i];
    if (row == 0) low = high = p, first_s = last_s = entries.time_s[i];
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    first_s = std::min(first_s, entries.time_s[i]);
    last_s = std::max(last_s, entries.time_s[i]);
    num_deleted += entries.is_deleted(row) ? 1 : 0;
    sequences.insert(entries.sequence[i]);
    const auto [first, last] = entries.visible_of(row);
    for (const VisibleObject* thing = first; thing != last; ++thing) {
      objects.insert(thing->object_id);
    }
  }
  ordered_json json;
  json["entries"] = entries.size();
  json["deleted"] = num_deleted;
  json["sequences"] = sequences.size();
  json["width"] = entries.width;
  json["embedder"] = entries.embedder;
  json["answer"] = entries.answer_mode == AnswerMode::kObject ? "object" : "viewpoint";
  json["north_offset_rad"] = entries.north_offset_rad;
  json["bounds_m"] = {{"min", {low.x, low.y, low.z}}, {"max", {high.x, high.y, high.z}}};
  json["time_s"] = {first_s, last_s};
  json["with_visible"] = num_with_visible(entries);
  json["visible_objects"] = objects.size();
  return json;
}

void print_text(const std::string& path, const ordered_json& json) {
  const auto line = [](const char* label, const std::string& text) {
    fmt::print("  {:<12}{}\n", label, text);
  };
  const auto point = [](const ordered_json& p) {
    return fmt::format("{}, {}, {} m", p[0].get<double>(), p[1].get<double>(), p[2].get<double>());
  };
  fmt::print("{}\n", path);
  line("entries", fmt::format("{}, {} of them deleted, of {}", json["entries"].get<std::int64_t>(),
                              json["deleted"].get<std::int64_t>(),
                              plural(json["sequences"].get<std::int64_t>(), "sequence")));
  line("embeddings",
       fmt::format("{}, by {}", plural(json["width"].get<std::int64_t>(), "dimension"),
                   json["embedder"].get<std::string>()));
  line("answer", json["answer"].get<std::string>());
  line("from", point(json["bounds_m"]["min"]));
  line("to", point(json["bounds_m"]["max"]));
  line("time",
       fmt::format("{} to {} s", json["time_s"][0].get<double>(), json["time_s"][1].get<double>()));
  line("shown",
       fmt::format("{} by {}", plural(json["visible_objects"].get<std::int64_t>(), "thing"),
                   plural(json["with_visible"].get<std::int64_t>(), "entry", "entries")));
}

}  // namespace

void check_store_output(const std::string& out, const std::vector<std::string>& inputs) {
  if (extension_of(out) != ".slp") {
    throw InputError(out + ": a store of places is written as .slp; change the extension");
  }
  check_output(out, inputs);
}

void add_places_info(CLI::App& places) {
  CLI::App* command = add_command(places, "info", "Size, place and times of a store");
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("store", *path, "Store: .slp, or entries in a .jsonl")
      ->option_text("FILE")
      ->required();
  command->add_flag("--json", *as_json, "Print JSON");
  command->footer("Example:\n  sightline places info robot.slp");
  command->callback([path, as_json] {
    const ordered_json json = describe(open_entries(*path));
    if (*as_json) {
      fmt::print("{}\n", json_text(json, 2));
    } else {
      print_text(*path, json);
    }
  });
}

}  // namespace sightline::cli
