#include "host/sweep/preregistration.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/environment.h"
#include "host/error.h"
#include "host/sweep/experiment.h"
#include "host/sweep/key_order.h"
#include "host/sweep/manifest.h"
#include "host/sweep/sha256.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr int kIndent = 2;
constexpr std::size_t kCorpus = 1, kAnalysis = 3;

/// The part that a key of a sweep file belongs to. What is not named is data: a key that nobody
/// thought of must not go unfrozen.
std::size_t part_of_key(const std::string& key) {
  const auto is_one_of = [&](std::initializer_list<const char*> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  if (is_one_of({"name", "description", "claims"})) return 0;
  if (is_one_of({"arms", "visibility", "field_of_view", "view", "recall"})) return 2;
  if (is_one_of({"baseline", "oracle", "metrics", "family"})) return kAnalysis;
  return kCorpus;
}

bool is_frozen(const std::string& key) {  // the rest says what a page shows, and where this lies
  return key != "report" && key != "preregistration";
}

[[noreturn]] void fail_as_damaged(const std::string& path, const std::string& why) {
  throw InputError(path + ": " + why + "; give the file as sightline prereg freeze wrote it");
}

json read_json(const std::string& path) {
  InputFile file(path);
  std::string text(static_cast<std::size_t>(file.size_bytes()), '\0');
  file.read(text.data(), text.size());
  const json value = parse_json_or_discarded<json>(text);
  if (!value.is_object()) fail_as_damaged(path, "is no preregistration");
  return value;
}

Preregistration read_preregistration(const std::string& path) {
  const json value = read_json(path);
  Preregistration frozen;
  try {
    if (value.at("format") != kFormat) fail_as_damaged(path, "is of another format");
    frozen.frozen_at = value.at("frozen").get<std::string>();
    for (std::size_t part = 0; part < frozen.texts.size(); ++part) {
      frozen.texts[part] = value.at("parts").at(Preregistration::kParts[part]).get<std::string>();
    }
    for (const json& file : value.at("files")) {
      frozen.files.emplace_back(file.at("path").get<std::string>(),
                                file.at("sha256").get<std::string>());
    }
    bool is_whole = value.at("sha256") == frozen.hash();
    for (std::size_t part = 0; part < frozen.texts.size(); ++part) {
      is_whole = is_whole && value.at("sha256_of_parts").at(Preregistration::kParts[part]) ==
                                 frozen.hash_of(part);
    }
    if (!is_whole) {
      fail_as_damaged(path, "was changed after it was frozen: it does not have the hash it tells");
    }
  } catch (const json::exception&) {
    fail_as_damaged(path, "is no preregistration, or damaged");
  }
  return frozen;
}

std::string hash_named(const Preregistration& one, const std::string& path) {
  const auto found = std::find_if(one.files.begin(), one.files.end(),
                                  [&](const auto& file) { return file.first == path; });
  return found == one.files.end() ? "absent" : found->second;
}

/// "arms (arms.march: was .., is ..)" for each part that differs.
std::string changes(const Preregistration& frozen, const Preregistration& now) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  for (std::size_t part = 0; part < now.texts.size(); ++part) {
    if (frozen.texts[part] == now.texts[part]) continue;
    RunIdentity was, is;
    was.config = frozen.texts[part];
    is.config = now.texts[part];
    std::string what = std::string("the ") + Preregistration::kParts[part] + " changed";
    for (const std::string& line : differences(was, is)) what += ", " + line;
    add(what);
  }
  std::vector<std::string> paths;
  for (const auto& list : {frozen.files, now.files}) {
    for (const auto& file : list) {
      if (std::find(paths.begin(), paths.end(), file.first) == paths.end()) {
        paths.push_back(file.first);
      }
    }
  }
  for (const std::string& path : paths) {
    const std::string was = hash_named(frozen, path), is = hash_named(now, path);
    if (was != is) add("the corpus changed, " + path + ": was sha256 " + was + ", is " + is);
  }
  return text;
}

/// What analyses. A program that was built from changed sources is known by its bytes alone.
std::string program_text() {
  const std::string program = program_identity();
  if (!build_info().git_dirty) return program;
  return program + ", modified, SHA-256 " + sha256_of_file("/proc/self/exe");
}

}  // namespace

std::string Preregistration::hash_of(std::size_t part) const {
  std::string text = texts[part];
  if (part == kCorpus) {
    for (const auto& file : files) text += "\n" + file.first + " " + file.second;
  }
  return sha256_of(text);
}

std::string Preregistration::hash() const {
  std::string text;
  for (std::size_t part = 0; part < texts.size(); ++part) {
    text += std::string(kParts[part]) + " " + hash_of(part) + "\n";
  }
  return sha256_of(text + "frozen " + frozen_at + "\n");
}

Preregistration preregister(const SweepPlan& plan) {
  const ConfigValue& sweep = plan.resolved();
  if (!sweep.find("claims") || sweep.find("claims")->is_null()) {
    sweep.fail("claims nothing, so there is nothing to preregister; give `claims`");
  }
  std::array<json, Preregistration::kParts.size()> parts;
  for (json& part : parts) part = json::object();
  for (const ConfigValue::Entry& entry : sweep.entries()) {
    if (!is_frozen(entry.first)) continue;
    parts[part_of_key(entry.first)][entry.first] = parse_json<json>(entry.second.canonical_json());
  }
  parts[kAnalysis]["program"] = program_text();
  parts[kAnalysis]["order"] = key_order(sweep);
  Preregistration frozen;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    frozen.texts[part] = json_text(parts[part]);
  }
  for (const std::string& path : input_files(plan_blocks(plan))) {
    frozen.files.emplace_back(path, sha256_of_file(path));
  }
  return frozen;
}

std::string preregistration_json(const Preregistration& frozen) {
  ordered_json hashes, parts, files = ordered_json::array();
  for (std::size_t part = 0; part < frozen.texts.size(); ++part) {
    hashes[Preregistration::kParts[part]] = frozen.hash_of(part);
    parts[Preregistration::kParts[part]] = frozen.texts[part];
  }
  for (const auto& file : frozen.files) {
    files.push_back({{"path", file.first}, {"sha256", file.second}});
  }
  const ordered_json all = {
      {"format", kFormat},         {"sha256", frozen.hash()}, {"frozen", frozen.frozen_at},
      {"sha256_of_parts", hashes}, {"files", files},          {"parts", parts}};
  return json_text(all, kIndent) + "\n";
}

void freeze(const SweepPlan& plan, const std::string& path) {
  check_output_path(path);
  if (is_there(path)) {
    throw InputError(path +
                     ": is there already, and what is frozen is not replaced; name a new "
                     "file");
  }
  Preregistration frozen = preregister(plan);
  frozen.frozen_at = utc_now();
  write_file(path, preregistration_json(frozen));
}

std::string require_preregistration(const SweepPlan& plan) {
  const ConfigValue* named = plan.resolved().find("preregistration");
  if (!named || named->is_null()) return "";
  const std::string path = named->as_text();
  const Preregistration frozen = read_preregistration(path);
  const std::string found = changes(frozen, preregister(plan));
  if (!found.empty()) {
    throw InputError(named->where() + ": this is not what " + path + " froze: " + found +
                     "; restore it, or freeze a preregistration of its own for what is new");
  }
  return frozen.hash();
}

}  // namespace sightline::host
