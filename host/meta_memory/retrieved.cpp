#include "host/meta_memory/retrieved.h"

#include <algorithm>

#include "host/memory/hashed_embedder.h"

namespace sightline::host {
namespace {

bool is_better(RankBy by, const RetrievedEntry& a, const RetrievedEntry& b) {
  if (a.verified != b.verified) return a.verified;
  if (a.probability != b.probability) return a.probability > b.probability;
  if (by == RankBy::kSimilarity && a.similarity != b.similarity) {
    return a.similarity > b.similarity;
  }
  if (by == RankBy::kDistance && a.distance_m != b.distance_m) return a.distance_m < b.distance_m;
  return a.row < b.row;
}

void take_answers(const std::vector<CheckAnswer>& answers, std::vector<Retrieved>* retrieved) {
  std::size_t next = 0;
  for (Retrieved& one : *retrieved) {
    for (RetrievedEntry& hit : one.hits) {
      const CheckAnswer& answer = answers[next++];
      hit.verified = answer.seen;
      hit.probability = answer.probability;
      hit.seen_at_m = answer.things_m;
      hit.matched = answer.matched;
    }
    one.num_checks = static_cast<std::int64_t>(one.hits.size());
  }
}

}  // namespace

void rank_hits(RankBy by, std::int64_t k, std::vector<RetrievedEntry>* hits) {
  const auto better = [by](const RetrievedEntry& a, const RetrievedEntry& b) {
    return is_better(by, a, b);
  };
  if (static_cast<std::int64_t>(hits->size()) > k) {
    std::partial_sort(hits->begin(), hits->begin() + k, hits->end(), better);
    hits->resize(static_cast<std::size_t>(k));
  } else {
    std::sort(hits->begin(), hits->end(), better);
  }
}

void verify_and_rank(const EntryTable& entries, const std::vector<const NounPhrase*>& asked,
                     const std::vector<RankBy>& by, Verifier* verifier, int num_threads,
                     std::vector<Retrieved>* retrieved) {
  if (verifier != nullptr) {
    std::vector<RawCheck> checks;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      for (const RetrievedEntry& hit : (*retrieved)[i].hits) checks.push_back({hit.row, asked[i]});
    }
    take_answers(verifier->check(entries, checks, num_threads), retrieved);
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    std::vector<RetrievedEntry>& hits = (*retrieved)[i].hits;
    for (RetrievedEntry& hit : hits) {
      if (verifier != nullptr || asked[i]->attributes == 0) continue;
      hit.matched = attributes_named_in(entries.caption(hit.row)) & asked[i]->attributes;
    }
    rank_hits(by[i], static_cast<std::int64_t>(hits.size()), &hits);
  }
}

AttributeBits attributes_named_in(std::string_view text) {
  AttributeBits attributes = 0;
  for (const std::string& word : hashed_words(text)) {
    attributes |= find_attribute(word).value_or(0);
  }
  return attributes;
}

}  // namespace sightline::host
