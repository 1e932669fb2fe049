// A program that answers in a language model's stead: the belief solver.
//
// It reads a ModelPrompt, which holds what the text of the prompt says, and no more. What it
// believes is what follows from the turns it is told of (revising_belief.h), each thing in the
// middle of where it may be; from that map it answers by exact solvers (task_solvers.h), and where
// it is asked what to do next it looks where it expects to learn most (gain_explorer.h). It shows
// what an ideal reasoner makes of the same words, and is no language model.
//
// One that guesses believes the same and commits itself to nothing: whenever it is asked, each
// thing is at some cell where it may be, drawn anew.
#pragma once

#include <cstdint>
#include <string>

#include "host/theory_of_space/model_prompt.h"

namespace sightline::host::tos {

enum class SolverKind : std::uint8_t { kSettles, kGuesses };

/// The answer in words, in the form that the prompt asks for. Equal prompts have equal answers.
std::string belief_answer(const ModelPrompt& prompt, SolverKind kind = SolverKind::kSettles);

}  // namespace sightline::host::tos
