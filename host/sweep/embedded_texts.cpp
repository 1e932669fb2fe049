#include "host/sweep/embedded_texts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_set>

#include "host/config/json_text.h"
#include "host/error.h"
#include "host/sweep/measures.h"
#include "host/sweep/study_experiment.h"

namespace sightline::host {

std::string embedded_text_lines(const SweepPlan& plan, Device& device) {
  if (kind_of(plan.resolved()) != ExperimentKind::kStudy) {
    throw InputError(plan.name() + ": has no study; name a sweep file with study:");
  }
  std::string lines;
  std::unordered_set<std::string> listed;
  for (std::int64_t i = 0; i < plan.num_configurations(); ++i) {
    const StudyExperiment experiment = parse_study_experiment(plan.configuration(i).settings);
    for (const std::string& text : experiment.study->embedded_texts(device)) {
      if (!listed.insert(text).second) continue;
      lines += fmt::format("{{\"id\": {}, \"text\": {}}}\n", listed.size() - 1,
                           json_text(nlohmann::json(text)));
    }
  }
  if (!listed.empty()) return lines;
  throw InputError(plan.name() +
                   ": embeds no text but lines of its files; embed those (scripts/embed.py)");
}

}  // namespace sightline::host
