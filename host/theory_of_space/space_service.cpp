#include "host/theory_of_space/space_service.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "host/config/json_text.h"
#include "host/config/tool_lines.h"
#include "host/theory_of_space/briefing_text.h"
#include "host/theory_of_space/space_tools.h"
#include "host/theory_of_space/turn_json.h"

namespace sightline::host::tos {
namespace {

using Json = nlohmann::ordered_json;

/// An episode under way, and what an ideal observer makes of it.
struct Play {
  Play(const Scene& scene, const EpisodeOptions& options, Profile profile, bool tells)
      : episode(scene, options),
        belief(scene.num_items(), scene.grid, belief_options(scene, options, profile)),
        tells_truth(tells) {}

  Episode episode;
  RevisingBelief belief;
  bool tells_truth;
};

std::string episode_name(const Json& arguments) {
  return value_or<std::string>(arguments, "episode", "main");
}

EpisodeOptions options_of(const Json& arguments, std::size_t scene) {
  EpisodeOptions options;
  options.budget = value_or<int>(arguments, "budget", options.budget);
  options.field = *field_of_view(value_or<int>(arguments, "field_of_view", 90));
  options.queries_need_sight = value_or<bool>(arguments, "queries_need_sight", false);
  options.allows_return = value_or<bool>(arguments, "allows_return", true);
  BinNoise& noise = options.noise;
  noise.direction = noise.distance = noise.facing = value_or<double>(arguments, "noise", 0);
  noise.seed = noise_seed(value_or<std::uint64_t>(arguments, "seed", 1), scene);
  return options;
}

}  // namespace

class SpaceService::Calls {
 public:
  explicit Calls(const std::vector<Scene>& scenes) : scenes_(scenes) {
    for (std::size_t i = 0; i < scenes.size(); ++i) numbers_.emplace(scenes[i].id, i);
  }

  Json call(const std::string& tool, const Json& arguments) {
    if (tool == "scenes") return list_scenes(arguments);
    if (tool == "reset") return reset(arguments);
    if (tool == "step") return step(arguments);
    return tool == "belief" ? belief(arguments) : close(arguments);
  }

 private:
  Json list_scenes(const Json& arguments) const {
    const auto first = value_or<std::size_t>(arguments, "first", 0);
    const auto count = value_or<std::size_t>(arguments, "count", 100);
    Json list = Json::array();
    for (std::size_t i = first; i < std::min(scenes_.size(), first + count); ++i) {
      const Scene& scene = scenes_[i];
      list.push_back({{"number", i},
                      {"scene", scene.id},
                      {"rooms", scene.num_rooms()},
                      {"objects", scene.objects.size()},
                      {"doors", scene.doors.size()}});
    }
    return {{"num_scenes", scenes_.size()}, {"scenes", std::move(list)}};
  }

  std::size_t number_of(const Json& scene) const {
    if (scene.is_string()) {
      const auto found = numbers_.find(scene.get<std::string>());
      if (found != numbers_.end()) return found->second;
      throw ArgumentError("args.scene", "is no scene's id; the tool \"scenes\" lists them");
    }
    const auto number = scene.get<std::size_t>();
    if (number < scenes_.size()) return number;
    throw ArgumentError("args.scene", "is " + std::to_string(number) + "; the last scene is " +
                                          std::to_string(scenes_.size() - 1));
  }

  Json reset(const Json& arguments) {
    const std::size_t number = number_of(arguments.at("scene"));
    const std::string name = episode_name(arguments);
    if (plays_.count(name) == 0 && plays_.size() >= kMostEpisodes) {
      throw RequestError("refused", "args.episode",
                         "there are " + std::to_string(kMostEpisodes) +
                             " episodes under way; close one, or reset it");
    }
    const Scene& scene = scenes_[number];
    const EpisodeOptions options = options_of(arguments, number);
    const bool is_paper = value_or<std::string>(arguments, "profile", "code") == "paper";
    plays_.insert_or_assign(
        name, std::make_unique<Play>(scene, options, is_paper ? Profile::kPaper : Profile::kCode,
                                     value_or<bool>(arguments, "tells_truth", false)));
    const Briefing briefing = briefing_of(scene);
    const auto doors = briefing.names.begin() + briefing.num_objects;
    Json result{{"episode", name}, {"scene", scene.id}, {"number", number}};
    result["objects"] = std::vector<std::string>(briefing.names.begin(), doors);
    result["doors"] = std::vector<std::string>(doors, briefing.names.end());
    result["grid"] = briefing.grid;
    result["field_of_view"] = degrees_of(options.field);
    result["budget"] = options.budget > 0 ? Json(options.budget) : Json(nullptr);
    result["instructions"] = briefing_text(briefing, options);
    return result;
  }

  /// Throws RequestError if none is called so.
  Play& play(const Json& arguments) {
    const auto found = plays_.find(episode_name(arguments));
    if (found != plays_.end()) return *found->second;
    throw RequestError("refused", "args.episode",
                       "no episode \"" + episode_name(arguments) + "\" is under way; reset one");
  }

  Json step(const Json& arguments) {
    Play& now = play(arguments);
    Episode& episode = now.episode;
    if (episode.has_ended()) {
      throw RequestError(
          "refused", "args.episode",
          "the episode \"" + episode_name(arguments) + "\" has ended; close it, or reset it");
    }
    const Turn& turn = episode.act(arguments.at("actions").get_ref<const std::string&>());
    now.belief.add(turn, episode.node());
    TurnJsonOptions options;
    options.tells_truth = now.tells_truth;
    options.information_gain = now.belief.belief().information_gain();
    const int budget = episode.options().budget;
    return {{"turn", parse_json<Json>(turn_json(episode, options))},
            {"turns_left", budget > 0 ? Json(budget - episode.num_turns()) : Json(nullptr)}};
  }

  Json belief(const Json& arguments) {
    const Play& now = play(arguments);
    Json things = Json::array();
    for (int item = 0; item < now.belief.belief().num_items(); ++item) {
      const int cells = now.belief.belief().domain_size(item);
      things.push_back({{"name", now.episode.scene().name_of(item)},
                        {"cells", cells < 0 ? Json(nullptr) : Json(cells)}});
    }
    return {{"information_gain", now.belief.belief().information_gain()},
            {"certain", now.belief.belief().is_certain()},
            {"contradictory", now.belief.num_dropped() > 0},
            {"things", std::move(things)}};
  }

  Json close(const Json& arguments) {
    const Play& now = play(arguments);
    const Episode& episode = now.episode;
    Json result{{"scene", episode.scene().id},
                {"ended", episode.has_ended()},
                {"turns", episode.num_turns()},
                {"observes", episode.num_observes()},
                {"cost", episode.cost()},
                {"information_gain", now.belief.belief().information_gain()},
                {"node_coverage", episode.node_coverage()},
                {"edge_coverage", episode.edge_coverage()}};
    plays_.erase(episode_name(arguments));
    return result;
  }

  const std::vector<Scene>& scenes_;
  std::unordered_map<std::string, std::size_t> numbers_;  ///< by id
  std::map<std::string, std::unique_ptr<Play>> plays_;    ///< by name
};

SpaceService::SpaceService(const std::vector<Scene>& scenes)
    : calls_(std::make_unique<Calls>(scenes)) {}
SpaceService::~SpaceService() = default;

std::string SpaceService::answer(const std::string& line) {
  return answer_tool_line(space_tools(), line,
                          [this](const std::string& tool, const Json& arguments) {
                            return calls_->call(tool, arguments);
                          });
}

}  // namespace sightline::host::tos
