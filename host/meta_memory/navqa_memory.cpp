#include "host/meta_memory/navqa_memory.h"

#include <algorithm>
#include <utility>

#include "host/error.h"
#include "host/memory/embeddings_of_lines.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/parse_query.h"
#include "host/meta_memory/place_store.h"

namespace sightline::host {
namespace {

/// Rows of navqa.captions within the window, in order of time.
std::vector<std::size_t> captions_in_window(const Navqa& navqa, const NavqaQuestion& question) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < navqa.captions.size(); ++i) {
    const NavqaCaption& caption = navqa.captions[i];
    if (caption.sequence == question.sequence && caption.time_s >= question.start_s &&
        caption.time_s <= question.end_s) {
      rows.push_back(i);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return navqa.captions[a].time_s < navqa.captions[b].time_s;
  });
  return rows;
}

/// What may be remembered when the question is asked: one walk.
EntryTable memory_of(const Navqa& navqa, const NavqaQuestion& question,
                     const NavqaVectors* vectors) {
  EntryTable table;
  table.width = vectors ? vectors->width : kHashedWidth;
  table.embedder = vectors ? "file" : kHashedEmbedder;
  if (vectors) embed_questions_by(vectors->phrases, &table);
  for (const std::size_t row : captions_in_window(navqa, question)) {
    const NavqaCaption& caption = navqa.captions[row];
    Entry entry;
    entry.time_s = caption.time_s;
    entry.position_m = caption.position_m;
    entry.caption = caption.text;
    if (vectors) {
      const auto width = static_cast<std::size_t>(vectors->width);
      const float* const unit = vectors->captions.data() + row * width;
      append_entry(entry, std::vector<float>(unit, unit + width), &table);
    } else {
      append_entry(entry, embed_text(table, entry.caption), &table);
    }
  }
  return table;
}

std::optional<std::int64_t> most_similar(const PlaceStore& store, const std::string& text) {
  SsrQuery query;
  query.asked.text = text;
  query.embedding = embed_text(store.entries(), text);
  SsrOptions options;
  options.k = 1;
  const Retrieved found = store.semantic().retrieve({query}, options, nullptr).front();
  if (found.hits.empty()) return std::nullopt;
  return found.hits.front().row;
}

}  // namespace

NavqaVectors read_navqa_vectors(const Navqa& navqa, const std::string& captions,
                                const std::string& phrases) {
  std::vector<std::string> texts;
  for (const NavqaCaption& caption : navqa.captions) texts.push_back(caption.text);
  const auto place_of = [](std::int64_t row) { return "caption " + std::to_string(row); };
  LineEmbeddings read =
      embeddings_of({"captions_at_answers.jsonl", &texts, place_of, captions, std::nullopt});
  NavqaVectors vectors;
  vectors.width = read.width;
  vectors.captions = std::move(read.values);
  vectors.phrases = std::make_shared<const PhraseTable>(phrases);
  if (vectors.phrases->width() == vectors.width) return vectors;
  throw InputError(phrases + ": its vectors have " + std::to_string(vectors.phrases->width()) +
                   " numbers, those of " + captions + " " + std::to_string(vectors.width) +
                   "; embed both by one model");
}

std::vector<std::string> navqa_texts(const Navqa& navqa) {
  std::vector<Query> queries;
  std::vector<std::string> texts;
  EntryTable captions;  // for their words alone
  captions.width = kHashedWidth;
  captions.embedder = kHashedEmbedder;
  for (const NavqaQuestion& question : navqa.questions) {
    if (!question.seen_from_m) continue;
    texts.push_back(question.text);
    ParsedQuery parsed = try_parse_query(question.text);
    if (parsed.query) queries.push_back(std::move(*parsed.query));
  }
  for (const NavqaCaption& caption : navqa.captions) {
    Entry entry;
    entry.caption = caption.text;
    append_entry(entry, embed_text(captions, entry.caption), &captions);
  }
  const std::vector<std::string> more = texts_to_embed(queries, captions);
  texts.insert(texts.end(), more.begin(), more.end());
  return each_once(texts);
}

std::optional<NavqaFound> find_in_window(const Navqa& navqa, const NavqaQuestion& question,
                                         bool plans, const NavqaVectors* vectors) {
  EntryTable memory = memory_of(navqa, question, vectors);
  if (memory.size() == 0) return std::nullopt;
  const PlaceStore store(std::move(memory), {});
  const ParsedQuery parsed = try_parse_query(question.text);
  if (plans && parsed.query) {
    const Planner planner(store.memory(), nullptr, {});
    const PlaceAnswer answer = planner.answer(*parsed.query, question.text, question.current_m);
    if (answer.entry >= 0) return NavqaFound{answer.viewpoint_m, true};
  }
  const std::optional<std::int64_t> row = most_similar(store, question.text);
  if (!row) return std::nullopt;
  return NavqaFound{store.entries().position_m[static_cast<std::size_t>(*row)], false};
}

}  // namespace sightline::host
