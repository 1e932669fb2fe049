#include "host/meta_memory/parse_episode.h"

#include <string>

namespace sightline::host {
namespace {

using Ask = EpisodicQuery::Ask;
using Event = EpisodicQuery::Event;
using Which = EpisodicQuery::Which;

constexpr const char* kDid = "did i|we|you";
constexpr const char* kBuilding = "the|a|any building";

class EpisodeParser {
 public:
  EpisodeParser(QueryReader* reader, EpisodicQuery* query, bool* take_me_there)
      : reader_(*reader), query_(*query), take_me_there_(*take_me_there) {}

  bool read() {
    const std::size_t before = reader_.position();
    const bool is_read = read_whether() || read_when() || read_where() || read_how_long() ||
                         read_how_many() || read_which_attribute();
    if (!is_read && !reader_.has_failed()) reader_.go_to(before);
    return is_read;
  }

 private:
  bool take(const std::string& words) { return reader_.take(words); }
  bool set(Ask ask, Event event) {
    query_.ask = ask;
    query_.event = event;
    return true;
  }
  /// Of a thing, which comes next.
  bool set_of_thing(Ask ask, Event event) {
    return reader_.read_noun_phrase(&query_.target) && set(ask, event);
  }
  /// No other question begins like this.
  bool fail() { return reader_.fail("no question of the language goes on like this"); }

  bool take_which() {
    if (query_.which != Which::kAny) return false;
    if (take("first")) query_.which = Which::kFirst;
    if (query_.which == Which::kAny && take("last")) query_.which = Which::kLast;
    return query_.which != Which::kAny;
  }
  /// "for the first time", "last"
  bool take_which_after() {
    if (query_.which != Which::kAny) return true;
    const std::size_t before = reader_.position();
    const bool is_long = take("for the") || take("the");
    if (take_which() && (!is_long || take("time"))) return true;
    query_.which = Which::kAny;
    reader_.go_to(before);
    return true;
  }

  // ---- what happened -------------------------------------------------------------------------

  /// "pass", "drive by": `before` ends with a blank, or is empty. "Through" is not told by how near
  /// one came; one comes by what one gets.
  bool take_passing(const std::string& before, bool is_past) {
    if (take(before + (is_past ? "passed by" : "pass by")) ||
        take(before + (is_past ? "driven|walked|gone|ridden|run by|past"
                               : "drive|walk|go|ride|run by|past")) ||
        take(before + "come past")) {
      is_bare_pass_ = false;
      return true;
    }
    is_bare_pass_ = take(before + (is_past ? "passed" : "pass"));
    return is_bare_pass_;
  }
  /// One goes "by bus", and passes the ball: neither is to come by a thing that stands there.
  bool read_passed(Ask ask) {
    const std::size_t before = reader_.position();
    if (!reader_.sees_determiner()) return reader_.fail("\"the\" or \"a\" must stand here");
    if (!set_of_thing(ask, Event::kPassing)) return false;
    const bool is_small = thing_classes()[query_.target.noun].scale == ClassScale::kDesk;
    return !(is_small && is_bare_pass_) ||
           reader_.fail_at(before, "is passed to somebody, or passed by: say which");
  }

  /// Own motion after "did you [first]": "turn around", "enter the building", "make a left turn".
  bool read_motion(Ask ask) {
    const std::size_t before = reader_.position();
    if (take("turn|turned around")) return set(ask, Event::kTurningAround);
    if (take("turn|turned left")) return set(ask, Event::kTurningLeft);
    if (take("turn|turned right")) return set(ask, Event::kTurningRight);
    if (take("turn")) return set(ask, Event::kTurning);
    if (take("enter|entered") || take("go|get|walk|drive|come into|inside")) {
      return read_building(before, ask, Event::kEntering);
    }
    if (take("leave|left|exit|exited") || take("go|get|walk|drive|come out of")) {
      return read_building(before, ask, Event::kLeaving);
    }
    return query_.which == Which::kAny && take("make") && read_a_turn(ask);
  }

  /// Of any building alone: outlines have no names. Where one left a thing is asked by the rest of
  /// the language, and begins `before`.
  bool read_building(std::size_t before, Ask ask, Event event) {
    if (take(kBuilding)) return set(ask, event);
    if (ask == Ask::kWhere) {
      reader_.go_to(before);
      return false;
    }
    take("the|a|an|any|my|our|your");
    return reader_.fail("\"the building\" must stand here: which one it was nobody can tell");
  }

  /// "a turn", "the first left turn"
  bool read_a_turn(Ask ask) {
    if (!take("a|the|your|my|our")) return false;
    take_which();
    return read_turn_noun("turn", ask);
  }
  bool read_turn_noun(const std::string& noun, Ask ask) {
    if (take("left " + noun)) return set(ask, Event::kTurningLeft);
    if (take("right " + noun)) return set(ask, Event::kTurningRight);
    return take(noun) && set(ask, Event::kTurning);
  }

  // ---- what is asked of it -------------------------------------------------------------------

  bool read_whether() {
    if (take_passing(std::string(kDid) + " ever? ", false) ||
        take_passing("have i|we|you ever? ", true)) {
      return read_passed(Ask::kWhether);
    }
    for (const char* place : {"in|inside the|a|any building", "indoors", "inside"}) {
      if (take("are|am i|we|you right? now? " + std::string(place))) {
        take("right? now");
        return set(Ask::kWhether, Event::kInside);
      }
    }
    if (!take("are|am i|we|you right? now? outside|outdoors")) return false;
    take("right? now");
    return set(Ask::kWhether, Event::kOutside);
  }

  bool read_when() {
    if (take("when was|were")) {
      if (take("the first|last time that? i|we|you saw|noticed|spotted")) {
        // The word before "time" tells which.
        return reader_.fail("ask \"when did you first see\" or \"when did you last see\"");
      }
      if (!reader_.read_noun_phrase(&query_.target)) return false;
      take_which();
      if (!take("seen|noticed|spotted")) return reader_.fail("\"seen\" must stand here");
      take_which_after();
      return set(Ask::kWhen, Event::kSeeing);
    }
    if (take("when have|had i|we|you")) {
      take_which();
      if (!take("seen|noticed|spotted")) return fail();
      if (!set_of_thing(Ask::kWhen, Event::kSeeing)) return false;
      return take_which_after();
    }
    if (!take(std::string("when ") + kDid)) return false;
    take_which();
    bool is_read = false;
    if (take("see|notice|spot")) {
      is_read = set_of_thing(Ask::kWhen, Event::kSeeing);
    } else if (take_passing("", false)) {
      is_read = read_passed(Ask::kWhen);
    } else {
      is_read = read_motion(Ask::kWhen) || fail();
    }
    return is_read && take_which_after();
  }

  /// Of one's own motion alone: where things are is asked by the rest of the language.
  bool read_where() {
    if (take("can|could|would|will you please? take|lead|guide|bring me to the "
             "position|place|point|spot where i|we|you made") ||
        take("can|could|would|will you please? go|drive|walk back? to the position|place|point|"
             "spot where i|we|you made")) {
      take_me_there_ = true;
      return read_a_turn(Ask::kWhere) || fail();
    }
    if (!take(std::string("where ") + kDid)) return false;
    take_which();
    return read_motion(Ask::kWhere) && take_which_after();
  }

  bool read_how_long() {
    if (take("for? how long have|had i|we|you been")) {
      query_.which = Which::kLast;
      return read_stretch() || fail();
    }
    if (take("for? how long was|were i|we|you")) {
      if (read_stretch()) return true;
      if (reader_.has_failed()) return false;
      const bool is_still = take("waiting|standing|stopped");
      if (take("near to?") || take("next to") || take("at|beside|by")) {
        return read_stay(is_still ? Event::kWaiting : Event::kStaying);
      }
      return fail();
    }
    for (const bool is_still : {false, true}) {
      const std::string verbs = is_still ? "wait|stand|stop " : "stay|remain ";
      for (const char* where : {"near to?", "next to", "at|beside|by"}) {
        if (!take(std::string("for? how long ") + kDid + " " + verbs + where)) continue;
        return read_stay(is_still ? Event::kWaiting : Event::kStaying);
      }
    }
    return false;
  }
  bool read_stay(Event event) {
    if (!set_of_thing(Ask::kHowLong, event)) return false;
    take("for");
    return true;
  }
  bool read_stretch() {
    for (const char* place : {"in|inside the|a|any building for?", "indoors for?", "inside for?"}) {
      if (take(place)) return set(Ask::kHowLong, Event::kInside);
    }
    return take("outside|outdoors for?") && set(Ask::kHowLong, Event::kOutside);
  }

  /// Of turns and of coming by a thing: how often one saw a thing has no plain count, as what is in
  /// sight for long is seen at once and again.
  bool read_times() {
    const bool is_read =
        take_passing("", false)
            ? read_passed(Ask::kHowMany)
            : (reader_.sees("turn|turned") && read_motion(Ask::kHowMany)) || fail();
    if (is_read) take("in total|all") || take("altogether|overall");
    return is_read;
  }

  bool read_how_many() {
    if (take("how often " + std::string(kDid))) return read_times();
    if (!take("how many")) return false;
    const std::string made = std::string(kDid) + " make";
    bool is_read = false;
    if (take("times " + std::string(kDid))) {
      return read_times();
    } else if (reader_.sees("left|right? turns " + made)) {
      is_read = read_turn_noun("turns", Ask::kHowMany) && take(made);
    } else if (reader_.read_noun_phrase(&query_.target)) {
      is_read = take(std::string(kDid) + " see|notice|spot") ||
                take("have i|we|you seen|noticed|spotted") || fail();
      set(Ask::kHowMany, Event::kSeeing);
    }
    if (is_read) take("in total|all") || take("altogether|overall");
    return is_read;
  }

  bool read_which_attribute() {
    Ask ask = Ask::kColour;
    if (take("what's|whats the color|colour of") ||
        take("what is|are|was|were the color|colour|colors|colours of")) {
      return read_attribute_of(ask);
    }
    if (take("what|which color|colour is|are|was|were")) return read_attribute_of(ask);
    ask = Ask::kMaterial;
    if (take("what|which material is|are|was|were")) {
      if (!read_attribute_of(ask)) return false;
      if (take("made")) take("of|from|out");
      return true;
    }
    const std::size_t before = reader_.position();
    NounPhrase thing;
    if (!reader_.sees("what is|are|was|were the|a|an|my|our|your")) return false;
    take("what is|are|was|were");
    if (!reader_.sees_noun_phrase()) {
      reader_.go_to(before);
      return false;
    }
    if (!read_attribute_of(ask)) return false;
    return take("made of|from") || take("made out of") || fail();
  }
  /// What is asked for must not be told already.
  bool read_attribute_of(Ask ask) {
    const std::size_t before = reader_.position();
    if (!set_of_thing(ask, Event::kSeeing)) return false;
    if ((query_.target.attributes & bits_asked_for(query_)) == 0) return true;
    return reader_.fail_at(before, "says what is asked for");
  }

  QueryReader& reader_;
  EpisodicQuery& query_;
  bool& take_me_there_;
  bool is_bare_pass_ = false;
};

}  // namespace

bool read_episode(QueryReader* reader, EpisodicQuery* query, bool* take_me_there) {
  return EpisodeParser(reader, query, take_me_there).read();
}

}  // namespace sightline::host
