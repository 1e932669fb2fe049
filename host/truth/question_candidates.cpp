#include "host/truth/question_candidates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "host/truth/place_geometry.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr int kNumDirections = 8, kHighestK = 4;

const CampusObject& object_of(const PlaceOracle& oracle, std::uint32_t id) {
  return oracle.campus().objects[id];
}

std::vector<PlaceQuestion> basic(const PlaceOracle& oracle) {
  std::vector<PlaceQuestion> found;
  for (const std::uint32_t id : oracle.seen()) {
    const CampusObject& object = object_of(oracle, id);
    const AskedThing thing{object.class_id, object.attributes};
    if (oracle.seen_of(thing).size() != 1) continue;
    PlaceQuestion question;
    question.things = {thing};
    found.push_back(question);
  }
  return found;
}

/// Three classes of which things stand close together, in each order that puts another first.
std::vector<PlaceQuestion> local(const PlaceOracle& oracle) {
  std::set<std::array<std::uint16_t, 3>> classes;
  for (const std::uint32_t anchor : oracle.seen()) {
    std::vector<std::uint32_t> near;
    for (const std::uint32_t id : oracle.seen()) {
      const double apart =
          distance_m(object_of(oracle, anchor).position_m, object_of(oracle, id).position_m);
      if (id != anchor && apart <= kPlace_m - kMargin_m) near.push_back(id);
    }
    for (std::size_t i = 0; i < near.size(); ++i) {
      for (std::size_t j = i + 1; j < near.size(); ++j) {
        std::array<std::uint16_t, 3> three{object_of(oracle, anchor).class_id,
                                           object_of(oracle, near[i]).class_id,
                                           object_of(oracle, near[j]).class_id};
        std::sort(three.begin(), three.end());
        if (three[0] != three[1] && three[1] != three[2]) classes.insert(three);
      }
    }
  }
  std::vector<PlaceQuestion> found;
  for (const auto& three : classes) {
    for (std::size_t first = 0; first < three.size(); ++first) {
      PlaceQuestion question;
      question.relation = PlaceRelation::kLocal;
      for (std::size_t i = 0; i < three.size(); ++i) {
        question.things.push_back({three[(first + i) % three.size()], 0});
      }
      found.push_back(question);
    }
  }
  return found;
}

/// What the kind of question takes its references from.
std::vector<std::vector<std::uint32_t>> references_for(const PlaceOracle& oracle,
                                                       PlaceRelation relation, double apart_m) {
  const bool is_pair = relation == PlaceRelation::kRoute || relation == PlaceRelation::kKth ||
                       relation == PlaceRelation::kBetween;
  const std::vector<std::uint32_t> landmarks = reference_landmarks(oracle);
  std::vector<std::vector<std::uint32_t>> found;
  for (const std::uint32_t a : landmarks) {
    if (!is_pair) found.push_back({a});
    for (const std::uint32_t b : landmarks) {
      if (!is_pair || a == b) continue;
      if (relation == PlaceRelation::kBetween && a > b) continue;  // either way is the same
      const double apart =
          distance_m(object_of(oracle, a).position_m, object_of(oracle, b).position_m);
      if (apart >= apart_m) found.push_back({a, b});
    }
  }
  return found;
}

/// One question, or one for each direction, k or way to measure.
void add_variants(const PlaceQuestion& question, std::vector<PlaceQuestion>* found) {
  PlaceQuestion one = question;
  if (question.relation == PlaceRelation::kDirection) {
    for (one.direction = 0; one.direction < kNumDirections; ++one.direction) found->push_back(one);
  } else if (question.relation == PlaceRelation::kKth) {
    for (one.k = 0; one.k <= kHighestK; ++one.k) found->push_back(one);
  } else if (question.relation == PlaceRelation::kNear) {
    found->push_back(one);
    one.on_foot = true;
    found->push_back(one);
  } else {
    found->push_back(one);
  }
}

}  // namespace

std::vector<std::uint32_t> reference_landmarks(const PlaceOracle& oracle) {
  std::map<std::pair<std::uint16_t, std::string>, int> counts;
  std::map<std::uint16_t, int> of_class;
  for (const std::uint32_t id : oracle.seen()) {
    const CampusObject& object = object_of(oracle, id);
    ++counts[{object.class_id, object.name}];
    ++of_class[object.class_id];
  }
  std::vector<std::uint32_t> found;
  for (const std::uint32_t id : oracle.seen()) {
    const CampusObject& object = object_of(oracle, id);
    const bool has_own_name = !object.name.empty() && counts[{object.class_id, object.name}] == 1;
    if (object.is_landmark && (has_own_name || of_class[object.class_id] == 1)) found.push_back(id);
  }
  return found;
}

std::vector<PlaceQuestion> candidate_questions(const PlaceOracle& oracle, PlaceRelation relation,
                                               double references_apart_m, int least_of_class) {
  if (relation == PlaceRelation::kBasic) return basic(oracle);
  if (relation == PlaceRelation::kLocal) return local(oracle);
  std::map<std::uint16_t, int> counts;
  for (const std::uint32_t id : oracle.seen()) ++counts[object_of(oracle, id).class_id];
  std::vector<PlaceQuestion> found;
  for (const auto& references : references_for(oracle, relation, references_apart_m)) {
    for (const auto& [class_id, count] : counts) {
      if (count < least_of_class) continue;
      PlaceQuestion question;
      question.relation = relation;
      question.things = {{class_id, 0}};
      question.references = references;
      add_variants(question, &found);
    }
  }
  return found;
}

}  // namespace sightline::host
