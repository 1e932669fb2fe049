#include "host/sweep/shard.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <numeric>
#include <queue>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "host/error.h"
#include "host/sweep/manifest.h"
#include "host/sweep/run_lock.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShards = "shards";
constexpr const char* kBetween = "-of-";
constexpr std::size_t kMaxDifferencesTold = 8;

/// "A<between>B", both positive decimal numbers, A <= B; 0/0 for anything else.
Shard numbers_in(const std::string& text, const std::string& between) {
  const Shard none{0, 0};
  Shard shard = none;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.number);
  const std::string rest(first.ptr, end);
  if (first.ec != std::errc() || rest.compare(0, between.size(), between) != 0) return none;
  const char* const second = first.ptr + between.size();
  const auto last = std::from_chars(second, end, shard.count);
  // "01-of-02" would be a second name of a shard.
  const bool whole_text =
      last.ec == std::errc() && last.ptr == end &&
      std::to_string(shard.number) + between + std::to_string(shard.count) == text;
  const bool in_range = shard.number >= 1 && shard.number <= shard.count;
  return whole_text && in_range && shard.count <= kMaxShards ? shard : none;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < kMaxDifferencesTold; ++i) {
    text += "\n  " + lines[i];
  }
  if (lines.size() > kMaxDifferencesTold) {
    text += "\n  and " + std::to_string(lines.size() - kMaxDifferencesTold) + " more";
  }
  return text;
}

}  // namespace

Shard parse_shard(const std::string& text) {
  const Shard shard = numbers_in(text, "/");
  if (shard.count == 0) {
    throw InputError("shard " + text + ": must be i/n with i from 1 to n, such as 2/3, and n at " +
                     "most " + std::to_string(kMaxShards));
  }
  return shard;
}

std::string shard_folder(const std::string& out, const Shard& shard) {
  if (shard.is_whole()) return out;
  const std::string name = std::to_string(shard.number) + kBetween + std::to_string(shard.count);
  return (fs::path(out) / kShards / name).string();
}

std::vector<std::string> shard_folders(const std::string& out) {
  const std::string shards = (fs::path(out) / kShards).string();
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(shards, error), end; !error && entry != end;
       entry.increment(error)) {
    const Shard shard = numbers_in(entry->path().filename().string(), kBetween);
    std::error_code unreadable;
    if (shard.count > 0 && fs::exists(entry->path() / RunStore::kFileName, unreadable)) {
      found[{shard.count, shard.number}] = entry->path().string();
    } else if (shard.count > 0 && unreadable) {
      throw InputError(entry->path().string() + ": cannot be read: " + unreadable.message());
    }
  }
  const bool is_absent =
      error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
  if (error && !is_absent) {
    throw InputError(shards + ": cannot be read: " + error.message());
  }
  std::vector<std::string> folders;
  for (const auto& [place, folder] : found) folders.push_back(folder);
  return folders;
}

std::vector<std::int64_t> costliest_first(const std::vector<Block>& blocks) {
  std::vector<std::int64_t> order(blocks.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return blocks[static_cast<std::size_t>(a)].cost > blocks[static_cast<std::size_t>(b)].cost;
  });
  return order;
}

std::vector<Block> blocks_of_shard(const std::vector<Block>& blocks, const Shard& shard) {
  using Load = std::pair<double, std::int64_t>;  // of a shard, by its number
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::int64_t number = 1; number <= shard.count; ++number) loads.emplace(0.0, number);
  std::vector<std::int64_t> own;
  for (const std::int64_t block : costliest_first(blocks)) {
    const auto [load, number] = loads.top();
    loads.pop();
    loads.emplace(load + blocks[static_cast<std::size_t>(block)].cost, number);
    if (number == shard.number) own.push_back(block);
  }
  std::sort(own.begin(), own.end());
  std::vector<Block> share;
  for (const std::int64_t block : own) share.push_back(blocks[static_cast<std::size_t>(block)]);
  return share;
}

void require_same_run(const std::string& directory, const std::string& what, const RunIdentity& was,
                      const RunIdentity& identity, bool compare_programs) {
  std::vector<std::string> changes = differences(was, identity);
  if (compare_programs && was.program != identity.program) {
    changes.push_back("program: was " + was.program + ", is " + identity.program);
  }
  if (was.trials != identity.trials) {
    changes.push_back(was.trials ? "--trials: was given, is absent"
                                 : "--trials: was absent, is given, and what is done has none");
  }
  if (changes.empty()) return;
  throw InputError(directory + ": cannot " + what + ", this is another run:" + joined(changes) +
                   "\nundo the change or choose another folder");
}

std::vector<std::string> folders_at_rest(const std::vector<std::string>& folders) {
  std::vector<std::string> at_rest;
  for (const std::string& folder : folders) {
    if (!is_there(folder + "/" + RunStore::kFileName)) continue;
    if (!RunLock::holder(folder).empty()) continue;
    RunStore store(folder, Database::Access::kRead);
    if (store.begun() && store.holds_rows()) at_rest.push_back(folder);
  }
  return at_rest;
}

std::unordered_set<std::int64_t> finished_in(const std::vector<std::string>& folders) {
  std::unordered_set<std::int64_t> finished;
  for (const std::string& folder : folders_at_rest(folders)) {
    RunStore store(folder, Database::Access::kRead);
    std::unordered_set<std::int64_t> here = store.finished_configurations();
    for (const FinishedConfiguration& lost : store.without_trials()) here.erase(lost.configuration);
    finished.insert(here.begin(), here.end());
  }
  return finished;
}

void require_same_runs(const std::vector<std::string>& folders, const RunIdentity& identity,
                       bool compare_programs) {
  for (const std::string& folder : folders_at_rest(folders)) {
    RunStore store(folder, Database::Access::kRead);
    require_same_run(folder, "resume", store.identity(), identity, compare_programs);
  }
}

void require_agreement(const std::vector<std::string>& folders) {
  struct Known {
    std::int64_t answers;
    std::size_t folder_idx;
  };
  std::unordered_map<std::int64_t, Known> known;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    for (const auto& [configuration, answers] :
         RunStore(folders[i], Database::Access::kRead).verified_checksums()) {
      const auto [first, is_new] = known.emplace(configuration, Known{answers, i});
      if (is_new || first->second.answers == answers) continue;
      throw InputError(folders[i] + ": configuration " + std::to_string(configuration) +
                       " has other results than in " + folders[first->second.folder_idx] +
                       ", though both are of the same run and program: one of the two is damaged; "
                       "remove it, and compute what it had with --resume");
    }
  }
}

}  // namespace sightline::host
