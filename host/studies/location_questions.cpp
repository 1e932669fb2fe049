#include "host/studies/location_questions.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "host/memory/finder_errors.h"
#include "host/meta_memory/embodied_rag.h"
#include "host/meta_memory/planner.h"
#include "host/meta_memory/remembr.h"
#include "host/random.h"
#include "host/studies/location_walks.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

struct LocationArm {
  enum class Kind { kMetaMemory, kRemembr, kEmbodiedRag };
  Kind kind = Kind::kMetaMemory;
  bool checks_images = true;
  PlannerOptions planner;
  RemembrOptions remembr;
  bool is_semantic = false;  ///< of Embodied-RAG
};

void read_flag(const ConfigValue& map, const char* key, bool* flag) {
  if (const ConfigValue* value = map.find(key)) *flag = value->as_bool();
}

void read_count(const ConfigValue& map, const char* key, std::int64_t* count) {
  constexpr std::int64_t kMost = 10000;
  if (const ConfigValue* value = map.find(key)) *count = value->as_integer(1, kMost);
}

/// All counts of what a search by meaning brings back, in the ratios that they have by default.
void read_k(const ConfigValue& map, PlannerOptions* planner) {
  const PlannerOptions usual;
  read_count(map, "k", &planner->basic_k);
  planner->local_k = planner->basic_k * usual.local_k / usual.basic_k;
  planner->global_k = planner->basic_k * usual.global_k / usual.basic_k;
  planner->retry_k = planner->basic_k * usual.retry_k / usual.basic_k;
}

void read_length(const ConfigValue& map, const char* key, double* length_m) {
  if (const ConfigValue* value = map.find(key)) *length_m = value->as_positive();
}

LocationArm parse_arm(const ConfigValue& map) {
  LocationArm arm;
  arm.kind = static_cast<LocationArm::Kind>(
      map.at("answer").as_choice({"meta_memory", "remembr", "embodied_rag"}));
  arm.planner.keeps_log = false;
  if (arm.kind == LocationArm::Kind::kMetaMemory) {
    map.allow_only({"answer", "images", "locates", "spatial_range", "integration", "k", "scan_k",
                    "radius_m", "scan_radius_m", "route_reach_m"});
    read_flag(map, "images", &arm.checks_images);
    read_flag(map, "locates", &arm.planner.uses_thing_places);
    read_flag(map, "spatial_range", &arm.planner.uses_spatial_range);
    read_flag(map, "integration", &arm.planner.uses_integration);
    read_k(map, &arm.planner);
    read_count(map, "scan_k", &arm.planner.scan_k);
    read_length(map, "radius_m", &arm.planner.place_m);
    if (map.find("radius_m")) arm.planner.companion_m = arm.planner.place_m;
    read_length(map, "scan_radius_m", &arm.planner.scan_step_m);
    read_length(map, "route_reach_m", &arm.planner.rules.route_reach_m);
  } else if (arm.kind == LocationArm::Kind::kRemembr) {
    map.allow_only({"answer", "looks_around", "k"});
    read_flag(map, "looks_around", &arm.remembr.looks_around);
    read_count(map, "k", &arm.remembr.num_texts);
  } else {
    map.allow_only({"answer", "search"});
    if (const ConfigValue* search = map.find("search")) {
      arm.is_semantic = search->as_choice({"hierarchy", "semantic"}) == 1;
    }
  }
  return arm;
}

struct LocationSettings {
  LocationWalkSettings walk;
  PlaceQuestionType type = PlaceQuestionType::kBasic;
  CaptionNoise captions;
  OracleNoise verifier;
  std::vector<std::uint64_t> noise_seeds{1};  ///< each question is asked once under each
  AnswerMode mode = AnswerMode::kViewpoint;
  double within_m = 15;
};

void read_rate(const ConfigValue& map, const char* key, double* rate) {
  if (const ConfigValue* value = map.find(key)) *rate = value->as_number(0, 1);
}

std::vector<std::uint64_t> parse_noise_seeds(const ConfigValue& study) {
  constexpr std::int64_t kMostSeeds = 1'000'000;
  const auto seed_of = [](const ConfigValue& value) {
    return static_cast<std::uint64_t>(value.as_integer(0, kMostSeeds));
  };
  const ConfigValue *one = study.find("noise_seed"), *many = study.find("noise_seeds");
  if (one && many) many->fail_at_key("goes in place of noise_seed; leave one of them out");
  if (one) return {seed_of(*one)};
  if (!many) return {1};
  std::vector<std::uint64_t> seeds;
  for (const ConfigValue& value : many->items()) {
    seeds.push_back(seed_of(value));
    if (std::count(seeds.begin(), seeds.end(), seeds.back()) > 1) {
      value.fail("stands there twice: the same errors again are no new evidence");
    }
  }
  if (seeds.empty()) many->fail("needs at least one seed, such as [1, 2, 3]");
  return seeds;
}

LocationSettings parse_settings(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only({"sequence", "campus", "clip_s", "type", "noise", "noise_seed", "noise_seeds",
                    "answer", "within_m", "places_told", "never", "mention", "attribute_dropped",
                    "similarity_sigma", "recall", "false_positive_rate"});
  LocationSettings parsed;
  parsed.walk = parse_walk(study, settings.seed);
  parsed.type =
      static_cast<PlaceQuestionType>(study.at("type").as_choice({"basic", "local", "global"}));
  const std::size_t noise = study.at("noise").as_choice({"default", "mild", "perfect"});
  constexpr const char* kPresets[] = {"default", "mild", "perfect"};
  constexpr double kRecall[] = {0.85, 0.8, 1}, kFalsePositives[] = {0.005, 0.01, 0};
  parsed.captions = caption_noise_preset(kPresets[noise]);
  parsed.verifier.recall = kRecall[noise];
  parsed.verifier.false_positive_rate = kFalsePositives[noise];
  parsed.noise_seeds = parse_noise_seeds(study);
  read_flag(study, "places_told", &parsed.captions.tells_places);
  if (study.find("never")) {
    read_rate(study, "never", &parsed.captions.never_small);
    parsed.captions.never_large = parsed.captions.never_small;
  }
  read_rate(study, "mention", &parsed.captions.mention);
  if (const ConfigValue* dropped = study.find("attribute_dropped")) {
    parsed.captions.attribute_dropped = dropped->as_number(0, 1 - parsed.captions.attribute_wrong);
  }
  read_rate(study, "similarity_sigma", &parsed.captions.similarity_sigma);
  read_rate(study, "recall", &parsed.verifier.recall);
  read_rate(study, "false_positive_rate", &parsed.verifier.false_positive_rate);
  if (const ConfigValue* mode = study.find("answer")) {
    parsed.mode = static_cast<AnswerMode>(mode->as_choice({"viewpoint", "object"}));
  }
  read_length(study, "within_m", &parsed.within_m);
  return parsed;
}

/// What a system without a planner searches for: the things asked for, in words.
std::string words_of(const Query& query) {
  if (const auto* basic = std::get_if<BasicQuery>(&query.asked)) return basic->target.text;
  if (const auto* global = std::get_if<GlobalQuery>(&query.asked)) return global->target.text;
  std::string words;
  for (const NounPhrase& thing : std::get<LocalQuery>(query.asked).things) {
    words += (words.empty() ? "" : " and ") + thing.text;
  }
  return words;
}

const NounPhrase& thing_of(const Query& query) {
  if (const auto* basic = std::get_if<BasicQuery>(&query.asked)) return basic->target;
  if (const auto* global = std::get_if<GlobalQuery>(&query.asked)) return global->target;
  return std::get<LocalQuery>(query.asked).things.front();
}

/// The time that a question is about: the end of the walk, of what was seen last.
std::optional<double> time_of(const Query& query, const EntryTable& entries) {
  const auto* basic = std::get_if<BasicQuery>(&query.asked);
  if (!basic || !basic->latest || entries.size() == 0) return std::nullopt;
  return *std::max_element(entries.time_s.begin(), entries.time_s.end());
}

/// The questions of one walk, asked of all arms under one draw of the errors.
class OneDraw {
 public:
  OneDraw(const LocationSettings& settings, std::uint64_t noise_seed,
          const std::vector<LocationArm>& arms)
      : settings_(settings), arms_(arms) {
    // Each walk errs in its own way; all arms in the same.
    constexpr std::uint64_t kStream = stream_of("location questions: errors");
    settings_.captions.seed = settings_.verifier.seed =
        RandomItem(noise_seed, kStream, static_cast<std::uint64_t>(settings_.walk.sequence))();
  }

  std::vector<ArmAnswers> answers() const {
    const RememberedWalk walk = remember_walk(settings_.walk, settings_.captions);
    return with_our_errors([&] {
      const CaptionIndex captions(walk.entries);
      std::vector<ArmAnswers> answers;
      for (const LocationArm& arm : arms_) answers.push_back(ask(arm, walk, captions));
      return answers;
    });
  }

 private:
  bool is_right(const PlaceQuery& query, const Vec3& answer) const {
    const Vec3& truth =
        settings_.mode == AnswerMode::kObject ? query.truth.object_m : query.truth.viewpoint_m;
    const Vec3 apart = kernels::minus(answer, truth);
    return kernels::dot(apart, apart) < settings_.within_m * settings_.within_m;
  }

  std::function<double(const std::string&, std::int64_t)> similarity_error() const {
    if (settings_.captions.similarity_sigma == 0) return {};
    return [this](const std::string& text, std::int64_t row) {
      return similarity_noise(text, static_cast<std::uint64_t>(row), settings_.captions);
    };
  }

  ArmAnswers ask(const LocationArm& arm, const RememberedWalk& walk,
                 const CaptionIndex& captions) const {
    if (arm.kind == LocationArm::Kind::kMetaMemory) return ask_planner(arm, walk, captions);
    std::vector<std::vector<double>> similarity;
    for (const PlaceQuery* query : walk.questions_of(settings_.type)) {
      similarity.push_back(similarities(words_of(query->query), walk.entries, captions));
    }
    return arm.kind == LocationArm::Kind::kRemembr ? ask_remembr(arm, walk, similarity)
                                                   : ask_forest(arm, walk, similarity);
  }

  ArmAnswers ask_planner(const LocationArm& arm, const RememberedWalk& walk,
                         const CaptionIndex& captions) const {
    const SemanticRetrieval semantic(captions);
    const SpatialRange spatial(captions);
    PlaceMemory memory;
    memory.captions = &captions;
    memory.semantic = &semantic;
    memory.spatial = &spatial;
    memory.map = &walk.map;
    memory.is_free = sight_over(*walk.world.campus);
    memory.similarity_error = similarity_error();
    OracleVerifier oracle(settings_.verifier);
    const Planner planner(memory, arm.checks_images ? &oracle : nullptr, arm.planner);
    ArmAnswers answers;
    for (const PlaceQuery* query : walk.questions_of(settings_.type)) {
      const PlaceAnswer answer = planner.answer(query->query, query->text, std::nullopt);
      const bool has_answer = answer.entry >= 0;
      answers.num_unanswered += has_answer ? 0 : 1;
      answers.right.push_back(has_answer && is_right(*query, answer.position_m(settings_.mode)));
    }
    answers.num_candidates = oracle.num_checks();  // images looked at
    answers.coordinate_reads = walk.entries.size();
    return answers;
  }

  std::vector<double> similarities(const std::string& text, const EntryTable& entries,
                                   const CaptionIndex& captions) const {
    const std::vector<float> asked = embed_text(entries, text);
    const auto error = similarity_error();
    std::vector<double> all;
    for (std::int64_t row = 0; row < entries.size(); ++row) {
      all.push_back(captions.similarity(asked, row) + (error ? error(text, row) : 0));
    }
    return all;
  }

  ArmAnswers ask_remembr(const LocationArm& arm, const RememberedWalk& walk,
                         const std::vector<std::vector<double>>& similarity) const {
    ArmAnswers answers;
    const std::vector<const PlaceQuery*> asked = walk.questions_of(settings_.type);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const PlaceQuery& query = *asked[i];
      const std::int64_t row = answer_by_remembr(walk.entries, similarity[i], thing_of(query.query),
                                                 arm.remembr, time_of(query.query, walk.entries));
      answers.right.push_back(
          is_right(query, walk.entries.position_m[static_cast<std::size_t>(row)]));
    }
    if (arm.remembr.looks_around) answers.coordinate_reads = walk.entries.size();
    return answers;
  }

  ArmAnswers ask_forest(const LocationArm& arm, const RememberedWalk& walk,
                        const std::vector<std::vector<double>>& similarity) const {
    std::vector<Vec3> places;
    std::vector<std::string> texts;
    for (std::int64_t row = 0; row < walk.entries.size(); ++row) {
      places.push_back(walk.entries.position_m[static_cast<std::size_t>(row)]);
      texts.emplace_back(walk.entries.caption(row));
    }
    const SemanticForest forest = build_forest(places, texts, {});
    ArmAnswers answers;
    const std::vector<const PlaceQuery*> asked = walk.questions_of(settings_.type);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const PlaceQuery& query = *asked[i];
      const std::string words = words_of(query.query);
      const std::int32_t node = arm.is_semantic ? most_similar_node(forest, words, similarity[i])
                                                : descend(forest, words, similarity[i]);
      answers.num_unanswered += node < 0 ? 1 : 0;
      answers.right.push_back(
          node >= 0 && is_right(query, forest.nodes[static_cast<std::size_t>(node)].position_m));
    }
    answers.coordinate_reads = walk.entries.size();
    return answers;
  }

  LocationSettings settings_;
  const std::vector<LocationArm>& arms_;
};

/// One arm's answers under several draws as one: a question is a trial, however often it is asked,
/// and its score the share of draws under which it was answered right.
ArmAnswers pooled(const std::vector<std::vector<ArmAnswers>>& draws, std::size_t arm) {
  const std::size_t num_draws = draws.size();
  ArmAnswers all = draws.front()[arm];
  all.score.assign(all.right.size(), 0);
  all.num_unanswered = all.num_candidates = all.coordinate_reads = 0;
  for (const std::vector<ArmAnswers>& draw : draws) {
    const ArmAnswers& one = draw[arm];
    for (std::size_t i = 0; i < all.score.size(); ++i) all.score[i] += one.right[i];
    all.num_unanswered += one.num_unanswered;
    all.num_candidates += one.num_candidates;
    all.coordinate_reads += one.coordinate_reads;
  }
  for (std::size_t i = 0; i < all.score.size(); ++i) {
    all.score[i] /= static_cast<double>(num_draws);
    all.right[i] = all.score[i] > 0.5 ? 1 : 0;
  }
  const auto n = static_cast<std::int64_t>(num_draws);
  all.num_unanswered = (all.num_unanswered + n / 2) / n;
  return all;
}

class LocationQuestions final : public Study {
 public:
  LocationQuestions(LocationSettings settings, std::vector<LocationArm> arms)
      : settings_(std::move(settings)), arms_(std::move(arms)) {}

  std::int64_t num_trials() const override {
    constexpr std::int64_t kQuestions = 15;
    return kQuestions;
  }

  std::vector<std::string> files() const override { return files_of(settings_.walk); }

  std::vector<ArmAnswers> run(Device&) const override {
    std::vector<std::vector<ArmAnswers>> draws;
    for (const std::uint64_t seed : settings_.noise_seeds) {
      draws.push_back(OneDraw(settings_, seed, arms_).answers());
    }
    if (draws.size() == 1) return draws.front();
    std::vector<ArmAnswers> answers;
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) answers.push_back(pooled(draws, arm));
    return answers;
  }

 private:
  LocationSettings settings_;
  std::vector<LocationArm> arms_;
};

}  // namespace

std::unique_ptr<Study> make_location_questions(const StudySettings& settings) {
  std::vector<LocationArm> arms;
  for (const auto& arm : settings.arms) arms.push_back(parse_arm(arm.second));
  return std::make_unique<LocationQuestions>(parse_settings(settings), std::move(arms));
}

}  // namespace sightline::host
