// What a run takes over from its parts, and whether it is what was stored there.
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/sweep/measures.h"
#include "host/sweep/result_checksum.h"
#include "host/sweep/store.h"
#include "host/sweep/trials.h"

namespace sightline::host {
namespace {

using nlohmann::json;

/// Another database, seen as `part` until destroyed.
class Attached {
 public:
  Attached(Database& database, const std::string& path) : database_(database) {
    Statement(database_, "ATTACH ? AS part").bind(file_name_for_sqlite(path)).run();
  }
  ~Attached() {
    try {
      database_.execute("DETACH part");
    } catch (const std::exception&) {
      // An exception is on its way, and the connection goes with it.
    }
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;

 private:
  Database& database_;
};

}  // namespace

std::unordered_map<std::int64_t, std::int64_t> RunStore::verified_checksums() {
  try {
    Transaction one_view(database_, Database::Access::kRead);  // somebody may be at work there
    Statement check(database_, "PRAGMA quick_check(1)");
    if (check.step() && check.text(0) != "ok") {
      const std::string found = check.text(0);  // what is found stands below a heading
      fail_as_damaged(found.substr(found.rfind('\n') + 1));
    }
    for (const Session& session : sessions()) parse_json<json>(session.about_json);
    auto checksums = checksums_of_rows();
    one_view.commit();
    return checksums;
  } catch (const RunError& error) {
    fail_as_damaged(error.what());
  } catch (const json::exception& error) {
    fail_as_damaged(error.what());
  }
}

std::unordered_map<std::int64_t, std::int64_t> RunStore::checksums_of_rows() {
  std::unordered_map<std::int64_t, ResultChecksum> computed;
  std::unordered_map<std::int64_t, std::int64_t> stored;  // of those that have one
  const bool has_checksums = has_column("configuration", "checksum");
  Statement configurations(database_,
                           std::string("SELECT configuration, id, axis_values, axis_labels") +
                               (has_checksums ? ", checksum, checksum IS NULL" : ", 0, 1") +
                               " FROM configuration");
  while (configurations.step()) {
    const std::int64_t configuration = configurations.integer(0);
    computed.emplace(configuration, ResultChecksum(configurations.text(1), configurations.text(2),
                                                   configurations.text(3)));
    if (configurations.integer(5) == 0) stored.emplace(configuration, configurations.integer(4));
  }
  Statement rows(database_, "SELECT r.configuration, r.arm_idx, r.arm" + count_columns("r") +
                                " FROM result r ORDER BY r.configuration, r.arm_idx");
  const int num_columns = static_cast<int>(measures_of(kind_).counts.size()) + 3;
  while (rows.step()) {
    const auto of = computed.find(rows.integer(0));
    if (of == computed.end()) {
      fail_as_damaged("configuration " + rows.text(0) + " has results, and is not known");
    }
    for (int column = 1; column < num_columns; ++column) of->second.add(rows.text(column));
  }
  const std::int64_t num_without_cost = database_.integer(
      "SELECT count(*) FROM result LEFT JOIN cost k USING(configuration, arm_idx)"
      " WHERE k.configuration IS NULL");
  if (num_without_cost > 0) {
    fail_as_damaged(plural(num_without_cost, "result") + " without the time it took");
  }
  std::unordered_map<std::int64_t, std::int64_t> checksums;
  for (const auto& [configuration, checksum] : computed) {
    const auto was = stored.find(configuration);
    if (was != stored.end() && was->second != checksum.value()) {
      fail_as_damaged("configuration " + std::to_string(configuration) + " is not what was stored");
    }
    checksums.emplace(configuration, checksum.value());
  }
  return checksums;
}

std::vector<FinishedConfiguration> RunStore::without_trials() {
  std::vector<FinishedConfiguration> lost;
  if (optional_meta("trials").empty()) return lost;
  const std::string run = std::filesystem::path(database_.path()).parent_path().string();
  for (FinishedConfiguration& one : finished_but({})) {
    if (!has_trials(run, one.id, one.trials_checksum)) lost.push_back(std::move(one));
  }
  return lost;
}

std::optional<std::int64_t> RunStore::trials_checksum(const std::string& id) {
  if (!has_column("configuration", "trials_checksum")) return std::nullopt;
  Statement query(database_,
                  "SELECT trials_checksum FROM configuration"
                  " WHERE id = ? AND trials_checksum IS NOT NULL");
  return query.bind(id).step() ? std::optional(query.integer(0)) : std::nullopt;
}

/// The columns of a table here, as the attached part has them: in one of an older format, nothing
/// was counted that it lacks, and its configurations have no checksum.
std::string RunStore::columns_of_part(const char* table) {
  Statement query(database_,
                  "SELECT here.name, there.name IS NULL FROM pragma_table_info(?, 'main') here"
                  " LEFT JOIN pragma_table_info(?, 'part') there ON there.name = here.name"
                  " ORDER BY here.cid");
  query.bind(std::string(table)).bind(std::string(table));
  std::string columns;
  while (query.step()) {
    const std::string name = query.text(0);
    const bool lacks = query.integer(1) != 0;
    columns += (columns.empty() ? "" : ", ") +
               (lacks ? std::string(std::string(table) == "configuration" ? "NULL" : "0") : name);
  }
  return columns;
}

void RunStore::take(const std::string& directory,
                    const std::vector<FinishedConfiguration>& wanted) {
  const Attached part(database_, directory + "/" + kFileName);
  Transaction transaction(database_, Database::Access::kReadWrite);
  database_.execute("CREATE TEMP TABLE added(configuration INTEGER PRIMARY KEY)");
  Statement add(database_,
                "INSERT OR IGNORE INTO temp.added SELECT ?1 WHERE NOT EXISTS"
                "(SELECT 1 FROM main.configuration WHERE configuration = ?1)");
  for (const FinishedConfiguration& one : wanted) {
    remove_replaced(one.configuration);
    add.bind(one.configuration).run();
  }
  for (const char* table : {"configuration", "result", "cost"}) {
    const std::string columns = columns_of_part(table);
    database_.execute(std::string("INSERT INTO main.") + table + " SELECT " + columns +
                      " FROM part." + table +
                      " WHERE configuration IN (SELECT configuration FROM temp.added)");
  }
  database_.execute(
      "DROP TABLE temp.added;"
      "INSERT OR REPLACE INTO main.failure SELECT * FROM part.failure;"
      "DELETE FROM main.failure WHERE configuration IN (SELECT configuration FROM"
      " main.configuration)");
  // Nobody works there now: a session that never ended was killed.
  database_.execute(
      "DELETE FROM main.session WHERE EXISTS(SELECT 1 FROM part.session p WHERE"
      " p.started = main.session.started AND p.about = main.session.about);"
      "INSERT INTO main.session(started, ended, status, about) SELECT started, ended,"
      " CASE status WHEN 'running' THEN 'killed' ELSE status END, about FROM part.session"
      " ORDER BY id");
  transaction.commit();
}

}  // namespace sightline::host
