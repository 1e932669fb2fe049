#include "host/studies/landscape_texts.h"

#include <algorithm>
#include <optional>

#include "host/error.h"
#include "host/memory/json_lines.h"
#include "host/studies/line_id.h"

namespace sightline::host {
namespace {

/// Fails on a brace that no name of `allowed` stands in.
void check_frame(const JsonObject& line, const std::string& frame,
                 const std::vector<std::string>& allowed) {
  for (std::size_t at = frame.find('{'); at != std::string::npos; at = frame.find('{', at + 1)) {
    const std::size_t end = frame.find('}', at);
    if (end == std::string::npos) line.fail("text opens a brace that it does not close");
    const std::string name = frame.substr(at + 1, end - at - 1);
    if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    std::string names;
    for (const std::string& one : allowed) names += (names.empty() ? "{" : ", {") + one + "}";
    line.fail("text has {" + name + "}; this kind of line may have " + names);
  }
}

LandscapePhrase read_phrase(const JsonObject& line, const std::string& text, bool is_activity) {
  LandscapePhrase phrase{text, "", 0};
  const std::optional<std::string> paraphrase = line.text("paraphrase");
  if (!paraphrase) line.fail_missing("paraphrase", "the same in other words");
  phrase.paraphrase = *paraphrase;
  if (!is_activity) return phrase;
  constexpr double kHighest = 10;
  const std::optional<double> importance = line.number("importance");
  if (!importance) line.fail_missing("importance", "1 (mundane) to 10");
  if (!(*importance >= 1 && *importance <= kHighest)) line.fail("importance must be from 1 to 10");
  phrase.importance = *importance;
  return phrase;
}

void read_question(const JsonObject& line, const std::string& text, LandscapeTexts* texts) {
  const std::optional<std::string> type = line.text("type");
  const auto* const found =
      std::find(kLandscapeTypeNames.begin(), kLandscapeTypeNames.end(), type.value_or(""));
  if (found == kLandscapeTypeNames.end()) {
    line.fail("type is \"" + type.value_or("") +
              "\"; the types are occlusion, relation, near_duplicate, multi_region and control");
  }
  std::vector<std::string> allowed{"material", "thing", "standpoint"};
  const auto index = static_cast<std::size_t>(found - kLandscapeTypeNames.begin());
  if (index == static_cast<std::size_t>(LandscapeType::kControl)) allowed[2] = "activity";
  if (index == static_cast<std::size_t>(LandscapeType::kMultiRegion)) {
    allowed.insert(allowed.end(), {"region", "other_region"});
  }
  check_frame(line, text, allowed);
  texts->questions[index].push_back(text);
}

void read_line(const JsonObject& line, LandscapeTexts* texts) {
  const std::optional<std::string> kind = line.text("kind"), text = line.text("text");
  if (!kind) line.fail_missing("kind", "\"kind\": \"thing\"");
  if (!text || text->empty()) line.fail_missing("text", "some words");
  if (*kind == "thing") {
    texts->things.push_back(read_phrase(line, *text, false));
  } else if (*kind == "material") {
    texts->materials.push_back(read_phrase(line, *text, false));
  } else if (*kind == "activity") {
    texts->activities.push_back(read_phrase(line, *text, true));
  } else if (*kind == "note") {
    check_frame(line, *text, {"material", "thing", "activity"});
    texts->notes.push_back(*text);
  } else if (*kind == "standpoint") {
    texts->standpoints.push_back(*text);
  } else if (*kind == "region") {
    texts->regions.push_back(*text);
  } else if (*kind == "question") {
    read_question(line, *text, texts);
  } else {
    line.fail("kind is \"" + *kind +
              "\"; the kinds are thing, material, activity, note, standpoint, region and question");
  }
}

void check_enough(const std::string& path, const std::string& what, std::size_t has,
                  std::size_t needs) {
  if (has >= needs) return;
  throw InputError(path + ": holds " + std::to_string(has) + " lines of " + what + "; give " +
                   std::to_string(needs) + " at least");
}

}  // namespace

LandscapeTexts read_landscape_texts(const std::string& path) {
  LandscapeTexts texts;
  JsonLines lines(path);
  std::int64_t row = 0;
  while (lines.next()) {
    const JsonObject line =
        lines.object({"id", "kind", "type", "text", "paraphrase", "importance"});
    check_line_id(line, row++);
    read_line(line, &texts);
  }
  constexpr std::size_t kNotes = 4;  // of a trial, each about a thing and an activity of its own
  check_enough(path, "kind thing", texts.things.size(), kNotes);
  check_enough(path, "kind material", texts.materials.size(), 1);
  check_enough(path, "kind activity", texts.activities.size(), kNotes);
  check_enough(path, "kind note", texts.notes.size(), 1);
  check_enough(path, "kind standpoint", texts.standpoints.size(), 1);
  check_enough(path, "kind region", texts.regions.size(), 2);
  for (std::size_t i = 0; i < kNumLandscapeTypes; ++i) {
    check_enough(path, std::string("type ") + kLandscapeTypeNames[i], texts.questions[i].size(), 1);
  }
  return texts;
}

std::string fill_frame(const std::string& frame, const LandscapeWords& words) {
  std::string filled;
  for (std::size_t at = 0; at < frame.size();) {
    const auto stands_here = [&](const auto& word) {
      return frame.compare(at, std::string(word.first).size() + 2,
                           "{" + std::string(word.first) + "}") == 0;
    };
    const auto word = std::find_if(words.begin(), words.end(), stands_here);
    if (word == words.end()) {
      filled += frame[at++];
    } else {
      filled += word->second;
      at += std::string(word->first).size() + 2;
    }
  }
  if (!filled.empty() && filled[0] >= 'a' && filled[0] <= 'z') {
    filled[0] = static_cast<char>(filled[0] - 'a' + 'A');
  }
  return filled;
}

}  // namespace sightline::host
