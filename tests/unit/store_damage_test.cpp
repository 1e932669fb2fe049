// The database of a run that is not what was stored: found whoever reads it, and told how to go on.
#include <gtest/gtest.h>

#include <string>

#include "host/sweep/store.h"
#include "support/errors.h"
#include "support/run_program.h"
#include "support/stored_runs.h"

namespace sightline::tests {
namespace {

using host::Database;
using host::RunStore;

TEST(RunStore, KnowsWhatWasNotStored) {
  for (const char* damage :
       {"UPDATE result SET correct = correct + 1 WHERE configuration = 0 AND arm_idx = 1",
        "UPDATE result SET arm = 'zulv' WHERE configuration = 0 AND arm_idx = 0",
        "UPDATE result SET arm_idx = 3 WHERE configuration = 0 AND arm_idx = 1",
        "DELETE FROM result WHERE configuration = 0 AND arm_idx = 1",
        "UPDATE configuration SET id = 'id9' WHERE configuration = 0",
        "UPDATE configuration SET axis_labels = '[\"step\", \"b\"]' WHERE configuration = 0",
        "UPDATE configuration SET checksum = checksum + 1 WHERE configuration = 0",
        "DELETE FROM configuration WHERE configuration = 0", "UPDATE session SET about = '{'"}) {
    TemporaryFolder folder;
    {
      RunStore store(folder.path(), Database::Access::kReadWrite);
      store.begin(some_identity());
      store.start_session({"2026-01-01T00:00:00Z", "", "running", "{}"});
      store.add_block({configuration(0, 0.1)}, two_arms(0));
      store.add_block({configuration(1, 0.1)}, two_arms(1));
      EXPECT_EQ(store.verified_checksums().size(), 2u);
    }
    Database(folder / "run.sqlite", Database::Access::kReadWrite).execute(damage);
    const std::string message = input_error_of([&] { host::read_run(folder.path()); });
    EXPECT_NE(message.find("run.sqlite: damaged: "), std::string::npos) << damage << message;
    EXPECT_NE(message.find("remove its folder and compute it again"), std::string::npos) << message;
  }
}

TEST(ReadRun, RefusesEntriesThatNoRunHas) {
  for (const char* damage :
       {"UPDATE meta SET value = 'many' WHERE key = 'num_configurations'",
        "UPDATE meta SET value = '{' WHERE key = 'inputs'",
        "UPDATE meta SET value = '[1]' WHERE key = 'axis_keys'",
        "UPDATE configuration SET axis_values = '[]'", "UPDATE configuration SET axis_values = '3'",
        "UPDATE configuration SET axis_labels = '[\"0.1\", \"a\", \"b\"]'"}) {
    SCOPED_TRACE(damage);
    TemporaryFolder folder;
    {
      RunStore store(folder.path(), Database::Access::kReadWrite);
      store.begin(some_identity());
      store.add_block({configuration(0, 0.1)}, two_arms(0));
    }
    Database(folder / "run.sqlite", Database::Access::kReadWrite).execute(damage);
    const std::string message = input_error_of([&] { host::read_run(folder.path()); });
    EXPECT_NE(message.find("run.sqlite"), std::string::npos) << message;
  }
}

constexpr std::size_t kPageBytes = 4096;

/// Makes a run of one configuration; its database.
std::string sealed_run(const TemporaryFolder& folder) {
  RunStore store(folder.path(), Database::Access::kReadWrite);
  store.begin(some_identity());
  store.add_block({configuration(0, 0.1)}, two_arms(0));
  store.seal();
  return read_text(folder / "run.sqlite");
}

TEST(ReadRun, RefusesADamagedDatabase) {
  TemporaryFolder folder;
  const std::string whole = sealed_run(folder);
  // Page 1, the schema, stays; the tables are noise.
  std::string damaged = whole;
  for (std::size_t i = kPageBytes; i < damaged.size(); ++i) damaged[i] = static_cast<char>(i * 37);
  write_text(folder / "run.sqlite", damaged);
  EXPECT_THROW(host::read_run(folder.path()), host::InputError);
  write_text(folder / "run.sqlite", whole.substr(0, kPageBytes + 100));
  EXPECT_THROW(host::read_run(folder.path()), host::InputError);
}

/// Whatever page is damaged, whoever resumes the run is told, and what to do.
TEST(RunStore, TellsOfADamagedDatabaseHowToGoOn) {
  TemporaryFolder folder;
  const std::string whole = sealed_run(folder);
  ASSERT_GT(whole.size(), 4 * kPageBytes);
  for (std::size_t at = kPageBytes; at < whole.size(); at += kPageBytes) {
    std::string damaged = whole;
    damaged.replace(at, 8, 8, '\xff');
    write_text(folder / "run.sqlite", damaged);
    const std::string message = input_error_of([&] {
      RunStore store(folder.path(), Database::Access::kReadWrite);
      store.verified_checksums();
      store.identity();
    });
    EXPECT_NE(message.find("; remove its folder and compute it again"), std::string::npos)
        << at << message;
  }
}

}  // namespace
}  // namespace sightline::tests
