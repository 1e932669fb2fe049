#include "host/sweep/make_queries.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "host/config/place.h"
#include "host/memory/memory_summary.h"
#include "host/random.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kTwoPi = 6.283185307179586;
// Streams of random numbers, beside those of points (host/sweep/points.h), which are below 2^16.
constexpr std::uint64_t kAskedStream = 0x10001, kOffsetStream = 0x10002, kHeadingStream = 0x10003;
constexpr std::uint64_t kRandomOffsetStream = 0x10008;
constexpr std::uint32_t kStandpointStream = 0x7001;

Vec3 sum(Vec3 a, Vec3 b, double times) {
  return {a.x + b.x * times, a.y + b.y * times, a.z + b.z * times};
}

/// What is asked for, in order.
std::vector<MemoryTarget> targets_of(const RecallExperiment& experiment,
                                     const MemorySet& memories) {
  std::vector<MemoryTarget> targets = memories.targets;
  const QuerySettings& queries = experiment.queries;
  if (targets.empty()) {
    fail_at(experiment.memories_place,
            "names no questions; give `memories.queries: {file: QUESTIONS.jsonl}`, which say what "
            "is asked for");
  }
  if (queries.num_targets == 0) return targets;
  const auto most = static_cast<std::int64_t>(targets.size());
  if (queries.num_targets > most) {
    fail_at(queries.where, std::to_string(queries.num_targets) + " random targets, but only " +
                               std::to_string(most) + " memories are asked for");
  }
  // The first steps of a Fisher-Yates shuffle.
  for (std::int64_t i = 0; i < queries.num_targets; ++i) {
    RandomItem random(experiment.seed, kAskedStream, static_cast<std::uint64_t>(i));
    const auto rest = static_cast<std::uint64_t>(most - i);
    std::swap(targets[static_cast<std::size_t>(i)],
              targets[static_cast<std::size_t>(i) + random.below(rest)]);
  }
  targets.resize(static_cast<std::size_t>(queries.num_targets));
  return targets;
}

/// Uniform on the sphere, or on the level circle.
Vec3 direction_of(const QuerySettings& queries, const FrameAxes& axes, RandomItem* random) {
  if (queries.direction == QuerySettings::Direction::kFixed) return queries.fixed_direction;
  const double turn = kTwoPi * random->uniform();
  const bool level = queries.direction == QuerySettings::Direction::kHorizontal;
  const double up = level ? 0 : 2 * random->uniform() - 1;
  const double out = std::sqrt(1 - up * up);
  Vec3 direction{0, 0, 0};
  direction = sum(direction, axes.yaw_0, out * std::cos(turn));
  direction = sum(direction, axes.yaw_90, out * std::sin(turn));
  return sum(direction, axes.up, up);
}

/// The corner of the memories' box that lies opposite to a point: the far end of each axis.
Vec3 opposite_corner(const Bounds& box, Vec3 p) {
  const auto far_end = [](double low, double high, double at) {
    return at - low > high - at ? low : high;
  };
  return {far_end(box.min.x, box.max.x, p.x), far_end(box.min.y, box.max.y, p.y),
          far_end(box.min.z, box.max.z, p.z)};
}

/// The random stream of one query: by memory, draw and, where it matters, offset, so that the same
/// target at another offset is another draw.
std::uint64_t item_of(std::int64_t row, std::int64_t draw) {
  return static_cast<std::uint64_t>(row) | static_cast<std::uint64_t>(draw) << 40;
}

std::vector<Vec3> free_places(const RecallExperiment& experiment, const World& world,
                              const std::vector<Vec3>& around) {
  PointContext context;
  context.world = &world;
  context.geometry = world.grid ? Geometry::kGrid : Geometry::kAnalytic;
  context.around = &around;
  context.seed = experiment.seed;
  context.stream = kStandpointStream;
  return draw_points(*experiment.queries.free, context, 0,
                     static_cast<std::int64_t>(around.size()));
}

/// Yaw and pitch from one point to another, radians; 0 where they are one.
std::pair<double, double> angles_to(const FrameAxes& axes, Vec3 from, Vec3 to) {
  const Vec3 d = sum(to, from, -1);
  const auto along = [&](Vec3 axis) { return d.x * axis.x + d.y * axis.y + d.z * axis.z; };
  const double ahead = along(axes.yaw_0), aside = along(axes.yaw_90), up = along(axes.up);
  return {std::atan2(aside, ahead), std::atan2(up, std::hypot(ahead, aside))};
}

void add_poses(const RecallExperiment& experiment, const std::vector<Vec3>& subjects_m, Frame frame,
               QueryTable* queries) {
  if (experiment.queries.heading == QuerySettings::Heading::kNone) return;
  const FrameAxes axes = frame_axes(frame);
  for (std::int64_t i = 0; i < queries->size(); ++i) {
    const auto slot = static_cast<std::size_t>(i);
    const Vec3 centre = queries->centre_m[slot];
    double yaw = 0, pitch = 0;
    if (experiment.queries.heading == QuerySettings::Heading::kTarget) {
      const auto target = static_cast<std::size_t>(queries->target[slot]);
      std::tie(yaw, pitch) = angles_to(axes, centre, subjects_m[target]);
    } else {
      RandomItem random(experiment.seed, kHeadingStream, static_cast<std::uint64_t>(i));
      yaw = kTwoPi * random.uniform();
    }
    queries->poses.push_back(make_pose(frame, centre, yaw, pitch));
  }
}

void place_queries(const RecallExperiment& experiment, const std::vector<Vec3>& subjects_m,
                   const World* world, Frame frame, QueryTable* queries) {
  const QuerySettings& settings = experiment.queries;
  const FrameAxes axes = frame_axes(frame);
  const Bounds box = bounds_of(subjects_m);
  const Vec3 across = sum(box.max, box.min, -1);
  const double diagonal_m = std::sqrt(kernels::dot(across, across));
  std::vector<Vec3> around;
  if (settings.place == QuerySettings::Place::kFrom) {
    queries->centre_m.assign(queries->target.size(), settings.from_m);
  }
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(queries->target.size()); ++i) {
    const std::int64_t row = queries->target[static_cast<std::size_t>(i)];
    const Vec3 subject = subjects_m[static_cast<std::size_t>(row)];
    around.push_back(subject);
    if (settings.place == QuerySettings::Place::kFar) {
      queries->centre_m.push_back(opposite_corner(box, subject));
    } else if (settings.place == QuerySettings::Place::kOffset) {
      // Equal offsets draw equally; another offset is another draw.
      const auto millimetres = static_cast<std::uint64_t>(std::llround(settings.offset_m * 1000));
      RandomItem random(experiment.seed, kOffsetStream + (millimetres << 20),
                        item_of(row, i % settings.draws));
      queries->centre_m.push_back(
          sum(subject, direction_of(settings, axes, &random), settings.offset_m));
    } else if (settings.place == QuerySettings::Place::kRandom) {
      RandomItem random(experiment.seed, kRandomOffsetStream, item_of(row, i % settings.draws));
      const Vec3 direction = direction_of(settings, axes, &random);
      const double length_m = (1 - random.uniform()) * diagonal_m;  // never at the thing itself
      queries->centre_m.push_back(sum(subject, direction, length_m));
    }
  }
  if (settings.place == QuerySettings::Place::kFree) {
    queries->centre_m = free_places(experiment, *world, around);
  }
}

}  // namespace

QueryTable make_queries(const RecallExperiment& experiment, const MemorySet& memories,
                        const World* world) {
  const MemoryTable& table = memories.table;
  const Frame frame = world ? world->frame : table.frame.value_or(Frame::kSceneYUp);
  QueryTable queries;
  queries.width = table.width;
  for (const MemoryTarget& target : targets_of(experiment, memories)) {
    const float* const cue = memories.query_embeddings.data() + target.query * table.width;
    for (std::int64_t draw = 0; draw < experiment.queries.draws; ++draw) {
      queries.target.push_back(target.memory);
      queries.embeddings.insert(queries.embeddings.end(), cue, cue + table.width);
      queries.now_s.push_back(memories.now_s);
    }
  }
  const std::vector<Vec3>& subjects_m =
      memories.subject_m.empty() ? table.anchor_m : memories.subject_m;
  place_queries(experiment, subjects_m, world, frame, &queries);
  add_poses(experiment, subjects_m, frame, &queries);
  return queries;
}

}  // namespace sightline::host
