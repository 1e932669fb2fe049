// A run's rows, read back from its database.
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "host/config/json_text.h"
#include "host/error.h"
#include "host/sweep/measures.h"
#include "host/sweep/settings.h"
#include "host/sweep/store.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

using nlohmann::json;

std::string read_file_if_there(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file) content << file.rdbuf();
  return content.str();
}

}  // namespace

RunData RunStore::read() {
  Transaction one_view(database_, Database::Access::kRead);
  const RunIdentity identity = this->identity();
  RunData data;
  data.name = identity.name;
  data.resolved = ConfigValue::parse_yaml(identity.resolved_yaml, "resolved.yaml");
  // What is null is not set, as for who ran it.
  if (data.resolved.is_map()) data.resolved = without_nulls(data.resolved);
  data.axis_keys = identity.axis_keys;
  data.num_configurations = identity.num_configurations;
  Statement finished(database_,
                     "SELECT configuration FROM configuration"
                     " WHERE configuration NOT IN (SELECT configuration FROM failure)");
  while (finished.step()) data.num_finished += computed_again_.count(finished.integer(0)) == 0;
  read_rows(data);
  read_failures(data);
  one_view.commit();
  return data;
}

void RunStore::read_axes(const Statement& query, const RunData& data, RunData::Row& row) {
  const RunData::Row* before = data.rows.empty() ? nullptr : &data.rows.back();
  if (before && before->result.configuration == row.result.configuration) {
    row.axis_values = before->axis_values;  // another arm of the same
    row.axis_labels = before->axis_labels;
  } else {
    row.axis_values = ConfigValue::parse_json(query.text(3), database_.path()).items();
    row.axis_labels = parse_json<json>(query.text(4)).get<std::vector<std::string>>();
  }
  const std::size_t num_axes = data.axis_keys.size();
  if (row.axis_values.size() != num_axes || row.axis_labels.size() != num_axes) {
    throw InputError(database_.path() + ": damaged: configuration " +
                     std::to_string(row.result.configuration) + " does not have " +
                     std::to_string(num_axes) + " axis values");
  }
}

void RunStore::read_rows(RunData& data) {
  const std::vector<CountColumn>& counts = measures_of(kind_).counts;
  Statement query(database_,
                  "SELECT r.configuration, c.id, r.arm, c.axis_values,"
                  " c.axis_labels, k.seconds, k.num_rays, k.rays_per_s, k.gate_seconds" +
                      count_columns("r") +
                      " FROM result r JOIN configuration c USING(configuration)"
                      " JOIN cost k USING(configuration, arm_idx)"
                      " WHERE r.configuration NOT IN (SELECT configuration FROM failure)"
                      " ORDER BY r.configuration, r.arm_idx");
  constexpr int kFirstCount = 9;
  while (query.step()) {
    if (computed_again_.count(query.integer(0)) > 0) continue;
    RunData::Row row;
    row.result.configuration = query.integer(0);
    row.result.configuration_id = query.text(1);
    row.result.arm = query.text(2);
    read_axes(query, data, row);
    row.cost = {row.result.configuration_id,
                row.result.arm,
                query.number(5),
                query.integer(6),
                query.number(7),
                query.number(8)};
    int column_idx = kFirstCount;
    for (const CountColumn& column : counts) {
      column.of(row.result) = query.integer(column_idx++);
    }
    data.rows.push_back(std::move(row));
  }
}

void RunStore::read_failures(RunData& data) {
  Statement query(database_,
                  "SELECT configuration, id, message FROM failure ORDER BY configuration");
  while (query.step()) {
    data.failures.push_back({query.integer(0), query.text(1), query.text(2)});
  }
}

RunData read_run(const std::string& directory) {
  const std::string path = directory + "/" + RunStore::kFileName;
  if (!is_there(path)) {
    if (is_there(directory + "/shards")) {
      throw InputError(directory + ": holds shards; put them together with `sightline merge " +
                       directory + "`");
    }
    throw InputError(directory + ": not a run folder (it has no " + RunStore::kFileName +
                     "); give the --out folder of a sweep");
  }
  try {
    RunStore store(directory, Database::Access::kRead);
    if (!store.begun()) throw InputError(path + ": holds no run yet");
    store.verified_checksums();
    RunData data = store.read();
    data.directory = directory;
    data.manifest_json = read_file_if_there(directory + "/manifest.json");
    return data;
  } catch (const RunError& error) {
    throw InputError(error.what());
  } catch (const json::exception& error) {
    throw InputError(path + ": damaged: " + error.what());
  }
}

}  // namespace sightline::host
