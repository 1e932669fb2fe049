#include "host/studies/note_settings.h"

#include <algorithm>

#include "host/config/place.h"
#include "host/studies/note_texts.h"

namespace sightline::host {

NoteSettings parse_note_settings(const StudySettings& settings,
                                 const std::vector<std::string>& names) {
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
  for (const std::string& name : names) parsed.files.push_back(parsed.file(name));
  const ConfigValue* embeddings = settings.study.find("embeddings");
  if (embeddings && !embeddings->is_null()) {
    for (const std::string& name : names) {
      const std::string list = parsed.file(name);
      const auto texts = at_place(settings.study.at("texts").where(),
                                  [&] { return TextEmbedder::read_list(list); });
      at_place(embeddings->where(),
               [&] { parsed.embedder.add(list, texts, embeddings->as_text() + "/" + name); });
    }
    for (const std::string& file : parsed.embedder.files()) {
      if (std::count(parsed.files.begin(), parsed.files.end(), file) == 0) {
        parsed.files.push_back(file);
      }
    }
  }
  for (const auto& arm : settings.arms) {
    parsed.arms.push_back(parse_note_arm(arm.second, parsed.top_k, parsed.embedder));
  }
  return parsed;
}

}  // namespace sightline::host
