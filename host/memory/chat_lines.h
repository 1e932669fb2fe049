// Prompts for language models as lines of a file, and the answers that come back as lines.
//
// Out goes what batch interfaces of hosted models take, and `vllm run-batch` for models on a
// machine of one's own (the OpenAI batch format):
//
//     {"custom_id": "1f0c...-reader-000017", "method": "POST", "url": "/v1/chat/completions",
//      "body": {"model": "...", "messages": [{"role": "system", "content": "..."},
//                                            {"role": "user", "content": "..."}],
//               "max_tokens": 256, "temperature": 0.0, "seed": 7}}
//
// Back come, in any order, lines of which only this is read:
//
//     {"custom_id": "1f0c...-reader-000017", "error": null,
//      "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "HIDDEN"}}]}}}
//
// or, of a model that one asks oneself:
//
//     {"id": "1f0c...-reader-000017", "answer": "HIDDEN"}
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace sightline::host {

struct ChatPrompt {
  std::string id;            ///< custom_id
  std::string instructions;  ///< the system's message
  std::string question;      ///< the user's message
};

/// Whom the prompts are for.
struct ChatModel {
  std::string name = "MODEL";                 ///< as the server calls it
  std::int64_t max_tokens = 256;              ///< of one answer
  std::string max_tokens_key = "max_tokens";  ///< as the server calls that
  // Nothing is said of what is not given: not every server takes it.
  std::optional<double> temperature{};
  std::optional<std::int64_t> seed{};
};

/// The line of a prompt, with its end.
std::string chat_line(const ChatPrompt& prompt, const ChatModel& model);

/// The line of an answer in the plain form, with its end.
std::string answer_line(const std::string& id, const std::string& answer);

/// Text with which an id may be made: letters, digits and '-' stay, all else is '_', since some
/// servers allow no more.
std::string id_text(std::string text);

struct ChatAnswer {
  std::optional<std::string> text;  ///< none: the line has an error or no text
  std::string place;                ///< "answers.jsonl:17"
};
using ChatAnswers = std::map<std::string, ChatAnswer>;  ///< by id

/// Adds the answers of a file. Throws InputError, naming file and line, on a line of another format
/// and on an id that has a text already.
/// One without a text, of a request that failed, gives way to a later one.
void read_chat_answers(const std::string& path, ChatAnswers* answers);

/// Throws InputError, naming file and line, if an answer is of an id that is not known:
/// `whose` says whose prompts they should be of, `remedy` what to do.
void check_answers_are_known(const ChatAnswers& answers,
                             const std::function<bool(const std::string&)>& is_known,
                             const std::string& whose, const std::string& remedy);

}  // namespace sightline::host
