#include "host/studies/topic_partition.h"

#include <algorithm>

#include "host/config/place.h"
#include "host/studies/topic_search.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kUsualDepth = 10, kMostDepth = 1000000;

class TopicPartition final : public Study {
 public:
  explicit TopicPartition(const StudySettings& settings) : seed_(settings.seed) {
    const ConfigValue& study = settings.study;
    study.allow_only({"documents", "embeddings", "top_k"});
    top_k_ = kUsualDepth;
    if (const ConfigValue* depth = study.find("top_k")) top_k_ = depth->as_integer(1, kMostDepth);
    for (const ConfigValue::Entry& arm : settings.arms) {
      arms_.push_back(parse_topic_arm(arm.second));
    }
    const ConfigValue* embeddings = study.find("embeddings");
    if (embeddings && embeddings->is_null()) embeddings = nullptr;
    const ConfigValue& documents = study.at("documents");
    documents_ =
        at_place(documents.where(), [&] { return read_topic_documents(documents.as_text()); });
    embed_documents(embeddings, &documents_);
    questions_ = documents_.citing();
  }

  bool repeats() const override { return true; }
  std::int64_t num_trials() const override { return static_cast<std::int64_t>(questions_.size()); }

  std::vector<std::string> files() const override {
    if (documents_.embeddings_path.empty()) return {documents_.path};
    return {documents_.path, documents_.embeddings_path};
  }

  std::vector<ArmAnswers> run(Device&) const override {
    std::vector<ArmAnswers> all;
    for (const TopicArm& arm : arms_) all.push_back(ask(arm));
    return all;
  }

  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties;
    for (const TopicArm& arm : arms_) {
      TruthTie& tie = ties.emplace_back();
      if (arm.regions == TopicArm::Regions::kNone) continue;
      tie.cross_region_share = share_across(TopicSearch(arm, documents_, seed_).regions());
    }
    return ties;
  }

 private:
  const std::vector<std::int64_t>& cited_by(std::int64_t question) const {
    return documents_.cites[static_cast<std::size_t>(question)];
  }

  ArmAnswers ask(const TopicArm& arm) const {
    TopicSearch search(arm, documents_, seed_);
    ArmAnswers answers;
    for (const std::int64_t question : questions_) {
      const std::vector<std::int64_t> found = search.found(question, top_k_);
      const std::vector<std::int64_t>& cited = cited_by(question);
      const auto num_found = std::count_if(cited.begin(), cited.end(), [&](std::int64_t row) {
        return std::find(found.begin(), found.end(), row) != found.end();
      });
      answers.right.push_back(num_found > 0);
      answers.score.push_back(static_cast<double>(num_found) / static_cast<double>(cited.size()));
      answers.num_unanswered += found.empty();
    }
    answers.coordinate_reads = search.coordinate_reads();
    answers.num_candidates = search.num_candidates();
    return answers;
  }

  /// Of all citations: the share that leads into another region.
  double share_across(const std::vector<std::int64_t>& regions) const {
    std::int64_t num_across = 0, num_cited = 0;
    for (const std::int64_t question : questions_) {
      for (const std::int64_t cited : cited_by(question)) {
        num_across +=
            regions[static_cast<std::size_t>(cited)] != regions[static_cast<std::size_t>(question)];
        ++num_cited;
      }
    }
    return static_cast<double>(num_across) / static_cast<double>(num_cited);
  }

  std::uint64_t seed_;
  std::int64_t top_k_ = 0;
  std::vector<TopicArm> arms_;
  TopicDocuments documents_;
  std::vector<std::int64_t> questions_;  ///< rows
};

}  // namespace

std::unique_ptr<Study> make_topic_partition(const StudySettings& settings) {
  return std::make_unique<TopicPartition>(settings);
}

}  // namespace sightline::host
