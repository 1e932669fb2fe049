// The topic-partition study: its documents, who looks for what they cite, and what it is scored by.
#include "host/studies/topic_partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "host/studies/topic_search.h"
#include "index/backend_info.h"
#include "support/errors.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using host::ArmAnswers;
using host::ConfigValue;
using host::TopicDocuments;
using host::TopicSearch;
using tests::input_error_of;
using tests::TemporaryFolder;
using tests::write_text;

bool lacks_libraries() {
  const index::BackendInfo info = index::backend_info();
  return info.stemmer_languages.empty() || info.faiss_version.empty();
}

#define SKIP_WITHOUT_LIBRARIES() \
  if (lacks_libraries()) GTEST_SKIP() << "this build has no libstemmer, or no FAISS"

std::string corpus() { return tests::source_file("configs/corpora/topics/documents.jsonl"); }

host::TopicArm arm_of(const std::string& yaml) {
  return host::parse_topic_arm(ConfigValue::parse_yaml(yaml, "arm.yaml"));
}

std::unique_ptr<host::Study> study_of(const std::string& arms, const std::string& path) {
  const auto config = ConfigValue::parse_yaml(
      "study: {documents: \"" + path + "\", top_k: 2}\narms: {" + arms + "}\n", "study.yaml");
  return host::make_topic_partition({config.at("study"), config.at("arms").entries(), 1});
}

/// Two topics of three; 0 cites two of its own, 3 one of its own.
constexpr const char* kSmall =
    R"({"id": 0, "topic": "a", "text": "gravel moves in rivers", "cites": [1, 2]}
{"id": 1, "topic": "a", "text": "gravel rests in rivers", "cites": []}
{"id": 2, "topic": "a", "text": "willows stand by rivers", "cites": []}
{"id": 3, "topic": "b", "text": "lithium cells store power", "cites": [4]}
{"id": 4, "topic": "b", "text": "sodium cells store power", "cites": []}
{"id": 5, "topic": "b", "text": "gravel of lithium cells", "cites": []}
)";

TEST(TopicDocuments, HaveTheNumbersOfThePaper) {
  const TopicDocuments documents = host::read_topic_documents(corpus());
  EXPECT_EQ(documents.size(), 240);
  EXPECT_EQ(documents.citing().size(), 142u);
  std::map<std::int64_t, int> in_topic;
  for (const std::int64_t topic : documents.topics) ++in_topic[topic];
  EXPECT_EQ(in_topic.size(), 6u);
  for (const auto& [topic, count] : in_topic) EXPECT_EQ(count, 40) << topic;
  const std::set<std::string> texts(documents.texts.begin(), documents.texts.end());
  EXPECT_EQ(texts.size(), 240u);
}

TEST(TopicDocuments, ThatCannotBeReadAreToldWithTheirLine) {
  const TemporaryFolder folder;
  const std::string path = folder / "documents.jsonl";
  const auto error_of = [&](const std::string& text) {
    write_text(path, text);
    return input_error_of([&] { host::read_topic_documents(path); });
  };
  const std::string good = R"({"id": 0, "topic": "a", "text": "x y", "cites": []})";
  EXPECT_NE(error_of(good + "\n" + good).find(":2"), std::string::npos);
  EXPECT_NE(error_of(good + "\n" + good).find("in order"), std::string::npos);
  EXPECT_NE(error_of(good).find("no question"), std::string::npos);
  const auto citing = [&](const std::string& cites) {
    return error_of(R"({"id": 0, "topic": "a", "text": "x", "cites": )" + cites + "}\n" +
                    R"({"id": 1, "topic": "a", "text": "y", "cites": []})");
  };
  EXPECT_NE(citing("[0]").find("cites itself"), std::string::npos);
  EXPECT_NE(citing("[1, 1]").find("twice"), std::string::npos);
  EXPECT_NE(citing("[2]").find("the last is 1"), std::string::npos);
}

TopicDocuments hashed_documents(const std::string& path) {
  TopicDocuments documents = host::read_topic_documents(path);
  host::embed_documents(nullptr, &documents);
  return documents;
}

TEST(TopicSearch, LeavesTheQuestionOut) {
  SKIP_WITHOUT_LIBRARIES();
  const TopicDocuments documents = hashed_documents(corpus());
  for (const char* yaml :
       {"{answer: dense}", "{answer: bm25}", "{answer: rrf}", "{answer: nearest_place}",
        "{answer: route}", "{answer: route, ranker: rrf}", "{answer: kmeans, num_clusters: 6}"}) {
    TopicSearch search(arm_of(yaml), documents, 1);
    for (const std::int64_t row : {0, 77, 239}) {
      const auto found = search.found(row, 10);
      EXPECT_EQ(std::count(found.begin(), found.end(), row), 0) << yaml;
      EXPECT_EQ(found.size(), 10u) << yaml;
    }
  }
}

TEST(TopicSearch, ScoresARegionAlone) {
  SKIP_WITHOUT_LIBRARIES();
  const TemporaryFolder folder;
  write_text(folder / "d.jsonl", kSmall);
  const TopicDocuments documents = hashed_documents(folder / "d.jsonl");
  TopicSearch flat(arm_of("{answer: dense}"), documents, 1);
  TopicSearch routed(arm_of("{answer: route}"), documents, 1);
  EXPECT_EQ(flat.found(0, 5).size(), 5u);
  EXPECT_EQ(flat.num_candidates(), 5);
  EXPECT_EQ(routed.found(0, 5), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(routed.num_candidates(), 2);
}

TEST(TopicSearch, CountsPlacesThatItReads) {
  SKIP_WITHOUT_LIBRARIES();
  const TopicDocuments documents = hashed_documents(corpus());
  TopicSearch by_text(arm_of("{answer: route, ranker: rrf}"), documents, 1);
  TopicSearch by_place(arm_of("{answer: nearest_place}"), documents, 1);
  by_text.found(3, 10);
  by_place.found(3, 10);
  EXPECT_EQ(by_text.coordinate_reads(), 0);
  EXPECT_EQ(by_place.coordinate_reads(), 240);
}

TEST(TopicSearch, MakesAsManyClustersAsAsked) {
  SKIP_WITHOUT_LIBRARIES();
  const TopicDocuments documents = hashed_documents(corpus());
  const TopicSearch search(arm_of("{answer: kmeans, num_clusters: 6}"), documents, 1);
  const auto& regions = search.regions();
  EXPECT_EQ(std::set<std::int64_t>(regions.begin(), regions.end()).size(), 6u);
}

TEST(TopicPartition, ScoresTheShareOfTheCited) {
  SKIP_WITHOUT_LIBRARIES();
  const TemporaryFolder folder;
  write_text(folder / "d.jsonl", kSmall);
  const auto study =
      study_of("route: {answer: route}, place: {answer: nearest_place}", folder / "d.jsonl");
  EXPECT_EQ(study->num_trials(), 2);
  host::Device device;
  const std::vector<ArmAnswers> answers = study->run(device);
  EXPECT_EQ(answers[0].score, (std::vector<double>{1, 1}));
  EXPECT_EQ(answers[0].right, (std::vector<std::uint8_t>{1, 1}));
  EXPECT_EQ(answers[0].num_candidates, 4);
}

TEST(TopicPartition, TellsWhetherTruthRefinesThePartition) {
  SKIP_WITHOUT_LIBRARIES();
  const auto ties = study_of(
                        "dense: {answer: dense}, route: {answer: route}, shuffled: {answer: route, "
                        "topics: shuffled}",
                        corpus())
                        ->truth_ties();
  ASSERT_EQ(ties.size(), 3u);
  EXPECT_FALSE(ties[0].cross_region_share.has_value());
  EXPECT_EQ(ties[1].cross_region_share, 0);
  // Of 239 others, 39 are in the region of a question.
  constexpr double kExpected = 1 - 39.0 / 239, kSlack = 0.08;  // four deviations of 440 draws
  EXPECT_NEAR(ties[2].cross_region_share.value(), kExpected, kSlack);
}

}  // namespace
}  // namespace sightline
