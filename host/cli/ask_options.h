// What a question is asked of: a store of places, what is known to stand in the way, and who looks
// at images.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "host/cli/options.h"
#include "host/cli/world_options.h"
#include "host/meta_memory/building_sight.h"
#include "host/meta_memory/external_verifier.h"
#include "host/meta_memory/place_store.h"

namespace sightline::cli {

enum class ImageCheck { kAuto, kCaption, kVisible, kExternal };

struct PlacesArguments {
  std::string store, embeddings, query_embeddings, buildings;
  std::optional<std::uint16_t> sequence;  ///< asked alone
  WorldArguments world;
  double reach_m = 0;  ///< 0: not given
  double robot_height_m = 0.5;
  ImageCheck check = ImageCheck::kAuto;
  std::optional<double> check_recall, check_false_positives;  ///< of kVisible
  std::vector<std::string> model_answers;  ///< questions and answers, two files each
  std::string model_questions;
  DeviceArguments device;

  /// The files that are named and read.
  std::vector<std::string> files() const;
};

/// --store, --sequence, --embeddings, --query-embeddings, --world, --buildings, --reach-m,
/// --robot-height-m,
/// --check, --check-recall, --check-false-positives, --model-answers and --model-questions.
void add_places_options(CLI::App& command, PlacesArguments& arguments);

/// All that is asked, opened.
class OpenedPlaces {
 public:
  /// Throws InputError for files that cannot be read and options that do not go together.
  explicit OpenedPlaces(const PlacesArguments& arguments);

  const host::PlaceStore& store() const { return *store_; }
  /// Null: no image is looked at.
  host::Verifier* verifier() { return verifier_.get(); }
  /// On which questions are answered: one for a model, which is asked in their order.
  int num_threads() const { return model_ ? 1 : device_.num_threads(); }
  const std::string& checker() const { return checker_; }  ///< who looks at images, for people

  /// "12, -3" or "12,-3,0.5"; without z at the height of the way nearby. Throws InputError.
  kernels::Vec3 place_of(const std::string& option, const std::string& text) const;

  /// Writes what the model was not asked yet, and says so on standard error; nothing for others.
  void write_model_questions(const std::string& path) const;

 private:
  void open_verifier(const PlacesArguments& arguments);

  host::Device device_;
  std::optional<host::World> world_;
  std::optional<host::BuildingSight> buildings_;
  std::unique_ptr<host::PlaceStore> store_;
  std::unique_ptr<host::Verifier> verifier_;
  const host::ExternalVerifier* model_ = nullptr;  ///< that verifier, if it is one
  std::string checker_;
};

}  // namespace sightline::cli
