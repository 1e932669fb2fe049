// Shards: their names, and how blocks are dealt to them.
#include "host/sweep/shard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/ranks.h"
#include "host/ranks_launcher.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using host::Block;
using host::Shard;

/// Blocks of these costs, each of one configuration.
std::vector<Block> blocks_that_cost(const std::vector<double>& costs) {
  std::vector<Block> blocks(costs.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    blocks[i].cost = costs[i];
    blocks[i].configurations = {static_cast<std::int64_t>(i)};
  }
  return blocks;
}

std::vector<std::int64_t> configurations_of(const std::vector<Block>& blocks) {
  std::vector<std::int64_t> configurations;
  for (const Block& block : blocks) configurations.push_back(block.configurations.front());
  return configurations;
}

double cost_of(const std::vector<Block>& blocks) {
  double cost = 0;
  for (const Block& block : blocks) cost += block.cost;
  return cost;
}

TEST(Shard, IsReadFromItsText) {
  const Shard shard = host::parse_shard("2/3");
  EXPECT_EQ(shard.number, 2);
  EXPECT_EQ(shard.count, 3);
  EXPECT_EQ(shard.text(), "2/3");
  EXPECT_FALSE(shard.is_whole());
  EXPECT_TRUE(host::parse_shard("1/1").is_whole());
}

TEST(Shard, RefusesOtherTexts) {
  for (const char* text : {"", "2", "2/", "/3", "0/3", "4/3", "-1/3", "1/0", "1/3x", " 1/3", "1//3",
                           "a/b", "1/100001", "1/99999999999999999999", "1.0/2", "01/2", "1/02"}) {
    EXPECT_THROW(host::parse_shard(text), host::InputError) << text;
  }
}

TEST(Shard, OfTheWholeWorksInTheFolderItself) {
  EXPECT_EQ(host::shard_folder("runs/a", {1, 1}), "runs/a");
  EXPECT_EQ(host::shard_folder("runs/a", {2, 3}), "runs/a/shards/2-of-3");
}

TEST(Shard, FoldersAreFoundInOrderOfCountAndNumber) {
  const TemporaryFolder folder;
  for (const char* name : {"10-of-12", "2-of-12", "1-of-3", "3-of-2", "notes", "1-of-12"}) {
    const std::string path = folder / ("shards/" + std::string(name));
    std::filesystem::create_directories(path);
    if (std::string(name) != "1-of-12") write_text(path + "/run.sqlite", "");
  }
  std::vector<std::string> names;
  for (const std::string& path : host::shard_folders(folder.path().string())) {
    names.push_back(std::filesystem::path(path).filename().string());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"1-of-3", "2-of-12", "10-of-12"}));
}

TEST(Dealing, TakesTheCostliestFirstAndKeepsTheOrderOfEquals) {
  const std::vector<Block> blocks = blocks_that_cost({1, 5, 3, 5, 3});
  EXPECT_EQ(host::costliest_first(blocks), (std::vector<std::int64_t>{1, 3, 2, 4, 0}));
}

TEST(Dealing, GivesEveryBlockToOneShard) {
  const std::vector<Block> blocks = blocks_that_cost({7, 1, 1, 9, 2, 2, 2, 30, 4, 4, 1});
  for (const std::int64_t count : {1, 2, 3, 5, 11, 40}) {
    std::vector<std::int64_t> dealt;
    for (std::int64_t number = 1; number <= count; ++number) {
      const std::vector<std::int64_t> own =
          configurations_of(host::blocks_of_shard(blocks, {number, count}));
      EXPECT_TRUE(std::is_sorted(own.begin(), own.end())) << number << " of " << count;
      dealt.insert(dealt.end(), own.begin(), own.end());
    }
    std::sort(dealt.begin(), dealt.end());
    EXPECT_EQ(dealt, configurations_of(blocks)) << count;
  }
}

TEST(Dealing, BalancesUnevenCosts) {
  // Graham's bound for longest processing time first: 4/3 - 1/(3n) of the best possible, which is
  // no less than the mean.
  std::vector<double> costs;
  for (int i = 1; i <= 60; ++i) costs.push_back(1 + (i * 37) % 23);
  const std::vector<Block> blocks = blocks_that_cost(costs);
  for (const std::int64_t count : {2, 3, 7}) {
    const double mean = cost_of(blocks) / static_cast<double>(count);
    const double bound = (4.0 / 3 - 1 / (3.0 * static_cast<double>(count))) * mean;
    for (std::int64_t number = 1; number <= count; ++number) {
      EXPECT_LE(cost_of(host::blocks_of_shard(blocks, {number, count})), bound);
    }
  }
}

TEST(Ranks, AreOneForAProcessAlone) {
  host::Ranks ranks;
  EXPECT_EQ(ranks.rank(), 0);
  EXPECT_EQ(ranks.size(), 1);
  EXPECT_EQ(ranks.joined({4, 5}), (std::vector<std::int64_t>{4, 5}));
  EXPECT_THROW(ranks.together([] { throw host::InputError("bad"); }), host::InputError);
}

TEST(Ranks, DealEveryItemOnceAndNoneAfterAStop) {
  host::Ranks ranks;
  {
    host::Ranks::Deal deal(ranks, {5, 1, 1});
    for (std::int64_t i = 0; i < 3; ++i) EXPECT_EQ(deal.next(10), i);
    EXPECT_EQ(deal.next(10), std::nullopt);
    EXPECT_EQ(deal.num_done(), 40);
  }
  host::Ranks::Deal deal(ranks, {5, 1, 1});
  EXPECT_EQ(deal.next(0), 0);
  deal.stop();
  EXPECT_EQ(deal.next(1), std::nullopt);
}

TEST(LocalDeal, HandsOutItemsForAShareOfWhatIsLeft) {
  host::LocalDeal deal({8, 4, 4, 2, 2, 2, 1, 1});  // 24 in all
  const auto next = [&](double share) {
    const host::Items items = deal.next(0, share);
    return std::pair(items.begin, items.end);
  };
  using Range = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(next(0.25), Range(0, 1));  // 6, but the first alone costs more
  EXPECT_EQ(next(0.5), Range(1, 3));   // 8 of 16
  EXPECT_EQ(next(0.5), Range(3, 5));   // 4 of 8
  EXPECT_EQ(next(0), Range(5, 6));
  EXPECT_EQ(next(1), Range(6, 8));
  EXPECT_EQ(next(1), Range(8, 8));
}

TEST(LocalDeal, HandsOutItemsWithoutCostOneAtATime) {
  host::LocalDeal none({0, 0, 0});
  EXPECT_EQ(none.next(0, 0.01).end, 1);
  EXPECT_EQ(none.next(0, 0.7).end, 2);
  host::LocalDeal some({5, 0, 0, 0});
  EXPECT_EQ(some.next(0, 0).end, 1);
  EXPECT_EQ(some.next(0, 0.7).end, 2);
  EXPECT_EQ(host::LocalDeal({}).next(0, 0.5).end, 0);
}

}  // namespace
}  // namespace sightline::tests
