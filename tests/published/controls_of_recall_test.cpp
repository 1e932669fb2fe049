// Negative controls of the experiments of What Spatial Memory Must Store (2026) that mix meaning,
// place, time and importance: no claim of theirs is reproduced whatever is broken.
#include <filesystem>

#include "support/controls.h"
#include "support/places.h"

namespace sightline::tests {
namespace {

class RecallControls : public NegativeControls {
 protected:
  void SetUp() override {
    NegativeControls::SetUp();
    if (IsSkipped()) return;
    if (!std::filesystem::exists(source_file("configs/corpora/episodes/episodes.jsonl"))) {
      GTEST_SKIP() << "no corpora in this tree";
    }
  }
};

const std::string kFewer = "replicates=16";  // of 50

/// Places of other memories; one look too few; and mixes that weigh nothing but place, or nothing
/// but meaning. The vector by recency alone finds nothing, so that what never wins over it does.
const std::vector<Overrides> kBrokenMixes{
    {"memories.bound_to=shuffled"},
    {"recall.k=1"},
    {"arms.vector.recall.weights={spatial: 1}"},
    {"arms.vector.recall.weights={recency: 1}"},
    {"arms.old.recall.weights={relevance: 1}", "arms.spatial.recall.weights={relevance: 1}",
     "arms.retuned.recall.weights={relevance: 1}"}};

TEST_F(RecallControls, Pilot1) {
  expect_controls("pilot1_near_duplicates", {},
                  {{"memories.bound_to=shuffled"},
                   {"arms.text.recall.weights={spatial: 1}"},
                   {"arms.coordinates.recall.weights={relevance: 1}"}});
}

// Section 6.9, the recall half.
TEST_F(RecallControls, OcclusionRecall) {
  const std::string sight = "{line_of_sight: {method: hdda}}";
  expect_controls("occlusion_recall", {},
                  {{"arms.text.recall.weights={spatial: 1}"},
                   {"arms.cone.recall.weights={spatial: 1}"},
                   {"arms.cone_los.recall.weights={spatial: 1}"},
                   {"arms.words_and_place.recall.weights={spatial: 1}"},
                   {"arms.cone_los.recall.gate=" + sight},
                   {"arms.words_and_place.recall.gate=" + sight},
                   {"arms.cone.recall.verify=" + sight},
                   {"preflight=null", "arms.cone_los.recall.verify.line_of_sight.step_m=5"},
                   {"preflight=null", "memories.bound_to=observer"}});
}

// Section 6.8.
TEST_F(RecallControls, WaveE) { expect_controls("wave_e", {}, kBrokenMixes, {kFewer}); }

TEST_F(RecallControls, WaveEGates) {
  expect_controls("wave_e_gates", {}, {{"memories.bound_to=shuffled"}, {"recall.k=1"}}, {kFewer});
}

TEST_F(RecallControls, WaveETexts) {
  expect_controls("wave_e_texts",
                  {"It hits as often from everywhere", "Near, the retuned mix wins in every corpus",
                   "Spatial mix with relevance rescaled, as foretold",
                   "Rescaled, the spatial mix has the rates of Table 4",
                   "64 dimensions: near, the old mix wins by chance at most",
                   "Where the question names the place"},
                  kBrokenMixes, {kFewer});
}

TEST_F(RecallControls, WaveEBge) { expect_controls("wave_e_bge", {}, kBrokenMixes, {kFewer}); }

TEST_F(RecallControls, WaveEModel) {
  expect_controls("wave_e_model", {"Near, the old mix wins by chance at most"}, kBrokenMixes,
                  {kFewer});
}

TEST_F(RecallControls, WaveESecondModel) {
  expect_controls(
      "wave_e_second_model",
      {"Near, the retuned mix wins in every corpus", "Near, the old mix wins by chance at most",
       "Questions that name the place need no geometry"},
      kBrokenMixes, {kFewer});
}

TEST_F(RecallControls, WaveEWanderedBge) {
  std::vector<Overrides> broken = kBrokenMixes;
  broken.push_back({"memories.bound_to=observer"});
  expect_controls("wave_e_wandered_bge", {}, broken, {kFewer});
}

TEST_F(RecallControls, WaveEWandered) {
  std::vector<Overrides> broken = kBrokenMixes;
  broken.push_back({"memories.bound_to=observer"});
  expect_controls(
      "wave_e_wandered",
      {"It hits as often from everywhere", "Near, the retuned mix wins in every corpus"}, broken,
      {kFewer});
}

}  // namespace
}  // namespace sightline::tests
