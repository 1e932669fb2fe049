#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/config/plural.h"
#include "host/error.h"
#include "host/memory/questions.h"
#include "host/memory/recall.h"
#include "host/python/arrays.h"
#include "host/python/bindings.h"
#include "host/python/settings.h"
#include "host/sweep/recall_request.h"
#include "host/sweep/settings.h"
#include "host/world/binary_file.h"

namespace sightline::python {

using namespace host;

namespace {

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

constexpr std::uint8_t kNotAsked = 255;

/// What was recalled as NumPy shows it; the fields of `sightline recall --out found.npy`.
struct RecalledItem {
  std::int64_t id = -1;
  double score = 0, distance_m = 0;
  std::array<double, kNumScoreParts> parts{};
  bool in_gate = false;
  std::uint8_t sight = kNotAsked;
};

MemoryTable open(const py::object& path, const py::object& embeddings,
                 std::optional<std::int32_t> hashed, const std::string& embedder,
                 bool needs_embeddings) {
  MemorySource source;
  source.path = path_of(path, "path");
  if (!embeddings.is_none()) source.embeddings = path_of(embeddings, "embeddings");
  source.hashed_width = hashed;
  source.embedder = embedder;
  source.needs_embeddings = needs_embeddings;
  const py::gil_scoped_release unlocked;
  return load_memories(source);
}

py::array_t<float> embeddings_of(const MemoryTable& memories) {
  py::array_t<float> array(
      {static_cast<py::ssize_t>(memories.size()), static_cast<py::ssize_t>(memories.width)});
  std::copy(memories.embeddings.begin(), memories.embeddings.end(), array.mutable_data());
  return array;
}

/// The questions, of which there may be none, and whether it is one alone.
AskedRows asked_of(const py::object& query, const py::object& from, bool* is_one) {
  AskedRows asked;
  bool are_texts = py::isinstance<py::str>(query);
  if (are_texts) {
    asked.text = {query.cast<std::string>()};
  } else if (py::isinstance<py::list>(query) || py::isinstance<py::tuple>(query)) {
    const py::list items(query);
    are_texts = items.empty() || py::isinstance<py::str>(items[0]);
    if (are_texts) asked.text = items.cast<std::vector<std::string>>();
  }
  std::size_t num_questions = asked.text.size();
  *is_one = query.is_none() ? is_single(from) : py::isinstance<py::str>(query);
  if (!are_texts && !query.is_none()) {
    const Rows rows = Rows::ensure(query);
    if (!rows || rows.ndim() == 0 || rows.ndim() > 2) {
      PyErr_Clear();
      throw InputError(
          "query: is a text, a list of texts, embeddings [n, width] or [width], or None");
    }
    *is_one = rows.ndim() == 1;
    asked.width = rows.shape(rows.ndim() - 1);
    if (asked.width == 0) throw InputError("query: is embeddings of no dimensions");
    asked.embeddings.assign(rows.data(), rows.data() + rows.size());
    num_questions = *is_one ? 1 : static_cast<std::size_t>(rows.shape(0));
  }
  asked.from_m = points_of(from, "from_m");
  if (is_single(from) && !query.is_none()) asked.from_m.resize(num_questions, asked.from_m.front());
  if (num_questions == 0 && !query.is_none() && !asked.from_m.empty()) {
    throw InputError("query: is no question, and from_m has " +
                     plural(asked.from_m.size(), "place") + "; give a place to each");
  }
  return asked;
}

std::vector<RecalledItem> items_of(const MemoryTable& memories, int k,
                                   const std::vector<std::vector<Recalled>>& answers) {
  std::vector<RecalledItem> items;
  for (const std::vector<Recalled>& answer : answers) {
    for (const Recalled& recalled : answer) {
      RecalledItem item;
      item.id = memories.id[static_cast<std::size_t>(recalled.row)];
      item.score = recalled.score;
      item.distance_m = recalled.distance_m;
      item.parts = recalled.parts;
      item.in_gate = recalled.in_gate;
      item.sight = recalled.sight ? static_cast<std::uint8_t>(*recalled.sight) : kNotAsked;
      items.push_back(item);
    }
    items.resize(items.size() + static_cast<std::size_t>(k) - answer.size());
  }
  return items;
}

py::array recall_of(const MemoryTable& memories, const py::object& query, const py::object& from,
                    const PyWorld* world, std::optional<double> now_s,
                    std::optional<double> yaw_deg, double pitch_deg, const py::object& device,
                    const py::kwargs& settings) {
  ConfigValue map = settings_of(settings, "recall()");
  if (world && !map.find("verify")) map.set_path("verify.method", ConfigValue::text("hdda"));
  map = without_nulls(map);  // verify=None: nothing is verified
  const RecallRequest request = parse_recall_request(map, world ? &world->spec : nullptr);
  bool is_one = false;
  const AskedRows asked = asked_of(query, from, &is_one);
  const host::World* const where = world ? &world->world : nullptr;
  Asker asker;
  asker.now_s = now_s;
  asker.yaw_deg = yaw_deg;
  asker.pitch_deg = pitch_deg;
  asker.frame = where ? where->frame : memories.frame.value_or(Frame::kSceneYUp);
  check_memories(memories, where);
  if (request.gate) check_gate(*request.gate, memories);
  std::vector<std::vector<Recalled>> answers;
  if (!asked.from_m.empty() || !asked.text.empty() || !asked.embeddings.empty()) {
    const Questions questions = ask(memories, asked, asker);
    on_device(device,
              [&](Device& on) { answers = recall(memories, questions.table, request, where, on); });
  }
  std::vector<py::ssize_t> shape{request.k};
  if (!is_one) shape.insert(shape.begin(), static_cast<py::ssize_t>(answers.size()));
  return shaped(items_of(memories, request.k, answers), shape);
}

constexpr const char* kRecallDoc =
    "The k best memories for each question: a structured array [n, k], or [k] for one question,\n"
    "best first, with id (-1 where fewer were recalled), score, distance_m, parts (relevance,\n"
    "spatial, recency, importance, staleness), in_gate, and sight (0 HIDDEN, 1 VISIBLE,\n"
    "2 UNKNOWN, 255 not asked).\n\n"
    "query: a text or a list of texts (of a store that the built-in embedder made), embeddings\n"
    "[n, width] or [width], or None where relevance weighs nothing. from_m: [3], or [n, 3].\n"
    "world: for gates and sight. now_s: the latest time in the store by default.\n"
    "Further arguments are keys of `recall` in a sweep file: k, weights, normalise, proximity,\n"
    "recency, staleness, gate, penalty, verify ({'method': 'hdda'} with a world).";

}  // namespace

void bind_memories(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(RecalledItem, id, score, distance_m, parts, in_gate, sight);
  py::class_<MemoryTable>(module, "Memories", "A store of memories, in ascending order of id.")
      .def(py::init(&open), py::arg("path"), py::kw_only(), py::arg("embeddings") = py::none(),
           py::arg("hashed") = py::none(), py::arg("embedder") = "",
           py::arg("needs_embeddings") = true,
           "path: .slm, .jsonl or .fvecs. embeddings: the .npy of a .jsonl, by default that of the "
           "same name; hashed: embed its texts in so many dimensions instead; "
           "needs_embeddings=False: do without.")
      .def("__len__", &MemoryTable::size)
      .def_property_readonly("id",
                             [](const MemoryTable& m) {
                               return py::array_t<std::int64_t>(
                                   static_cast<py::ssize_t>(m.id.size()), m.id.data());
                             })
      .def_property_readonly("text", [](const MemoryTable& m) { return m.text; })
      .def_property_readonly("region", [](const MemoryTable& m) { return m.region; })
      .def_property_readonly("object", [](const MemoryTable& m) { return m.object_key; })
      .def_property_readonly("anchor_m", [](const MemoryTable& m) { return array_of(m.anchor_m); })
      .def_property_readonly("time_s",
                             [](const MemoryTable& m) {
                               return py::array_t<double>(static_cast<py::ssize_t>(m.time_s.size()),
                                                          m.time_s.data());
                             })
      .def_property_readonly("embeddings", &embeddings_of, "float32 [n, width], of unit length")
      .def_property_readonly("embedder", [](const MemoryTable& m) { return m.embedder; })
      .def(
          "save",
          [](const MemoryTable& m, const py::object& path) {
            const std::string file = path_of(path, "path");
            if (extension_of(file) != ".slm") {
              throw InputError("path " + file + ": memories are written as .slm");
            }
            save_memories(m, file);
          },
          py::arg("path"), "Writes an .slm.");
  module.def("recall", &recall_of, py::arg("memories"), py::arg("query"), py::arg("from_m"),
             py::kw_only(), py::arg("world").none(true) = py::none(), py::arg("now_s") = py::none(),
             py::arg("yaw_deg") = py::none(), py::arg("pitch_deg") = 0.0,
             py::arg("device") = py::none(), kRecallDoc);
}

}  // namespace sightline::python
