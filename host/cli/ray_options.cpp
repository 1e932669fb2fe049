#include "host/cli/ray_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/cli/options.h"
#include "host/config/value.h"
#include "host/error.h"
#include "host/memory/memory_table.h"
#include "host/world/binary_file.h"
#include "host/world/npy.h"

namespace sightline::cli {

using namespace host;

namespace {

const std::vector<std::pair<std::string, kernels::SpacePolicy>> kPolicies{
    {"free", kernels::SpacePolicy::kFree},
    {"blocks", kernels::SpacePolicy::kBlocks},
    {"unknown", kernels::SpacePolicy::kUnknown}};
const std::vector<std::pair<std::string, kernels::TieRule>> kTieRules{
    {"diagonal", kernels::TieRule::kDiagonal}, {"supercover", kernels::TieRule::kSupercover}};

}  // namespace

std::vector<std::string> RayArguments::files() const {
  std::vector<std::string> named;
  for (const std::string* file : {&observers, &targets, &pairs, &directions}) {
    if (!file->empty()) named.push_back(*file);
  }
  return named;
}

kernels::Vec3 point_of(const std::string& option, const std::vector<std::string>& typed) {
  std::string text;
  for (const std::string& part : typed) text += (text.empty() ? "" : ",") + part;
  const ConfigValue list = ConfigValue::parse_yaml("[" + text + "]", option);
  const std::string named = option + " " + text;
  if (list.items().size() != 3) {
    throw InputError(named + ": must be X Y Z or X,Y,Z, three numbers in metres");
  }
  const std::vector<double> xyz = list.with_mark({named, 0, 0}).as_numbers(3);
  for (const double coordinate : xyz) {
    if (!(std::fabs(coordinate) <= kMaxPlace_m)) {
      throw InputError(named + ": must be at most 1e12 m from the origin on every axis");
    }
  }
  return {xyz[0], xyz[1], xyz[2]};
}

std::string placed_fault(const RayArguments& a, const std::string& fault) {
  if (a.is_one_ray()) {
    for (const auto& [row, option] :
         {std::pair<std::string, const char*>{"observers row 0", "--from"},
          {"targets row 0", "--to"}}) {
      if (fault.rfind(row, 0) == 0) return option + fault.substr(row.size());
    }
    return fault;
  }
  for (const auto& [what, file] :
       {std::pair<const char*, const std::string&>{"observers", a.observers},
        {"targets", a.targets.empty() ? a.directions : a.targets},
        {"origin", a.observers},
        {"directions", a.directions},
        {"pairs", a.pairs}}) {
    if (fault.rfind(std::string(what) + " row", 0) == 0) return file + ": " + fault;
  }
  if (fault.rfind("rays: ", 0) == 0) {
    return a.observers + ", " + a.targets + ": " + fault + "; --cross asks each of each";
  }
  return fault;
}

std::vector<std::int64_t> RayArguments::shape(const RayBatch& rays) const {
  if (!cross) return {rays.num_rays()};
  return {static_cast<std::int64_t>(rays.observers.size()),
          static_cast<std::int64_t>(rays.targets.size())};
}

void add_ray_options(CLI::App& command, RayArguments& a) {
  command.add_option("--from", a.from, "One ray in place of files: where it starts, metres")
      ->expected(1, 3)
      ->option_text("X Y Z");
  command.add_option("--to", a.to, "Where it ends")->expected(1, 3)->option_text("X Y Z");
  command.add_option("--observers", a.observers,
                     "Points [N, 3], float64 .npy, metres, world frame");
  command.add_option("--targets", a.targets, "Points [N, 3] or [M, 3]; a[i] -> b[i] by default");
  command.add_option("--pairs", a.pairs, "Rays as index pairs [R, 2] into observers and targets");
  command.add_flag("--cross", a.cross, "Every observer to every target; the answer is [N, M]");
  command.add_option("--directions", a.directions, "Directions [R, 3] from the one observer");
  command.add_option("--range", a.range_m, "Length of the rays along --directions, metres")
      ->check(length_above_zero());
}

void check_ray_options(const RayArguments& a) {
  if (a.is_one_ray()) {
    if (!a.files().empty() || a.cross || a.range_m != 0) {
      throw InputError(
          "--from X Y Z and --to X Y Z are one ray; leave out --observers, --targets, --pairs, "
          "--cross, --directions and --range");
    }
    if (a.from.empty() || a.to.empty()) throw InputError("--from goes with --to; give both");
    return;
  }
  if (a.observers.empty()) {
    throw InputError(
        "--observers is required: points [N, 3] as .npy; or give one ray as --from X Y Z --to X Y "
        "Z");
  }
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
}

RayBatch read_rays(const RayArguments& a) {
  RayBatch rays;
  if (a.is_one_ray()) {
    rays.observers = {point_of("--from", a.from)};
    rays.targets = {point_of("--to", a.to)};
    return rays;
  }
  if (!a.directions.empty()) {
    const std::vector<kernels::Vec3> origin = read_points_npy(a.observers);
    if (origin.size() != 1) {
      throw InputError(a.observers + ": holds " + std::to_string(origin.size()) +
                       " points; --directions starts from exactly one");
    }
    const std::vector<kernels::Vec3> directions = read_points_npy(a.directions);
    return naming_files(a, [&] { return rays_from_origin(origin.front(), directions, a.range_m); });
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

void add_policy_options(CLI::App& command, VisibilityQuery& query) {
  add_choice(command, "--unknown", query.unknown, kPolicies, "Unknown space");
  add_choice(command, "--outside", query.outside, kPolicies, "Space outside the grid");
}

std::vector<const CLI::Option*> add_exact_options(CLI::App& command, VisibilityQuery& query) {
  const CLI::Option* tie_rule =
      add_choice(command, "--tie-rule", query.tie_rule, kTieRules, "Cells an exact ray visits");
  const CLI::Option* lattice_bits =
      command
          .add_option("--lattice-bits", query.lattice_bits,
                      "Exact methods round endpoints to 2^-bits voxel (default 8)")
          ->check(integer_from(0, 16));
  return {tie_rule, lattice_bits};
}

void check_told(const RayArguments& a, const std::string& out, bool quiet) {
  if (!out.empty()) return;
  if (!a.is_one_ray()) {
    throw InputError(
        "--out is required: the file of the answers; only one ray, --from X Y Z --to X Y Z, does "
        "without");
  }
  if (quiet) throw InputError("--quiet leaves nothing to tell; give --out FILE, or leave it out");
}

void warn_of_points_outside(const World& world, const RayBatch& rays) {
  const std::string text = outside_text(world, rays);
  if (!text.empty()) print_warnings({text});
}

}  // namespace sightline::cli
