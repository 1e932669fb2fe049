// sightline los: line of sight for a batch of rays, NumPy files in and out, or for one ray.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/cli/world_options.h"
#include "host/config/plural.h"
#include "host/error.h"
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
  RayArguments rays;
  std::string out;
  double step_m = 0;
  std::int64_t max_rays = 0;
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

void check_out(const LosArguments& a) {
  check_told(a.rays, a.out, a.quiet);
  if (a.out.empty()) {
    if (a.packed) throw InputError("--packed is how --out FILE.npy is written; give both");
    return;
  }
  std::vector<std::string> inputs = a.rays.files();
  inputs.push_back(a.world.file);
  check_output(a.out, inputs);
  if (extension_of(a.out) != ".npy") {
    throw InputError("--out " + a.out + ": answers are written as .npy; change the extension");
  }
}

void check(const LosArguments& a) {
  check_ray_options(a.rays);
  refuse_options_without_effect(a);
  if (is_march(a.query.method) && !(a.step_m > 0)) {
    throw InputError("--method march and march_uniform need --step METRES above 0");
  }
  const bool three_valued = a.query.unknown == kernels::SpacePolicy::kUnknown ||
                            a.query.outside == kernels::SpacePolicy::kUnknown;
  check_out(a);
  if (a.packed && three_valued) {
    throw InputError(
        "--packed holds one bit per ray and cannot say \"unknown\"; "
        "use --unknown and --outside free or blocks, or leave out --packed");
  }
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
  std::vector<std::int64_t> shape = a.rays.shape(rays);
  std::vector<std::uint8_t> bytes;
  if (a.packed) {
    bytes = pack(answers, shape);
  } else {
    bytes.reserve(answers.size());
    for (const kernels::Visibility v : answers) bytes.push_back(static_cast<std::uint8_t>(v));
  }
  write_npy_u8(a.out, bytes, shape);
}

void print_counts(const LosArguments& a, const std::vector<kernels::Visibility>& answers) {
  std::int64_t count[3] = {0, 0, 0};
  for (const kernels::Visibility v : answers) ++count[static_cast<int>(v)];
  fmt::print("{}: {} visible, {} hidden, {} unknown -> {}\n", plural(answers.size(), "ray"),
             count[1], count[0], count[2], a.out);
}

void run(const LosArguments& a) {
  check(a);
  const RayBatch rays = read_rays(a.rays);
  const World world = open_world(a.world);
  Device device = make_device(a.device);
  print_warnings_of(device);
  device.set_max_rays_per_batch(a.max_rays);
  const std::vector<kernels::Visibility> answers =
      naming_files(a.rays, [&] { return line_of_sight(world, rays, a.query, a.step_m, device); });
  if (!a.out.empty()) write_answers(a, rays, answers);
  if (a.quiet) return;
  if (a.rays.is_one_ray()) {
    fmt::print("{}\n", host::name_of(answers.front()));
  } else {
    print_counts(a, answers);
  }
  warn_of_points_outside(world, rays);
}

}  // namespace

void add_los(CLI::App& app) {
  auto arguments = std::make_shared<LosArguments>();
  LosArguments& a = *arguments;
  CLI::App* los = add_command(app, "los", "Line of sight for a batch of rays, or for one");
  los->add_option("--world", a.world.file, "World file: " + readable_formats());
  add_world_options(*los, a.world);
  add_ray_options(*los, a.rays);
  add_choice(*los, "--method", a.query.method, kMethods,
             "march, march_uniform: samples; dda, hdda: exact (same answers, hdda skips empty "
             "space)");
  const CLI::Option* step =
      los->add_option("--step", a.step_m, "Metres between samples of the marches");
  const CLI::Option* end_rule =
      add_choice(*los, "--end-rule", a.query.end_rule, kEndRules, "Where a march's samples end");
  add_policy_options(*los, a.query);
  const std::vector<const CLI::Option*> exact = add_exact_options(*los, a.query);
  a.method_options = {{step, {Method::kMarch, Method::kMarchUniform}},
                      {end_rule, {Method::kMarch}},
                      {exact[0], {Method::kDda, Method::kHdda}},
                      {exact[1], {Method::kDda, Method::kHdda}}};
  los->add_option("--out", a.out,
                  "uint8 .npy: 0 hidden, 1 visible, 2 unknown; one ray does without");
  los->add_flag("--packed", a.packed, "One bit per ray instead (numpy.packbits, little)");
  los->add_option("--batch", a.max_rays, "Rays in one piece; does not change an answer")
      ->check(at_least_one());
  los->add_flag("--quiet", a.quiet, "Print nothing");
  add_device_options(*los, a.device);
  los->footer(
      "Exact methods answer for endpoints rounded (half to even) to the lattice, in exact\n"
      "arithmetic; marches use the points as given. The voxels that hold the two ends never hide\n"
      "anything.\n\n"
      "Examples:\n"
      "  sightline los --world map.bt --from 1 1 1.5 --to 4 3 2   # visible, hidden or unknown\n"
      "  sightline los --scene pilot2 --from 2 1.6 5 --to 16 1.6 5\n"
      "  sightline los --world map.bt --observers a.npy --targets b.npy --cross --out vis.npy");
  los->callback([arguments] { run(*arguments); });
}

}  // namespace sightline::cli
