#include "host/meta_memory/external_verifier.h"

#include <limits>
#include <set>

#include "host/config/json_text.h"
#include "host/error.h"
#include "host/memory/json_lines.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSeenFrom = 0.5;
constexpr std::int64_t kMaxId = std::numeric_limits<std::int64_t>::max();

std::vector<std::string> words_of(AttributeBits attributes) {
  std::vector<std::string> words;
  for (int bit = 0; bit < kNumAttributes; ++bit) {
    if (attributes >> bit & 1) words.push_back(attribute_names()[static_cast<std::size_t>(bit)]);
  }
  return words;
}

std::int64_t read_id(const JsonObject& line, const char* key, std::int64_t high) {
  const std::optional<std::int64_t> id = line.count(key, high);
  if (!id) line.fail_missing(key, "the number that the question has");
  return *id;
}

AttributeBits read_attributes(const JsonLines& lines, const JsonObject& line) {
  AttributeBits attributes = 0;
  const auto found = lines.value().find("attributes");
  if (found == lines.value().end()) return attributes;
  if (!found->is_array()) line.fail("attributes must be a list of words");
  for (const auto& word : *found) {
    const auto bits = word.is_string() ? find_attribute(word.get<std::string>()) : std::nullopt;
    if (!bits) {
      line.fail("attribute " + json_text(word) + " is not in the lexicon; " +
                attribute_suggestion(word.is_string() ? word.get<std::string>() : json_text(word)));
    }
    attributes |= *bits;
  }
  return attributes;
}

ClassId read_class(const JsonObject& line) {
  const std::string name = line.text("class").value_or("");
  if (name.empty()) return kNoClass;
  const std::optional<ClassId> noun = find_class(name);
  if (!noun) line.fail("class \"" + name + "\" is not in the lexicon; " + class_suggestion(name));
  return *noun;
}

}  // namespace

std::vector<CheckAnswer> ExternalVerifier::answer(const EntryTable&,
                                                  const std::vector<RawCheck>& checks, int) {
  std::vector<CheckAnswer> answers;
  for (const RawCheck& check : checks) {
    const NounPhrase& asked = *check.asked;
    Key key{check.row, asked.noun, asked.attributes, asked.name};
    const auto known = answers_.find(key);
    answers.push_back(known == answers_.end() ? CheckAnswer{} : known->second);
    if (known == answers_.end()) unanswered_.emplace(std::move(key), asked.text);
  }
  return answers;
}

void ExternalVerifier::write_questions(const EntryTable& entries, const std::string& path) const {
  std::string lines;
  std::int64_t id = 0;
  for (const auto& question : unanswered_) {
    const auto& [row, noun, attributes, name] = question.first;
    Json line;
    line["id"] = id++;
    line["entry"] = row;
    line["image"] = entries.image_ref(row);
    line["caption"] = entries.caption(row);
    line["class"] = noun == kNoClass ? "" : thing_classes()[noun].name;
    line["attributes"] = words_of(attributes);
    line["name"] = name;
    line["text"] = question.second;
    lines += json_text(line) + "\n";
  }
  write_file(path, lines);
}

std::map<std::int64_t, std::pair<ExternalVerifier::Key, std::string>>
ExternalVerifier::read_questions(const EntryTable& entries, const std::string& path) {
  std::map<std::int64_t, std::pair<Key, std::string>> questions;
  JsonLines lines(path);
  while (lines.next()) {
    const JsonObject line =
        lines.object({"id", "entry", "image", "caption", "class", "attributes", "name", "text"});
    const std::int64_t id = read_id(line, "id", kMaxId);
    const std::int64_t row = read_id(line, "entry", kMaxId);
    if (row >= entries.size()) {
      line.fail("entry " + std::to_string(row) + " is none of the " +
                std::to_string(entries.size()) + " of this store; use the store that was asked of");
    }
    const Key key{row, read_class(line), read_attributes(lines, line),
                  line.text("name").value_or("")};
    if (!questions.emplace(id, std::make_pair(key, lines.place())).second) {
      line.fail("id " + std::to_string(id) + " is there twice");
    }
  }
  return questions;
}

void ExternalVerifier::read_answers(const EntryTable& entries, const std::string& questions_path,
                                    const std::string& answers_path) {
  const auto questions = read_questions(entries, questions_path);
  std::map<Key, CheckAnswer> answers;
  std::set<std::int64_t> answered;
  JsonLines lines(answers_path);
  while (lines.next()) {
    const JsonObject line = lines.object({"id", "probability", "position"});
    const std::int64_t id = read_id(line, "id", kMaxId);
    const auto question = questions.find(id);
    if (question == questions.end()) {
      line.fail("id " + std::to_string(id) + " is no question of " + questions_path);
    }
    if (!answered.insert(id).second) line.fail("id " + std::to_string(id) + " is there twice");
    const std::optional<double> probability = line.number("probability");
    if (!probability) line.fail_missing("probability", "\"probability\": 0.9");
    if (!(*probability >= 0 && *probability <= 1)) line.fail("probability must be in [0, 1]");
    const Key& key = question->second.first;
    CheckAnswer& answer = answers[key];
    if (*probability < kSeenFrom) continue;
    answer = {true, *probability, line.point("position"), {}, std::get<2>(key)};
    if (answer.position_m) answer.things_m = {*answer.position_m};
  }
  for (const auto& question : questions) {
    if (answered.count(question.first) > 0) continue;
    throw InputError(question.second.second + ": id " + std::to_string(question.first) +
                     " has no answer in " + answers_path + "; answer every question");
  }
  for (const auto& entry : answers) {
    answers_[entry.first] = entry.second;
    unanswered_.erase(entry.first);
  }
}

}  // namespace sightline::host
