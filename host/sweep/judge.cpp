#include "host/sweep/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "host/config/suggest.h"
#include "host/world/turn.h"

namespace sightline::host {
namespace {

using kernels::FieldOfView;
using kernels::FieldOfViewKind;
using kernels::SpacePolicy;

constexpr std::initializer_list<const char*> kFieldOfViewKinds = {"yaw_cone", "cone", "frustum"};
constexpr std::int64_t kMaxLatticeBits = 16;
constexpr double kMaxHalfAngleDeg = 180;
constexpr double kMaxHalfFrustumDeg = 89.9;  ///< a tangent is finite below 90 degrees

/// The entries of `overlay` over those of `base`; either may be absent.
ConfigValue merged(const ConfigValue* base, const ConfigValue* overlay) {
  ConfigValue result = base ? *base : ConfigValue::map();
  if (base && !base->is_map()) base->fail("needs a map");
  if (!overlay) return result;
  if (!base) return *overlay;
  result.merge(*overlay);
  return result;
}

double number_or(const ConfigValue& map, const char* key, double low, double high,
                 double otherwise) {
  const ConfigValue* value = map.find(key);
  return value ? value->as_number(low, high) : otherwise;
}

double half_angle_tangent(const ConfigValue& angle) {
  return tan_of_degrees(angle.as_number(0, kMaxHalfFrustumDeg));
}

/// Checks every key and value that is given, by itself: a map may be incomplete until it is laid
/// over another.
void check_field_of_view(const ConfigValue& map) {
  map.allow_only(
      {"kind", "half_angle_deg", "min_cos", "horizontal_deg", "vertical_deg", "near_m", "far_m"});
  const auto check_number = [&](const char* key, double low, double high) {
    number_or(map, key, low, high, low);
  };
  if (const ConfigValue* kind = map.find("kind")) kind->as_choice(kFieldOfViewKinds);
  check_number("half_angle_deg", 0, kMaxHalfAngleDeg);
  check_number("min_cos", -1, 1);
  check_number("horizontal_deg", 0, kMaxHalfFrustumDeg);
  check_number("vertical_deg", 0, kMaxHalfFrustumDeg);
  check_number("near_m", 0, std::numeric_limits<double>::max());
  check_number("far_m", 0, std::numeric_limits<double>::infinity());
}

double cone_min_cos(const ConfigValue& cone) {
  const ConfigValue* angle = cone.find("half_angle_deg");
  const ConfigValue* min_cos = cone.find("min_cos");
  if ((angle != nullptr) == (min_cos != nullptr)) {
    cone.fail("a cone needs half_angle_deg or min_cos, one of the two");
  }
  return angle ? cos_of_degrees(angle->as_number(0, kMaxHalfAngleDeg)) : min_cos->as_number(-1, 1);
}

// ---- visibility ------------------------------------------------------------------------------

void check_sight_keys(const ConfigValue& sight) {
  sight.allow_only({"method", "solid", "step_m", "end_rule", "unknown", "outside", "tie_rule",
                    "lattice_bits", "target"});
}

Geometry parse_geometry(const ConfigValue& sight, bool exact, const WorldSpec& world) {
  const bool has_grid = !world.analytic || world.voxel_m > 0;
  const ConfigValue* solid = sight.find("solid");
  if (solid) {
    const bool analytic = solid->as_choice({"grid", "analytic"}) == 1;
    if (analytic && !world.analytic) {
      solid->fail(world.file.empty()
                      ? "the world has no analytic solid; give world.solid: {analytic: true, ...}"
                      : "a world file has no analytic solid; use grid");
    }
    if (!analytic && !has_grid) {
      solid->fail(
          "the world has no grid; give world.solid: {analytic: true, grid: {voxel_m: ...}}");
    }
    if (analytic && exact) solid->fail("dda and hdda walk the grid; an analytic solid is marched");
    return analytic ? Geometry::kAnalytic : Geometry::kGrid;
  }
  if (exact && !has_grid) {
    sight.fail(
        "dda and hdda walk a grid, which the world lacks; give world.solid: {analytic: "
        "true, grid: {voxel_m: ...}}, or march");
  }
  return exact || !world.analytic ? Geometry::kGrid : Geometry::kAnalytic;
}

/// What the truth inherits from the configuration's visibility: what the world is, not how closely
/// it is looked at.
void inherit_world(const ConfigValue* visibility, ConfigValue* sight) {
  if (!visibility) return;
  for (const char* key : {"solid", "unknown", "outside"}) {
    const ConfigValue* value = visibility->find(key);
    if (value && !sight->find(key)) sight->set_entry(key, *value);
  }
}

// ---- judges ----------------------------------------------------------------------------------

bool uses_sight(Predict predict) {
  return predict == Predict::kLineOfSight || predict == Predict::kFieldOfViewAndLineOfSight;
}

bool uses_field_of_view(Predict predict) {
  return predict == Predict::kFieldOfView || predict == Predict::kFieldOfViewAndLineOfSight;
}

/// A judge's own field of view over the configuration's: another kind replaces it whole, and so do
/// the two ways to write a cone's angle. `named` is the arm or the oracle, for messages.
FieldOfView judge_field_of_view(const ConfigValue& named, const ConfigValue* base,
                                const ConfigValue* own) {
  if (!base && !own) named.fail("predicts from a field of view, but field_of_view is not set");
  if (!base || (own && own->find("kind"))) return parse_field_of_view(*own);
  ConfigValue map = *base;
  if (own && own->find("half_angle_deg")) map.erase_path("min_cos");
  if (own && own->find("min_cos")) map.erase_path("half_angle_deg");
  return parse_field_of_view(merged(&map, own));
}

/// A judge's own view over the configuration's. The picture is made by exact walks.
ViewSettings judge_view(const ConfigValue& arm, const ConfigValue& settings,
                        const WorldSpec& world) {
  const ConfigValue view = merged(settings.find("view"), arm.find("view"));
  if (view.entries().empty()) arm.fail("predicts from a rendered view, but view is not set");
  const ConfigValue* own = arm.find("visibility");
  if (const ConfigValue* target = own ? own->find("target") : nullptr) {
    target->fail("has no effect on a rendered view, whose view has a box_m of its own");
  }
  const ConfigValue sight = merged(settings.find("visibility"), own);
  const SightSettings exact = parse_sight(sight, world);
  if (exact.is_march()) {
    arm.fail("a rendered view needs exact walks; give this arm visibility: {method: hdda}");
  }
  return parse_view(view, exact.query);
}

Arm parse_arm(const ConfigValue::Entry& entry, const ConfigValue& settings,
              const WorldSpec& world) {
  const ConfigValue& map = entry.second;
  map.allow_only({"predict", "visibility", "field_of_view", "view"});
  Arm arm;
  arm.name = entry.first;
  arm.judge.predict = static_cast<Predict>(
      map.at("predict").as_choice({"visible", "hidden", "field_of_view", "line_of_sight",
                                   "field_of_view_and_line_of_sight", "rendered_view"}));
  const ConfigValue* sight = map.find("visibility");
  if (sight) check_sight_keys(*sight);
  if (const ConfigValue* fov = map.find("field_of_view")) check_field_of_view(*fov);
  if (const ConfigValue* view = map.find("view")) check_view_keys(*view);
  if (arm.judge.predict == Predict::kRenderedView) {
    arm.judge.view = judge_view(map, settings, world);
  }
  if (uses_sight(arm.judge.predict)) {
    arm.judge.sight = parse_sight(merged(settings.find("visibility"), sight), world);
  }
  if (uses_field_of_view(arm.judge.predict)) {
    arm.judge.field_of_view =
        judge_field_of_view(map, settings.find("field_of_view"), map.find("field_of_view"));
  }
  return arm;
}

}  // namespace

SightSettings parse_sight(const ConfigValue& sight, const WorldSpec& world) {
  // Every rule is checked, but those the method does not use keep their defaults, so that equal
  // questions compare equal.
  check_sight_keys(sight);
  const auto choice = [&](const char* key, std::initializer_list<const char*> names) {
    const ConfigValue* value = sight.find(key);
    return value ? value->as_choice(names) : 0;
  };
  VisibilityQuery all;
  if (sight.find("method")) {
    all.method = static_cast<Method>(choice("method", {"march", "march_uniform", "dda", "hdda"}));
  }
  all.unknown = static_cast<SpacePolicy>(choice("unknown", {"free", "blocks", "unknown"}));
  all.outside = static_cast<SpacePolicy>(choice("outside", {"free", "blocks", "unknown"}));
  all.tie_rule = static_cast<kernels::TieRule>(choice("tie_rule", {"diagonal", "supercover"}));
  all.end_rule = static_cast<kernels::EndRule>(
      choice("end_rule", {"before_target", "step_before", "half_step_before"}));
  if (const ConfigValue* bits = sight.find("lattice_bits")) {
    all.lattice_bits = static_cast<int>(bits->as_integer(0, kMaxLatticeBits));
  }
  const ConfigValue* step = sight.find("step_m");
  const double step_m = step ? step->as_positive() : 0;

  SightSettings used;
  if (const ConfigValue* target = sight.find("target")) used.area = parse_area(*target);
  used.query.method = all.method;
  used.query.unknown = all.unknown;
  used.query.outside = all.outside;
  used.query.geometry = parse_geometry(sight, !used.is_march(), world);
  if (used.is_march()) {
    used.step_m = step_m > 0 ? step_m : sight.at("step_m").as_positive();
    used.step_place = step->where();
    if (all.method == Method::kMarch) used.query.end_rule = all.end_rule;
  } else {
    used.query.lattice_bits = all.lattice_bits;
    used.query.tie_rule = all.tie_rule;
  }
  return used;
}

FieldOfView parse_field_of_view(const ConfigValue& map) {
  check_field_of_view(map);
  FieldOfView fov;
  fov.kind = static_cast<FieldOfViewKind>(map.at("kind").as_choice(kFieldOfViewKinds));
  if (fov.kind == FieldOfViewKind::kFrustum) {
    if (map.find("half_angle_deg") || map.find("min_cos")) {
      map.fail("a frustum has horizontal_deg and vertical_deg, its two half-angles");
    }
    fov.tan_horizontal = half_angle_tangent(map.at("horizontal_deg"));
    fov.tan_vertical = half_angle_tangent(map.at("vertical_deg"));
  } else {
    if (map.find("horizontal_deg") || map.find("vertical_deg")) {
      map.fail(
          "a cone has half_angle_deg or min_cos; horizontal_deg and vertical_deg belong to a "
          "frustum");
    }
    fov.min_cos = cone_min_cos(map);
  }
  constexpr double kFar = std::numeric_limits<double>::infinity();
  fov.near_m = number_or(map, "near_m", 0, std::numeric_limits<double>::max(), 0);
  fov.far_m = number_or(map, "far_m", fov.near_m, kFar, kFar);
  return fov;
}

std::vector<Arm> parse_arms(const ConfigValue& settings, const WorldSpec& world) {
  const ConfigValue& map = settings.at("arms");
  if (map.entries().empty()) {
    map.fail("needs at least one arm, such as exact: {predict: line_of_sight}");
  }
  // Checked even where no arm uses them: a misspelt key must not pass in silence.
  if (const ConfigValue* sight = settings.find("visibility")) check_sight_keys(*sight);
  if (const ConfigValue* fov = settings.find("field_of_view")) check_field_of_view(*fov);
  if (const ConfigValue* view = settings.find("view")) check_view_keys(*view);
  std::vector<Arm> arms;
  for (const ConfigValue::Entry& entry : map.entries()) {
    arms.push_back(parse_arm(entry, settings, world));
  }
  return arms;
}

Judge parse_oracle(const ConfigValue& settings, const WorldSpec& world) {
  const ConfigValue* oracle = settings.find("oracle");
  const ConfigValue map = oracle ? *oracle : ConfigValue::map().with_mark(settings.mark());
  map.allow_only({"predict", "field_of_view", "method", "solid", "step_m", "end_rule", "unknown",
                  "outside", "tie_rule", "lattice_bits", "target"});
  if (!map.find("method") && world.analytic && world.voxel_m <= 0) {
    settings.fail(
        "oracle: an analytic world has no exact walk; give oracle: {method: march, "
        "step_m: 0.01}");
  }
  Judge judge;
  judge.predict = Predict::kLineOfSight;
  if (const ConfigValue* predict = map.find("predict")) {
    const bool both = predict->as_choice({"line_of_sight", "field_of_view_and_line_of_sight"}) == 1;
    if (both) judge.predict = Predict::kFieldOfViewAndLineOfSight;
  }
  if (const ConfigValue* fov = map.find("field_of_view")) check_field_of_view(*fov);
  ConfigValue sight = map;
  sight.erase_entry("predict");
  sight.erase_entry("field_of_view");
  inherit_world(settings.find("visibility"), &sight);
  judge.sight = parse_sight(sight, world);
  // Unlike that of `visibility`, which arms of several methods share, nobody else may use it.
  const ConfigValue* step = map.find("step_m");
  if (step && !judge.sight->is_march()) step->fail("is for a march; give method: march beside it");
  if (uses_field_of_view(judge.predict)) {
    judge.field_of_view =
        judge_field_of_view(map, settings.find("field_of_view"), map.find("field_of_view"));
  }
  return judge;
}

std::size_t index_of_arm(const std::vector<std::string>& names, const ConfigValue& name) {
  const auto found = std::find(names.begin(), names.end(), name.as_text());
  if (found == names.end()) {
    name.fail("no arm is called \"" + name.as_text() + "\"; " + suggestion(name.as_text(), names));
  }
  return static_cast<std::size_t>(found - names.begin());
}

SightSettings SightSettings::pass() const {
  SightSettings question{query, 0, area, {}};
  if (area) question.area->at_least = 1;
  return question;
}

bool operator<(const SightSettings& a, const SightSettings& b) {
  const auto fields = [](const SightSettings& s) {
    return std::tie(s.query.method, s.query.geometry, s.query.unknown, s.query.outside,
                    s.query.lattice_bits, s.query.tie_rule, s.query.end_rule, s.step_m, s.area);
  };
  return fields(a) < fields(b);
}

void keep_finest(const SightSettings& sight, FinestPasses* passes) {
  const auto [known, is_new] = passes->emplace(sight.pass(), sight);
  if (!is_new && sight.step_m < known->second.step_m) known->second = sight;
}

bool FieldOfViewLess::operator()(const FieldOfView& a, const FieldOfView& b) const {
  const auto fields = [](const FieldOfView& f) {
    return std::tie(f.kind, f.min_cos, f.tan_horizontal, f.tan_vertical, f.near_m, f.far_m);
  };
  return fields(a) < fields(b);
}

bool operator<(const Judge& a, const Judge& b) {
  if (a.predict != b.predict) return a.predict < b.predict;
  if (a.sight < b.sight || b.sight < a.sight) return a.sight < b.sight;
  if (a.view < b.view || b.view < a.view) return a.view < b.view;
  if (!a.field_of_view || !b.field_of_view)
    return b.field_of_view.has_value() > a.field_of_view.has_value();
  return FieldOfViewLess()(*a.field_of_view, *b.field_of_view);
}

}  // namespace sightline::host
