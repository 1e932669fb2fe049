// Negative controls of the experiments of What Spatial Memory Must Store (2026) that rank texts: no
// claim of theirs is reproduced whatever is broken.
#include <filesystem>
#include <regex>
#include <sstream>

#include "index/backend_info.h"
#include "support/controls.h"
#include "support/places.h"

namespace sightline::tests {
namespace {

class TextControls : public NegativeControls {
 protected:
  void SetUp() override {
    NegativeControls::SetUp();
    if (IsSkipped()) return;
    const index::BackendInfo info = index::backend_info();
    if (info.stemmer_languages.empty() || info.faiss_version.empty()) {
      GTEST_SKIP() << "this build has no libstemmer, or no FAISS";
    }
    if (!std::filesystem::exists(source_file("configs/corpora/flattening"))) {
      GTEST_SKIP() << "no corpora in this tree";
    }
  }

  /// The corpora of flattening.yaml, but no request tells that the trouble came back.
  std::string untold_requests() const {
    const std::string folder = folder_ / "untold";
    std::filesystem::copy(source_file("configs/corpora/flattening"), folder);
    const std::string file = folder + "/upstream_fix.jsonl";
    const std::regex cues("\\b(again|keeps|once more|still|every day)\\b", std::regex::icase);
    std::string lines, line;
    std::istringstream read(read_text(file));
    while (std::getline(read, line)) {
      const bool asks = line.find("\"role\": \"action\"") != std::string::npos;
      lines += (asks ? std::regex_replace(line, cues, "") : line) + "\n";
    }
    std::filesystem::permissions(file, std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
    write_text(file, lines);
    return folder;
  }
};

// Section 4.
TEST_F(TextControls, TopicPartition) {
  expect_controls(
      "topic_partition", {},
      {{"arms.route.topics=shuffled"},
       {"arms.route_hybrid.topics=shuffled"},
       {"arms.route={answer: dense}"},
       {"arms.route_hybrid={answer: rrf}"},
       {"arms.route_hybrid={answer: dense}"},
       {"arms.route_hybrid={answer: kmeans, num_clusters: 6}"},
       {"arms.dense={answer: route}"},
       {"arms.dense={answer: nearest_place}"},
       {"arms.bm25={answer: nearest_place}", "arms.rrf={answer: nearest_place}"},
       {"arms.kmeans={answer: nearest_place}"},
       {"arms.route={answer: nearest_place}", "arms.route_hybrid={answer: nearest_place}"}});
}

// Section 6.5. Methods of content that look at places are no longer at chance, and too good for
// their bands on the control too.
TEST_F(TextControls, Landscape) {
  expect_controls("landscape",
                  {"It answers occlusion by a march", "By exact walks it is right",
                   "Generative Agents: competitive on the control"},
                  {{"arms.bm25={answer: geometry}", "arms.hybrid={answer: geometry}",
                    "arms.clusters={answer: geometry}", "arms.generative_agents={answer: geometry}",
                    "arms.pagerank={answer: geometry}"},
                   {"arms.dense={answer: geometry}"},
                   {"arms.geometry.anchors=observer"},
                   {"arms.geometry.anchors=shuffled"},
                   {"arms.geometry={answer: dense}"}});
}

// Sections 6.6, 6.7 and 7 (E1). That upstream fixes show no significant difference holds for texts
// that mean nothing too, since half of the requests tell enough; so there they tell nothing either.
TEST_F(TextControls, Flattening) {
  expect_controls(
      "flattening",
      {"Handoff, flattened", "Three tasks of a set, 54 decisions: difference",
       "Hashed words: handoff"},
      {{"arms.world_bound_rule_based_reader.anchors=observer"},
       {"arms.world_bound_rule_based_reader.anchors=shuffled"},
       {"arms.object_keyed_rule_based_reader.keys=shuffled"},
       {"arms.object_keyed_rule_based_reader.answer=world_bound"},
       {"arms.flattened_rule_based_reader.texts=shuffled"},
       {"arms.flattened_hashed_rule_based_reader.texts=shuffled"},
       {"arms.flattened_rule_based_reader={answer: object_keyed}"},
       {"study.flattening.texts=" + untold_requests(), "study.flattening.embeddings=null",
        "arms.flattened_rule_based_reader.texts=shuffled"}});
}

TEST_F(TextControls, FlatteningLoop) {
  expect_controls("flattening_loop", {"Handoff: no set of 36"},
                  {{"arms.world_bound_rule_based_reader.anchors=observer"},
                   {"arms.world_bound_rule_based_reader.anchors=shuffled"},
                   {"arms.object_keyed_rule_based_reader.keys=shuffled"},
                   {"arms.object_keyed_rule_based_reader.answer=world_bound"},
                   {"arms.flattened_rule_based_reader={answer: object_keyed}"},
                   {"arms.flattened_rule_based_reader.texts=shuffled"},
                   {"study.flattening.texts=" + untold_requests(),
                    "arms.flattened_rule_based_reader.texts=shuffled"}});
}

// Section 7 (E2).
TEST_F(TextControls, RetrievalDepth) {
  expect_controls("retrieval_depth",
                  {"Dense misses most notes", "Dense is flat", "Hashed words miss most notes",
                   "Hybrid with hashed words at depth 20"},
                  {{"arms.world_bound.anchors=observer"},
                   {"arms.world_bound.anchors=shuffled"},
                   {"arms.object_keyed.keys=shuffled"},
                   {"arms.object_keyed.answer=world_bound"},
                   {"arms.bm25.texts=shuffled", "arms.hybrid.texts=shuffled"},
                   {"arms.bm25.top_k=216"}},
                  {"axes.study.retrieval_depth.top_k=[1, 3, 20]"});
}

}  // namespace
}  // namespace sightline::tests
