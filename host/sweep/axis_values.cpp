#include "host/sweep/axis_values.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "host/config/number_text.h"
#include "host/random.h"
#include "host/sweep/axes.h"

namespace sightline::host {
namespace {

constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53
constexpr double kPi = 3.14159265358979323846;
// How far, in steps, `stop` may be from a multiple of the step and still be meant as one.
constexpr double kStepTolerance = 1e-9;

double finite_number(const ConfigValue& value) {
  const double number = value.as_number();
  if (!std::isfinite(number)) value.fail("must be finite");
  return number;
}

/// The least power of ten that makes whole numbers of both, as they are written; 0 if none does.
double decimal_scale(double a, double b) {
  constexpr double kLargestExactPower = 1e22;
  const auto serves = [](double value, double scale) {
    return std::abs(value) * scale <= kLargestExactInteger &&
           std::round(value * scale) / scale == value;
  };
  for (double scale = 1; scale <= kLargestExactPower; scale *= 10) {
    if (serves(a, scale) && serves(b, scale)) return scale;
  }
  return 0;
}

}  // namespace

std::vector<ConfigValue> range_values(const ConfigValue& range) {
  range.allow_only({"start", "stop", "step"});
  const ConfigValue &start_value = range.at("start"), &stop_value = range.at("stop"),
                    &step_value = range.at("step");
  const double start = finite_number(start_value), stop = finite_number(stop_value),
               step = finite_number(step_value);
  if (step == 0) step_value.fail("must not be 0");
  const double steps = (stop - start) / step;
  if (steps < 0) step_value.fail("has the wrong sign: it leads away from stop");
  if (!(steps < static_cast<double>(kMaxAxisPoints))) {
    range.fail("has too many points; at most " + std::to_string(kMaxAxisPoints));
  }
  const auto last = static_cast<std::int64_t>(std::floor(steps + kStepTolerance));
  const bool ends_at_stop = std::abs(steps - static_cast<double>(last)) <= kStepTolerance;
  const auto is_integer = [](const ConfigValue& value) {
    return value.kind() == ConfigValue::Kind::kInteger;
  };
  const bool whole = is_integer(start_value) && is_integer(stop_value) && is_integer(step_value) &&
                     std::max(std::abs(start), std::abs(stop)) <= kLargestExactInteger;
  // In decimals, since sums of doubles would make 0.30000000000000004 of 0.1 and twice 0.1.
  const double scale = decimal_scale(start, step);
  const auto value_at = [&](double i) {
    const double units = std::fma(i, std::round(step * scale), std::round(start * scale));
    const bool exact = scale > 0 && std::abs(units) <= kLargestExactInteger;
    return exact ? units / scale : start + i * step;
  };
  std::vector<ConfigValue> values;
  for (std::int64_t i = 0; i <= last; ++i) {
    const double value = i == last && ends_at_stop ? stop : value_at(static_cast<double>(i));
    values.push_back(whole ? ConfigValue::integer(static_cast<std::int64_t>(value))
                           : ConfigValue::number(value));
  }
  return values;
}

namespace {

/// `num` values from `start` to `stop`, both exact; between(i, last) gives those with 0 < i < last.
template <typename Between>
std::vector<ConfigValue> spaced_values(const ConfigValue& space, const Between& between) {
  const std::int64_t num = space.at("num").as_integer(2, kMaxAxisPoints);
  const double start = space.at("start").as_number(), stop = space.at("stop").as_number();
  std::vector<ConfigValue> values{ConfigValue::number(start)};
  for (std::int64_t i = 1; i + 1 < num; ++i) {
    const double value = between(static_cast<double>(i), static_cast<double>(num - 1));
    if (!std::isfinite(value)) space.fail("start and stop are too far apart");
    const double tidy = without_rounding_error(value), low = std::min(start, stop);
    const bool stays = low <= tidy && tidy <= std::max(start, stop);
    values.push_back(ConfigValue::number(stays ? tidy : value));
  }
  values.push_back(ConfigValue::number(stop));
  return values;
}

}  // namespace

std::vector<ConfigValue> linspace_values(const ConfigValue& space) {
  space.allow_only({"start", "stop", "num"});
  const double start = finite_number(space.at("start")), stop = finite_number(space.at("stop"));
  const double nothing = 1e-15 * std::max(std::abs(start), std::abs(stop));  // after cancelling
  return spaced_values(space, [&](double i, double last) {
    const double value = start + (stop - start) * i / last;
    return std::abs(value) <= nothing ? 0 : value;
  });
}

std::vector<ConfigValue> logspace_values(const ConfigValue& space) {
  space.allow_only({"start", "stop", "num"});
  const double start = std::log10(space.at("start").as_positive());
  const double stop = std::log10(space.at("stop").as_positive());
  return spaced_values(space, [&](double i, double last) {
    return std::pow(10.0, start + (stop - start) * i / last);
  });
}

namespace {

/// Draws of a `random` axis, item by item.
struct RandomAxis {
  std::uint64_t seed, stream;
  std::int64_t n;

  RandomItem item(std::int64_t i) const { return {seed, stream, static_cast<std::uint64_t>(i)}; }

  template <typename Draw>
  std::vector<ConfigValue> numbers(const Draw& draw) const {
    std::vector<ConfigValue> values;
    for (std::int64_t i = 0; i < n; ++i) {
      RandomItem random = item(i);
      values.push_back(ConfigValue::number(draw(random)));
    }
    return values;
  }
};

/// `low` and `high` of a `random` axis: finite, high above low.
struct Bounds {
  double low, high;

  explicit Bounds(const ConfigValue& random)
      : low(finite_number(random.at("low"))), high(finite_number(random.at("high"))) {
    if (!(high > low)) random.at("high").fail("must be above low");
    if (!std::isfinite(high - low)) random.fail("low and high are too far apart");
  }
};

std::vector<ConfigValue> uniform_values(const ConfigValue& random, const RandomAxis& axis) {
  random.allow_only({"dist", "n", "seed", "low", "high"});
  const Bounds bounds(random);
  return axis.numbers(
      [&](RandomItem& item) { return bounds.low + (bounds.high - bounds.low) * item.uniform(); });
}

std::vector<ConfigValue> log_uniform_values(const ConfigValue& random, const RandomAxis& axis) {
  random.allow_only({"dist", "n", "seed", "low", "high"});
  random.at("low").as_positive();
  const Bounds bounds(random);
  const double low = std::log(bounds.low), high = std::log(bounds.high);
  return axis.numbers([&](RandomItem& item) {
    return std::clamp(std::exp(low + (high - low) * item.uniform()), bounds.low, bounds.high);
  });
}

/// Box and Muller, "A Note on the Generation of Random Normal Deviates" (1958).
std::vector<ConfigValue> normal_values(const ConfigValue& random, const RandomAxis& axis) {
  random.allow_only({"dist", "n", "seed", "mean", "std"});
  const double mean = finite_number(random.at("mean")), deviation = random.at("std").as_positive();
  return axis.numbers([&](RandomItem& item) {
    const double radius = std::sqrt(-2 * std::log(1 - item.uniform()));
    return mean + deviation * radius * std::cos(2 * kPi * item.uniform());
  });
}

/// Without replacement: two equal points would be one configuration twice.
std::vector<ConfigValue> integer_values(const ConfigValue& random, const RandomAxis& axis) {
  random.allow_only({"dist", "n", "seed", "low", "high"});
  constexpr auto kLimit = static_cast<std::int64_t>(kLargestExactInteger);
  const std::int64_t low = random.at("low").as_integer(-kLimit, kLimit);
  const std::int64_t high = random.at("high").as_integer(low, kLimit);
  const std::int64_t count = high - low + 1;
  if (axis.n > count) {
    random.at("n").fail("asks for " + std::to_string(axis.n) + " different integers of " +
                        std::to_string(count));
  }
  std::unordered_set<std::int64_t> seen;
  std::vector<ConfigValue> values;
  for (std::int64_t i = 0; static_cast<std::int64_t>(values.size()) < axis.n; ++i) {
    const auto offset = axis.item(i).below(static_cast<std::uint64_t>(count));
    const std::int64_t value = low + static_cast<std::int64_t>(offset);
    if (seen.insert(value).second) values.push_back(ConfigValue::integer(value));
  }
  return values;
}

}  // namespace

std::vector<ConfigValue> random_values(const std::string& key, const ConfigValue& random,
                                       std::uint64_t default_seed) {
  random.allow_only({"dist", "n", "seed", "low", "high", "mean", "std"});
  RandomAxis axis{default_seed, XXH64(key.data(), key.size(), 0),
                  random.at("n").as_integer(1, kMaxAxisPoints)};
  const ConfigValue* seed = random.find("seed");
  if (seed != nullptr) axis.seed = static_cast<std::uint64_t>(seed->as_integer(0));
  switch (random.at("dist").as_choice({"uniform", "log_uniform", "normal", "integer"})) {
    case 0:
      return uniform_values(random, axis);
    case 1:
      return log_uniform_values(random, axis);
    case 2:
      return normal_values(random, axis);
    default:
      return integer_values(random, axis);
  }
}

}  // namespace sightline::host
