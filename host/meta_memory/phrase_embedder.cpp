#include "host/meta_memory/phrase_embedder.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "host/config/json_text.h"
#include "host/error.h"
#include "host/memory/embeddings_of_lines.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/json_lines.h"
#include "host/meta_memory/caption_places.h"
#include "host/meta_memory/place_words.h"

namespace sightline::host {
namespace {

std::vector<NounPhrase> things_of(const BasicQuery& query) { return {query.target}; }
std::vector<NounPhrase> things_of(const LocalQuery& query) { return query.things; }

std::vector<NounPhrase> things_of(const GlobalQuery& query) {
  std::vector<NounPhrase> things{query.target};
  for (const Reference& one : query.references) {
    if (one.kind == Reference::Kind::kThing) things.push_back(one.thing);
  }
  return things;
}

std::vector<NounPhrase> things_of(const EpisodicQuery& query) {
  if (!query.has_target()) return {};
  std::vector<NounPhrase> things{query.target};
  const AttributeBits bits = bits_asked_for(query);
  for (int bit = 0; bit < kNumAttributes; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    NounPhrase one = query.target;
    one.text = attribute_names()[static_cast<std::size_t>(bit)] + " " + one.text;
    things.push_back(std::move(one));
  }
  return things;
}

}  // namespace

std::vector<float> HashedPhrases::embed(const std::string& text) const {
  return hashed_embedding(without_places(text), width_);
}

PhraseTable::PhraseTable(const std::string& path, const std::string& embeddings) : path_(path) {
  JsonLines lines(path);
  std::vector<std::string> texts, places;
  while (lines.next()) {
    const JsonObject line = lines.object({"id", "text"});
    const std::optional<std::string> text = line.text("text");
    if (!text || text->empty()) line.fail_missing("text", "\"text\": \"red mug\"");
    if (!row_of_.emplace(*text, texts.size()).second) {
      line.fail("text \"" + *text + "\" is there twice; leave one out");
    }
    texts.push_back(*text);
    places.push_back(lines.place());
  }
  if (texts.empty()) lines.fail("holds no text; sightline ask --write-phrases writes them");
  const auto place_of = [&](std::int64_t row) { return places[static_cast<std::size_t>(row)]; };
  LineEmbeddings read = embeddings_of({path, &texts, place_of, embeddings, std::nullopt});
  width_ = read.width;
  vectors_ = std::move(read.values);
}

std::vector<float> PhraseTable::embed(const std::string& text) const {
  const auto found = row_of_.find(text);
  if (found == row_of_.end()) {
    throw InputError(path_ + ": has no vector of \"" + text +
                     "\"; sightline ask --write-phrases writes the texts that questions need, "
                     "scripts/embed.py embeds them");
  }
  const auto width = static_cast<std::size_t>(width_);
  const auto first = vectors_.begin() + static_cast<std::ptrdiff_t>(found->second * width);
  return {first, first + width_};
}

void embed_questions_by(std::shared_ptr<const PhraseEmbedder> embedder, EntryTable* table) {
  if (table->embedder == kHashedEmbedder || table->embedder == kPlaceWords) {
    throw InputError(
        "the store's captions are hashed, and so are the words of questions; leave vectors of "
        "these out");
  }
  if (embedder->width() != table->width) {
    throw InputError("the vectors of questions have " + std::to_string(embedder->width()) +
                     " numbers, those of the store's captions " + std::to_string(table->width) +
                     ", by \"" + table->embedder + "\"; embed both by one model");
  }
  table->phrases = std::move(embedder);
}

std::vector<std::string> each_once(const std::vector<std::string>& texts) {
  std::vector<std::string> once;
  std::unordered_set<std::string> known;
  for (const std::string& text : texts) {
    if (known.insert(text).second) once.push_back(text);
  }
  return once;
}

std::vector<std::string> phrases_of(const Query& query) {
  const std::vector<NounPhrase> things =
      std::visit([](const auto& asked) { return things_of(asked); }, query.asked);
  std::vector<std::string> texts;
  for (const NounPhrase& thing : things) texts.push_back(thing.text);
  return each_once(texts);
}

std::vector<std::string> texts_to_embed(const std::vector<Query>& queries,
                                        const EntryTable& entries) {
  std::vector<std::string> texts;
  for (const Query& query : queries) {
    const std::vector<std::string> more = phrases_of(query);
    texts.insert(texts.end(), more.begin(), more.end());
  }
  std::set<ClassId> named;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    const std::vector<ClassId> ids = classes_named_in(std::string(entries.caption(row)));
    named.insert(ids.begin(), ids.end());
  }
  for (const ClassId id : named) texts.push_back(thing_classes()[id].name);
  return each_once(texts);
}

std::string texts_file(const std::vector<std::string>& texts) {
  std::string lines;
  for (std::size_t id = 0; id < texts.size(); ++id) {
    lines += json_text(nlohmann::ordered_json{{"id", id}, {"text", texts[id]}}) + "\n";
  }
  return lines;
}

}  // namespace sightline::host
