// `sightline bench`: every capability has a rate, its peers stand beside it, and it can be stopped.
#include "host/self_bench/self_bench.h"
#include "host/config/json_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>

#include "host/error.h"
#include "host/self_bench/runs.h"
#include "index/backend_info.h"
#include "support/effort.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

TEST(SelfBench, TellsARateForEveryCapability) {
  if (kSanitized) GTEST_SKIP() << "it times code that a sanitizer slows down";
  const ProgramResult result =
      run_program({program_path(), "bench", "--seconds", "0.01", "--device", "cpu", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = host::parse_json<nlohmann::json>(result.out);
  EXPECT_NE(json.at("device").get<std::string>().find("CPU"), std::string::npos);
  std::set<std::string> names, peers, with_peers;
  for (const auto& capability : json.at("capabilities")) {
    names.insert(capability.at("name"));
    EXPECT_GT(capability.at("per_s").get<double>(), 0) << capability;
    EXPECT_GE(capability.at("runs").get<int>(), 3) << capability;
    for (const auto& peer : capability.at("peers")) {
      with_peers.insert(capability.at("name"));
      peers.insert(peer.at("name").get<std::string>().substr(0, 5));
      EXPECT_GT(peer.at("per_s").get<double>(), 0) << peer;
      EXPECT_NEAR(peer.at("ratio").get<double>() * peer.at("per_s").get<double>(),
                  capability.at("per_s").get<double>(),
                  1e-6 * capability.at("per_s").get<double>());
      // castRay walks in float, FAISS does not quantise: hardly an answer is another.
      EXPECT_LT(peer.at("differs").get<double>(), 0.01) << peer;
    }
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"exact line of sight", "first hit", "march at six steps",
                                   "rendered views", "five best by meaning",
                                   "ranks under all mixes", "five best under all mixes", "sweep"}));
  std::set<std::string> expected{"Eigen", "OctoM"};
  if (!index::backend_info().faiss_version.empty()) expected.insert("FAISS");
  EXPECT_EQ(peers, expected);
  const std::set<std::string> always{"exact line of sight", "first hit", "rendered views",
                                     "ranks under all mixes"};
  EXPECT_TRUE(std::includes(with_peers.begin(), with_peers.end(), always.begin(), always.end()));
}

TEST(SelfBench, StopsWhenAsked) {
  host::Device device(host::DeviceChoice::kCpu, 1);
  host::SelfBenchOptions options;
  int asked = 0;
  options.stop_requested = [&] { return ++asked > 1; };
  EXPECT_THROW(host::run_self_bench(device, options), host::Interrupted);
  EXPECT_EQ(asked, 2);
}

TEST(SelfBench, TimesNothingThatAnswersWrongly) {
  EXPECT_NO_THROW(host::self_bench::require_equal(1, 1, "first hit"));
  EXPECT_THROW(host::self_bench::require_equal(1, 2, "first hit"), host::RunError);
}

TEST(SelfBench, MeasuresTheMedianAndTheSpreadOfItsRuns) {
  host::SelfBenchOptions options;
  options.seconds = 0.001;
  const host::self_bench::Runs runs(options, 1);
  host::CapabilityRate rate;
  int count = 0;
  runs.measure(
      5,
      [&] {
        if (++count % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      },
      &rate);
  EXPECT_EQ(rate.num_runs, count);
  EXPECT_GE(count, 3);
  EXPECT_GT(rate.spread, 0.4) << "of runs that take next to nothing and of others";
}

}  // namespace
}  // namespace sightline::tests
