// Generators of memories in a sweep file: keys, what they make, and that it depends on the seed and
// on nothing else.
#include "host/memory/memory_spec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "host/memory/unit_embedding.h"
#include "support/errors.h"
#include "support/memory_files.h"
#include "support/places.h"

namespace sightline {
namespace {

using host::MemoryContext;
using host::MemorySet;
using host::MemorySpec;
using kernels::Vec3;
using tests::input_error_of;
using tests::TemporaryFolder;
using tests::write_text;

MemorySpec spec_of(const std::string& yaml) {
  return host::parse_memory_spec(host::ConfigValue::parse_yaml(yaml, "m.yaml"));
}

MemorySet made_of(const std::string& yaml, std::uint64_t seed = 1) {
  MemoryContext context;
  context.seed = seed;
  return host::make_memories(spec_of(yaml), context);
}

double cosine(const float* a, const float* b, std::int32_t width) {
  double sum = 0;
  for (std::int32_t i = 0; i < width; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

double distance_m(const Vec3& a, const Vec3& b) {
  const Vec3 d = kernels::minus(a, b);
  return std::sqrt(kernels::dot(d, d));
}

std::string bytes_of(const MemorySet& set) {
  const host::MemoryTable& table = set.table;
  const std::vector<float> rows(table.embeddings.begin(), table.embeddings.end());
  std::string bytes = tests::item_bytes(rows) + tests::item_bytes(table.anchor_m) +
                      tests::item_bytes(table.time_s) + tests::item_bytes(table.importance) +
                      tests::item_bytes(set.query_embeddings);
  for (const host::MemoryTarget& target : set.targets) {
    bytes += std::to_string(target.memory) + ">" + std::to_string(target.query) + " ";
  }
  return bytes;
}

constexpr const char* kGenerators[] = {
    "calibrated: {}", "near_duplicates: {pairs: 150}",
    "uniform: {count: 700, dimensions: 16, clusters: 9, queries: 200}",
    "uniform: {count: 300, dimensions: 16}"};

TEST(MemoryGenerators, DependOnTheSeedAndNotOnTheThreads) {
  for (const char* yaml : kGenerators) {
    MemoryContext context;
    context.seed = 3;
    context.num_threads = 1;
    const std::string one = bytes_of(host::make_memories(spec_of(yaml), context));
    for (const int threads : {2, 4}) {
      context.num_threads = threads;
      EXPECT_EQ(bytes_of(host::make_memories(spec_of(yaml), context)), one) << yaml;
    }
    context.seed = 4;
    EXPECT_NE(bytes_of(host::make_memories(spec_of(yaml), context)), one) << yaml;
    context.seed = 3;
    context.stream = 1;
    EXPECT_NE(bytes_of(host::make_memories(spec_of(yaml), context)), one) << yaml;
  }
}

TEST(MemoryGenerators, UseTheirOwnSeedIfTheyHaveOne) {
  EXPECT_EQ(bytes_of(made_of("calibrated: {seed: 8}", 1)), bytes_of(made_of("calibrated: {}", 8)));
}

TEST(MemoryGenerators, MakeWhatTheCheckPasses) {
  for (const char* yaml : kGenerators) {
    const MemorySet set = made_of(yaml);
    EXPECT_EQ(input_error_of([&] { host::check_memories(set.table); }), "no error");
    EXPECT_EQ(set.query_text.size(), static_cast<std::size_t>(set.num_queries));
    for (std::int64_t query = 0; query < set.num_queries; ++query) {
      EXPECT_TRUE(host::has_unit_length(set.query_embeddings.data() + query * set.table.width,
                                        set.table.width));
    }
    for (std::size_t i = 0; i < set.targets.size(); ++i) {
      EXPECT_LT(set.targets[i].memory, set.table.size());
      EXPECT_LT(set.targets[i].query, set.num_queries);
      EXPECT_LE(set.targets[i == 0 ? 0 : i - 1].query, set.targets[i].query);
    }
    for (const double time_s : set.table.time_s) EXPECT_LE(time_s, set.now_s);
  }
}

TEST(NearDuplicates, DifferByTheirAnchorsAlone) {
  const MemorySet set = made_of("near_duplicates: {pairs: 150, box: {apart_m: 3}}");
  ASSERT_EQ(set.table.size(), 300);
  ASSERT_EQ(set.targets.size(), 150u);
  const std::int32_t width = set.table.width;
  int lower = 0;
  for (std::int64_t pair = 0; pair < 150; ++pair) {
    const auto a = static_cast<std::size_t>(2 * pair), b = a + 1;
    EXPECT_EQ(set.table.text[a], set.table.text[b]);
    EXPECT_TRUE(std::equal(set.table.embedding(2 * pair), set.table.embedding(2 * pair) + width,
                           set.table.embedding(2 * pair + 1)));
    EXPECT_TRUE(std::equal(set.table.embedding(2 * pair), set.table.embedding(2 * pair) + width,
                           set.query_embeddings.data() + pair * width));
    EXPECT_EQ(set.table.time_s[a], set.table.time_s[b]);
    EXPECT_EQ(set.table.importance[a], set.table.importance[b]);
    EXPECT_GE(distance_m(set.table.anchor_m[a], set.table.anchor_m[b]), 3);
    const host::MemoryTarget& target = set.targets[static_cast<std::size_t>(pair)];
    EXPECT_EQ(target.query, pair);
    EXPECT_EQ(target.memory / 2, pair);
    lower += target.memory % 2 == 0;
  }
  // A fair coin: 75 +- 6.1; the published null band of pilot 1 is three of these.
  EXPECT_GE(lower, 57);
  EXPECT_LE(lower, 93);
}

TEST(NearDuplicates, AskForTheLowerOneAsOftenAsTold) {
  for (const int wanted : {0, 80, 150}) {
    const MemorySet set =
        made_of("near_duplicates: {lower_queried: " + std::to_string(wanted) + "}");
    int lower = 0;
    for (const host::MemoryTarget& target : set.targets) lower += target.memory % 2 == 0;
    EXPECT_EQ(lower, wanted);
  }
}

TEST(Uniform, GathersMemoriesAroundItsClusters) {
  const MemorySet set = made_of(
      "uniform: {count: 400, dimensions: 256, clusters: 4, within_sd: 0, queries: 50, "
      "query_cos: 0.95, layout: {box: {x: [-1, 1], y: [2, 2], z: [3, 5]}}}");
  const std::int32_t width = set.table.width;
  constexpr double kRounding = 1e-6;  // of a cosine of floats
  double within = 0, across = 0;
  for (std::int64_t row = 4; row < 400; ++row) {
    within += cosine(set.table.embedding(row), set.table.embedding(row - 4), width) / 396;
    across += cosine(set.table.embedding(row), set.table.embedding(row - 1), width) / 396;
  }
  // Two members have cosine 0.64 up to the chance of their sides, 0.36 / sqrt(256) each.
  EXPECT_NEAR(within, 0.64, 0.01);
  EXPECT_NEAR(across, 0, 0.1);
  for (const host::MemoryTarget& target : set.targets) {
    EXPECT_NEAR(cosine(set.table.embedding(target.memory),
                       set.query_embeddings.data() + target.query * width, width),
                0.95, kRounding);
  }
  for (const Vec3& p : set.table.anchor_m) {
    EXPECT_TRUE(p.x >= -1 && p.x <= 1 && p.y == 2 && p.z >= 3 && p.z <= 5);
  }
}

TEST(Layouts, KeepApartOrSayThatThereIsNoRoom) {
  const MemorySet set =
      made_of("uniform: {count: 100, dimensions: 2, layout: {box: {apart_m: 1.2}}}");
  for (std::size_t i = 0; i < 100; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE(distance_m(set.table.anchor_m[i], set.table.anchor_m[j]), 1.2);
    }
  }
  EXPECT_EQ(input_error_of([] {
              made_of("calibrated: {layout: {lattice: {x: [0, 1], y: [0, 1], z: [-3, -2]}}}");
            }),
            "m.yaml:1:13: calibrated: 20000 draws found no room for memory 2 of 120, 1.5 m from "
            "the others; widen the layout or lower apart_m");
  EXPECT_NE(input_error_of([] {
              made_of("near_duplicates: {box: {apart_m: 300}}");
            }).find("no two points 300 m apart"),
            std::string::npos);
}

TEST(MemoryGenerators, TakeAnchorsFromTheContext) {
  const std::vector<Vec3> anchors{{1, 2, 3}, {4, 5, 6}};
  MemoryContext context;
  context.anchors_m = &anchors;
  const auto spec = spec_of("uniform: {count: 2, dimensions: 2}");
  EXPECT_EQ(host::make_memories(spec, context).table.anchor_m[1].y, 5);
  EXPECT_EQ(input_error_of([&] { host::make_memories(spec_of("calibrated: {}"), context); }),
            "m.yaml:1:13: calibrated: 2 anchors for 120 memories; give one each");
}

TEST(MemoryGenerators, StayInTheWorld) {
  host::World world;
  world.name = "closet";
  world.bounds_m = {{0, 0, 0}, {3, 3, 3}};
  MemoryContext context;
  context.world = &world;
  const std::string said =
      input_error_of([&] { host::make_memories(spec_of("calibrated: {}"), context); });
  EXPECT_EQ(said.rfind("m.yaml:1:13: calibrated: memory ", 0), 0u) << said;
  EXPECT_NE(said.find("lies outside the world closet"), std::string::npos) << said;
}

// ---- files -------------------------------------------------------------------------------------

class Corpus : public testing::Test {
 protected:
  Corpus() {
    write_text(folder_ / "m.jsonl",
               "{\"id\": 4, \"text\": \"red mug\", \"class\": \"mug\"}\n"
               "{\"id\": 2, \"text\": \"tall lamp\", \"class\": \"lamp\"}\n"
               "{\"id\": 9, \"text\": \"blue mug\", \"class\": \"mug\"}\n");
    write_text(folder_ / "q.jsonl",
               "{\"text\": \"mugs\", \"class\": \"mug\"}\n"
               "{\"id\": 1, \"text\": \"lamp or blue mug\", \"answers\": [9, 2]}\n"
               "{\"text\": \"nothing in particular\"}\n");
  }
  std::string yaml(const std::string& more = "layout: {box: {}}, hashed: 64") const {
    return "corpus: {file: " + (folder_ / "m.jsonl") +
           ", queries: {file: " + (folder_ / "q.jsonl") + ", hashed: 64}, " + more + "}";
  }
  std::string fault_of_query(const std::string& line) const {
    write_text(folder_ / "q.jsonl", line);
    const std::string said = input_error_of([&] { made_of(yaml()); });
    const std::size_t file = said.find(folder_ / "q.jsonl");
    return file == std::string::npos ? said : said.substr(file + (folder_ / "q.jsonl").size());
  }
  TemporaryFolder folder_;
};

TEST_F(Corpus, HasTargetsByAnswerAndByGroup) {
  const MemorySet set = made_of(yaml());
  EXPECT_EQ(set.table.id, (std::vector<std::int64_t>{2, 4, 9}));
  ASSERT_EQ(set.num_queries, 3);
  EXPECT_EQ(set.query_text[1], "lamp or blue mug");
  std::vector<std::pair<std::int64_t, std::int64_t>> targets;
  for (const host::MemoryTarget& target : set.targets) {
    targets.emplace_back(target.query, target.memory);
  }
  EXPECT_EQ(targets,
            (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 1}, {0, 2}, {1, 0}, {1, 2}}));
  EXPECT_EQ(set.table.embedder, "hashed");
  EXPECT_EQ(set.now_s, 0);
}

TEST_F(Corpus, IsAskedAtTheLatestTimeOfEncodingOrAccess) {
  write_text(folder_ / "m.jsonl",
             "{\"id\": 1, \"text\": \"mug\", \"anchor\": [0, 0, 0], \"time_s\": 50, "
             "\"last_access_s\": 900}\n"
             "{\"id\": 2, \"text\": \"red mug\", \"anchor\": [1, 0, 0], \"time_s\": 70}\n");
  write_text(folder_ / "q.jsonl", "{\"text\": \"mug\", \"answers\": [2]}\n");
  EXPECT_EQ(made_of(yaml("hashed: 64")).now_s, 900);
}

TEST_F(Corpus, DrawsTheTraitsItIsToldTo) {
  const MemorySet set =
      made_of(yaml("layout: {lattice: {}}, hashed: 64, age_days: [1, 2], importance: [0.5, 0.6]"));
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_LE(set.table.time_s[row], -86400);
    EXPECT_GE(set.table.time_s[row], -2 * 86400);
    EXPECT_EQ(set.table.last_access_s[row], set.table.time_s[row]);
    EXPECT_TRUE(set.table.importance[row] >= 0.5 && set.table.importance[row] <= 0.6);
    EXPECT_EQ(set.table.staleness[row], host::MemoryDefaults::kStaleness);
  }
}

TEST_F(Corpus, NeedsAnchorsFromSomewhere) {
  const std::string said = input_error_of([&] { made_of(yaml("hashed: 64")); });
  EXPECT_NE(said.find("m.jsonl:1: anchor is missing"), std::string::npos) << said;
}

TEST_F(Corpus, TellsTheLineOfAQueryThatCannotBeAsked) {
  EXPECT_EQ(fault_of_query("{\"text\": \"x\", \"class\": \"mog\"}").rfind(":1: no memory of ", 0),
            0u);
  EXPECT_NE(fault_of_query("{\"text\": \"x\", \"class\": \"mog\"}").find("did you mean \"mug\"?"),
            std::string::npos);
  EXPECT_NE(
      fault_of_query("\n{\"text\": \"x\", \"answers\": [5]}").find(":2: answers name memory 5"),
      std::string::npos);
  EXPECT_EQ(fault_of_query("{\"text\": \"x\", \"answers\": [4, 4]}"),
            ":1: answers name memory 4 twice");
  EXPECT_EQ(fault_of_query("{\"text\": \"x\", \"answers\": [\"4\"]}"),
            ":1: answers must be a list of ids, [4, 7]");
  EXPECT_EQ(fault_of_query("{\"id\": 3}"), ":1: text is missing; add the question, in quotes");
  EXPECT_EQ(fault_of_query("{\"text\": \"?\"}"), ":1: the text holds no word to embed; write one");
  EXPECT_EQ(fault_of_query(""), ": holds no query; write one JSON object a line");
}

TEST_F(Corpus, TellsTheKeyOfTheFileAtFault) {
  write_text(folder_ / "q.jsonl", "{\"id\": 3}");
  const std::string of_queries = input_error_of([&] { made_of(yaml()); });
  EXPECT_NE(of_queries.find("queries.file: "), std::string::npos) << of_queries;
  EXPECT_EQ(of_queries.find("corpus: "), std::string::npos) << of_queries;
  write_text(folder_ / "m.jsonl", "{\"id\": 3}");
  const std::string of_memories = input_error_of([&] { made_of(yaml()); });
  EXPECT_EQ(of_memories.find("queries.file"), std::string::npos) << of_memories;
}

TEST_F(Corpus, EmbedsQueriesAsItsMemories) {
  const std::string said = input_error_of([&] { made_of(yaml("layout: {box: {}}, hashed: 32")); });
  EXPECT_NE(said.find("its queries have 64 dimensions, the memories of"), std::string::npos)
      << said;
  write_text(folder_ / "e.npy", tests::float_npy(std::vector<float>(3 * 64, 1), 64));
  const std::string other = input_error_of([&] {
    made_of(yaml("layout: {box: {}}, embedder: bge, embeddings: " + (folder_ / "e.npy")));
  });
  EXPECT_NE(other.find("were embedded by bge; embed both alike"), std::string::npos) << other;
}

TEST_F(Corpus, NamesTheFilesItReads) {
  std::vector<std::string> files;
  host::append_files(spec_of("{file: a.jsonl, queries: {file: q.jsonl, embeddings: e.npy}}"),
                     &files);
  host::append_files(spec_of("{file: b.fvecs}"), &files);
  host::append_files(spec_of("{file: c.slm}"), &files);
  host::append_files(spec_of("calibrated: {}"), &files);
  EXPECT_EQ(files, (std::vector<std::string>{"a.jsonl", "a.npy", "q.jsonl", "e.npy", "b.fvecs",
                                             "b.npy", "c.slm"}));
}

TEST(CommittedCorpora, AreCorporaWithATargetForEveryQuery) {
  const std::string folder = tests::source_file("configs/corpora");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no corpora in this tree";
  for (const std::string name : {"activities", "household"}) {
    const std::string path = folder + "/" + name;
    const MemorySet set = made_of("corpus: {file: " + path + ".jsonl, embeddings: " + path +
                                  ".hashed.npy, layout: {box: {}}, queries: {file: " + path +
                                  "_queries.jsonl, embeddings: " + path + "_queries.hashed.npy}}");
    std::set<std::int64_t> asked;
    for (const host::MemoryTarget& target : set.targets) asked.insert(target.query);
    EXPECT_EQ(static_cast<std::int64_t>(asked.size()), set.num_queries) << name;
  }
}

TEST(MemorySpecs, AreRefusedAtTheirPlace) {
  const auto fault_of = [](const std::string& yaml) {
    return input_error_of([&] { spec_of(yaml); });
  };
  EXPECT_NE(fault_of("{}").find("names no memories; give file, corpus"), std::string::npos);
  EXPECT_EQ(fault_of("{calibrated: {}, uniform: {count: 1}}"),
            "m.yaml:1:27: uniform: is a second source of memories beside calibrated; name one");
  EXPECT_NE(fault_of("{calibrated: {activites: 3}}").find("activities"), std::string::npos);
  EXPECT_NE(fault_of("{calibrated: {}, embeddings: e.npy}").find("embeddings"), std::string::npos);
  EXPECT_EQ(fault_of("{calibrated: {activities: 8, dimensions: 8}}"),
            "m.yaml:1:14: calibrated: 8 activities need at least 9 dimensions");
  EXPECT_NE(fault_of("{calibrated: {layout: {lattice: {x: [0, 1.5]}}}}").find("whole numbers"),
            std::string::npos);
  EXPECT_NE(fault_of("{calibrated: {layout: {}}}").find("needs lattice"), std::string::npos);
  EXPECT_NE(fault_of("{calibrated: {importance: [0.9, 0.1]}}").find("low <= high"),
            std::string::npos);
  EXPECT_NE(fault_of("{uniform: {count: 2147483648, dimensions: 384}}").find("numbers in all"),
            std::string::npos);
  EXPECT_NE(fault_of("{uniform: {count: 4, clusters: 5}}"), "no error");
  EXPECT_NE(fault_of("{near_duplicates: {pairs: 3, lower_queried: 4}}"), "no error");
  EXPECT_NE(fault_of("{near_duplicates: {box: {apart_m: 1e-6}}}").find("0.001"), std::string::npos);
}

}  // namespace
}  // namespace sightline
