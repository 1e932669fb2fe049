#include "host/studies/note_texts.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "host/memory/json_lines.h"
#include "host/studies/line_id.h"
#include "index/lexical_index.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kStride = 7;  ///< so that scenarios of a set do not all use phrasing 0
constexpr std::int64_t kMaxScenarios = 100000;

std::string text_of(const JsonObject& line, const char* key, const char* example) {
  const auto text = line.text(key);
  if (!text || text->empty()) line.fail_missing(key, example);
  return *text;
}

/// The note of `notes` on an object, made if there is none.
PhrasedNote& note_on(const std::string& object, std::vector<PhrasedNote>* notes) {
  const auto known = std::find_if(notes->begin(), notes->end(),
                                  [&](const PhrasedNote& note) { return note.object == object; });
  if (known != notes->end()) return *known;
  return notes->emplace_back(PhrasedNote{object, {}});
}

void add_action(const JsonObject& line, const Note& said, PhrasedNote* action) {
  if (action->object.empty()) action->object = said.object;
  if (action->object != said.object) line.fail("acts on a second object in one scenario");
  const auto words = index::split_words(said.text);
  if (std::find(words.begin(), words.end(), kind_of(said.object)) == words.end()) {
    line.fail("must name what it acts on: no \"" + kind_of(said.object) + "\" in its text");
  }
  action->texts.push_back(said.text);
}

void add_line(const JsonObject& line, Scenario* scenario) {
  const Note said{text_of(line, "object", "\"object\": \"cedar footbridge\""),
                  text_of(line, "text", "\"text\": \"Mow the meadow.\"")};
  const std::string role = text_of(line, "role", "\"role\": \"action\"");
  if (role == "action") return add_action(line, said, &scenario->action);
  if (scenario->action.object.empty()) line.fail("comes before the action of its scenario");
  const bool on_object = said.object == scenario->action.object;
  if (role == "note") {
    if (!on_object) line.fail("must be on the object of the action; else its role is \"other\"");
    if (!scenario->note) scenario->note = PhrasedNote{said.object, {}};
    scenario->note->texts.push_back(said.text);
  } else if (role == "other") {
    if (on_object) line.fail("is on the object of the action; its role is \"note\"");
    note_on(said.object, &scenario->others).texts.push_back(said.text);
  } else {
    line.fail("role is \"" + role + "\"; must be action, note or other");
  }
}

const std::string& phrasing(const PhrasedNote& note, std::int64_t number) {
  return note.texts[static_cast<std::size_t>(number) % note.texts.size()];
}

}  // namespace

std::string kind_of(const std::string& object) {
  const auto words = index::split_words(object);
  return words.empty() ? std::string() : words.back();
}

std::vector<Scenario> read_scenarios(const std::string& path) {
  std::vector<Scenario> scenarios;
  std::set<std::string> acted_on;
  JsonLines lines(path);
  std::int64_t row = 0;
  while (lines.next()) {
    const JsonObject line = lines.object({"id", "scenario", "role", "object", "text"});
    check_line_id(line, row++);
    const auto number = line.count("scenario", kMaxScenarios);
    if (!number) line.fail_missing("scenario", "\"scenario\": 0");
    const auto num_known = static_cast<std::int64_t>(scenarios.size());
    if (*number == num_known) {
      scenarios.emplace_back();
    } else if (*number + 1 != num_known) {
      line.fail("scenarios must come in order, from 0");
    }
    add_line(line, &scenarios.back());
    if (*number == num_known && !acted_on.insert(scenarios.back().action.object).second) {
      line.fail("a second scenario acts on this object");
    }
  }
  if (scenarios.empty()) lines.fail("holds no scenario");
  for (const Scenario& scenario : scenarios) {
    for (const PhrasedNote& other : scenario.others) {
      if (acted_on.count(other.object) == 0) continue;
      lines.fail("a note of role \"other\" is on the " + other.object +
                 ", on which a scenario acts; what is right there would be unclear");
    }
  }
  return scenarios;
}

std::vector<Note> read_episodes(const std::string& path) {
  std::vector<Note> episodes;
  JsonLines lines(path);
  std::int64_t row = 0;
  while (lines.next()) {
    const JsonObject line = lines.object({"id", "object", "text"});
    check_line_id(line, row++);
    episodes.push_back({text_of(line, "object", "\"object\": \"cedar footbridge\""),
                        text_of(line, "text", "\"text\": \"Mowed the meadow.\"")});
  }
  return episodes;
}

WordedScenario word(const Scenario& scenario, std::int64_t index, std::int64_t paraphrase) {
  const std::int64_t choice = paraphrase + kStride * index;
  const auto num_actions = static_cast<std::int64_t>(scenario.action.texts.size());
  const auto num_notes =
      scenario.note ? static_cast<std::int64_t>(scenario.note->texts.size()) : std::int64_t{1};
  WordedScenario worded;
  worded.action = {scenario.action.object, phrasing(scenario.action, choice)};
  if (scenario.note) worded.note = Note{scenario.note->object, phrasing(*scenario.note, choice)};
  const std::int64_t of_others = choice / std::lcm(num_actions, num_notes);
  for (const PhrasedNote& other : scenario.others) {
    worded.others.push_back({other.object, phrasing(other, of_others)});
  }
  return worded;
}

}  // namespace sightline::host
