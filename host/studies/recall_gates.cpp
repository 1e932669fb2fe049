#include "host/studies/recall_gates.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sightline::host {
namespace {

using Kind = GateTest::Kind;

constexpr std::int64_t kMostKept = 1'000'000;
constexpr int kMostDepth = 16;
constexpr int kWordBits = 64;  ///< of a gate's bits

GateTest parse_test(const ConfigValue& test, int depth);

/// A test that is on or left out.
GateTest on(Kind kind, const ConfigValue& value) {
  if (!value.as_bool()) value.fail("is true or left out; {not: {...}} turns a test round");
  GateTest test;
  test.kind = kind;
  return test;
}

GateTest counted(Kind kind, const ConfigValue& value) {
  GateTest test;
  test.kind = kind;
  test.count = value.as_integer(1, kMostKept);
  return test;
}

GateTest parse_one(const std::string& name, const ConfigValue& value, int depth) {
  if (name == "nearest") return counted(Kind::kNearest, value);
  if (name == "alike") return counted(Kind::kAlike, value);
  if (name == "in_sight") return on(Kind::kInSight, value);
  if (name == "in_view") return on(Kind::kInView, value);
  if (name == "same_region") return on(Kind::kSameRegion, value);
  GateTest test;
  if (name == "radius_m") {
    test.kind = Kind::kRadius;
    test.radius_m = value.as_positive();
    return test;
  }
  test.kind = name == "any" ? Kind::kAny : Kind::kNot;
  if (test.kind == Kind::kNot) {
    test.parts.push_back(parse_test(value, depth + 1));
    return test;
  }
  if (value.items().empty()) value.fail("needs at least one test");
  for (const ConfigValue& part : value.items()) test.parts.push_back(parse_test(part, depth + 1));
  return test;
}

GateTest parse_test(const ConfigValue& test, int depth) {
  if (depth > kMostDepth) test.fail("tests are nested too deeply");
  test.allow_only(
      {"radius_m", "nearest", "in_sight", "in_view", "same_region", "alike", "any", "not"});
  if (test.entries().empty()) test.fail("tests nothing; give radius_m, in_sight or another");
  GateTest all;
  for (const ConfigValue::Entry& entry : test.entries()) {
    GateTest one = parse_one(entry.first, entry.second, depth);
    one.key = ConfigValue::map({entry}).canonical_json();
    all.parts.push_back(std::move(one));
  }
  if (all.parts.size() == 1) return all.parts.front();
  all.key = test.canonical_json();
  return all;
}

std::array<double, kNumRegimes> parse_kept(const ConfigValue& kept) {
  kept.allow_only({kRegimes[0], kRegimes[1], kRegimes[2], kRegimes[3], kRegimes[4], kRegimes[5],
                   kRegimes[6], kRegimes[7]});
  std::array<double, kNumRegimes> shares{};
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = kept.at(kRegimes[i]).as_number(0, 1);
  return shares;
}

}  // namespace

std::vector<RecallGate> parse_recall_gates(const ConfigValue& gates) {
  std::vector<RecallGate> parsed;
  for (const ConfigValue::Entry& entry : gates.entries()) {
    const ConfigValue& value = entry.second;
    value.allow_only({"test", "order", "kept"});
    RecallGate& gate = parsed.emplace_back();
    gate.name = entry.first;
    gate.test = parse_test(value.at("test"), 0);
    if (const ConfigValue* order = value.find("order")) {
      gate.by_place = order->as_choice({"meaning", "place"}) == 1;
    }
    gate.kept = parse_kept(value.at("kept"));
  }
  return parsed;
}

bool reads_places(const GateTest& test) {
  if (test.parts.empty()) return test.kind != Kind::kAlike;
  return std::any_of(test.parts.begin(), test.parts.end(), reads_places);
}

int GateMaker::add(const GateTest& test) {
  const auto known = made_.find(test.key);
  if (known != made_.end()) return known->second;
  return made_[test.key] = make(test);
}

int GateMaker::make(const GateTest& test) {
  switch (test.kind) {
    case Kind::kRadius:
      return add_gate({RadiusGate{test.radius_m}}, context_, batch_);
    case Kind::kNearest:
      return add_gate({NearestGate{test.count}}, context_, batch_);
    case Kind::kInSight: {
      SightGate sight;
      sight.query = sight_.query;
      sight.step_m = sight_.step_m;
      return add_gate({sight}, context_, batch_);
    }
    case Kind::kInView:
      return add_gate({FieldOfViewGate{view_}}, context_, batch_);
    case Kind::kSameRegion:
      return add_same_region();
    case Kind::kAlike:
      return add_alike(test.count);
    case Kind::kNot:
      return batch_->invert(add(test.parts.front()));
    case Kind::kAll:
    case Kind::kAny:
      break;
  }
  const auto how = test.kind == Kind::kAll ? kernels::GateJoin::kAnd : kernels::GateJoin::kOr;
  int joined = add(test.parts.front());
  for (std::size_t i = 1; i < test.parts.size(); ++i) {
    joined = batch_->join(how, joined, add(test.parts[i]));
  }
  return joined;
}

// Not by a dense index, whose last bits may depend on how many are asked at a time.
int GateMaker::add_alike(std::int64_t count) {
  const std::vector<std::int32_t> cosines = batch_->values_of(batch_->add_cosines());
  const std::int64_t num_memories = batch_->num_memories();
  const std::int64_t words = kernels::words_of_bits(num_memories);
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(batch_->num_queries() * words));
  std::vector<std::int64_t> order(static_cast<std::size_t>(num_memories));
  for (std::int64_t q = 0; q < batch_->num_queries(); ++q) {
    const std::int32_t* const row = cosines.data() + q * num_memories;
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return row[a] > row[b]; });
    for (std::int64_t i = 0; i < std::min(count, num_memories); ++i) {
      const std::int64_t memory = order[static_cast<std::size_t>(i)];
      bits[static_cast<std::size_t>(q * words + memory / kWordBits)] |= std::uint64_t{1}
                                                                        << memory % kWordBits;
    }
  }
  return batch_->add_bits(bits);
}

int GateMaker::add_same_region() {
  const std::size_t num_memories = regions_.of_memory.size();
  const auto words =
      static_cast<std::size_t>(kernels::words_of_bits(static_cast<std::int64_t>(num_memories)));
  std::vector<std::uint64_t> bits(regions_.of_asker.size() * words);
  for (std::size_t q = 0; q < regions_.of_asker.size(); ++q) {
    for (std::size_t m = 0; m < num_memories; ++m) {
      if (regions_.of_memory[m] != regions_.of_asker[q]) continue;
      bits[q * words + m / std::size_t{kWordBits}] |= std::uint64_t{1}
                                                      << m % std::size_t{kWordBits};
    }
  }
  return batch_->add_bits(bits);
}

}  // namespace sightline::host
