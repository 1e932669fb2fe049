// Reading generators of memories from a sweep file.
#include "host/memory/memory_spec.h"

#include <cmath>

namespace sightline::host {
namespace {

constexpr std::int64_t kMaxMemories = std::int64_t{1} << 31;
constexpr std::int64_t kMaxComponents = std::int64_t{1} << 34;  ///< of embeddings: 64 GiB
constexpr double kMaxCoordinate_m = 1e6, kMinApart_m = 1e-3, kMaxAge_days = 1e6;

Interval parse_interval(const ConfigValue& value, double low, double high) {
  const std::vector<ConfigValue>& ends = value.items();
  if (ends.size() != 2) value.fail("needs [low, high]");
  const Interval interval{ends[0].as_number(low, high), ends[1].as_number(low, high)};
  if (interval.low > interval.high) value.fail("needs [low, high] with low <= high");
  return interval;
}

void parse_axes(const ConfigValue& map, Interval (&axes_m)[3]) {
  const char* names[3] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    if (const ConfigValue* range = map.find(names[axis])) {
      axes_m[axis] = parse_interval(*range, -kMaxCoordinate_m, kMaxCoordinate_m);
    }
  }
}

void parse_apart(const ConfigValue& map, double* apart_m) {
  const ConfigValue* apart = map.find("apart_m");
  if (!apart) return;
  *apart_m = apart->as_number(0, kMaxCoordinate_m);
  if (*apart_m > 0 && *apart_m < kMinApart_m) apart->fail("must be 0, or 0.001 or more");
}

LatticeLayout parse_lattice(const ConfigValue& map) {
  map.allow_only({"x", "y", "z", "apart_m"});
  LatticeLayout lattice;
  parse_axes(map, lattice.axes_m);
  for (const Interval& range : lattice.axes_m) {
    if (range.low != std::floor(range.low) || range.high != std::floor(range.high)) {
      map.fail("x, y and z of a lattice must be whole numbers of metres");
    }
  }
  parse_apart(map, &lattice.apart_m);
  return lattice;
}

BoxLayout parse_box(const ConfigValue& map, BoxLayout box) {
  map.allow_only({"x", "y", "z", "apart_m"});
  parse_axes(map, box.axes_m);
  parse_apart(map, &box.apart_m);
  return box;
}

MemoryLayout parse_layout(const ConfigValue& map) {
  map.allow_only({"lattice", "box"});
  const ConfigValue *lattice = map.find("lattice"), *box = map.find("box");
  if ((lattice != nullptr) == (box != nullptr)) {
    map.fail("needs lattice: {..} or box: {..}, and one of them");
  }
  if (lattice) return parse_lattice(*lattice);
  return parse_box(*box, {});
}

void parse_traits(const ConfigValue& map, MemoryTraits* traits) {
  if (const ConfigValue* age = map.find("age_days")) {
    traits->age_days = parse_interval(*age, 0, kMaxAge_days);
  }
  if (const ConfigValue* importance = map.find("importance")) {
    traits->importance = parse_interval(*importance, 0, 1);
  }
  if (const ConfigValue* staleness = map.find("staleness")) {
    traits->staleness = staleness->as_number(0, 1);
  }
}

std::optional<std::uint64_t> parse_seed(const ConfigValue& map) {
  const ConfigValue* seed = map.find("seed");
  if (!seed) return std::nullopt;
  return static_cast<std::uint64_t>(seed->as_integer(0));
}

std::int64_t integer_or(const ConfigValue& map, const char* key, std::int64_t otherwise,
                        std::int64_t low, std::int64_t high = kMaxMemories) {
  const ConfigValue* value = map.find(key);
  return value ? value->as_integer(low, high) : otherwise;
}

double number_or(const ConfigValue& map, const char* key, double otherwise, double low,
                 double high) {
  const ConfigValue* value = map.find(key);
  return value ? value->as_number(low, high) : otherwise;
}

/// At least two: in one dimension there is no direction beside another.
std::int32_t parse_dimensions(const ConfigValue& map, std::int32_t otherwise) {
  return static_cast<std::int32_t>(integer_or(map, "dimensions", otherwise, 2, kMaxEmbeddingWidth));
}

void check_size(const ConfigValue& map, std::int64_t count, std::int32_t dimensions) {
  if (count <= kMaxMemories && count <= kMaxComponents / dimensions) return;
  map.fail("asks for " + std::to_string(count) + " memories of " + std::to_string(dimensions) +
           " dimensions, more than " + std::to_string(kMaxComponents) + " numbers in all");
}

void parse_within(const ConfigValue& map, double* mean, double* sd) {
  *mean = number_or(map, "within_mean", *mean, -1, 1);
  *sd = number_or(map, "within_sd", *sd, 0, 2);
}

std::optional<std::int32_t> parse_hashed(const ConfigValue& map) {
  const ConfigValue* hashed = map.find("hashed");
  if (!hashed) return std::nullopt;
  return static_cast<std::int32_t>(hashed->as_integer(1, kMaxEmbeddingWidth));
}

std::string text_or_empty(const ConfigValue& map, const char* key) {
  const ConfigValue* value = map.find(key);
  return value ? value->as_text() : "";
}

/// The keys that a store and a corpus share.
FileMemories parse_files(const ConfigValue& map) {
  FileMemories spec;
  spec.source.path = map.at("file").as_text();
  spec.source.embeddings = text_or_empty(map, "embeddings");
  spec.source.hashed_width = parse_hashed(map);
  spec.source.embedder = text_or_empty(map, "embedder");
  if (const ConfigValue* queries = map.find("queries")) {
    queries->allow_only({"file", "embeddings", "hashed"});
    spec.queries.path = queries->at("file").as_text();
    spec.queries.place = queries->at("file").where();
    spec.queries.embeddings = text_or_empty(*queries, "embeddings");
    spec.queries.hashed_width = parse_hashed(*queries);
  }
  return spec;
}

FileMemories parse_store(const ConfigValue& memories) {
  memories.allow_only({"file", "embeddings", "hashed", "embedder", "anchors", "frame", "queries"});
  FileMemories spec = parse_files(memories);
  spec.source.anchors = text_or_empty(memories, "anchors");
  if (const ConfigValue* frame = memories.find("frame")) {
    spec.source.frame = frame->as_choice({"y_up", "z_up"}) == 1 ? Frame::kMapZUp : Frame::kSceneYUp;
  }
  return spec;
}

FileMemories parse_corpus(const ConfigValue& map) {
  map.allow_only({"file", "embeddings", "hashed", "embedder", "queries", "layout", "age_days",
                  "importance", "staleness", "seed"});
  FileMemories spec = parse_files(map);
  if (const ConfigValue* layout = map.find("layout")) spec.layout = parse_layout(*layout);
  parse_traits(map, &spec.traits);
  return spec;
}

CalibratedMemories parse_calibrated(const ConfigValue& map) {
  map.allow_only({"activities", "per_activity", "dimensions", "within_mean", "within_sd",
                  "within_clip", "across_cos", "layout", "age_days", "importance", "staleness",
                  "seed"});
  CalibratedMemories spec;
  spec.activities = integer_or(map, "activities", spec.activities, 1, kMaxEmbeddingWidth - 1);
  spec.per_activity = integer_or(map, "per_activity", spec.per_activity, 1);
  spec.dimensions = parse_dimensions(map, spec.dimensions);
  if (spec.dimensions <= spec.activities) {
    map.fail(std::to_string(spec.activities) + " activities need at least " +
             std::to_string(spec.activities + 1) + " dimensions");
  }
  parse_within(map, &spec.within_mean, &spec.within_sd);
  if (const ConfigValue* clip = map.find("within_clip")) {
    spec.within_clip = parse_interval(*clip, -1, 1);
  }
  spec.across_cos = number_or(map, "across_cos", spec.across_cos, 0, 1);
  if (const ConfigValue* layout = map.find("layout")) spec.layout = parse_layout(*layout);
  parse_traits(map, &spec.traits);
  check_size(map, spec.activities * spec.per_activity, spec.dimensions);
  return spec;
}

NearDuplicateMemories parse_near_duplicates(const ConfigValue& map) {
  map.allow_only({"pairs", "dimensions", "box", "lower_queried", "age_days", "importance",
                  "staleness", "seed"});
  NearDuplicateMemories spec;
  spec.pairs = integer_or(map, "pairs", spec.pairs, 1);
  spec.dimensions = parse_dimensions(map, spec.dimensions);
  if (const ConfigValue* box = map.find("box")) spec.box = parse_box(*box, spec.box);
  if (const ConfigValue* lower = map.find("lower_queried")) {
    spec.lower_queried = lower->as_integer(0, spec.pairs);
  }
  parse_traits(map, &spec.traits);
  check_size(map, 2 * spec.pairs, spec.dimensions);
  return spec;
}

UniformMemories parse_uniform(const ConfigValue& map) {
  map.allow_only({"count", "dimensions", "clusters", "within_mean", "within_sd", "queries",
                  "query_cos", "layout", "age_days", "importance", "staleness", "seed"});
  UniformMemories spec;
  spec.count = map.at("count").as_integer(1, kMaxMemories);
  spec.dimensions = parse_dimensions(map, spec.dimensions);
  spec.clusters = integer_or(map, "clusters", spec.clusters, 0, spec.count);
  parse_within(map, &spec.within_mean, &spec.within_sd);
  spec.queries = integer_or(map, "queries", spec.queries, 1);
  spec.query_cos = number_or(map, "query_cos", spec.query_cos, -1, 1);
  if (const ConfigValue* layout = map.find("layout")) spec.layout = parse_layout(*layout);
  parse_traits(map, &spec.traits);
  check_size(map, spec.count, spec.dimensions);
  check_size(map, spec.queries, spec.dimensions);
  return spec;
}

}  // namespace

MemorySpec parse_memory_spec(const ConfigValue& memories) {
  const ConfigValue* named = nullptr;
  std::string name;
  for (const char* key : {"file", "corpus", "calibrated", "near_duplicates", "uniform"}) {
    const ConfigValue* value = memories.find(key);
    if (!value) continue;
    if (named) value->fail("is a second source of memories beside " + name + "; name one");
    named = value;
    name = key;
  }
  if (!named) {
    memories.fail("names no memories; give file, corpus, calibrated, near_duplicates or uniform");
  }
  if (name == "file") return {parse_store(memories), std::nullopt, named->where()};
  memories.allow_only({"file", "corpus", "calibrated", "near_duplicates", "uniform"});
  MemorySpec spec{FileMemories{}, parse_seed(*named), named->where()};
  if (name == "corpus") spec.generator = parse_corpus(*named);
  if (name == "calibrated") spec.generator = parse_calibrated(*named);
  if (name == "near_duplicates") spec.generator = parse_near_duplicates(*named);
  if (name == "uniform") spec.generator = parse_uniform(*named);
  return spec;
}

}  // namespace sightline::host
