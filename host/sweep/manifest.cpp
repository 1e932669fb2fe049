#include "host/sweep/manifest.h"

#include <link.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "host/config/json_text.h"
#include "host/environment.h"
#include "host/sweep/key_order.h"
#include "host/sweep/keys.h"
#include "host/sweep/settings.h"
#include "host/world/binary_file.h"
#include "host/world/file_hash.h"

namespace sightline::host {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr int kIndent = 2;

std::string hex16(XXH64_hash_t hash) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = kDigits[hash & 15];
  return text;
}

InputHash hash_file(const std::string& path) {
  const FileStamp stamp = stamp_of(path);
  InputFile file(path);
  return {path, static_cast<std::int64_t>(file.size_bytes()), hex16(hash_of(file)), stamp};
}

/// The build id that the linker gave this very program (ELF's NT_GNU_BUILD_ID), which its revision
/// does not tell; "unknown" if it has none.
std::string build_id() {
  std::string id;
  const auto look = [](dl_phdr_info* object, std::size_t, void* out) {
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& header = object->dlpi_phdr[i];
      if (header.p_type != PT_NOTE) continue;
      const auto* at = reinterpret_cast<const std::uint8_t*>(object->dlpi_addr + header.p_vaddr);
      const auto* const end = at + header.p_memsz;
      while (at + sizeof(ElfW(Nhdr)) <= end) {
        const auto* const note = reinterpret_cast<const ElfW(Nhdr)*>(at);
        const std::uint8_t* const name = at + sizeof(*note);
        const std::uint8_t* const value = name + (note->n_namesz + 3) / 4 * 4;
        if (note->n_type == NT_GNU_BUILD_ID && std::memcmp(name, "GNU", 4) == 0) {
          *static_cast<std::string*>(out) = hex16(XXH64(value, note->n_descsz, 0));
          return 1;
        }
        at = value + (note->n_descsz + 3) / 4 * 4;
      }
    }
    return 1;  // the first object is the program
  };
  dl_iterate_phdr(look, &id);
  return id.empty() ? "unknown" : id;
}

ordered_json inputs_json(const std::vector<InputHash>& inputs) {
  ordered_json list = ordered_json::array();
  for (const InputHash& input : inputs) {
    list.push_back({{"path", input.path}, {"bytes", input.num_bytes}, {"xxh64", input.xxh64}});
  }
  return list;
}

ordered_json session_json(const Session& session) {
  const ordered_json about = parse_json<ordered_json>(session.about_json);
  const ordered_json& environment = about.at("environment");
  ordered_json fields = {
      {"started", session.started},
      {"ended", session.ended.empty() ? ordered_json() : ordered_json(session.ended)},
      {"status", session.status},
      {"command", about.at("command")},
      {"device", about.at("device")},
      {"threads", about.at("threads")},
      {"version", environment.at("build").at("version")},
      {"git_revision", environment.at("build").at("git_revision")},
      {"hostname", environment.at("machine").at("hostname")}};
  for (const char* key : {"gpu", "shard"}) {
    if (about.contains(key)) fields[key] = about[key];
  }
  return fields;
}

/// A merge brings older sessions than its own.
std::string first_start(const std::vector<Session>& sessions) {
  std::string first = sessions.front().started;
  for (const Session& session : sessions) first = std::min(first, session.started);
  return first;
}

/// What a run's draws are keyed by: a number, or the axis that the sweep file makes of it.
struct Seed {
  ordered_json value;
  bool is_default = false;
};

Seed seed_of_run(const json& config) {
  if (config.contains("axes") && config["axes"].contains("seed")) return {config["axes"]["seed"]};
  if (config.contains("seed") && !config["seed"].is_null()) return {config["seed"]};
  return {kDefaultSeed, true};
}

/// Leaves of a document by dotted key; lists are leaves, but for lists of maps.
void collect_leaves(const json& value, const std::string& key, std::map<std::string, json>& out) {
  if (value.is_array() && !value.empty() && value.front().is_object()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      collect_leaves(value[i], key + "[" + std::to_string(i) + "]", out);
    }
    return;
  }
  if (!value.is_object() || value.empty()) {
    out[key] = value;
    return;
  }
  for (const auto& [name, child] : value.items()) {
    collect_leaves(child, key.empty() ? name : key + "." + name, out);
  }
}

std::map<std::string, json> leaves(const std::string& canonical) {
  std::map<std::string, json> out;
  collect_leaves(parse_json<json>(canonical), "", out);
  return out;
}

/// "claims[3].paper": what a paper has beside what is claimed.
bool is_papers_number(const std::string& key) {
  const std::string begin = "claims[", end = "].paper";
  return key.size() > begin.size() + end.size() && key.compare(0, begin.size(), begin) == 0 &&
         key.compare(key.size() - end.size(), end.size(), end) == 0;
}

std::string leaf_text(const std::map<std::string, json>& leaves, const std::string& key) {
  const auto leaf = leaves.find(key);
  return leaf == leaves.end() ? "absent" : json_text(leaf->second);
}

void add_config_differences(const std::string& was, const std::string& is,
                            std::vector<std::string>& out) {
  if (was == is) return;
  const std::map<std::string, json> old_leaves = leaves(was), new_leaves = leaves(is);
  std::map<std::string, json> all = old_leaves;
  all.insert(new_leaves.begin(), new_leaves.end());
  for (const auto& [key, value] : all) {
    // These say what a page shows, not what is computed.
    if (is_within(key, "report") || is_papers_number(key)) continue;
    const std::string before = leaf_text(old_leaves, key), now = leaf_text(new_leaves, key);
    if (before != now) out.push_back(key + ": was " + before + ", is " + now);
  }
}

std::string joined(const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "" : ", ") + key;
  return text;
}

/// Of the same keys in another order; others differ as settings do.
void add_order_differences(const std::string& was, const std::string& is,
                           std::vector<std::string>& out) {
  if (was == is) return;
  const KeyOrder before = key_order(ConfigValue::parse_yaml(was, "resolved.yaml"));
  for (const auto& [part, now] : key_order(ConfigValue::parse_yaml(is, "resolved.yaml"))) {
    const auto old = before.find(part);
    if (old == before.end() || old->second == now ||
        !std::is_permutation(old->second.begin(), old->second.end(), now.begin(), now.end())) {
      continue;
    }
    out.push_back(part + ": was in the order " + joined(old->second) + ", is in the order " +
                  joined(now));
  }
}

void add_input_differences(const std::vector<InputHash>& was, const std::vector<InputHash>& is,
                           std::vector<std::string>& out) {
  std::map<std::string, std::array<const InputHash*, 2>> by_path;
  for (const InputHash& input : was) by_path[input.path][0] = &input;
  for (const InputHash& input : is) by_path[input.path][1] = &input;
  for (const auto& [path, pair] : by_path) {
    const auto& [before, now] = pair;
    if (before && now && before->xxh64 == now->xxh64 && before->num_bytes == now->num_bytes) {
      continue;
    }
    if (!before || !now) {
      out.push_back(path + (now ? ": was no input, is one" : ": was an input, is none"));
    } else {
      out.push_back(path + ": its content changed (was " + std::to_string(before->num_bytes) +
                    " bytes, xxh64 " + before->xxh64 + ", is " + std::to_string(now->num_bytes) +
                    " bytes, xxh64 " + now->xxh64 + ")");
    }
  }
}

}  // namespace

std::vector<InputHash> hash_inputs(const std::vector<std::string>& paths) {
  std::vector<InputHash> inputs;
  for (const std::string& path : paths) inputs.push_back(hash_file(path));
  return inputs;
}

std::string program_identity() {
  const BuildInfo build = build_info();
  const std::string identity = build.version + ", revision " + build.git_revision;
  return build.git_dirty ? identity + ", modified: " + build_id() : identity;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return std::string(text, size);
}

Session begin_session(const std::vector<std::string>& command, const Device& device,
                      const std::string& shard) {
  ordered_json about = {{"command", command},
                        {"device", device.description()},
                        {"threads", device.num_threads()},
                        {"environment", parse_json<ordered_json>(to_json(inspect_environment()))}};
  if (device.is_gpu()) about["gpu"] = device.gpu_index();
  if (!shard.empty()) about["shard"] = shard;
  return {utc_now(), "", "running", json_text(about)};
}

Session begin_merge(const std::vector<std::string>& command, const std::vector<Session>& parts) {
  std::set<std::string> devices;
  std::int64_t threads = 0;
  for (const Session& part : parts) {
    const json about = parse_json<json>(part.about_json);
    devices.insert(about.at("device").get<std::string>());
    threads = std::max(threads, about.at("threads").get<std::int64_t>());
  }
  std::string all;
  for (const std::string& device : devices) all += (all.empty() ? "" : "; ") + device;
  const ordered_json about = {
      {"command", command},
      {"device", all},
      {"threads", threads},
      {"environment", parse_json<ordered_json>(to_json(inspect_environment()))}};
  return {utc_now(), "", "running", json_text(about)};
}

std::string manifest_json(const RunIdentity& identity, const std::vector<Session>& sessions) {
  const Session& latest = sessions.back();
  const ordered_json about = parse_json<ordered_json>(latest.about_json);
  const json config = parse_json<json>(identity.config);
  const Seed seed = seed_of_run(config);
  ordered_json all_sessions = ordered_json::array();
  for (const Session& session : sessions) all_sessions.push_back(session_json(session));
  ordered_json manifest = {
      {"format", kFormat},
      {"name", identity.name},
      {"status", latest.status},
      {"started", first_start(sessions)},
      {"ended", all_sessions.back().at("ended")},
      {"seed", seed.value},
      {"seed_is_default", seed.is_default},
      {"configurations", identity.num_configurations},
      {"config_xxh64", hex16(XXH64(identity.config.data(), identity.config.size(), 0))},
      {"inputs", inputs_json(identity.inputs)},
      {"command", about.at("command")},
      {"device", about.at("device")},
      {"threads", about.at("threads")},
      {"environment", about.at("environment")},
      {"sessions", all_sessions}};
  if (about.contains("gpu")) manifest["gpu"] = about["gpu"];
  if (!identity.preregistration.empty()) {
    manifest["preregistration_sha256"] = identity.preregistration;
  }
  if (identity.trials) manifest["trials"] = true;
  return json_text(manifest, kIndent) + "\n";
}

std::vector<std::string> differences(const RunIdentity& was, const RunIdentity& is) {
  std::vector<std::string> out;
  add_config_differences(was.config, is.config, out);
  add_order_differences(was.resolved_yaml, is.resolved_yaml, out);
  add_input_differences(was.inputs, is.inputs, out);
  return out;
}

}  // namespace sightline::host
