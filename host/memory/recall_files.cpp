#include "host/memory/recall_files.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/config/json_text.h"
#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/npy.h"
#include "host/world/visibility.h"

namespace sightline::host {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const MemoryTable& memories, const RecallRequest& request,
                     const Recalled& recalled, std::size_t rank) {
  const auto row = static_cast<std::size_t>(recalled.row);
  ordered_json json;
  json["rank"] = rank;
  json["id"] = memories.id[row];
  json["score"] = recalled.score;
  json["distance_m"] = recalled.distance_m;
  for (int part = 0; part < kNumScoreParts; ++part) {
    json["parts"][kScorePartNames[part]] = recalled.parts[static_cast<std::size_t>(part)];
  }
  if (request.gate && request.penalty) json["in_gate"] = recalled.in_gate;
  if (recalled.sight) json["sight"] = name_of(*recalled.sight);
  for (const auto& [key, column] :
       {std::pair{"object", &memories.object_key}, std::pair{"region", &memories.region}}) {
    if (!(*column)[row].empty()) json[key] = (*column)[row];
  }
  json["text"] = memories.text[row];
  return json;
}

ordered_json json_of(const MemoryTable& memories, const Questions& questions,
                     const RecallRequest& request, const std::vector<Recalled>& answer,
                     std::size_t query) {
  const kernels::Vec3& from = questions.table.centre_m[query];
  ordered_json json;
  json["query"] = query;
  json["text"] = questions.text[query];
  json["from_m"] = {from.x, from.y, from.z};
  json["now_s"] = questions.table.now_s[query];
  json["recalled"] = ordered_json::array();
  for (std::size_t i = 0; i < answer.size(); ++i) {
    json["recalled"].push_back(json_of(memories, request, answer[i], i + 1));
  }
  return json;
}

constexpr const char* kFields =
    "[('id', '<i8'), ('score', '<f8'), ('distance_m', '<f8'), ('parts', '<f8', (5,)), "
    "('in_gate', '|b1'), ('sight', '|u1')]";
constexpr char kNotAsked = '\xff';

constexpr const char* kFirstKey = "{\"query\":";  ///< of a line of answers

template <class Item>
void append(const Item& item, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&item), sizeof item);
}

void append_item(std::int64_t id, const Recalled& recalled, std::string* bytes) {
  append(id, bytes);
  append(recalled.score, bytes);
  append(recalled.distance_m, bytes);
  append(recalled.parts, bytes);
  bytes->push_back(recalled.in_gate ? '\1' : '\0');
  bytes->push_back(recalled.sight ? static_cast<char>(*recalled.sight) : kNotAsked);
}

}  // namespace

std::string recalled_json(const MemoryTable& memories, const Questions& questions,
                          const RecallRequest& request,
                          const std::vector<std::vector<Recalled>>& answers) {
  ordered_json json;
  json["questions"] = ordered_json::array();
  for (std::size_t q = 0; q < answers.size(); ++q) {
    json["questions"].push_back(json_of(memories, questions, request, answers[q], q));
  }
  return json_text(json, 2);
}

void check_recalled_output(const std::string& path) {
  check_output_path(path);
  if (!is_there(path)) return;
  constexpr std::size_t kHeadBytes = 512;  // the fields of an array are within them
  std::string head(kHeadBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  if (head.empty() || head.rfind(kFirstKey, 0) == 0) return;
  const bool is_npy = head.rfind("\x93NUMPY", 0) == 0;
  if (is_npy && head.find(std::string("'descr': ") + kFields) != std::string::npos) return;
  throw InputError(path +
                   ": is there and holds no answers of sightline recall; name another file, or "
                   "remove it");
}

void write_recalled_jsonl(const std::string& path, const MemoryTable& memories,
                          const Questions& questions, const RecallRequest& request,
                          const std::vector<std::vector<Recalled>>& answers) {
  OutputFile file(path);
  for (std::size_t q = 0; q < answers.size(); ++q) {
    const std::string line = json_text(json_of(memories, questions, request, answers[q], q)) + "\n";
    file.write(line.data(), line.size());
  }
  file.commit();
}

void write_recalled_npy(const std::string& path, const MemoryTable& memories,
                        const RecallRequest& request,
                        const std::vector<std::vector<Recalled>>& answers) {
  OutputFile file(path);
  const std::string preamble =
      npy_preamble(kFields, {static_cast<std::int64_t>(answers.size()), request.k});
  file.write(preamble.data(), preamble.size());
  Recalled nothing;
  nothing.in_gate = false;
  for (const std::vector<Recalled>& answer : answers) {
    std::string bytes;
    for (const Recalled& recalled : answer) {
      append_item(memories.id[static_cast<std::size_t>(recalled.row)], recalled, &bytes);
    }
    for (auto i = static_cast<int>(answer.size()); i < request.k; ++i) {
      append_item(-1, nothing, &bytes);
    }
    file.write(bytes.data(), bytes.size());
  }
  file.commit();
}

}  // namespace sightline::host
