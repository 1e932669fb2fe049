#include "host/memory/query_file.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "host/config/suggest.h"
#include "host/error.h"
#include "host/memory/embeddings_of_lines.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/memory_jsonl.h"

namespace sightline::host {
namespace {

using RowsOfGroup = std::map<std::string, std::vector<std::int64_t>>;

RowsOfGroup rows_of_groups(const MemoryTable& memories) {
  RowsOfGroup rows;
  for (std::int64_t row = 0; row < memories.size(); ++row) {
    const std::string& group = memories.group[static_cast<std::size_t>(row)];
    if (!group.empty()) rows[group].push_back(row);
  }
  return rows;
}

std::vector<std::int64_t> rows_of_answers(const JsonObject& line, const MemoryTable& memories,
                                          const std::vector<std::int64_t>& answers) {
  std::vector<std::int64_t> rows;
  for (const std::int64_t id : answers) {
    const std::optional<std::int64_t> row = find_memory(memories, id);
    if (!row) {
      line.fail("answers name memory " + std::to_string(id) + ", which " + memories.source +
                " does not hold");
    }
    rows.push_back(*row);
  }
  std::sort(rows.begin(), rows.end());
  const auto twice = std::adjacent_find(rows.begin(), rows.end());
  if (twice != rows.end()) {
    line.fail("answers name memory " +
              std::to_string(memories.id[static_cast<std::size_t>(*twice)]) + " twice");
  }
  return rows;
}

/// Rows of the memories that answer a query, ascending; none if it does not say.
std::vector<std::int64_t> rows_asked_for(const JsonObject& line, const MemoryTable& memories,
                                         const RowsOfGroup& groups) {
  if (const auto answers = line.ids("answers")) return rows_of_answers(line, memories, *answers);
  const std::string group = read_group(line);
  if (group.empty()) return {};
  const auto found = groups.find(group);
  if (found != groups.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& entry : groups) names.push_back(entry.first);
  line.fail("no memory of " + memories.source + " is of \"" + group + "\"; " +
            (names.empty() ? "none names an activity or a class" : suggestion(group, names)));
}

void check_embedder(const QuerySource& source, const MemoryTable& memories, std::int32_t width) {
  if (width != memories.width) {
    throw InputError(source.path + ": its queries have " + std::to_string(width) +
                     " dimensions, the memories of " + memories.source + " " +
                     std::to_string(memories.width) + "; embed both alike");
  }
  const std::string& embedder = memories.embedder;
  if (source.hashed_width && !embedder.empty() && embedder != kHashedEmbedder) {
    throw InputError(source.path + ": its texts are to be hashed, but the memories of " +
                     memories.source + " were embedded by " + embedder + "; embed both alike");
  }
}

}  // namespace

void read_queries(const QuerySource& source, MemorySet* set) {
  const RowsOfGroup groups = rows_of_groups(set->table);
  JsonLines lines(source.path);
  std::vector<std::int64_t> line_of_query;
  while (lines.next()) {
    const JsonObject line = lines.object({"id", "text", "activity", "class", "answers"});
    line.count("id", std::numeric_limits<std::int64_t>::max());
    const std::optional<std::string> text = line.text("text");
    if (!text) line.fail_missing("text", "the question, in quotes");
    for (const std::int64_t row : rows_asked_for(line, set->table, groups)) {
      set->targets.push_back({row, set->num_queries});
    }
    set->query_text.push_back(*text);
    line_of_query.push_back(lines.line());
    ++set->num_queries;
  }
  if (set->num_queries == 0) lines.fail("holds no query; write one JSON object a line");
  EmbeddedLines embedded;
  embedded.path = source.path;
  embedded.text = &set->query_text;
  embedded.place_of = [&](std::int64_t query) {
    return source.path + ":" + std::to_string(line_of_query[static_cast<std::size_t>(query)]);
  };
  embedded.embeddings = source.embeddings;
  embedded.hashed_width = source.hashed_width;
  LineEmbeddings embeddings = embeddings_of(embedded);
  check_embedder(source, set->table, embeddings.width);
  set->query_embeddings = std::move(embeddings.values);
}

}  // namespace sightline::host
