// The database of a run: what goes in comes out, whole blocks only, and nothing foreign is touched.
#include "host/sweep/store.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <string>

#include "host/error.h"
#include "host/sweep/run_lock.h"
#include "support/errors.h"
#include "support/run_program.h"
#include "support/stored_runs.h"

namespace sightline::tests {
namespace {

using host::BlockResult;
using host::Configuration;
using host::ConfigValue;
using host::Database;
using host::RunData;
using host::RunIdentity;
using host::RunStore;

TEST(RunStore, ReadsBackEveryCountAndEveryBitOfACost) {
  TemporaryFolder folder;
  {
    RunStore store(folder.path(), Database::Access::kReadWrite);
    EXPECT_FALSE(store.begun());
    store.begin(some_identity());
    store.add_block({configuration(2, 0.1)}, two_arms(2));
    store.add_block({configuration(0, 0.25)}, two_arms(0));
    store.add_failure({configuration(1, 0.5)}, "no free space");
  }
  const RunData run = host::read_run(folder.path());
  EXPECT_EQ(run.name, "corridor");
  EXPECT_EQ(run.resolved.at("seed").as_integer(), 7);
  EXPECT_EQ(run.num_configurations, 3);
  EXPECT_EQ(run.num_finished, 2);
  EXPECT_FALSE(run.complete());
  ASSERT_EQ(run.rows.size(), 4u);
  EXPECT_EQ(run.rows[0].result.configuration, 0);
  EXPECT_EQ(run.rows[0].result.arm, "zulu");
  EXPECT_EQ(run.rows[1].result.arm, "alpha");
  EXPECT_EQ(run.rows[2].result.configuration_id, "id2");
  EXPECT_EQ(run.rows[3].result.answers.num_rays, 1000000000000);
  EXPECT_EQ(run.rows[3].result.answers.only_baseline_right, 1000000000009);
  EXPECT_EQ(run.rows[3].axis_values.at(0).as_number(), 0.1);
  EXPECT_EQ(run.rows[3].axis_values.at(1).as_text(), "a \"quoted\", name");
  EXPECT_EQ(run.rows[3].axis_labels, (std::vector<std::string>{"step", "\xc3\xa4 label"}));
  EXPECT_EQ(run.rows[2].cost.rays_per_s, 1e9 / 3);
  EXPECT_EQ(run.rows[3].cost.seconds, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(run.rows[3].cost.num_rays, 12);
  ASSERT_EQ(run.failures.size(), 1u);
  EXPECT_EQ(run.failures[0].message, "no free space");
}

TEST(RunStore, KeepsItsIdentity) {
  TemporaryFolder folder;
  { RunStore(folder.path(), Database::Access::kReadWrite).begin(some_identity()); }
  RunStore store(folder.path(), Database::Access::kRead);
  ASSERT_TRUE(store.begun());
  const RunIdentity identity = store.identity();
  EXPECT_EQ(identity.config, some_identity().config);
  EXPECT_EQ(identity.axis_keys, some_identity().axis_keys);
  EXPECT_EQ(identity.program, some_identity().program);
  ASSERT_EQ(identity.inputs.size(), 1u);
  EXPECT_EQ(identity.inputs[0].num_bytes, 123456789012345);
  EXPECT_EQ(identity.inputs[0].xxh64, "ef46db3751d8e999");
}

// A killed writer leaves its journal beside the file, which a reader must roll back to read
// anything.
TEST(Database, IsReadAsItWasBeforeAWriterWasKilled) {
  const TemporaryFolder folder;
  Database writer(folder / "a.sqlite", Database::Access::kReadWrite);
  writer.execute("PRAGMA journal_mode=DELETE; CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('1')");
  // A cache of one page: rows reach the file before they are committed.
  writer.execute("PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN IMMEDIATE");
  for (int i = 0; i < 100; ++i) writer.execute("INSERT INTO t VALUES (hex(randomblob(2000)))");
  for (const char* suffix : {"", "-journal"}) {
    std::filesystem::copy_file((folder / "a.sqlite") + suffix, (folder / "killed.sqlite") + suffix);
  }
  Database reader(folder / "killed.sqlite", Database::Access::kRead);
  EXPECT_EQ(reader.integer("SELECT count(*) FROM t"), 1);
}

TEST(RunStore, KeepsNothingOfABlockThatFailsHalfWay) {
  TemporaryFolder folder;
  RunStore store(folder.path(), Database::Access::kReadWrite);
  store.begin(some_identity());
  BlockResult torn = two_arms(0);
  torn.costs.pop_back();
  EXPECT_ANY_THROW(store.add_block({configuration(0, 0.1)}, torn));
  EXPECT_TRUE(store.finished_configurations().empty());
  EXPECT_TRUE(store.read().rows.empty());
  store.add_block({configuration(0, 0.1)}, two_arms(0));
  EXPECT_EQ(store.finished_configurations().count(0), 1u);
  EXPECT_EQ(store.read().rows.size(), 2u);
}

TEST(RunStore, RefusesAConfigurationTwice) {
  TemporaryFolder folder;
  RunStore store(folder.path(), Database::Access::kReadWrite);
  store.begin(some_identity());
  store.add_block({configuration(0, 0.1)}, two_arms(0));
  EXPECT_THROW(store.add_block({configuration(0, 0.1)}, two_arms(0)), host::RunError);
  EXPECT_EQ(store.read().rows.size(), 2u);
}

TEST(RunStore, PutsWhatIsComputedAgainInPlaceOfWhatWasThere) {
  TemporaryFolder folder;
  RunStore store(folder.path(), Database::Access::kReadWrite);
  store.begin(some_identity());
  store.add_block({configuration(0, 0.1)}, two_arms(0));
  store.compute_again(store.finished_but({}));
  BlockResult again = two_arms(0);
  again.rows.pop_back();
  again.costs.pop_back();
  store.add_block({configuration(0, 0.1)}, again, {{"id0", -7}});
  ASSERT_EQ(store.finished_but({}).size(), 1u);
  EXPECT_EQ(store.finished_but({})[0].trials_checksum, -7);
  EXPECT_EQ(store.verified_checksums().size(), 1u);
  EXPECT_EQ(host::read_run(folder.path()).rows.size(), 1u);
  EXPECT_THROW(store.add_block({configuration(0, 0.1)}, again), host::RunError);  // once
}

TEST(RunStore, ForgetsEverythingWhenItBeginsAnew) {
  TemporaryFolder folder;
  RunStore store(folder.path(), Database::Access::kReadWrite);
  store.begin(some_identity());
  store.add_block({configuration(0, 0.1)}, two_arms(0));
  store.add_failure({configuration(1, 0.5)}, "no free space");
  store.start_session({"2026-01-01T00:00:00Z", "", "running", "{}"});
  store.begin(some_identity());
  EXPECT_TRUE(store.read().rows.empty());
  EXPECT_TRUE(store.read().failures.empty());
  EXPECT_TRUE(store.sessions().empty());
}

TEST(RunStore, CallsASessionThatNeverEndedKilled) {
  TemporaryFolder folder;
  RunStore store(folder.path(), Database::Access::kReadWrite);
  store.begin(some_identity());
  store.start_session({"2026-01-01T00:00:00Z", "", "running", "{}"});
  store.start_session({"2026-01-02T00:00:00Z", "", "running", "{}"});
  store.end_session("complete", "2026-01-03T00:00:00Z");
  const std::vector<host::Session> sessions = store.sessions();
  ASSERT_EQ(sessions.size(), 2u);
  EXPECT_EQ(sessions[0].status, "killed");
  EXPECT_EQ(sessions[0].ended, "");
  EXPECT_EQ(sessions[1].status, "complete");
  EXPECT_EQ(sessions[1].ended, "2026-01-03T00:00:00Z");
}

TEST(RunStore, LeavesOneFileWhenSealed) {
  TemporaryFolder folder;
  RunStore store(folder.path(), Database::Access::kReadWrite);
  store.begin(some_identity());
  EXPECT_TRUE(std::filesystem::exists(folder / "run.sqlite-wal"));
  store.seal();
  EXPECT_FALSE(std::filesystem::exists(folder / "run.sqlite-wal"));
  EXPECT_FALSE(std::filesystem::exists(folder / "run.sqlite-shm"));
}

TEST(RunStore, TakesAnEmptyFileForANewRun) {
  TemporaryFolder folder;
  write_text(folder / "run.sqlite", "");
  EXPECT_FALSE(RunStore(folder.path(), Database::Access::kReadWrite).begun());
}

TEST(RunStore, LeavesAFileThatIsNoDatabaseAlone) {
  TemporaryFolder folder;
  const std::string notes = "my notes, which are longer than the sixteen bytes of a magic number";
  write_text(folder / "run.sqlite", notes);
  EXPECT_NE(input_error_of([&] {
              RunStore(folder.path(), Database::Access::kReadWrite);
            }).find("not the results of a run"),
            std::string::npos);
  EXPECT_EQ(read_text(folder / "run.sqlite"), notes);
}

TEST(RunStore, LeavesADatabaseOfAnotherProgramAlone) {
  TemporaryFolder folder;
  Database(folder / "run.sqlite", Database::Access::kReadWrite)
      .execute("CREATE TABLE birds(name TEXT)");
  const std::string before = read_text(folder / "run.sqlite");
  EXPECT_NE(input_error_of([&] {
              RunStore(folder.path(), Database::Access::kReadWrite);
            }).find("another program's database"),
            std::string::npos);
  EXPECT_EQ(read_text(folder / "run.sqlite"), before);
}

TEST(RunStore, RefusesAnotherFormatNamingBoth) {
  TemporaryFolder folder;
  { RunStore(folder.path(), Database::Access::kReadWrite).begin(some_identity()); }
  Database(folder / "run.sqlite", Database::Access::kReadWrite).execute("PRAGMA user_version=99");
  const std::string message = input_error_of([&] { host::read_run(folder.path()); });
  EXPECT_NE(message.find("format 99"), std::string::npos) << message;
  EXPECT_NE(message.find("reads format 4"), std::string::npos) << message;
}

/// Runs of studies say since format 3 how much an arm remembers; those of before lack the column.
TEST(RunStore, RunsOfStudiesHaveAFormatOfTheirOwn) {
  TemporaryFolder folder;
  {
    RunStore store(folder.path(), Database::Access::kReadWrite);
    RunIdentity identity = some_identity();
    identity.kind = host::ExperimentKind::kStudy;
    identity.resolved_yaml = "study: {battery: {type: presence}}\n";
    store.begin(identity);
    host::ResultRow row = result(0, "text", 0);
    row.study.num_trials = 20;
    row.study.truth_reads = 3;
    row.study.memory_size = 1336;
    row.study.stored_bytes = 52000;
    store.add_block({configuration(0, 0.25)}, {1, {row}, {{"id0", "text", 0.1, 20, 200}}});
  }
  const RunData run = host::read_run(folder.path());
  ASSERT_EQ(run.rows.size(), 1u);
  EXPECT_EQ(run.rows[0].result.study.num_trials, 20);
  EXPECT_EQ(run.rows[0].result.study.truth_reads, 3);
  EXPECT_EQ(run.rows[0].result.study.memory_size, 1336);
  EXPECT_EQ(run.rows[0].result.study.stored_bytes, 52000);
  Database(folder / "run.sqlite", Database::Access::kReadWrite).execute("PRAGMA user_version=2");
  const std::string message = input_error_of([&] { host::read_run(folder.path()); });
  EXPECT_NE(message.find("written in format 2, this program reads format 8"), std::string::npos)
      << message;
}

/// A run of format 5 did not count who scores higher: it is read as if nobody did, and goes on.
TEST(RunStore, ReadsAndContinuesRunsOfTheFormatBefore) {
  TemporaryFolder folder;
  RunIdentity identity = some_identity();
  identity.kind = host::ExperimentKind::kStudy;
  identity.resolved_yaml = "study: {battery: {type: presence}}\n";
  host::ResultRow row = result(0, "text", 0);
  row.study.num_trials = 20;
  row.study.scores_higher = 7;
  {
    RunStore store(folder.path(), Database::Access::kReadWrite);
    store.begin(identity);
    store.add_block({configuration(0, 0.25)}, {1, {row}, {{"id0", "text", 0.1, 20, 200}}});
    store.seal();
  }
  Database(folder / "run.sqlite", Database::Access::kReadWrite)
      .execute(
          "ALTER TABLE result DROP COLUMN scores_higher;"
          "ALTER TABLE result DROP COLUMN scores_lower;"
          "ALTER TABLE configuration DROP COLUMN checksum;"
          "ALTER TABLE configuration DROP COLUMN trials_checksum; PRAGMA user_version=5");
  const RunData old = host::read_run(folder.path());
  ASSERT_EQ(old.rows.size(), 1u);
  EXPECT_EQ(old.rows[0].result.study.num_trials, 20);
  EXPECT_EQ(old.rows[0].result.study.scores_higher, 0);
  {
    RunStore store(folder.path(), Database::Access::kReadWrite);
    EXPECT_EQ(store.verified_checksums().size(), 1u);
    row.configuration = 1;
    row.study.scores_lower = 3;
    store.add_block({configuration(1, 0.5)}, {1, {row}, {{"id1", "text", 0.1, 20, 200}}});
  }
  const RunData now = host::read_run(folder.path());
  ASSERT_EQ(now.rows.size(), 2u);
  EXPECT_EQ(now.rows[0].result.study.scores_higher, 0);
  EXPECT_EQ(now.rows[1].result.study.scores_higher, 7);
  EXPECT_EQ(now.rows[1].result.study.scores_lower, 3);
}

TEST(ReadRun, RefusesAFolderWithoutARun) {
  TemporaryFolder folder;
  EXPECT_NE(input_error_of([&] { host::read_run(folder.path()); }).find("not a run folder"),
            std::string::npos);
}

TEST(ReadRun, SeesWholeBlocksWhileTheRunGoesOn) {
  TemporaryFolder folder;
  RunStore store(folder.path(), Database::Access::kReadWrite);
  store.begin(some_identity());
  store.add_block({configuration(0, 0.1)}, two_arms(0));
  EXPECT_EQ(host::read_run(folder.path()).rows.size(), 2u);
  store.add_block({configuration(1, 0.1)}, two_arms(1));
  EXPECT_EQ(host::read_run(folder.path()).rows.size(), 4u);
}

TEST(RunLock, LetsOneHolderInAndNamesIt) {
  TemporaryFolder folder;
  {
    const host::RunLock lock(folder.path());
    const std::string message = input_error_of([&] { host::RunLock second(folder.path()); });
    EXPECT_NE(message.find("in use by process " + std::to_string(::getpid())), std::string::npos)
        << message;
  }
  EXPECT_NO_THROW(host::RunLock(folder.path()));
}

}  // namespace
}  // namespace sightline::tests
