#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "host/config/suggest.h"
#include "host/error.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/model_evaluation.h"

namespace sightline::host::tos {

void check_settings(const EvaluationSettings& settings) {
  const bool is_told = settings.from == kFromTruth;
  for (const Ask ask : settings.asks) {
    if (is_told && ask != Ask::kTask && ask != Ask::kMapThenTask) {
      throw InputError(fmt::format(
          "--ask {} needs somebody to explore, and --from {} tells the true map; name an explorer",
          name_of(ask), kFromTruth));
    }
  }
  std::vector<std::string> names = explorer_names();
  if (std::find(names.begin(), names.end(), settings.from) != names.end()) return;
  if (is_told || settings.from == kFromModel) return;
  names.insert(names.end(), {kFromModel, kFromTruth});
  throw InputError("--from " + settings.from + ": nobody is called that; " +
                   suggestion(settings.from, names));
}

EpisodeOptions episode_of(const EvaluationSettings& settings, std::uint64_t scene,
                          bool has_changed) {
  EpisodeOptions options = evaluated_episode();
  options.field = settings.field;
  BinNoise& noise = options.noise;
  noise.direction = noise.distance = noise.facing = settings.noise;
  noise.seed = noise_seed(settings.seed, scene);
  if (has_changed) noise.seed = noise_seed(noise.seed, scene);
  return options;
}

}  // namespace sightline::host::tos
