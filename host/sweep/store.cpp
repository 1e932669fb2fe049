#include "host/sweep/store.h"

#include <exception>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/error.h"
#include "host/sweep/measures.h"
#include "host/sweep/result_checksum.h"

namespace sightline::host {
namespace {

using nlohmann::json;

constexpr std::int64_t kApplicationId = 0x53694c6e;  // "SiLn": tells `file` and us whose it is

constexpr const char* kTables = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE session(
  id INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT NOT NULL, status TEXT NOT NULL,
  about TEXT NOT NULL);
CREATE TABLE configuration(
  configuration INTEGER PRIMARY KEY, id TEXT NOT NULL, axis_values TEXT NOT NULL,
  axis_labels TEXT NOT NULL, checksum INTEGER, trials_checksum INTEGER);
CREATE TABLE cost(
  configuration INTEGER NOT NULL REFERENCES configuration, arm_idx INTEGER NOT NULL,
  seconds REAL, num_rays INTEGER NOT NULL, rays_per_s REAL, gate_seconds REAL,
  PRIMARY KEY(configuration, arm_idx)) WITHOUT ROWID;
CREATE TABLE failure(
  configuration INTEGER PRIMARY KEY, id TEXT NOT NULL, message TEXT NOT NULL);
)sql";

/// The table of results of a kind of experiment: a column per count.
std::string result_table(const Measures& measures) {
  std::string columns;
  for (const CountColumn& column : measures.counts) {
    columns += std::string(column.name) + " INTEGER NOT NULL, ";
  }
  return "CREATE TABLE result(configuration INTEGER NOT NULL REFERENCES configuration, "
         "arm_idx INTEGER NOT NULL, arm TEXT NOT NULL, " +
         columns + "PRIMARY KEY(configuration, arm_idx)) WITHOUT ROWID";
}

/// user_version: raised when the tables change. Configurations have a checksum since format 3 (of a
/// study 7), one of their trials since 4 (8), and tables of a study more columns since format 6:
/// older ones are read as if nothing had been counted there, and get them when written to.
constexpr std::int64_t kFormat = 4, kOldestFormat = 2, kStudyFormat = 8, kOldestStudyFormat = 5;
constexpr std::int64_t format_of(ExperimentKind kind) {
  return kind == ExperimentKind::kStudy ? kStudyFormat : kFormat;
}

bool can_read(std::int64_t format, ExperimentKind kind) {
  const bool is_study = kind == ExperimentKind::kStudy;
  return format >= (is_study ? kOldestStudyFormat : kOldestFormat) && format <= format_of(kind);
}

std::string question_marks(std::size_t count) {
  std::string marks = "?";
  for (std::size_t i = 1; i < count; ++i) marks += ",?";
  return marks;
}

std::string axis_values_json(const Configuration& configuration) {
  std::vector<ConfigValue> values;
  for (const auto& [key, value] : configuration.axis_settings) values.push_back(value);
  return ConfigValue::list(std::move(values)).canonical_json();
}

json inputs_to_json(const std::vector<InputHash>& inputs) {
  json list = json::array();
  for (const InputHash& input : inputs) {
    list.push_back({{"path", input.path}, {"bytes", input.num_bytes}, {"xxh64", input.xxh64}});
  }
  return list;
}

std::vector<InputHash> inputs_from_json(const std::string& text) {
  std::vector<InputHash> inputs;
  for (const json& input : parse_json<json>(text)) {
    inputs.push_back({input.at("path"), input.at("bytes"), input.at("xxh64"), {}});
  }
  return inputs;
}

}  // namespace

RunStore::RunStore(const std::string& directory, Database::Access access)
    : database_(directory + "/" + kFileName, access) {
  check_format();
  if (access == Database::Access::kReadWrite) {
    if (begun_) add_missing_counts();
    // A commit then appends to the log without waiting for the disk: a killed process loses
    // nothing, a power cut at most the last blocks. Where the file system cannot do it (some
    // network mounts), SQLite stays with its rollback journal, which is as safe and slower.
    database_.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
  }
}

void RunStore::check_format() {
  std::int64_t application = 0, format = 0, num_tables = 0;
  try {
    application = database_.integer("PRAGMA application_id");
    format = database_.integer("PRAGMA user_version");
    num_tables = database_.integer("SELECT count(*) FROM sqlite_schema");
  } catch (const RunError& error) {
    const std::string reason = error.what();
    const bool cannot_open = reason.find("unable to open") != std::string::npos;
    throw InputError(reason + (cannot_open
                                   ? ": the log of a run that was killed lies beside it, and needs "
                                     "a folder that may be written; copy it to one"
                                   : ": not the results of a run"));
  }
  if (num_tables == 0 && application == 0) return;  // new, or killed before its first transaction
  if (application != kApplicationId) {
    throw InputError(database_.path() + ": not the results of a run (another program's database)");
  }
  const bool is_known =
      can_read(format, ExperimentKind::kVisibility) || can_read(format, ExperimentKind::kStudy);
  if (is_known) kind_ = stored_kind();
  if (!is_known || !can_read(format, kind_)) {
    throw InputError(database_.path() + ": written in format " + std::to_string(format) +
                     ", this program reads format " + std::to_string(format_of(kind_)) +
                     "; use the version of the program that began the run");
  }
  begun_ = true;
}

void RunStore::fail_as_damaged(const std::string& what) const {
  throw InputError(database_.path() + ": damaged: " + what +
                   "; remove its folder and compute it again");
}

bool RunStore::has_column(const char* table, const char* column) {
  Statement query(database_, "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?");
  return query.bind(std::string(table)).bind(std::string(column)).step() && query.integer(0) > 0;
}

void RunStore::add_missing_counts() {
  if (database_.integer("PRAGMA user_version") == format_of(kind_)) return;
  Transaction transaction(database_, Database::Access::kReadWrite);
  for (const CountColumn& column : measures_of(kind_).counts) {
    if (has_column("result", column.name)) continue;
    database_.execute(std::string("ALTER TABLE result ADD COLUMN ") + column.name +
                      " INTEGER NOT NULL DEFAULT 0");
  }
  for (const char* column : {"checksum", "trials_checksum"}) {
    if (has_column("configuration", column)) continue;
    database_.execute(std::string("ALTER TABLE configuration ADD COLUMN ") + column + " INTEGER");
  }
  database_.execute("PRAGMA user_version=" + std::to_string(format_of(kind_)));
  transaction.commit();
}

std::string RunStore::count_columns(const std::string& table) {
  std::string columns;
  for (const CountColumn& column : measures_of(kind_).counts) {
    columns += ", " + (has_column("result", column.name) ? table + "." + column.name : "0");
  }
  return columns;
}

/// Runs of earlier versions do not say: they ask what is seen.
ExperimentKind RunStore::stored_kind() {
  for (const ExperimentKind kind : {ExperimentKind::kRecall, ExperimentKind::kStudy}) {
    Statement query(database_, "SELECT count(*) FROM meta WHERE key = 'kind' AND value = ?");
    if (query.bind(std::string(kind_name(kind))).step() && query.integer(0) > 0) return kind;
  }
  return ExperimentKind::kVisibility;
}

std::string RunStore::meta(const std::string& key) {
  Statement query(database_, "SELECT value FROM meta WHERE key = ?");
  if (!query.bind(key).step()) {
    fail_as_damaged("it has no entry '" + key + "'");
  }
  return query.text(0);
}

std::string RunStore::optional_meta(const std::string& key) {
  Statement query(database_, "SELECT value FROM meta WHERE key = ?");
  return query.bind(key).step() ? query.text(0) : std::string();
}

void RunStore::set_meta(const std::string& key, const std::string& value) {
  Statement(database_, "INSERT OR REPLACE INTO meta VALUES(?,?)").bind(key).bind(value).run();
}

void RunStore::begin(const RunIdentity& identity) {
  Transaction transaction(database_, Database::Access::kReadWrite);
  for (const char* table : {"result", "cost", "failure", "configuration", "session", "meta"}) {
    database_.execute(std::string("DROP TABLE IF EXISTS ") + table);
  }
  kind_ = identity.kind;
  database_.execute(kTables);
  database_.execute(result_table(measures_of(kind_)));
  database_.execute("PRAGMA application_id=" + std::to_string(kApplicationId));
  database_.execute("PRAGMA user_version=" + std::to_string(format_of(kind_)));
  set_meta("name", identity.name);
  set_meta("kind", kind_name(kind_));
  set_meta("config", identity.config);
  set_meta("resolved_yaml", identity.resolved_yaml);
  set_meta("axis_keys", json_text(json(identity.axis_keys)));
  set_meta("num_configurations", std::to_string(identity.num_configurations));
  set_meta("inputs", json_text(inputs_to_json(identity.inputs)));
  set_meta("program", identity.program);
  set_meta("preregistration", identity.preregistration);
  if (identity.trials) set_meta("trials", "1");
  transaction.commit();
  begun_ = true;
}

RunIdentity RunStore::identity() {
  RunIdentity identity;
  identity.name = meta("name");
  identity.kind = kind_;
  identity.config = meta("config");
  identity.resolved_yaml = meta("resolved_yaml");
  identity.program = meta("program");
  identity.preregistration = optional_meta("preregistration");
  identity.trials = !optional_meta("trials").empty();
  try {
    identity.axis_keys = parse_json<json>(meta("axis_keys")).get<std::vector<std::string>>();
    identity.num_configurations = parse_json<json>(meta("num_configurations")).get<std::int64_t>();
    identity.inputs = inputs_from_json(meta("inputs"));
  } catch (const json::exception& error) {
    fail_as_damaged(error.what());
  }
  return identity;
}

void RunStore::set_sweep_file(const RunIdentity& identity) {
  Transaction transaction(database_, Database::Access::kReadWrite);
  set_meta("config", identity.config);
  set_meta("resolved_yaml", identity.resolved_yaml);
  transaction.commit();
}

std::unordered_set<std::int64_t> RunStore::finished_configurations() {
  std::unordered_set<std::int64_t> finished;
  Statement query(database_, "SELECT configuration FROM configuration");
  while (query.step()) finished.insert(query.integer(0));
  return finished;
}

std::vector<FinishedConfiguration> RunStore::finished_but(
    const std::unordered_set<std::int64_t>& known) {
  std::vector<FinishedConfiguration> finished;
  const std::string checksum =
      has_column("configuration", "trials_checksum") ? "trials_checksum" : "NULL";
  Statement query(database_, "SELECT configuration, id, " + checksum + ", " + checksum +
                                 " IS NULL FROM configuration");
  while (query.step()) {
    if (known.count(query.integer(0)) > 0) continue;
    FinishedConfiguration& one = finished.emplace_back();
    one.configuration = query.integer(0);
    one.id = query.text(1);
    if (query.integer(3) == 0) one.trials_checksum = query.integer(2);
  }
  return finished;
}

bool RunStore::holds_rows() {
  return database_.integer(
             "SELECT EXISTS(SELECT 1 FROM configuration) OR EXISTS(SELECT 1 FROM failure)") != 0;
}

void RunStore::compute_again(const std::vector<FinishedConfiguration>& configurations) {
  for (const FinishedConfiguration& one : configurations) computed_again_.insert(one.configuration);
}

void RunStore::remove_replaced(std::int64_t configuration) {
  if (computed_again_.erase(configuration) == 0) return;
  for (const char* table : {"cost", "result", "configuration"}) {
    Statement(database_, std::string("DELETE FROM main.") + table + " WHERE configuration = ?")
        .bind(configuration)
        .run();
  }
}

void RunStore::add_block(const std::vector<Configuration>& configurations,
                         const BlockResult& result, const TrialsChecksums& trials) {
  Transaction transaction(database_, Database::Access::kReadWrite);
  std::unordered_map<std::int64_t, ResultChecksum> checksums;
  Statement add_configuration(database_, "INSERT INTO configuration VALUES(?,?,?,?,NULL,NULL)");
  for (const Configuration& configuration : configurations) {
    remove_replaced(configuration.index);
    const std::string values = axis_values_json(configuration);
    const std::string labels = json_text(json(configuration.axis_labels));
    add_configuration.bind(configuration.index)
        .bind(configuration.id)
        .bind(values)
        .bind(labels)
        .run();
    checksums.emplace(configuration.index, ResultChecksum(configuration.id, values, labels));
  }
  const std::vector<CountColumn>& counts = measures_of(kind_).counts;
  Statement add_result(database_,
                       "INSERT INTO result VALUES(?,?,?," + question_marks(counts.size()) + ")");
  Statement add_cost(database_, "INSERT INTO cost VALUES(?,?,?,?,?,?)");
  std::int64_t arm_idx = 0;
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const ResultRow& row = result.rows[i];
    arm_idx = i > 0 && result.rows[i - 1].configuration == row.configuration ? arm_idx + 1 : 0;
    add_result.bind(row.configuration).bind(arm_idx).bind(row.arm);
    ResultChecksum& checksum = checksums.at(row.configuration);
    checksum.add(arm_idx);
    checksum.add(row.arm);
    for (const CountColumn& column : counts) {
      add_result.bind(column.of(row));
      checksum.add(column.of(row));
    }
    add_result.run();
    const CostRow& cost = result.costs.at(i);
    add_cost.bind(row.configuration).bind(arm_idx).bind(cost.seconds).bind(cost.num_rays);
    add_cost.bind(cost.rays_per_s).bind(cost.gate_seconds).run();
  }
  Statement add_checksum(database_,
                         "UPDATE configuration SET checksum = ? WHERE configuration = ?");
  for (const auto& [configuration, checksum] : checksums) {
    add_checksum.bind(checksum.value()).bind(configuration).run();
  }
  Statement add_trials(database_,
                       "UPDATE configuration SET trials_checksum = ? WHERE configuration = ?");
  for (const Configuration& configuration : configurations) {
    const auto written = trials.find(configuration.id);
    if (written == trials.end()) continue;
    add_trials.bind(written->second).bind(configuration.index).run();
  }
  transaction.commit();
}

void RunStore::add_failure(const std::vector<Configuration>& configurations,
                           const std::string& message) {
  Transaction transaction(database_, Database::Access::kReadWrite);
  Statement add(database_, "INSERT OR REPLACE INTO failure VALUES(?,?,?)");
  for (const Configuration& configuration : configurations) {
    add.bind(configuration.index).bind(configuration.id).bind(message).run();
  }
  transaction.commit();
}

void RunStore::clear_failures() { database_.execute("DELETE FROM failure"); }

void RunStore::start_session(const Session& session) {
  Transaction transaction(database_, Database::Access::kReadWrite);
  database_.execute("UPDATE session SET status = 'killed' WHERE status = 'running'");
  Statement(database_, "INSERT INTO session(started, ended, status, about) VALUES(?,?,?,?)")
      .bind(session.started)
      .bind(session.ended)
      .bind(session.status)
      .bind(session.about_json)
      .run();
  transaction.commit();
}

void RunStore::end_session(const std::string& status, const std::string& ended) {
  Statement(database_, "UPDATE session SET status = ?, ended = ? WHERE status = 'running'")
      .bind(status)
      .bind(ended)
      .run();
}

std::vector<Session> RunStore::sessions() {
  std::vector<Session> sessions;
  Statement query(database_, "SELECT started, ended, status, about FROM session ORDER BY id");
  while (query.step()) {
    sessions.push_back({query.text(0), query.text(1), query.text(2), query.text(3)});
  }
  return sessions;
}

void RunStore::seal() {
  // Refused while somebody else reads the file; the log beside it then stays, and is read with it.
  database_.execute("PRAGMA busy_timeout=0");
  try {
    database_.execute("PRAGMA journal_mode=DELETE");
  } catch (const std::exception&) {
  }
}

}  // namespace sightline::host
