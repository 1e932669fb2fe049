#include "host/studies/topic_documents.h"

#include <algorithm>
#include <limits>
#include <set>

#include "host/config/place.h"
#include "host/memory/embeddings_of_lines.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/json_lines.h"

namespace sightline::host {
namespace {

std::string text_of(const JsonObject& line, const char* key, const char* example) {
  const auto text = line.text(key);
  if (!text || text->empty()) line.fail_missing(key, example);
  return *text;
}

std::int64_t number_of(const std::string& topic, std::vector<std::string>* topics) {
  const auto found = std::find(topics->begin(), topics->end(), topic);
  if (found == topics->end()) topics->push_back(topic);
  return std::distance(topics->begin(), std::find(topics->begin(), topics->end(), topic));
}

void add_line(const JsonObject& line, std::vector<std::string>* topics, TopicDocuments* documents) {
  const auto id = line.count("id", std::numeric_limits<std::int64_t>::max());
  if (!id) line.fail_missing("id", "\"id\": 0");
  if (*id != documents->size()) {
    line.fail("id " + std::to_string(*id) + " stands where id " +
              std::to_string(documents->size()) + " must: they come in order, from 0, each once");
  }
  const std::string topic = text_of(line, "topic", "\"topic\": \"rivers\"");
  documents->texts.push_back(text_of(line, "text", "\"text\": \"How banks fail.\""));
  documents->topics.push_back(number_of(topic, topics));
  documents->cites.push_back(line.ids("cites").value_or(std::vector<std::int64_t>{}));
  const auto& cites = documents->cites.back();
  if (std::set<std::int64_t>(cites.begin(), cites.end()).size() != cites.size()) {
    line.fail("cites a document twice");
  }
  if (std::find(cites.begin(), cites.end(), *id) != cites.end()) line.fail("cites itself");
}

}  // namespace

std::vector<std::int64_t> TopicDocuments::citing() const {
  std::vector<std::int64_t> rows;
  for (std::int64_t row = 0; row < size(); ++row) {
    if (!cites[static_cast<std::size_t>(row)].empty()) rows.push_back(row);
  }
  return rows;
}

TopicDocuments read_topic_documents(const std::string& path) {
  TopicDocuments documents;
  documents.path = path;
  std::vector<std::string> topics;
  JsonLines lines(path);
  while (lines.next()) {
    add_line(lines.object({"id", "topic", "text", "cites"}), &topics, &documents);
  }
  for (std::int64_t row = 0; row < documents.size(); ++row) {
    for (const std::int64_t cited : documents.cites[static_cast<std::size_t>(row)]) {
      if (cited < documents.size()) continue;
      lines.fail("document " + std::to_string(row) + " cites " + std::to_string(cited) +
                 ", and the last is " + std::to_string(documents.size() - 1));
    }
  }
  if (documents.size() == 0) lines.fail("holds no document; write one JSON object a line");
  if (documents.citing().empty()) lines.fail("no document cites another: there is no question");
  return documents;
}

void embed_documents(const ConfigValue* embeddings, TopicDocuments* documents) {
  EmbeddedLines lines;
  lines.path = documents->path;
  lines.text = &documents->texts;
  lines.place_of = [&](std::int64_t i) {
    return documents->path + ", document " + std::to_string(i);
  };
  if (embeddings) {
    lines.embeddings = documents->embeddings_path = embeddings->as_text();
  } else {
    lines.hashed_width = kHashedWidth;
  }
  LineEmbeddings read;
  if (embeddings) {
    at_place(embeddings->where(), [&] { read = embeddings_of(lines); });
  } else {
    read = embeddings_of(lines);
  }
  documents->width = read.width;
  documents->embeddings = std::move(read.values);
}

}  // namespace sightline::host
