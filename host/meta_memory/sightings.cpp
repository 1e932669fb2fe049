#include "host/meta_memory/sightings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>

#include "host/meta_memory/caption_places.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kUnsure = 0.5;  // of a caption that leaves out what was asked for

/// Groups of sightings that steps of at most `reach_m` lead through, each ascending, by lowest
/// first.
std::vector<std::vector<std::size_t>> joined(const std::vector<ThingSighting>& sightings,
                                             const std::vector<std::size_t>& members,
                                             double reach_m) {
  std::vector<std::size_t> root(members.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      if (distance(sightings[members[i]].place_m(), sightings[members[j]].place_m()) > reach_m) {
        continue;
      }
      const std::size_t a = find(i), b = find(j);
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::size_t> group_of(members.size(), members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::size_t first = find(i);
    if (group_of[first] == members.size()) {
      group_of[first] = groups.size();
      groups.emplace_back();
    }
    groups[group_of[first]].push_back(members[i]);
  }
  return groups;
}

Vec3 mean_place(const std::vector<ThingSighting>& sightings,
                const std::vector<std::size_t>& group) {
  Vec3 sum{};
  for (const std::size_t i : group) {
    const Vec3& p = *sightings[i].thing_m;
    sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z};
  }
  const auto n = static_cast<double>(group.size());
  return {sum.x / n, sum.y / n, sum.z / n};
}

/// The viewpoint whose distances to the others, each times its probability, add up to least.
Vec3 medoid(const std::vector<ThingSighting>& sightings, const std::vector<std::size_t>& group) {
  std::size_t best = group.front();
  double least = INFINITY;
  for (const std::size_t i : group) {
    double sum = 0;
    for (const std::size_t j : group) {
      sum +=
          sightings[j].probability * distance(sightings[i].viewpoint_m, sightings[j].viewpoint_m);
    }
    if (sum < least) {
      least = sum;
      best = i;
    }
  }
  return sightings[best].viewpoint_m;
}

Candidate candidate_of(const std::vector<ThingSighting>& sightings,
                       std::vector<std::size_t> group) {
  Candidate candidate;
  const bool is_known = sightings[group.front()].thing_m.has_value();
  candidate.position_m = is_known ? mean_place(sightings, group) : medoid(sightings, group);
  candidate.is_thing = is_known;
  const auto order = [&](std::size_t i) {
    const ThingSighting& s = sightings[i];
    return std::make_tuple(-s.probability, distance(s.viewpoint_m, candidate.position_m), s.row);
  };
  std::sort(group.begin(), group.end(),
            [&](std::size_t a, std::size_t b) { return order(a) < order(b); });
  for (const std::size_t i : group) {
    candidate.probability = std::max(candidate.probability, sightings[i].probability);
    candidate.similarity = std::max(candidate.similarity, sightings[i].similarity);
    const std::int64_t row = sightings[i].row;
    if (std::find(candidate.entries.begin(), candidate.entries.end(), row) ==
        candidate.entries.end()) {
      candidate.entries.push_back(row);
    }
  }
  return candidate;
}

}  // namespace

std::vector<ThingSighting> sightings_of(const EntryTable& entries,
                                        const std::vector<RetrievedEntry>& hits,
                                        const NounPhrase& asked, bool verifies, bool locates) {
  std::vector<ThingSighting> sightings;
  for (const RetrievedEntry& hit : hits) {
    ThingSighting sighting;
    sighting.row = hit.row;
    sighting.similarity = hit.similarity;
    sighting.matched = hit.matched;
    sighting.viewpoint_m = entries.position_m[static_cast<std::size_t>(hit.row)];
    const CaptionMatch caption = match_caption(entries.caption(hit.row), asked);
    sighting.is_sure = caption.has_name && hit.matched == asked.attributes;
    if (verifies ? !hit.verified : !caption.names_class) continue;
    sighting.probability = verifies ? hit.probability : sighting.is_sure ? 1 : kUnsure;
    const bool is_located = verifies && !hit.seen_at_m.empty();
    const std::vector<Vec3> places =
        is_located ? hit.seen_at_m : places_told(entries.caption(hit.row), asked);
    if (places.empty() || !locates) {
      sightings.push_back(sighting);
      continue;
    }
    for (const Vec3& place : places) {
      sighting.thing_m = place;
      sightings.push_back(sighting);
    }
  }
  return sightings;
}

std::vector<ThingSighting> surest(const std::vector<ThingSighting>& sightings) {
  std::vector<ThingSighting> sure;
  std::copy_if(sightings.begin(), sightings.end(), std::back_inserter(sure),
               [](const ThingSighting& one) { return one.is_sure; });
  return sure.empty() ? sightings : sure;
}

void add_sightings(const std::vector<ThingSighting>& more, std::vector<ThingSighting>* sightings) {
  for (const ThingSighting& one : more) {
    const bool is_there =
        std::any_of(sightings->begin(), sightings->end(), [&](const ThingSighting& known) {
          const Vec3 &a = known.place_m(), &b = one.place_m();
          return known.row == one.row && a.x == b.x && a.y == b.y && a.z == b.z;
        });
    if (!is_there) sightings->push_back(one);
  }
}

std::vector<Candidate> candidates_of(const std::vector<ThingSighting>& sightings,
                                     double same_thing_m, double same_view_m) {
  std::vector<std::size_t> known, unknown;
  for (std::size_t i = 0; i < sightings.size(); ++i) {
    (sightings[i].thing_m ? known : unknown).push_back(i);
  }
  std::vector<Candidate> candidates;
  for (const auto& group : joined(sightings, known, same_thing_m)) {
    candidates.push_back(candidate_of(sightings, group));
  }
  for (const auto& group : joined(sightings, unknown, same_view_m)) {
    candidates.push_back(candidate_of(sightings, group));
  }
  const auto lowest = [](const Candidate& candidate) {
    return *std::min_element(candidate.entries.begin(), candidate.entries.end());
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return lowest(a) < lowest(b); });
  return candidates;
}

}  // namespace sightline::host
