// The texts of the studies over notes bound to objects: numbers, what they share, their faults.
#include "host/studies/note_texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "host/memory/hashed_embedder.h"
#include "host/studies/note_reader.h"
#include "support/errors.h"
#include "support/note_corpus.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using host::NoteReader;
using host::NoteTask;
using host::Scenario;
using tests::input_error_of;
using tests::note_corpus;
using tests::TemporaryFolder;
using tests::write_text;

constexpr NoteTask kTasks[] = {NoteTask::kWarning, NoteTask::kResume, NoteTask::kUpstreamFix,
                               NoteTask::kHandoff};

std::string name_of(NoteTask task) {
  return host::note_task_names()[static_cast<std::size_t>(task)];
}

std::vector<Scenario> scenarios_of(NoteTask task) {
  return host::read_scenarios(note_corpus() + "/" + name_of(task) + ".jsonl");
}

/// Stems of the words that carry meaning.
std::set<std::string> stems_of(const std::string& text, index::Stemmer* stemmer) {
  std::set<std::string> stems;
  for (const std::string& word : host::hashed_words(text)) stems.insert(stemmer->stem(word));
  return stems;
}

std::set<std::string> shared(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

TEST(FlatteningTexts, HaveTheNumbersOfThePaper) {
  for (const NoteTask task : kTasks) {
    SCOPED_TRACE(name_of(task));
    const auto scenarios = scenarios_of(task);
    const bool is_warning = task == NoteTask::kWarning;
    EXPECT_EQ(scenarios.size(), is_warning ? 24u : 18u);
    EXPECT_EQ(std::count_if(scenarios.begin(), scenarios.end(),
                            [](const Scenario& s) { return s.note.has_value(); }),
              is_warning ? 16 : 12);
  }
}

TEST(FlatteningTexts, SetsOfAScenarioAreAllDifferent) {
  for (const NoteTask task : kTasks) {
    const auto scenarios = scenarios_of(task);
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      if (!scenarios[i].note) continue;  // a control has six
      std::set<std::string> sets;
      for (std::int64_t set = 0; set < host::kNumParaphrases; ++set) {
        const auto worded = host::word(scenarios[i], static_cast<std::int64_t>(i), set);
        sets.insert(worded.action.text + worded.note->text + worded.others.at(0).text);
      }
      EXPECT_EQ(sets.size(), static_cast<std::size_t>(host::kNumParaphrases))
          << name_of(task) << " " << i;
    }
  }
}

TEST(FlatteningTexts, ActionAndNoteShareTheKindOfThingAlone) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  index::Stemmer stemmer("english");
  for (const NoteTask task : kTasks) {
    for (const Scenario& scenario : scenarios_of(task)) {
      if (!scenario.note) continue;
      const std::set<std::string> kind{stemmer.stem(host::kind_of(scenario.action.object))};
      for (const std::string& action : scenario.action.texts) {
        for (const std::string& note : scenario.note->texts) {
          const auto both = shared(stems_of(action, &stemmer), stems_of(note, &stemmer));
          if (task == NoteTask::kHandoff) {
            EXPECT_GE(both.size(), 2u) << action << " | " << note;
          } else {
            EXPECT_EQ(both, kind) << action << " | " << note;
          }
        }
      }
    }
  }
}

/// Notes of upstream_fix that tell no cause in words, as the corpus says.
constexpr int kCausesNotTold = 1;

TEST(FlatteningTexts, EveryNoteIsToldAndAboutItsObjectToAReader) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  NoteReader reader;
  for (const NoteTask task : kTasks) {
    int not_told = 0;
    for (const Scenario& scenario : scenarios_of(task)) {
      if (!scenario.note) continue;
      const auto& texts = scenario.note->texts;
      for (const std::string& text : texts) {
        EXPECT_TRUE(reader.may_be_about(scenario.action.object, text)) << text;
      }
      const auto told = std::count_if(texts.begin(), texts.end(), [&](const std::string& text) {
        return reader.is_told(task, text);
      });
      EXPECT_TRUE(told == 0 || told == static_cast<std::ptrdiff_t>(texts.size()))
          << name_of(task) << ", " << scenario.action.object << ": " << told;
      not_told += told == 0;
    }
    EXPECT_EQ(not_told, task == NoteTask::kUpstreamFix ? kCausesNotTold : 0) << name_of(task);
  }
}

TEST(FlatteningTexts, RequestsTellThatTroubleCameBackAsTheCorpusSays) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  NoteReader reader;
  int with_note = 0, controls = 0;
  for (const Scenario& scenario : scenarios_of(NoteTask::kUpstreamFix)) {
    const auto& texts = scenario.action.texts;
    const auto back = std::count_if(texts.begin(), texts.end(), [&](const std::string& text) {
      return reader.decides(NoteTask::kUpstreamFix, text, scenario.action.object, {}, false);
    });
    EXPECT_TRUE(back == 0 || back == static_cast<std::ptrdiff_t>(texts.size())) << texts[0];
    (scenario.note ? with_note : controls) += back > 0;
  }
  EXPECT_EQ(with_note, 9);
  EXPECT_EQ(controls, 1);
}

TEST(FlatteningTexts, FaultsAreToldWithTheirLine) {
  const TemporaryFolder temporary;
  const std::string path = temporary / "t.jsonl";
  const std::string action =
      R"({"scenario": 0, "role": "action", "object": "red gate", "text": "Oil the gate."})"
      "\n";
  const auto error_of = [&](const std::string& lines) {
    write_text(path, lines);
    return input_error_of([&] { host::read_scenarios(path); });
  };
  const auto line = [](const std::string& scenario, const std::string& role,
                       const std::string& object, const std::string& text) {
    return "{\"scenario\": " + scenario + ", \"role\": \"" + role + "\", \"object\": \"" + object +
           "\", \"text\": \"" + text + "\"}\n";
  };
  EXPECT_NE(error_of("").find("holds no scenario"), std::string::npos);
  EXPECT_NE(error_of(line("1", "action", "red gate", "Oil the gate.")).find("in order"),
            std::string::npos);
  EXPECT_NE(error_of(line("0", "action", "red gate", "Oil it.")).find("\"gate\""),
            std::string::npos);
  EXPECT_NE(error_of(line("0", "note", "red gate", "Never oil the gate.")).find("before"),
            std::string::npos);
  EXPECT_NE(error_of(action + line("0", "note", "old gate", "Never.")).find(":2"),
            std::string::npos);
  EXPECT_NE(error_of(action + line("0", "other", "red gate", "Never.")).find("\"note\""),
            std::string::npos);
  EXPECT_NE(error_of(action + line("0", "remark", "red gate", "Never.")).find("remark"),
            std::string::npos);
  EXPECT_NE(error_of(action + line("1", "action", "red gate", "Oil the gate.")).find("second"),
            std::string::npos);
  EXPECT_NE(error_of(action + line("1", "action", "old wall", "Oil the wall.") +
                     line("1", "other", "red gate", "Oiled."))
                .find("unclear"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline
