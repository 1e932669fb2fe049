// The closed language of questions about where things are: English by fixed templates with
// synonyms. What does not parse is refused with its position, never guessed at.
//
//   basic    where is NP | where did I (put|leave|last see) NP | can you take me to NP
//   local    which (room|area|place) (has|contains) LIST | where can I find NP near LIST
//   global   where is [the ORDINAL] NP on the route from REF to REF
//            on the route from REF to REF, where is [the ORDINAL] NP
//            where is [the nearest] NP (to the) CARDINAL of REF
//            where is NP closest to the CARDINAL side of REF
//            where is NP between REF and REF
//            where is NP visible from REF
//            where is the nearest NP [to REF] [on foot]
//   whether  did I see NP | is there NP, and all that may follow "where is" but the nearest
//   episodic when did I [first|last] see NP | did I pass by NP | when did I [first|last] pass by NP
//            how many times (how often) did I pass by NP
//            how many NP did I see | what color is NP | what is NP made of
//            how long was I near NP | how long did I wait near NP
//            how many turns did I make | when (where) did I [first|last] turn [left|right|around]
//            when (where) did I [first|last] (enter|leave) the building | am I (inside|outside)
//            how long was I (inside|outside) | how long have I been (inside|outside)
//   LIST     NP, NP and NP
//   REF      here | my current location | (x, y) | NP
//   NP       [the|a|my|...] attributes noun [named "..."], the last two also "Room 423"; but for
//            what lies on desks also "..." attributes noun
//
// "Can you take me there?" may follow any of them. Letters are of any case, commas may stand before
// any part, and a full stop or question mark ends a question or does not. "my" says nothing about
// whose a thing is; "on the way to REF" starts here. A noun is of lexicon.h.
//
// Meta-Memory (Mao et al.), sections I, III.B and IV.A, and what its Figures 3 to 5 show.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/meta_memory/query.h"

namespace sightline::host {

/// A question that does not parse.
class QueryError : public InputError {
 public:
  QueryError(const std::string& message, std::size_t character)
      : InputError(message), character_(character) {}
  /// Of the question, from 1, where what does not parse begins; one past its end if it lacks
  /// something there.
  std::size_t character() const { return character_; }

 private:
  std::size_t character_;
};

/// What became of one question of many.
struct ParsedQuery {
  std::optional<Query> query;
  std::string error;          ///< without a query: "character 14, "unicorn": ..."
  std::size_t character = 0;  ///< as QueryError has it
};

constexpr std::size_t kMaxQuestionBytes = 4096;

/// Throws QueryError.
Query parse_query(const std::string& text);
/// The same, without an exception for what does not parse.
ParsedQuery try_parse_query(const std::string& text);
/// [texts.size()], on num_threads threads (0: all cores).
std::vector<ParsedQuery> parse_queries(const std::vector<std::string>& texts, int num_threads = 0);

/// The canonical question, which parses to the same query (NounPhrase::text apart, which holds the
/// words of the canonical question then). Throws InputError for a query that no question asks:
/// of an unknown class, with too few things or references, a place that is not finite, a name with
/// quotation marks.
std::string text_of(const Query& query);

/// The noun phrase of a canonical question: "red mug", without an article.
std::string text_of(const NounPhrase& thing);

/// Do both ask for the same? NounPhrase::text does not count.
bool same_query(const Query& a, const Query& b);

/// Does it ask from "here", so that one must know where that is?
bool says_here(const Query& query);

}  // namespace sightline::host
