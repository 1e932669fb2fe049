// Reads the parts that questions are made of: fixed words, noun phrases, references, lists.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "host/meta_memory/query.h"
#include "host/meta_memory/query_words.h"

namespace sightline::host {

/// Goes through the words of a question from left to right. A function that returns false and has
/// not failed leaves the reader where it was.
class QueryReader {
 public:
  explicit QueryReader(const std::string& question)
      : question_(question), words_(words_of_question(question)) {}

  /// Goes past words that match a pattern: words parted by blanks, each with its alternatives
  /// parted by |, one that ends with ? may be absent. Commas before the first are passed over.
  bool take(std::string_view pattern);
  /// Do words that match come next?
  bool sees(std::string_view pattern);
  /// Does the name of a class come next that has several words, such as "first aid kit"?
  bool sees_long_name() const;
  /// Does a noun phrase come next?
  bool sees_noun_phrase();
  /// Goes past commas and stops.
  void take_punctuation();
  bool at_end() const { return word().kind == QueryWord::Kind::kEnd; }

  std::size_t position() const { return at_; }
  void go_to(std::size_t position) { at_ = position; }

  /// "the", "a", "any", "my" ...; false, without failing, if the next word is none.
  bool sees_determiner();

  /// Each of these fails if what comes next is no such thing.
  bool read_noun_phrase(NounPhrase* thing);
  bool read_reference(Reference* reference);
  /// A, B and C: `fewest` at least, added to `things`.
  bool read_list(std::size_t fewest, std::vector<NounPhrase>* things);
  /// "north", "south west", "Eastern"; false, without failing, if none comes next.
  bool take_cardinal(Cardinal* cardinal);
  /// "can you take me there", as a part of its own; false, without failing, if it does not come.
  bool take_me_there();

  /// The question does not parse: the word that stands there, and why. The first one counts.
  bool fail_at(std::size_t position, const std::string& why);
  bool fail(const std::string& why) { return fail_at(at_, why); }
  bool has_failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }
  std::size_t error_character() const { return error_character_; }

 private:
  struct Core;  ///< attributes and noun
  const QueryWord& word() const { return words_[at_]; }
  bool is_word(std::size_t at, std::string_view alternatives) const;
  bool find_core(std::size_t at, Core* core) const;
  void take_articles();
  std::size_t find_noun(std::size_t at, ClassId* noun) const;
  bool fail_noun_phrase();
  bool take_name_before(std::string* name);
  bool may_be_stuff(std::size_t at, const NounPhrase& thing) const;
  bool goes_on_name(std::size_t begin) const;
  bool read_name(NounPhrase* thing);
  std::string text_between(std::size_t begin, std::size_t end) const;

  const std::string& question_;
  const std::vector<QueryWord> words_;
  std::size_t at_ = 0;
  std::string error_;
  std::size_t error_character_ = 0;
};

}  // namespace sightline::host
