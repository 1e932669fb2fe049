#include "host/meta_memory/retrieved.h"

#include <algorithm>

#include "host/meta_memory/caption_names.h"

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
      hit.matched = match_caption(entries.caption(hit.row), *asked[i]).matched;
    }
    rank_hits(by[i], static_cast<std::int64_t>(hits.size()), &hits);
  }
}

CaptionMatch match_caption(std::string_view caption, const NounPhrase& asked) {
  CaptionMatch match;
  const auto take = [&](const NamedThing& thing) {
    if (!is_one_of(thing.class_id, asked.noun)) return false;
    if (contradict(thing.attributes, asked.attributes)) return false;
    const AttributeBits matched = thing.attributes & asked.attributes;
    const bool is_better = num_attributes(matched) > num_attributes(match.matched);
    if (!match.names_class || is_better) match.matched = matched;
    match.names_class = true;
    return true;
  };
  match.has_name = asked.name.empty();
  for (const CalledThing& called : things_called(caption, asked.name)) {
    match.has_name = take(called.thing) || match.has_name;
  }
  if (match.names_class) return match;  // of those with the name
  for (const NamedThing& thing : things_named_in(std::string(caption))) take(thing);
  return match;
}

bool names_thing(std::string_view caption, const NounPhrase& asked) {
  const CaptionMatch match = match_caption(caption, asked);
  return match.names_class && match.has_name;
}

}  // namespace sightline::host
