// Prints a digest of the answers of each op over seeded worlds, rays, memories and anchors. Answers
// are the same bits on every machine, so this prints the same lines on every instruction set
// (SIGHTLINE_ISA) and processor: scripts/check_arm.sh compares them.
//
// Inputs take no function of the C library whose last bit may differ between processors (sin, exp):
// angles are those of right triangles with whole sides. Their digest is the first line.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "host/error.h"
#include "host/recall_batch.h"
#include "host/world/area_target.h"
#include "host/world/gaze.h"
#include "host/world/sight_at.h"
#include "host/world/view.h"
#include "support/anchors.h"
#include "support/blends.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using host::Method;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 20261123;

/// FNV-1a of answers, how many there were, and how often one differed from the one before it: a
/// digest of answers that are all alike would say little.
class Digest {
 public:
  void add(std::uint64_t answer) {
    for (int byte = 0; byte < 8; ++byte) {
      hash_ = (hash_ ^ (answer >> (8 * byte) & 0xff)) * 0x100000001b3u;
    }
    changes_ += count_ != 0 && answer != last_;
    last_ = answer;
    ++count_;
  }
  void add(double answer) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &answer, sizeof(bits));
    add(bits);
  }
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  void add(Integer answer) {
    add(static_cast<std::uint64_t>(answer));
  }
  void add(float answer) { add(static_cast<double>(answer)); }
  void add(kernels::Visibility answer) { add(static_cast<std::uint64_t>(answer)); }
  void add(const Vec3& p) { add(p.x), add(p.y), add(p.z); }
  void add(const kernels::SampleCounts& counts) { add(counts.visible), add(counts.unknown); }
  void add(const kernels::Scored& scored) { add(scored.score), add(scored.memory); }
  void add(const kernels::FirstHit& hit) {
    add(hit.distance_m);
    for (const std::int32_t v : hit.voxel) add(v);
    add(static_cast<std::uint64_t>(hit.face));
    add(hit.sight);
    add(static_cast<std::uint64_t>(hit.through_unknown));
  }
  template <class T>
  void add(const std::vector<T>& answers) {
    for (const T& answer : answers) add(answer);
  }

  void print(const char* op) const {
    std::printf("%-16s %016" PRIx64 "  %" PRIu64 " answers, %" PRIu64 " changes\n", op, hash_,
                count_, changes_);
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u, last_ = 0, count_ = 0, changes_ = 0;
};

host::VisibilityQuery random_query(Method method, Random& random) {
  host::VisibilityQuery query;
  query.method = method;
  query.unknown = static_cast<kernels::SpacePolicy>(random.integer(0, 2));
  query.outside = static_cast<kernels::SpacePolicy>(random.integer(0, 2));
  query.tie_rule = static_cast<kernels::TieRule>(random.integer(0, 1));
  query.end_rule = static_cast<kernels::EndRule>(random.integer(0, 2));
  query.lattice_bits = static_cast<int>(random.integer(0, 14));
  return query;
}

/// A pose turned by angles whose cosine and sine are quotients of whole numbers.
kernels::Pose random_pose(const Vec3& at, Random& random) {
  constexpr double kTriangles[][3] = {{3, 4, 5},   {5, 12, 13},  {8, 15, 17},
                                      {7, 24, 25}, {20, 21, 29}, {0, 1, 1}};
  const auto turn = [&](double* cos, double* sin) {
    const auto& [a, b, c] = kTriangles[random.integer(0, std::size(kTriangles) - 1)];
    *cos = a / c * (random.chance(0.5) ? 1 : -1);
    *sin = b / c * (random.chance(0.5) ? 1 : -1);
  };
  double cos_yaw = 0, sin_yaw = 0, cos_pitch = 0, sin_pitch = 0;
  turn(&cos_yaw, &sin_yaw);
  turn(&cos_pitch, &sin_pitch);
  if (cos_pitch < 0) cos_pitch = -cos_pitch;
  kernels::Pose pose;
  pose.position = at;
  pose.level_forward = {sin_yaw, 0, cos_yaw};
  pose.world_up = {0, 1, 0};
  pose.forward = {cos_pitch * sin_yaw, sin_pitch, cos_pitch * cos_yaw};
  pose.right = {cos_yaw, 0, -sin_yaw};
  pose.up = {-sin_pitch * sin_yaw, cos_pitch, -sin_pitch * cos_yaw};
  return pose;
}

/// One world of each kind, rays of each kind in it, and what all visibility ops answer.
class VisibilityDigests {
 public:
  void collect() {
    for (const WorldKind world_kind : kAllWorldKinds) {
      const DenseWorld dense = make_world(world_kind, {90, 70, 150}, true, random_);
      const host::World world = to_engine(dense, kFrame);
      for (const RayKind ray_kind : kAllRayKinds) {
        const auto rays = to_batch(make_rays(ray_kind, dense.dims(), 1500, random_), kFrame);
        inputs_.add(rays.observers);
        inputs_.add(rays.targets);
        ask_along(world, rays);
      }
      look_around(world, dense.dims());
    }
    ask_solid();
  }

  void print() const {
    inputs_.print("inputs");
    exact_.print("exact");
    march_.print("march");
    solid_.print("solid_march");
    hits_.print("first_hit");
    areas_.print("areas");
    views_.print("views");
    pixels_.print("covered_pixels");
    fields_.print("field_of_view");
  }

 private:
  void ask_along(const host::World& world, const host::RayBatch& rays) {
    const std::vector<double> steps_m{0.05, 0.1, 0.3, 1, 2.5};
    for (const Method method : {Method::kDda, Method::kHdda}) {
      const host::VisibilityQuery query = random_query(method, random_);
      exact_.add(line_of_sight(world, rays, query, 0, device_));
      hits_.add(first_hit(world, rays, query, device_));
    }
    exact_.add(line_of_sight(world, rays, {}, 0, device_));  // what the vectors answer
    hits_.add(first_hit(world, rays, {}, device_));
    for (const Method method : {Method::kMarch, Method::kMarchUniform}) {
      march_.add(line_of_sight_steps(world, rays, random_query(method, random_), steps_m, device_));
    }
  }

  void look_around(const host::World& world, const oracle::Index3& dims) {
    auto rays = to_batch(make_rays(RayKind::kRandom, dims, 30, random_), kFrame);
    rays.shape = kernels::RayShape::kCross;
    std::vector<kernels::Pose> poses;
    for (const Vec3& at : rays.observers) poses.push_back(random_pose(at, random_));
    const kernels::Camera camera{32, 24, 0.75, 0.5, 20};
    const host::AreaTarget area{{1, 0.5, 2}, {3, 2, 2}};
    const std::vector<kernels::Pose> first_poses(poses.begin(), poses.begin() + 4);
    for (const auto& query : {host::VisibilityQuery{}, random_query(Method::kHdda, random_)}) {
      areas_.add(visible_samples(world, rays, area, query, 0, device_));
      views_.add(render_views(world, first_poses, camera, query, {}, device_).hits);
      pixels_.add(covered_pixels(world, poses, rays, {1, 2, 0.5}, camera, query, device_));
    }
    std::vector<kernels::FieldOfView> fovs(12);
    for (std::size_t k = 0; k < fovs.size(); ++k) {
      fovs[k].kind = static_cast<kernels::FieldOfViewKind>(k % 3);
      fovs[k].min_cos = random_.uniform(-1, 1);
      fovs[k].tan_horizontal = random_.uniform(0.1, 2);
      fovs[k].tan_vertical = random_.uniform(0.1, 2);
      fovs[k].far_m = random_.uniform(2, 20);
    }
    fields_.add(in_field_of_view(poses, rays, fovs, device_));
  }

  void ask_solid() {
    std::vector<kernels::Primitive> solids(4);
    for (std::size_t k = 0; k < solids.size(); ++k) {
      const double at = 4.0 * static_cast<double>(k);
      solids[k].kind = static_cast<kernels::PrimitiveKind>(k);
      solids[k].min = {at + 1, 1, 4};
      solids[k].max = {at + 4, 8, 15};
    }
    solids[1].cos_turn = 0.8;
    solids[1].sin_turn = 0.6;
    host::World world;
    world.analytic = host::AnalyticSolid{solids, {}};
    const auto rays = to_batch(make_rays(RayKind::kRandom, {20, 10, 20}, 5000, random_));
    host::VisibilityQuery query;
    query.geometry = host::Geometry::kAnalytic;
    for (const Method method : {Method::kMarch, Method::kMarchUniform}) {
      query.method = method;
      solid_.add(line_of_sight_steps(world, rays, query, {0.05, 0.3, 2.5}, device_));
    }
  }

  const oracle::Frame kFrame{{-3, 1.5, 7}, {0.08, 0.11, 0.25}};
  Random random_{kSeed};
  host::Device device_{host::DeviceChoice::kCpu};
  Digest inputs_, exact_, march_, solid_, hits_, areas_, views_, pixels_, fields_;
};

/// Features, gates, ranks and lists of a few thousand memories.
class RecallDigests {
 public:
  void collect() {
    constexpr std::int64_t kMemories = 3333, kQueries = 9;
    constexpr std::int32_t kWidth = 96;
    std::vector<float> rows, asked;
    std::vector<double> time_s, now_s;
    std::vector<std::int64_t> targets;
    for (std::int64_t i = 0; i < kMemories * kWidth; ++i) rows.push_back(element());
    for (std::int64_t i = 0; i < kQueries * kWidth; ++i) asked.push_back(element());
    for (std::int64_t i = 0; i < kMemories; ++i) time_s.push_back(random_.uniform(0, 1e6));
    for (std::int64_t i = 0; i < kQueries; ++i) {
      now_s.push_back(random_.uniform(5e5, 1e6));
      targets.push_back(random_.integer(0, kMemories - 1));
    }
    const auto anchors = make_anchors(kMemories, 30, true, random_);
    const auto centres = make_anchors(kQueries, 30, true, random_);
    inputs_.add(rows);
    inputs_.add(time_s);
    inputs_.add(anchors);
    host::RecallMemories memories{kMemories, kWidth, rows.data()};
    memories.anchors_m = anchors.data();
    memories.time_s = time_s.data();
    host::RecallBatch batch(device_, memories);
    batch.set_queries({kQueries, asked.data(), centres.data(), now_s.data()});
    const std::vector<int> columns = add_features(batch);
    for (const int gate : add_gates(batch)) rank(batch, columns, gate, targets);
    rank_wide_sums();
  }

  void print() const {
    inputs_.print("recall_inputs");
    cosines_.print("cosines");
    decays_.print("decays");
    gates_.print("gates");
    ranks_.print("ranks");
    tops_.print("top_k");
  }

 private:
  float element() { return static_cast<float>(random_.uniform(-0.15, 0.15)); }

  std::vector<int> add_features(host::RecallBatch& batch) {
    std::vector<int> columns{batch.add_cosines()};
    cosines_.add(batch.values_of(columns[0]));
    for (int form = 0; form <= static_cast<int>(kernels::DecayForm::kHalfLife); ++form) {
      const auto decay = static_cast<kernels::DecayForm>(form);
      const int near = batch.add_proximities({decay, 9.7}),
                late = batch.add_recencies({decay, 3e5});
      decays_.add(batch.values_of(near));
      decays_.add(batch.values_of(late));
      if (decay == kernels::DecayForm::kExponential) columns.insert(columns.end(), {near, late});
    }
    return columns;
  }

  /// No gate, and each kind of gate.
  std::vector<int> add_gates(host::RecallBatch& batch) {
    const int radius = batch.add_radius_gate(12.5), nearest = batch.add_nearest_gate(100);
    const std::vector<int> gates{radius, nearest,
                                 batch.join(kernels::GateJoin::kAnd, radius, nearest),
                                 batch.join(kernels::GateJoin::kOr, radius, nearest),
                                 batch.join(kernels::GateJoin::kAndNot, radius, nearest)};
    for (const int gate : gates) gates_.add(batch.bits_of(gate));
    return {-1, radius, nearest};
  }

  void rank(host::RecallBatch& batch, const std::vector<int>& columns, int gate,
            const std::vector<std::int64_t>& targets) {
    host::RecallMixes mixes{columns, {}, gate};
    for (std::int32_t a = 0; a <= 12; ++a) {
      for (std::int32_t b = 0; a + b <= 12; ++b) {
        mixes.weights.insert(mixes.weights.end(), {a, b, 12 - a - b});
      }
    }
    ranks_.add(batch.target_ranks(mixes, targets));
    tops_.add(batch.top_memories(mixes, 10));
  }

  /// Ties, weights of either sign, and sums beyond 32 bits.
  void rank_wide_sums() {
    for (const std::int32_t largest_weight : {20, 4095, 1 << 24}) {
      BlendShape shape;
      shape.num_memories = 1111;
      shape.num_mixes = 70;
      shape.largest_weight = largest_weight;
      shape.smallest_weight = -largest_weight / 2;
      shape.share_kept = 0.5;
      shape.feature_bits = largest_weight > 4095 ? 30 : 18;
      shape.largest_value = largest_weight > 20 ? 1 << shape.feature_bits : 200;
      const Blend blend = make_blend(shape, random_);
      kernels::Executor executor;
      executor.instructions = host::chosen_instructions();
      ranks_.add(ranks_of(blend, executor));
      tops_.add(tops_of(blend, 9, executor));
    }
  }

  Random random_{kSeed};
  host::Device device_{host::DeviceChoice::kCpu};
  Digest inputs_, cosines_, decays_, gates_, ranks_, tops_;
};

int print_answers() {
  VisibilityDigests visibility;
  visibility.collect();
  visibility.print();
  RecallDigests recall;
  recall.collect();
  recall.print();
  return 0;
}

}  // namespace
}  // namespace sightline::tests

int main() {
  try {
    return sightline::tests::print_answers();
  } catch (const sightline::host::InputError& error) {  // of SIGHTLINE_ISA
    std::fprintf(stderr, "answers: error: %s\n", error.what());
    return 2;
  }
}
