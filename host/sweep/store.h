// A run folder on disk. SQLite is the truth; the CSV and JSON files are written from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "host/config/value.h"
#include "host/sweep/experiment.h"
#include "host/sweep/file_stamp.h"
#include "host/sweep/measures.h"
#include "host/sweep/sqlite.h"

namespace sightline::host {

/// A configuration that could not be computed (`keep_going`), and why.
struct FailureRow {
  std::int64_t configuration = 0;  ///< index in the plan
  std::string configuration_id;
  std::string message;
};

/// A configuration that has results.
struct FinishedConfiguration {
  std::int64_t configuration = 0;  ///< index in the plan
  std::string id;
  std::optional<std::int64_t> trials_checksum;  ///< of its file of trials (trials.h)
};

/// Checksums of files of trials by the id of their configuration.
using TrialsChecksums = std::unordered_map<std::string, std::int64_t>;

/// A finished or half-finished run, read back: what a report needs.
struct RunData {
  std::string directory;
  std::string name;                     ///< the sweep's
  ConfigValue resolved;                 ///< the sweep file with overrides
  std::string manifest_json;            ///< empty if the run died before its first block
  std::vector<std::string> axis_keys;   ///< dotted, in axis order
  std::int64_t num_configurations = 0;  ///< planned
  std::int64_t num_finished = 0;        ///< with results
  struct Row {
    ResultRow result;
    std::vector<ConfigValue> axis_values;  ///< one per axis key
    std::vector<std::string> axis_labels;  ///< the same as short texts, for tables and figures
    CostRow cost;
  };
  std::vector<Row> rows;             ///< sorted by configuration, then arm order
  std::vector<FailureRow> failures;  ///< sorted by configuration
  std::string model_arm;             ///< the arm that a language model answered for; empty: none
  /// Of its prompts, those that no answer came back for. (A text that is no clear answer is one.)
  std::int64_t num_model_unanswered = 0;

  bool complete() const { return num_finished == num_configurations; }
  ExperimentKind kind() const { return kind_of(resolved); }
};
/// Throws InputError if the folder is no run, or its database is of another version.
RunData read_run(const std::string& directory);

/// A file that a run reads, as it was when the run began.
struct InputHash {
  std::string path;
  std::int64_t num_bytes = 0;
  std::string xxh64;  ///< 16 hex digits
  FileStamp stamp{};  ///< from before it was hashed, by this process; not stored
};

/// What every result of a run was computed from. Fixed when the run begins.
struct RunIdentity {
  std::string name;
  ExperimentKind kind = ExperimentKind::kVisibility;
  std::string config;         ///< canonical JSON of the resolved sweep file: what is compared
  std::string resolved_yaml;  ///< the same for people, and to read back
  std::vector<std::string> axis_keys;
  std::int64_t num_configurations = 0;
  std::vector<InputHash> inputs;
  std::string program;          ///< version and revision
  std::string preregistration;  ///< its SHA-256, which was checked; empty without one
  bool trials = false;          ///< what every trial was answered is written, too (trials.h)
};

/// One process at work on a run; a run that was interrupted has several.
struct Session {
  std::string started;  ///< UTC, ISO 8601
  std::string ended;    ///< likewise; empty while it runs, and if it was killed
  /// running, killed, interrupted, failed, complete; of merges also incomplete
  std::string status;
  std::string about_json;  ///< command, device, machine: for the manifest
};

/// The database of a run. Write-ahead logging: a block is there entirely or not at all, whenever
/// the process dies. The caller holds the folder's RunLock while writing.
class RunStore {
 public:
  static constexpr const char* kFileName = "run.sqlite";

  /// Opens or (kReadWrite) creates run.sqlite. Throws InputError if it is another program's file
  /// or of another version of the format.
  RunStore(const std::string& directory, Database::Access access);

  bool begun() const { return begun_; }  ///< has an identity
  /// Forgets whatever is there and takes on an identity.
  void begin(const RunIdentity& identity);
  RunIdentity identity();
  /// Replaces the sweep file by another that resumes the same run: only `report` may differ.
  void set_sweep_file(const RunIdentity& identity);

  std::unordered_set<std::int64_t> finished_configurations();
  /// The same, but for those in `known`.
  std::vector<FinishedConfiguration> finished_but(const std::unordered_set<std::int64_t>& known);
  bool holds_rows();  ///< has results or failures
  /// Of a run with trials, the finished configurations whose file (trials.h) is gone or not what
  /// was written.
  std::vector<FinishedConfiguration> without_trials();
  /// Of one configuration, by its id; absent if it is not finished, or has none.
  std::optional<std::int64_t> trials_checksum(const std::string& id);
  /// One transaction: all of the block or nothing.
  void add_block(const std::vector<Configuration>& configurations, const BlockResult& result,
                 const TrialsChecksums& trials = {});
  /// From now on add_block() and take() put these in place of what is stored of them, once each;
  /// until then read() leaves them out, as it does what failed when it was computed again.
  void compute_again(const std::vector<FinishedConfiguration>& configurations);
  void add_failure(const std::vector<Configuration>& configurations, const std::string& message);
  void clear_failures();

  /// What each finished configuration was answered, as a number to compare by. Throws InputError if
  /// anything is not what was stored: a row lost, or a bit of it (not of times).
  std::unordered_map<std::int64_t, std::int64_t> verified_checksums();
  /// Takes over, of what another part of the same run has finished, what is `wanted` and not here
  /// yet, what failed there, and its sessions, in one transaction.
  void take(const std::string& directory, const std::vector<FinishedConfiguration>& wanted);

  /// Sessions left "running" were killed; they are marked so.
  void start_session(const Session& session);
  void end_session(const std::string& status, const std::string& ended);
  std::vector<Session> sessions();

  /// Rows, failures and identity; `directory` and `manifest_json` are the caller's to fill.
  RunData read();
  /// Folds the log into the one file, so that it can be copied or read from a read-only disk.
  void seal();

 private:
  void check_format();
  ExperimentKind stored_kind();
  bool has_column(const char* table, const char* column);
  [[noreturn]] void fail_as_damaged(const std::string& what) const;
  std::unordered_map<std::int64_t, std::int64_t> checksums_of_rows();
  std::string columns_of_part(const char* table);
  /// Of a configuration to be computed again.
  void remove_replaced(std::int64_t configuration);
  /// Gives the tables of an older format the columns of this one, at 0.
  void add_missing_counts();
  /// ", r.num_trials, ..": of measures_of, 0 in place of a column that an older format lacks.
  std::string count_columns(const std::string& table);
  std::string meta(const std::string& key);
  std::string optional_meta(const std::string& key);  ///< empty if there is none
  void set_meta(const std::string& key, const std::string& value);
  void read_rows(RunData& data);
  void read_axes(const Statement& query, const RunData& data, RunData::Row& row);
  void read_failures(RunData& data);

  Database database_;
  bool begun_ = false;
  std::unordered_set<std::int64_t> computed_again_;
  ExperimentKind kind_ = ExperimentKind::kVisibility;  ///< says which counts `result` has
};

}  // namespace sightline::host
