#include "host/memory/questions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/config/number_text.h"
#include "host/error.h"
#include "host/memory/embeddings_of_lines.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/json_lines.h"
#include "host/memory/unit_embedding.h"
#include "host/world/binary_file.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

std::string name_of(const MemoryTable& memories) {
  return memories.source.empty() ? "the memories" : memories.source;
}

void check_width(const MemoryTable& memories, const std::string& path, std::int64_t width) {
  if (width == memories.width) return;
  throw InputError(path + ": its questions have " + std::to_string(width) + " dimensions, " +
                   name_of(memories) + " has " + std::to_string(memories.width) +
                   "; embed both with the same embedder");
}

/// Where one question is asked.
struct Standpoint {
  kernels::Vec3 from_m;
  std::optional<double> yaw_deg;
  double pitch_deg;
  double now_s;
};

/// Adds what all questions of a table have, one after the other.
class QuestionTable {
 public:
  QuestionTable(const MemoryTable& memories, const Asker& asker)
      : asker_(asker), now_s_(asker.now_s.value_or(latest_time_s(memories))) {
    questions_.table.width = memories.width;
  }

  double now_s() const { return now_s_; }

  /// `place` names the question in messages.
  void add(const std::string& place, std::string text, const Standpoint& at) {
    QueryTable& table = questions_.table;
    const bool has_pose = at.yaw_deg.has_value();
    for (const double coordinate : {at.from_m.x, at.from_m.y, at.from_m.z}) {
      if (std::fabs(coordinate) <= kMaxPlace_m) continue;
      throw InputError(place + ": is asked from " + short_text(coordinate) +
                       " on an axis; must be at most 1e12 m from the origin");
    }
    if (!(std::fabs(at.now_s) <= kMaxTime_s)) {
      throw InputError(place + ": is asked at now_s " + short_text(at.now_s) +
                       "; must be at most 1e15 s from 0");
    }
    if (table.size() > 0 && has_pose != !table.poses.empty()) {
      throw InputError(place + ": says " + (has_pose ? "" : "not ") +
                       "where the asker looks, unlike the questions before it; give a yaw with "
                       "all of them or with none");
    }
    table.centre_m.push_back(at.from_m);
    table.now_s.push_back(at.now_s);
    if (has_pose) {
      table.poses.push_back(make_pose_deg(asker_.frame, at.from_m, *at.yaw_deg, at.pitch_deg));
    }
    questions_.text.push_back(std::move(text));
  }
  void add_embeddings(const std::vector<float>& embeddings) {
    std::vector<float>& all = questions_.table.embeddings;
    all.insert(all.end(), embeddings.begin(), embeddings.end());
  }
  Questions take() { return std::move(questions_); }

 private:
  const Asker& asker_;
  double now_s_;
  Questions questions_;
};

void check_angle(const JsonObject& line, const char* key, double limit_deg) {
  const std::optional<double> angle_deg = line.number(key);
  if (!angle_deg || std::fabs(*angle_deg) <= limit_deg) return;
  line.fail(std::string(key) + " is beyond " +
            std::to_string(static_cast<std::int64_t>(limit_deg)) + " degrees");
}

Standpoint read_standpoint(const JsonObject& line, const Asker& asker, double now_s) {
  const std::optional<kernels::Vec3> from = line.point("from");
  if (!from && !asker.from_m) line.fail_missing("from", "\"from\": [x, y, z], in metres");
  check_angle(line, "yaw_deg", kMaxYaw_deg);
  check_angle(line, "pitch_deg", kMaxPitch_deg);
  const std::optional<double> yaw = line.number("yaw_deg");
  if (!yaw && !asker.yaw_deg && line.has("pitch_deg")) {
    line.fail("has a pitch_deg without a yaw_deg; give both or neither");
  }
  return {from ? *from : *asker.from_m, yaw ? yaw : asker.yaw_deg,
          line.number("pitch_deg").value_or(asker.pitch_deg),
          line.seconds("now_s").value_or(now_s)};
}

/// Are the texts of a file embedded here, rather than read from a `.npy`?
bool embeds_texts(const QuestionFile& file, const MemoryTable& memories) {
  return file.embeddings.empty() && memories.embedder == kHashedEmbedder;
}

Questions read_jsonl(const QuestionFile& file, const MemoryTable& memories, const Asker& asker) {
  if (!file.places.empty()) {
    throw InputError(file.path + ": says itself where each question is asked; " + file.places +
                     " is for questions in a .npy");
  }
  QuestionTable table(memories, asker);
  JsonLines lines(file.path);
  std::vector<std::string> texts, places;
  while (lines.next()) {
    const JsonObject line = lines.object(
        {"text", "from", "yaw_deg", "pitch_deg", "now_s", "id", "activity", "class", "answers"});
    const std::optional<std::string> text = line.text("text");
    if (!text) line.fail_missing("text", "the question, in quotes");
    places.push_back(file.path + ":" + std::to_string(lines.line()));
    table.add(places.back(), *text, read_standpoint(line, asker, table.now_s()));
    texts.push_back(*text);
  }
  if (texts.empty()) lines.fail("holds no question; write one JSON object a line");
  EmbeddedLines embedded;
  embedded.path = file.path;
  embedded.text = &texts;
  embedded.place_of = [&](std::int64_t row) { return places[static_cast<std::size_t>(row)]; };
  embedded.embeddings = file.embeddings;
  if (embeds_texts(file, memories)) embedded.hashed_width = memories.width;
  const LineEmbeddings embeddings = embeddings_of(embedded);
  check_width(memories, file.path, embeddings.width);
  table.add_embeddings(embeddings.values);
  return table.take();
}

std::vector<kernels::Vec3> places_of(const QuestionFile& file, std::int64_t num_questions,
                                     const Asker& asker) {
  if (file.places.empty()) {
    if (!asker.from_m) throw InputError(file.path + ": nothing says where its questions are asked");
    return std::vector<kernels::Vec3>(static_cast<std::size_t>(num_questions), *asker.from_m);
  }
  std::vector<kernels::Vec3> places = read_points_npy(file.places);
  if (static_cast<std::int64_t>(places.size()) != num_questions) {
    throw InputError(file.places + ": holds " + std::to_string(places.size()) + " places for the " +
                     std::to_string(num_questions) + " questions of " + file.path +
                     "; give one to each");
  }
  return places;
}

Questions read_npy(const QuestionFile& file, const MemoryTable& memories, const Asker& asker) {
  if (!file.embeddings.empty()) {
    throw InputError(file.path + ": holds embeddings itself; " + file.embeddings +
                     " is for questions in a .jsonl");
  }
  NpyTable rows(file.path);
  check_width(memories, file.path, rows.num_columns());
  const std::vector<kernels::Vec3> places = places_of(file, rows.num_rows(), asker);
  QuestionTable table(memories, asker);
  std::vector<float> unit(static_cast<std::size_t>(memories.width));
  for (std::int64_t row = 0; row < rows.num_rows(); ++row) {
    const std::string name = "row " + std::to_string(row);
    if (const char* fault = to_unit_length(rows.next_row(), memories.width, unit.data())) {
      rows.fail(name + " " + fault);
    }
    table.add(
        file.path + ": " + name, "",
        {places[static_cast<std::size_t>(row)], asker.yaw_deg, asker.pitch_deg, table.now_s()});
    table.add_embeddings(unit);
  }
  return table.take();
}

}  // namespace

std::vector<float> embed_like(const MemoryTable& memories, const std::string& text) {
  if (memories.embedder != kHashedEmbedder) {
    const std::string maker =
        memories.embedder.empty()
            ? "does not say what made its embeddings; if it was the built-in one, say so "
              "(--embedder hashed; embedder: hashed in a sweep file)"
            : "was embedded by " + memories.embedder + ", which is not built in";
    throw InputError(name_of(memories) + ": " + maker +
                     ". Else embed the question with the same model by scripts/embed.py, and give "
                     "--queries FILE.npy");
  }
  return hashed_embedding(text, memories.width);
}

Questions ask(const MemoryTable& memories, const std::string& text, const Asker& asker) {
  Questions questions = ask_without_words(memories, asker);
  questions.text = {text};
  questions.table.width = memories.width;
  questions.table.embeddings = embed_like(memories, text);
  return questions;
}

Questions ask_without_words(const MemoryTable& memories, const Asker& asker) {
  if (!asker.from_m) throw InputError("nothing says where the question is asked");
  QuestionTable table(memories, asker);
  table.add("the question", "", {*asker.from_m, asker.yaw_deg, asker.pitch_deg, table.now_s()});
  Questions questions = table.take();
  questions.table.width = 0;
  return questions;
}

Questions ask(const MemoryTable& memories, const AskedRows& asked, const Asker& asker) {
  const std::size_t num_questions = asked.from_m.size();
  const auto width = static_cast<std::size_t>(asked.width);
  if (!asked.text.empty() && asked.text.size() != num_questions) {
    throw InputError("questions: " + std::to_string(asked.text.size()) + " texts are asked from " +
                     std::to_string(num_questions) + " places; give a place to each");
  }
  if (asked.embeddings.size() != num_questions * width) {
    throw InputError("questions: " + std::to_string(asked.embeddings.size() / width) +
                     " embeddings are asked from " + std::to_string(num_questions) +
                     " places; give a place to each");
  }
  if (!asked.embeddings.empty()) check_width(memories, "questions", asked.width);
  QuestionTable table(memories, asker);
  std::vector<float> unit(width);
  for (std::size_t q = 0; q < num_questions; ++q) {
    const std::string place = "question " + std::to_string(q);
    const std::string text = asked.text.empty() ? "" : asked.text[q];
    table.add(place, text, {asked.from_m[q], asker.yaw_deg, asker.pitch_deg, table.now_s()});
    if (!asked.text.empty()) {
      table.add_embeddings(embed_like(memories, text));
    } else if (!asked.embeddings.empty()) {
      const char* fault = to_unit_length(&asked.embeddings[q * width], memories.width, unit.data());
      if (fault != nullptr) throw InputError(place + ": its embedding " + fault);
      table.add_embeddings(unit);
    }
  }
  Questions questions = table.take();
  if (asked.text.empty() && asked.embeddings.empty()) questions.table.width = 0;
  return questions;
}

Questions read_questions(const QuestionFile& file, const MemoryTable& memories,
                         const Asker& asker) {
  const std::string extension = extension_of(file.path);
  if (extension == ".jsonl") return read_jsonl(file, memories, asker);
  if (extension == ".npy") return read_npy(file, memories, asker);
  throw InputError(file.path + ": questions are read from .jsonl and .npy files");
}

std::vector<std::string> files_of(const QuestionFile& file, const MemoryTable& memories) {
  std::vector<std::string> files{file.path};
  if (!file.places.empty()) files.push_back(file.places);
  if (extension_of(file.path) == ".jsonl" && !embeds_texts(file, memories)) {
    files.push_back(embeddings_file(file.path, file.embeddings, std::nullopt));
  }
  return files;
}

}  // namespace sightline::host
