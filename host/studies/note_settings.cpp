#include "host/studies/note_settings.h"

#include "host/studies/note_texts.h"

namespace sightline::host {

NoteSettings parse_note_settings(const StudySettings& settings) {
  constexpr std::int64_t kMaxDepth = 1000000;
  NoteSettings parsed;
  parsed.folder = settings.study.at("texts").as_text();
  parsed.seed = settings.seed;
  if (const auto* set = settings.study.find("paraphrase")) {
    parsed.paraphrase = set->as_integer(0, kNumParaphrases - 1);
  }
  if (const auto* depth = settings.study.find("top_k")) {
    parsed.top_k = depth->as_integer(1, kMaxDepth);
  }
  for (const auto& arm : settings.arms) {
    parsed.arms.push_back(parse_note_arm(arm.second, parsed.top_k));
  }
  return parsed;
}

}  // namespace sightline::host
