#include "host/studies/landscape_trials.h"

#include <algorithm>

#include "host/error.h"
#include "host/studies/landscape_scenes.h"

namespace sightline::host {
namespace {

/// FNV-1a (Fowler, Noll and Vo): the number of a random stream, by its name.
std::uint64_t stream_of(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

template <typename Item>
const Item& one_of(const std::vector<Item>& items, RandomItem* random) {
  return items[random->below(items.size())];
}

/// The parts of a note, as indices into the texts.
struct NoteParts {
  std::size_t thing = 0, material = 0, activity = 0;
};

std::size_t another(std::size_t num, RandomItem* random, const std::vector<std::size_t>& taken) {
  std::size_t drawn = 0;
  do {
    drawn = random->below(num);
  } while (std::find(taken.begin(), taken.end(), drawn) != taken.end());
  return drawn;
}

/// The writer of one trial's notes and question.
class TrialWriter {
 public:
  TrialWriter(const LandscapeTrialSettings& settings, const LandscapeTexts& texts,
              std::size_t trial, RandomItem random)
      : settings_(settings), texts_(texts), random_(random) {
    // Each trial asks for another pair of a thing and a material.
    const std::size_t num_things = texts.things.size(), turn = trial / num_things;
    subject_.thing = trial % num_things;
    subject_.material = (turn + subject_.thing) % texts.materials.size();
    subject_.activity = random_.below(texts.activities.size());
  }

  void write(LandscapeTrial* trial) {
    const LandscapeScene& scene = trial->scene;
    const bool are_alike = settings_.type == LandscapeType::kNearDuplicate ||
                           settings_.type == LandscapeType::kMultiRegion;
    std::vector<std::size_t> things{subject_.thing}, activities{subject_.activity};
    const std::string& frame = one_of(texts_.notes, &random_);
    for (std::size_t i = 0; i < scene.things_m.size(); ++i) {
      if (are_alike || i == scene.subject) {
        trial->notes.push_back(note_of(subject_, frame));
        continue;
      }
      NoteParts other;
      other.thing = another(texts_.things.size(), &random_, things);
      other.material = random_.below(texts_.materials.size());
      other.activity = another(texts_.activities.size(), &random_, activities);
      things.push_back(other.thing);
      activities.push_back(other.activity);
      trial->notes.push_back(note_of(other, one_of(texts_.notes, &random_)));
    }
    const bool names_it = settings_.type != LandscapeType::kControl;
    trial->question = names_it ? question_by_name() : question_by_content();
    if (names_it) trial->object_key = key_of(subject_);
  }

 private:
  std::string key_of(const NoteParts& parts) const {
    return texts_.materials[parts.material].text + " " + texts_.things[parts.thing].text;
  }

  LandscapeNote note_of(const NoteParts& parts, const std::string& frame) {
    constexpr double kOldest_h = 7 * 24;
    LandscapeNote note;
    note.thing = texts_.things[parts.thing].text;
    note.material = texts_.materials[parts.material].text;
    note.activity = texts_.activities[parts.activity].text;
    note.text = fill_frame(
        frame, {{"material", note.material}, {"thing", note.thing}, {"activity", note.activity}});
    note.object_key = key_of(parts);
    note.age_h = kOldest_h * random_.uniform();
    note.importance = texts_.activities[parts.activity].importance;
    return note;
  }

  const std::string& frame_of_question() {
    return one_of(texts_.questions[static_cast<std::size_t>(settings_.type)], &random_);
  }

  std::string question_by_name() {
    const std::string& frame = frame_of_question();
    const std::size_t region = random_.below(texts_.regions.size());
    const std::size_t other_region = another(texts_.regions.size(), &random_, {region});
    return fill_frame(frame, {{"material", texts_.materials[subject_.material].text},
                              {"thing", texts_.things[subject_.thing].text},
                              {"standpoint", one_of(texts_.standpoints, &random_)},
                              {"region", texts_.regions[region]},
                              {"other_region", texts_.regions[other_region]}});
  }

  /// The subject's parts, each in the note's words or in others.
  std::string question_by_content() {
    const auto worded = [&](const LandscapePhrase& phrase) {
      return random_.uniform() < settings_.paraphrase ? phrase.paraphrase : phrase.text;
    };
    const std::string& frame = frame_of_question();
    const std::string material = worded(texts_.materials[subject_.material]);
    const std::string thing = worded(texts_.things[subject_.thing]);
    const std::string activity = worded(texts_.activities[subject_.activity]);
    return fill_frame(frame, {{"material", material}, {"thing", thing}, {"activity", activity}});
  }

  const LandscapeTrialSettings& settings_;
  const LandscapeTexts& texts_;
  RandomItem random_;
  NoteParts subject_;
};

}  // namespace

std::int64_t option_of_note(LandscapeType type, const LandscapeScene& scene, std::size_t note) {
  if (type == LandscapeType::kOcclusion) return kYes;
  return static_cast<std::int64_t>(note) % scene.num_options;
}

std::vector<LandscapeTrial> make_landscape_trials(const LandscapeTrialSettings& settings,
                                                  const LandscapeTexts& texts, const World& world,
                                                  Device& device) {
  const std::size_t num_pairs = texts.things.size() * texts.materials.size();
  if (static_cast<std::uint64_t>(settings.num_trials) > num_pairs) {
    throw InputError(std::to_string(settings.num_trials) +
                     " trials each ask for another thing; "
                     "the texts of " +
                     settings.domain + " have " + std::to_string(num_pairs) +
                     " pairs of a thing and a material. Ask for fewer trials, or add lines");
  }
  // Worlds and words are drawn apart: words cannot tell of places.
  const std::string name = std::string("landscape/") + settings.domain + "/" +
                           kLandscapeTypeNames[static_cast<std::size_t>(settings.type)];
  const std::uint64_t worlds = stream_of(name + "/world"), words = stream_of(name + "/words");
  std::vector<LandscapeTrial> trials(static_cast<std::size_t>(settings.num_trials));
  std::vector<LandscapeScene*> scenes;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    RandomItem random(settings.seed, worlds, i);
    trials[i].scene = draw_landscape_scene(settings.type, &random);
    for (std::size_t note = 0; note < trials[i].scene.things_m.size(); ++note) {
      trials[i].observers_m.push_back(draw_landscape_observer(&random));
    }
    scenes.push_back(&trials[i].scene);
  }
  if (settings.type == LandscapeType::kOcclusion) {
    judge_occlusion(world, settings.truth_step_m, device, scenes);
  }
  for (std::size_t i = 0; i < trials.size(); ++i) {
    TrialWriter(settings, texts, i, RandomItem(settings.seed, words, i)).write(&trials[i]);
  }
  return trials;
}

}  // namespace sightline::host
