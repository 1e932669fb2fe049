#include "host/sweep/shard.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "host/error.h"
#include "host/sweep/manifest.h"

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
  const bool whole_text = last.ec == std::errc() && last.ptr == end;
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
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> found;
  std::error_code no_shards;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(out) / kShards, no_shards)) {
    const Shard shard = numbers_in(entry.path().filename().string(), kBetween);
    if (shard.count > 0 && fs::exists(entry.path() / RunStore::kFileName)) {
      found[{shard.count, shard.number}] = entry.path().string();
    }
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
  if (changes.empty()) return;
  throw InputError(directory + ": cannot " + what + ", this is another run:" + joined(changes) +
                   "\nundo the change or choose another folder");
}

std::unordered_set<std::int64_t> finished_in(const std::vector<std::string>& folders,
                                             const RunIdentity& identity) {
  std::unordered_set<std::int64_t> finished;
  for (const std::string& folder : folders) {
    if (!fs::exists(fs::path(folder) / RunStore::kFileName)) continue;
    RunStore store(folder, Database::Access::kRead);
    if (!store.begun()) continue;
    const std::unordered_set<std::int64_t> here = store.finished_configurations();
    if (here.empty()) continue;  // nothing to keep
    require_same_run(folder, "resume", store.identity(), identity, true);
    finished.insert(here.begin(), here.end());
  }
  return finished;
}

}  // namespace sightline::host
