// What a language model would be given for one trial, and how its answer is read.
//
// An arm that needs a language model is an exchange of files (host/sweep/prompt_exchange.h): the
// study says what is asked, whoever answers sees these texts and nothing else.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host/world/world.h"

namespace sightline::host {

struct Prompt {
  std::string instructions;          ///< the system's message; the same in every trial
  std::string question;              ///< the user's message
  std::vector<std::string> answers;  ///< the words it may answer; two or more, each a single word
  std::size_t right = 0;             ///< index into `answers`, of the truth; nobody is shown it
};

/// "x 1.25, y 0.00, z -3.50": metres to the centimetre.
std::string place_text(const kernels::Vec3& place_m);
/// "x 0.00 to 1.00, y 0.00 to 2.00, z 0.00 to 3.00"
std::string box_text(const Bounds& box_m);
/// The words of a line that begin as decimal numbers, in order. Marks after them are passed over.
std::vector<double> numbers_in(const std::string& line);

/// Which of the answers a text gives; none where it cannot be told. What counts is the last line
/// that has words: the answer in any case and with any marks around it, alone or after "answer:" or
/// "the answer is". "It is not visible" answers nothing.
std::optional<std::size_t> read_answer(const std::vector<std::string>& answers,
                                       const std::string& text);

}  // namespace sightline::host
