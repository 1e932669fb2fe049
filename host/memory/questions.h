// Questions as people ask them: a text or an embedding, and where and when it is asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/memory/gate.h"

namespace sightline::host {

struct Questions {
  QueryTable table;               ///< without targets
  std::vector<std::string> text;  ///< [table.size()], empty where only an embedding was given
};

/// What holds for questions that do not say it themselves.
struct Asker {
  std::optional<kernels::Vec3> from_m;
  std::optional<double> yaw_deg;  ///< where the asker looks; poses are known only with it
  double pitch_deg = 0;
  std::optional<double> now_s;     ///< absent: latest_time_s() of the memories
  Frame frame = Frame::kSceneYUp;  ///< of the poses
};

/// The embedding of a text by what embedded the memories, [memories.width]. Throws InputError for
/// memories that another embedder made than the one built in (hashed_embedder.h), and for a text
/// without words.
std::vector<float> embed_like(const MemoryTable& memories, const std::string& text);

/// One question in words. Throws InputError as embed_like does, and for an asker who is nowhere.
Questions ask(const MemoryTable& memories, const std::string& text, const Asker& asker);

/// One question of no words and no embedding, for a recall that does not ask by meaning (recall.h).
/// Throws InputError for an asker who is nowhere.
Questions ask_without_words(const MemoryTable& memories, const Asker& asker);

/// Many questions that a program brings: in words, as embeddings, or as neither.
struct AskedRows {
  std::vector<kernels::Vec3> from_m;  ///< [num_questions]
  std::vector<std::string> text;      ///< [num_questions], embedded as embed_like does; or empty
  /// [num_questions, width] of any length but 0; empty where there is text, or where recall does
  /// not ask by meaning.
  std::vector<double> embeddings;
  std::int64_t width = 0;  ///< of `embeddings`
};
/// `asker.from_m` is not looked at. Throws InputError naming the row.
Questions ask(const MemoryTable& memories, const AskedRows& asked, const Asker& asker);

struct QuestionFile {
  std::string path;  ///< .jsonl or .npy
  /// `.jsonl`: a `.npy` [num_questions, width]; empty: the texts are embedded as the memories were,
  /// or, where that cannot be, the `.npy` of the same name beside it is read.
  std::string embeddings;
  std::string places;  ///< `.npy`: a `.npy` [num_questions, 3] in metres; empty: the asker's place
};

/// Reads `.npy` embeddings [num_questions, memories.width], or one JSON object a line:
///
///     {"text": "where is my mug?", "from": [1, 1.6, 2], "yaw_deg": 30, "pitch_deg": 0,
///      "now_s": "2026-05-01T12:30:00Z"}
///
/// `text` is needed, the rest is the asker's if it is not there; id, activity, class and answers
/// may stand there as in query_file.h, and are not looked at. Throws InputError naming the file and
/// the line or row.
Questions read_questions(const QuestionFile& file, const MemoryTable& memories, const Asker& asker);
/// Files that read_questions opens.
std::vector<std::string> files_of(const QuestionFile& file, const MemoryTable& memories);

}  // namespace sightline::host
