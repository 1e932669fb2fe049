#include "host/memory/generated_memories.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "host/error.h"
#include "host/memory/directions.h"
#include "host/memory/layout.h"
#include "host/memory/parallel_rows.h"
#include "host/memory/unit_embedding.h"

namespace sightline::host {
namespace {

constexpr double kSecondsPerDay = 86400;

/// A table of `count` memories with ids from 0 on.
MemoryTable make_table(std::int64_t count, std::int32_t width) {
  MemoryTable memories;
  memories.width = width;
  append_rows(&memories, count);
  std::iota(memories.id.begin(), memories.id.end(), std::int64_t{0});
  return memories;
}

void start_queries(std::int64_t count, MemorySet* set) {
  set->num_queries = count;
  set->query_text.resize(static_cast<std::size_t>(count));
  set->query_embeddings.resize(static_cast<std::size_t>(count * set->table.width));
}

/// Row `row` of [.., width] becomes the direction, in float.
void put_direction(const Direction& direction, std::int64_t row, std::vector<float>* rows) {
  const auto width = static_cast<std::int32_t>(direction.size());
  to_unit_length(direction.data(), width, rows->data() + row * width);
}

/// The direction of a memory: near a centre, with a normal cosine that is clipped.
Direction draw_member(const Direction& centre, double mean, double sd, const Interval& clip,
                      NormalDraws& draw) {
  const double cosine = std::clamp(mean + sd * draw(), clip.low, clip.high);
  return direction_near(centre, cosine, draw);
}

/// q_a of every activity.
std::vector<Direction> activity_directions(const CalibratedMemories& spec,
                                           const DrawStreams& streams) {
  std::vector<Direction> basis;
  for (std::int64_t k = 0; k <= spec.activities; ++k) {
    NormalDraws draw(streams.item(Draw::kDirection, k));
    basis.push_back(random_direction(spec.dimensions, draw));
  }
  make_orthonormal(&basis);
  std::vector<Direction> directions;
  for (std::size_t a = 1; a < basis.size(); ++a) {
    directions.push_back(
        combined(std::sqrt(spec.across_cos), basis[0], std::sqrt(1 - spec.across_cos), basis[a]));
  }
  return directions;
}

/// The trials in which the queried copy has the lower id.
std::vector<std::uint8_t> lower_is_queried(const NearDuplicateMemories& spec,
                                           const DrawStreams& streams) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  std::vector<std::uint8_t> is_lower;
  for (std::int64_t pair = 0; pair < spec.pairs; ++pair) {
    const std::uint64_t bits = streams.item(Draw::kPair, pair)();
    is_lower.push_back(bits >> 63);
    order.emplace_back(bits, order.size());
  }
  if (!spec.lower_queried) return is_lower;
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    is_lower[order[i].second] = static_cast<std::int64_t>(i) < *spec.lower_queried;
  }
  return is_lower;
}

constexpr Interval kAnyCosine{-1, 1};

}  // namespace

bool place_at_anchors(const MemoryContext& context, MemoryTable* memories) {
  if (!context.anchors_m) return false;
  if (static_cast<std::int64_t>(context.anchors_m->size()) != memories->size()) {
    throw InputError(std::to_string(context.anchors_m->size()) + " anchors for " +
                     std::to_string(memories->size()) + " memories; give one each");
  }
  memories->anchor_m = *context.anchors_m;
  return true;
}

void place_memories(const MemoryLayout& layout, const DrawStreams& streams,
                    const MemoryContext& context, MemoryTable* memories) {
  if (place_at_anchors(context, memories)) return;
  memories->anchor_m = lay_out(layout, memories->size(), streams);
}

void draw_traits(const MemoryTraits& traits, const DrawStreams& streams, MemorySet* set) {
  MemoryTable& memories = set->table;
  const auto draw_in = [](const Interval& range, RandomItem& item) {
    return range.low + item.uniform() * (range.high - range.low);
  };
  for (std::int64_t row = 0; row < memories.size(); ++row) {
    const auto r = static_cast<std::size_t>(row);
    RandomItem item = streams.item(Draw::kTraits, row);
    const double age_days = draw_in(traits.age_days.value_or(Interval{}), item);
    const double importance = draw_in(traits.importance.value_or(Interval{}), item);
    if (traits.age_days) memories.time_s[r] = 0 - age_days * kSecondsPerDay;  // 0, not -0
    if (traits.age_days) memories.last_access_s[r] = memories.time_s[r];
    if (traits.importance) memories.importance[r] = importance;
    if (traits.staleness) memories.staleness[r] = *traits.staleness;
  }
  if (!traits.age_days) set->now_s = latest_time_s(memories);
}

MemorySet generate(const CalibratedMemories& spec, const DrawStreams& streams,
                   const MemoryContext& context) {
  MemorySet set;
  set.table = make_table(spec.activities * spec.per_activity, spec.dimensions);
  start_queries(spec.activities, &set);
  const std::vector<Direction> directions = activity_directions(spec, streams);
  for (std::int64_t a = 0; a < spec.activities; ++a) {
    put_direction(directions[static_cast<std::size_t>(a)], a, &set.query_embeddings);
    set.query_text[static_cast<std::size_t>(a)] = "activity " + std::to_string(a);
  }
  std::vector<float>& embeddings = set.table.embeddings.own();
  for_each_row(set.table.size(), context.num_threads, [&](std::int64_t row) {
    const auto r = static_cast<std::size_t>(row);
    const auto a = static_cast<std::size_t>(row / spec.per_activity);
    NormalDraws draw(streams.item(Draw::kEmbedding, row));
    put_direction(
        draw_member(directions[a], spec.within_mean, spec.within_sd, spec.within_clip, draw), row,
        &embeddings);
    set.table.group[r] = set.query_text[a];
    set.table.text[r] = set.query_text[a] + ", episode " + std::to_string(row % spec.per_activity);
  });
  for (std::int64_t row = 0; row < set.table.size(); ++row) {
    set.targets.push_back({row, row / spec.per_activity});
  }
  place_memories(spec.layout, streams, context, &set.table);
  draw_traits(spec.traits, streams, &set);
  return set;
}

MemorySet generate(const NearDuplicateMemories& spec, const DrawStreams& streams,
                   const MemoryContext& context) {
  MemorySet set;
  set.table = make_table(2 * spec.pairs, spec.dimensions);
  start_queries(spec.pairs, &set);
  const std::vector<std::uint8_t> is_lower = lower_is_queried(spec, streams);
  const bool placed = place_at_anchors(context, &set.table);
  for (std::int64_t pair = 0; pair < spec.pairs; ++pair) {
    const auto lower = static_cast<std::size_t>(2 * pair), upper = lower + 1;
    NormalDraws draw(streams.item(Draw::kEmbedding, pair));
    const Direction direction = random_direction(spec.dimensions, draw);
    put_direction(direction, 2 * pair, &set.table.embeddings.own());
    put_direction(direction, 2 * pair + 1, &set.table.embeddings.own());
    put_direction(direction, pair, &set.query_embeddings);
    set.table.text[lower] = set.table.text[upper] = "thing " + std::to_string(pair);
    set.query_text[static_cast<std::size_t>(pair)] = set.table.text[lower];
    set.targets.push_back({2 * pair + (is_lower[static_cast<std::size_t>(pair)] ? 0 : 1), pair});
    if (placed) continue;
    std::tie(set.table.anchor_m[lower], set.table.anchor_m[upper]) =
        lay_out_pair(spec.box, pair, streams);
  }
  draw_traits(spec.traits, streams, &set);
  return set;
}

MemorySet generate(const UniformMemories& spec, const DrawStreams& streams,
                   const MemoryContext& context) {
  MemorySet set;
  set.table = make_table(spec.count, spec.dimensions);
  start_queries(spec.queries, &set);
  std::vector<Direction> centres(static_cast<std::size_t>(spec.clusters));
  for_each_row(spec.clusters, context.num_threads, [&](std::int64_t cluster) {
    NormalDraws draw(streams.item(Draw::kDirection, cluster));
    centres[static_cast<std::size_t>(cluster)] = random_direction(spec.dimensions, draw);
  });
  std::vector<float>& embeddings = set.table.embeddings.own();
  for_each_row(spec.count, context.num_threads, [&](std::int64_t row) {
    NormalDraws draw(streams.item(Draw::kEmbedding, row));
    put_direction(spec.clusters == 0
                      ? random_direction(spec.dimensions, draw)
                      : draw_member(centres[static_cast<std::size_t>(row % spec.clusters)],
                                    spec.within_mean, spec.within_sd, kAnyCosine, draw),
                  row, &embeddings);
  });
  set.targets.resize(static_cast<std::size_t>(spec.queries));
  for_each_row(spec.queries, context.num_threads, [&](std::int64_t query) {
    RandomItem item = streams.item(Draw::kQuery, query);
    const auto row = static_cast<std::int64_t>(item.below(static_cast<std::uint64_t>(spec.count)));
    const float* embedding = set.table.embedding(row);
    NormalDraws draw(item);
    put_direction(
        direction_near(Direction(embedding, embedding + spec.dimensions), spec.query_cos, draw),
        query, &set.query_embeddings);
    set.targets[static_cast<std::size_t>(query)] = {row, query};
  });
  place_memories(spec.layout, streams, context, &set.table);
  draw_traits(spec.traits, streams, &set);
  return set;
}

}  // namespace sightline::host
