#include "host/memory/chat_lines.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/config/json_text.h"
#include "host/error.h"
#include "host/memory/json_lines.h"

namespace sightline::host {
namespace {

using Json = nlohmann::json;

/// The value at a path of keys; null where a part of it is missing or no map.
const Json* find(const Json& value, std::initializer_list<const char*> keys) {
  const Json* at = &value;
  for (const char* key : keys) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &at->at(key);
  }
  return at->is_null() ? nullptr : at;
}

std::optional<std::string> text_in(const Json* value) {
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->get<std::string>();
}

/// What the batch says that the model answered.
std::optional<std::string> text_of_batch(const Json& line) {
  constexpr int kOk = 200;
  if (find(line, {"error"})) return std::nullopt;
  const Json* status = find(line, {"response", "status_code"});
  if (status && *status != kOk) return std::nullopt;
  const Json* choices = find(line, {"response", "body", "choices"});
  if (!choices || !choices->is_array() || choices->empty()) return std::nullopt;
  return text_in(find(choices->front(), {"message", "content"}));
}

std::pair<std::string, ChatAnswer> read_line(const JsonLines& lines) {
  const Json& value = lines.value();
  const auto plain_id = text_in(find(value, {"id"}));
  if (plain_id && !value.contains("custom_id") && value.contains("answer")) {
    const auto answer = text_in(find(value, {"answer"}));
    if (!answer) {
      throw InputError(lines.place() +
                       ": answer is no text; write one, or leave the line out until there is one");
    }
    return {*plain_id, {answer, lines.place()}};
  }
  const auto id = text_in(find(value, {"custom_id"}));
  if (!id) {
    throw InputError(lines.place() +
                     ": has no text custom_id; give the file that the batch wrote, a line "
                     "{\"custom_id\": ..., \"response\": ..., \"error\": ...} for each prompt, or "
                     "lines {\"id\": ..., \"answer\": ...}");
  }
  if (!value.contains("response") && !value.contains("error")) {
    throw InputError(lines.place() +
                     ": holds neither response nor error; is this the file of "
                     "prompts? give the one with the answers");
  }
  return {*id, {text_of_batch(value), lines.place()}};
}

}  // namespace

std::string chat_line(const ChatPrompt& prompt, const ChatModel& model) {
  nlohmann::ordered_json line;
  line["custom_id"] = prompt.id;
  line["method"] = "POST";
  line["url"] = "/v1/chat/completions";
  auto& body = line["body"];
  body["model"] = model.name;
  body["messages"] =
      nlohmann::ordered_json::array({{{"role", "system"}, {"content", prompt.instructions}},
                                     {{"role", "user"}, {"content", prompt.question}}});
  body[model.max_tokens_key] = model.max_tokens;
  if (model.temperature) body["temperature"] = *model.temperature;
  if (model.seed) body["seed"] = *model.seed;
  return json_text(line) + "\n";
}

std::string answer_line(const std::string& id, const std::string& answer) {
  return json_text(nlohmann::ordered_json{{"id", id}, {"answer", answer}}) + "\n";
}

std::string id_text(std::string text) {
  for (char& c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  }
  return text;
}

void read_chat_answers(const std::string& path, ChatAnswers* answers) {
  JsonLines lines(path);
  while (lines.next()) {
    auto [id, answer] = read_line(lines);
    const auto known = answers->find(id);
    if (known != answers->end() && !known->second.text) {
      known->second = std::move(answer);  // a request that failed was made again
      continue;
    }
    if (known != answers->end()) {
      throw InputError(lines.place() + ": custom_id \"" + id + "\" is there twice, first at " +
                       known->second.place + "; leave one answer to each prompt");
    }
    answers->emplace(std::move(id), std::move(answer));
  }
}

void check_answers_are_known(const ChatAnswers& answers,
                             const std::function<bool(const std::string&)>& is_known,
                             const std::string& whose, const std::string& remedy) {
  for (const auto& [id, answer] : answers) {
    if (is_known(id)) continue;
    throw InputError(answer.place + ": custom_id \"" + id + "\" is of no prompt of " + whose +
                     "; " + remedy);
  }
}

}  // namespace sightline::host
