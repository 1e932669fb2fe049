// Trials of the landscape study: small worlds, what is true in them, and the notes and questions
// that tell of them in words.
//
// The world is drawn first, and with it the answer; the notes are written of the world afterwards.
// What a text holds (things, materials, activities, standpoints, regions by name) is drawn apart
// from all places, so that no text tells one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/studies/battery_trials.h"
#include "host/studies/landscape_texts.h"
#include "host/world/world.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// A rectangle of the ground, metres.
struct LandscapeRegion {
  double min_x = 0, min_z = 0, max_x = 0, max_z = 0;

  bool holds(const kernels::Vec3& p) const {
    return p.x >= min_x && p.x < max_x && p.z >= min_z && p.z < max_z;
  }
};

/// What is where in a trial: scene frame, y up, metres.
struct LandscapeScene {
  kernels::Vec3 standpoint_m;  ///< of who asks
  double yaw_deg = 0;          ///< where they look
  std::vector<kernels::Vec3> things_m;
  std::size_t subject = 0;               ///< the thing asked for
  std::vector<LandscapeRegion> regions;  ///< two where regions are asked for, else none
  std::int64_t num_options = 0;
  /// The right answer: kYes or kNo to occlusion, a Side (scene_graph.h) to relation, else the index
  /// of a region or of a note.
  std::int64_t truth = 0;
};

/// A note of a store, without any place: those stand apart.
struct LandscapeNote {
  std::string text;
  std::string thing, material, activity;  ///< what the text is made of: the nodes of a graph
  std::string object_key;                 ///< names the thing, as a relay keys its objects
  double age_h = 0;                       ///< hours before the question
  double importance = 0;                  ///< 1 to 10
};

struct LandscapeTrial {
  LandscapeScene scene;
  std::vector<LandscapeNote> notes;        ///< note i is of scene.things_m[i]: its true anchor
  std::vector<kernels::Vec3> observers_m;  ///< [num_notes] where each was taken
  std::string question;
  std::string object_key;  ///< of what the question names; empty: it names contents only
};

/// What a ranking that begins with a note answers. Of occlusion: "visible", for what is remembered
/// was seen. Else the option of the note, by its row: a text has nothing that would tell more.
std::int64_t option_of_note(LandscapeType type, const LandscapeScene& scene, std::size_t note);

struct LandscapeTrialSettings {
  LandscapeType type = LandscapeType::kOcclusion;
  std::string domain;
  std::int64_t num_trials = 160;
  double paraphrase = 0.7;  ///< of the control: how likely each part of a question is reworded
  double truth_step_m = 0.05;
  std::uint64_t seed = 1;
};

/// Trial i depends on the settings, the texts and i alone. `world` is battery_world(): its
/// solids are asked, by a march of truth_step_m, for occlusion only. Throws InputError if the texts
/// have fewer pairs of a thing and a material than there are trials: each trial asks for another.
std::vector<LandscapeTrial> make_landscape_trials(const LandscapeTrialSettings& settings,
                                                  const LandscapeTexts& texts, const World& world,
                                                  Device& device);

}  // namespace sightline::host
