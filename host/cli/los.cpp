// sightline los: line of sight for a batch of rays, NumPy files in and out.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/world_options.h"
#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/formats.h"
#include "host/world/npy.h"
#include "host/world/visibility.h"

namespace sightline::cli {

namespace {

using namespace host;

/// An option that only some methods look at.
struct MethodOption {
  const CLI::Option* option;
  std::vector<Method> methods;
};

struct LosArguments {
  WorldArguments world;
  std::string observers, targets, pairs, directions, out;
  double range_m = 0;
  double step_m = 0;
  std::int64_t max_rays = 0;
  bool cross = false;
  bool packed = false;
  bool quiet = false;
  VisibilityQuery query;
  std::vector<MethodOption> method_options;
  DeviceArguments device;
};

const std::vector<std::pair<std::string, Method>> kMethods{{"march", Method::kMarch},
                                                           {"march_uniform", Method::kMarchUniform},
                                                           {"dda", Method::kDda},
                                                           {"hdda", Method::kHdda}};
const std::vector<std::pair<std::string, kernels::SpacePolicy>> kPolicies{
    {"free", kernels::SpacePolicy::kFree},
    {"blocks", kernels::SpacePolicy::kBlocks},
    {"unknown", kernels::SpacePolicy::kUnknown}};
const std::vector<std::pair<std::string, kernels::TieRule>> kTieRules{
    {"diagonal", kernels::TieRule::kDiagonal}, {"supercover", kernels::TieRule::kSupercover}};
const std::vector<std::pair<std::string, kernels::EndRule>> kEndRules{
    {"before_target", kernels::EndRule::kBeforeTarget},
    {"step_before", kernels::EndRule::kStepBefore},
    {"half_step_before", kernels::EndRule::kHalfStepBefore}};

bool is_march(Method method) { return method == Method::kMarch || method == Method::kMarchUniform; }

std::string name_of(Method method) {
  for (const auto& [name, named] : kMethods) {
    if (named == method) return name;
  }
  return "";
}

/// An option that would change nothing is most likely a mistake.
void refuse_options_without_effect(const LosArguments& a) {
  for (const MethodOption& only : a.method_options) {
    const std::vector<Method>& methods = only.methods;
    const bool used = std::find(methods.begin(), methods.end(), a.query.method) != methods.end();
    if (used || only.option->count() == 0) continue;
    std::string names;
    for (const Method method : methods) names += (names.empty() ? "" : " and ") + name_of(method);
    throw InputError(fmt::format("{} has no effect with --method {}; it is for {} only",
                                 only.option->get_name(), name_of(a.query.method), names));
  }
}

void check(const LosArguments& a) {
  if (a.cross && !a.pairs.empty()) throw InputError("--cross and --pairs exclude each other");
  if (a.targets.empty() == a.directions.empty()) {
    throw InputError("give --targets FILE, or --directions FILE with --range METRES");
  }
  if (!a.directions.empty() && (a.range_m <= 0 || a.cross || !a.pairs.empty())) {
    throw InputError("--directions needs --range METRES above 0, and neither --cross nor --pairs");
  }
  if (a.directions.empty() && a.range_m != 0) {
    throw InputError("--range is the length of rays along --directions FILE; give both or neither");
  }
  refuse_options_without_effect(a);
  if (is_march(a.query.method) && !(a.step_m > 0)) {
    throw InputError("--method march and march_uniform need --step METRES above 0");
  }
  const bool three_valued = a.query.unknown == kernels::SpacePolicy::kUnknown ||
                            a.query.outside == kernels::SpacePolicy::kUnknown;
  check_output_path(a.out);
  for (const std::string* input :
       {&a.world.file, &a.observers, &a.targets, &a.pairs, &a.directions}) {
    if (same_file(*input, a.out)) {
      throw InputError("--out " + a.out + ": is one of the inputs; name another file");
    }
  }
  if (a.packed && three_valued) {
    throw InputError(
        "--packed holds one bit per ray and cannot say \"unknown\"; "
        "use --unknown and --outside free or blocks, or leave out --packed");
  }
}

RayBatch read_rays(const LosArguments& a) {
  RayBatch rays;
  if (!a.directions.empty()) {
    const std::vector<kernels::Vec3> origin = read_points_npy(a.observers);
    if (origin.size() != 1) {
      throw InputError(a.observers + ": holds " + std::to_string(origin.size()) +
                       " points; --directions starts from exactly one");
    }
    return rays_from_origin(origin.front(), read_points_npy(a.directions), a.range_m);
  }
  rays.observers = read_points_npy(a.observers);
  rays.targets = read_points_npy(a.targets);
  if (a.cross) rays.shape = kernels::RayShape::kCross;
  if (!a.pairs.empty()) {
    rays.shape = kernels::RayShape::kPairs;
    rays.pairs = read_pairs_npy(a.pairs);
  }
  return rays;
}

/// One bit per answer, 1 = visible, lowest bit first, each row padded to whole bytes: what
/// numpy.packbits(axis=-1, bitorder="little") makes of `answer == 1`.
std::vector<std::uint8_t> pack(const std::vector<kernels::Visibility>& answers,
                               std::vector<std::int64_t>& shape) {
  const std::int64_t row = shape.back();
  const std::int64_t num_rows = row == 0 ? 0 : static_cast<std::int64_t>(answers.size()) / row;
  shape.back() = (row + 7) / 8;
  std::vector<std::uint8_t> bits(static_cast<std::size_t>(num_rows * shape.back()), 0);
  for (std::int64_t r = 0; r < num_rows; ++r) {
    for (std::int64_t c = 0; c < row; ++c) {
      const bool visible = answers[r * row + c] == kernels::Visibility::kVisible;
      bits[r * shape.back() + c / 8] |= static_cast<std::uint8_t>(visible << (c % 8));
    }
  }
  return bits;
}

void write_answers(const LosArguments& a, const RayBatch& rays,
                   const std::vector<kernels::Visibility>& answers) {
  std::vector<std::int64_t> shape{rays.num_rays()};
  if (a.cross) {
    shape = {static_cast<std::int64_t>(rays.observers.size()),
             static_cast<std::int64_t>(rays.targets.size())};
  }
  std::vector<std::uint8_t> bytes;
  if (a.packed) {
    bytes = pack(answers, shape);
  } else {
    bytes.reserve(answers.size());
    for (const kernels::Visibility v : answers) bytes.push_back(static_cast<std::uint8_t>(v));
  }
  write_npy_u8(a.out, bytes, shape);
}

std::int64_t num_outside(const OccupancyGrid& grid, const std::vector<kernels::Vec3>& points) {
  const GridGeometry& g = grid.geometry();
  return std::count_if(points.begin(), points.end(), [&](const kernels::Vec3& point) {
    const double p[3] = {point.x, point.y, point.z};
    bool outside = false;
    for (int axis = 0; axis < 3; ++axis) {
      const double voxel = (p[axis] - g.origin_m[axis]) / g.voxel_m[axis];
      outside = outside || voxel < 0 || voxel >= static_cast<double>(g.dims[axis]);
    }
    return outside;
  });
}

/// Points beside the map are legal, and the first sign of a map that was placed wrongly.
void warn_of_points_outside(const World& world, const RayBatch& rays) {
  if (!world.grid) return;
  const std::int64_t observers = num_outside(*world.grid, rays.observers);
  const std::int64_t targets = num_outside(*world.grid, rays.targets);
  if (observers + targets == 0) return;
  print_warnings({fmt::format("{} of {} observers and {} of {} targets lie outside the grid",
                              observers, rays.observers.size(), targets, rays.targets.size())});
}

void print_counts(const LosArguments& a, const std::vector<kernels::Visibility>& answers) {
  std::int64_t count[3] = {0, 0, 0};
  for (const kernels::Visibility v : answers) ++count[static_cast<int>(v)];
  fmt::print("{} rays: {} visible, {} hidden, {} unknown -> {}\n", answers.size(), count[1],
             count[0], count[2], a.out);
}

void run(const LosArguments& a) {
  check(a);
  const RayBatch rays = read_rays(a);
  const World world = open_world(a.world);
  Device device(a.device.choice, a.device.num_threads);
  device.set_max_rays_per_batch(a.max_rays);
  const std::vector<kernels::Visibility> answers =
      line_of_sight(world, rays, a.query, a.step_m, device);
  write_answers(a, rays, answers);
  if (a.quiet) return;
  print_counts(a, answers);
  warn_of_points_outside(world, rays);
}

}  // namespace

void add_los(CLI::App& app) {
  auto arguments = std::make_shared<LosArguments>();
  LosArguments& a = *arguments;
  CLI::App* los = app.add_subcommand("los", "Line of sight for a batch of rays");
  los->add_option("--world", a.world.file, "World file: " + readable_formats())->required();
  add_placement_options(*los, a.world);
  los->add_option("--observers", a.observers, "Points [N, 3], float64 .npy, metres, world frame")
      ->required();
  los->add_option("--targets", a.targets, "Points [N, 3] or [M, 3]; a[i] -> b[i] by default");
  los->add_option("--pairs", a.pairs, "Rays as index pairs [R, 2] into observers and targets");
  los->add_flag("--cross", a.cross, "Every observer to every target; the answer is [N, M]");
  los->add_option("--directions", a.directions, "Directions [R, 3] from the one observer");
  los->add_option("--range", a.range_m, "Length of the rays along --directions, metres");
  add_choice(*los, "--method", a.query.method, kMethods,
             "march, march_uniform: samples; dda, hdda: exact (same answers, hdda skips empty "
             "space)");
  const CLI::Option* step =
      los->add_option("--step", a.step_m, "Metres between samples of the marches");
  const CLI::Option* end_rule =
      add_choice(*los, "--end-rule", a.query.end_rule, kEndRules, "Where a march's samples end");
  add_choice(*los, "--unknown", a.query.unknown, kPolicies, "Unknown space");
  add_choice(*los, "--outside", a.query.outside, kPolicies, "Space outside the grid");
  const CLI::Option* tie_rule =
      add_choice(*los, "--tie-rule", a.query.tie_rule, kTieRules, "Cells an exact ray visits");
  const CLI::Option* lattice_bits =
      los->add_option("--lattice-bits", a.query.lattice_bits,
                      "Exact methods round endpoints to 2^-bits voxel (default 8)")
          ->check(CLI::Range(0, 16));
  a.method_options = {{step, {Method::kMarch, Method::kMarchUniform}},
                      {end_rule, {Method::kMarch}},
                      {tie_rule, {Method::kDda, Method::kHdda}},
                      {lattice_bits, {Method::kDda, Method::kHdda}}};
  los->add_option("--out", a.out, "uint8 .npy: 0 hidden, 1 visible, 2 unknown")->required();
  los->add_flag("--packed", a.packed, "One bit per ray instead (numpy.packbits, little)");
  los->add_option("--batch", a.max_rays, "Rays in one piece; does not change an answer")
      ->check(at_least_one());
  los->add_flag("--quiet", a.quiet, "Print nothing");
  add_device_options(*los, a.device);
  los->footer(
      "Exact methods answer for endpoints rounded (half to even) to the lattice, in exact\n"
      "arithmetic; marches use the points as given. The voxels that hold the two ends never hide\n"
      "anything.\n\n"
      "Example:\n"
      "  sightline los --world map.bt --observers a.npy --targets b.npy --cross --out vis.npy");
  los->callback([arguments] { run(*arguments); });
}

}  // namespace sightline::cli
