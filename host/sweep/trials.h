// What a run with trials keeps of each configuration beside its counts: a NumPy file
// RUN/trials/CONFIGURATION_ID.npy with a row for each trial (a ray, a query, a trial of a study).
//
// It is a structured array: columns without a dot in their names say which trial it is and what is
// true, those called "ARM.WHAT" what an arm made of it.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/sweep/ray_set.h"

namespace sightline::host {

/// A column of a trial file.
struct TrialColumn {
  std::string name;
  const char* type = "";                                  ///< NumPy's description of an item: "<i4"
  std::size_t item_bytes = 0;                             ///< of one row
  std::function<void(std::int64_t row, void* item)> put;  ///< writes the item of a row
};

/// The trials of a configuration.
struct TrialTable {
  std::string configuration_id;
  std::int64_t num_rows = 0;
  std::vector<TrialColumn> columns;
};

/// Bytes of answers that are held until they are written, unless one configuration needs
/// more: of a block with more, some configurations run after others.
constexpr std::int64_t kTrialMemoryBytes = std::int64_t{256} << 20;

/// How many configurations, each of so many bytes of answers, run at a time: at least one.
std::size_t num_configurations_held(std::int64_t memory_bytes, double bytes_per_configuration);

/// A column of bool, uint8, int32, int64 or double that `at` says row by row.
template <class Item, class At>
TrialColumn trial_column(std::string name, At at) {
  constexpr const char* kType = std::is_same_v<Item, bool>           ? "|b1"
                                : std::is_same_v<Item, std::uint8_t> ? "|u1"
                                : std::is_same_v<Item, std::int32_t> ? "<i4"
                                : std::is_same_v<Item, std::int64_t> ? "<i8"
                                                                     : "<f8";
  return {std::move(name), kType, sizeof(Item), [at = std::move(at)](std::int64_t row, void* item) {
            const Item value = at(static_cast<std::size_t>(row));
            std::memcpy(item, &value, sizeof value);
          }};
}

/// What a judge said of every ray, as bytes of kernels::Visibility: shared, since configurations
/// have judges in common.
using SaidOfRays = std::shared_ptr<const std::vector<std::uint8_t>>;
struct SaidByArm {
  std::string arm;
  SaidOfRays said;
};
/// The trials of a configuration that asks what is seen. `rays` must outlive the table. Throws
/// InputError where an observer or a target has no number of 32 bits.
TrialTable sight_trials(const std::string& configuration_id, const RaySet& rays,
                        const SaidOfRays& truth, const std::vector<SaidByArm>& arms);

/// Of a query, counts of the memories that were recalled and verified, as RecallAnswers has them.
struct VerifiedRecall {
  std::int32_t recalled = 0, visible = 0, hidden = 0, false_visible = 0;
};
struct RankedByArm {
  std::string arm;
  std::shared_ptr<const std::vector<std::int32_t>> ranks;  ///< [num_queries], from 0 or kNoRank
  std::int64_t k = 0;
  std::shared_ptr<const std::vector<VerifiedRecall>> verified;  ///< null: none is verified
};
/// The trials of a configuration that asks what is recalled. `memory_ids` and `targets`, the row of
/// the memory that each query asks for, must outlive the table.
TrialTable recall_trials(const std::string& configuration_id,
                         const std::vector<std::int64_t>& memory_ids,
                         const std::vector<std::int64_t>& targets,
                         const std::vector<RankedByArm>& arms);

/// Where the trials of the run in a folder lie: a folder.
std::string trials_folder(const std::string& run);

/// The file of a configuration there.
std::string trials_path(const std::string& run, const std::string& configuration_id);

/// Is this the name of a file of trials there?
bool is_trial_file(const std::string& name);

/// Throws InputError if a new run in the folder would put its trials among files that are not its.
void check_trials_folder(const std::string& run);

/// Throws InputError if the names of the columns are too long for a NumPy file.
void check_trials(const std::string& run, const TrialTable& trials);

/// Writes the file of a configuration, as a whole or not at all, but for a power cut before
/// sync_files() (binary_file.h); the folder is there. Returns a checksum to know the file by.
/// Throws as check_trials does, and RunError when the disk is full.
std::int64_t write_trials(const std::string& run, const TrialTable& trials);

/// Is the file of a configuration what write_trials wrote? Of one without a checksum, as runs of
/// earlier versions are: as long as it says itself. False if it is gone.
bool has_trials(const std::string& run, const std::string& configuration_id,
                const std::optional<std::int64_t>& checksum);

/// Puts the file of a configuration of another part of the run beside those of `run`, in place of
/// what is there: as a second name where the file system has such, else as a copy. Throws
/// InputError if it is gone.
void gather_trials(const std::string& part, const std::string& run,
                   const std::string& configuration_id);

}  // namespace sightline::host
