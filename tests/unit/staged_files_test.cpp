// Files that come into a folder all together, or not at all.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "host/error.h"
#include "host/world/staged_files.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "unfinished";

class StagedFiles : public testing::Test {
 protected:
  /// What the files in the folder hold, by path from it; folders hold "/".
  std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      const std::string name = entry.path().lexically_relative(folder_).string();
      found[name] = entry.is_directory() ? "/" : read_text(entry.path().string());
    }
    return found;
  }

  TemporaryFolder temporary_;
  const std::string folder_ = temporary_ / "folder", a_ = folder_ + "/a", b_ = folder_ + "/b";
};

TEST_F(StagedFiles, ComeInTheirPlaceTogether) {
  fs::create_directory(folder_);
  write_text(a_, "old");
  write_text(b_, "old");
  write_text(folder_ + "/mine", "mine");
  {
    host::StagedFiles files(folder_, kName);
    write_text(files.path() + "/a", "new");
    write_text(files.path() + "/c", "new");
    EXPECT_EQ(read_text(a_), "old");
    files.commit({a_, b_});
  }
  const std::map<std::string, std::string> expected{{"a", "new"}, {"c", "new"}, {"mine", "mine"}};
  EXPECT_EQ(content(), expected);
}

TEST_F(StagedFiles, LeaveNothingUncommitted) {
  {
    const host::StagedFiles files(folder_, kName);
    write_text(files.path() + "/a", "new");
  }
  EXPECT_FALSE(fs::exists(folder_)) << "which was made for them";
  fs::create_directory(folder_);
  {
    const host::StagedFiles files(folder_, kName);
    write_text(files.path() + "/a", "new");
  }
  EXPECT_TRUE(content().empty());
}

TEST_F(StagedFiles, ThatCannotAllBePutInPlaceLeaveWhatWasThere) {
  fs::create_directories(b_ + "/in_the_way");
  for (const char* name : {"/a", "/c", "/d"}) write_text(folder_ + name, "old");
  const std::map<std::string, std::string> before = content();
  {
    host::StagedFiles files(folder_, kName);
    for (const char* name : {"/a", "/b", "/c"}) write_text(files.path() + name, "new");
    try {
      files.commit({a_, folder_ + "/c", folder_ + "/d"});
      ADD_FAILURE() << "a folder is in the way of b";
    } catch (const host::RunError& error) {
      EXPECT_NE(std::string(error.what()).find("is back in its place"), std::string::npos);
    }
  }
  EXPECT_EQ(content(), before);
}

TEST_F(StagedFiles, AreOfOneProgramAtATime) {
  auto first = std::make_unique<host::StagedFiles>(folder_, kName);
  write_text(first->path() + "/a", "first");
  EXPECT_THROW(host::StagedFiles(folder_, kName), host::InputError);
  EXPECT_EQ(read_text(first->path() + "/a"), "first");
  first->commit({});
  {
    const host::StagedFiles second(folder_, kName);
    write_text(second.path() + "/b", "second");
    first.reset();
    EXPECT_EQ(read_text(second.path() + "/b"), "second");
  }
  EXPECT_EQ(content(), (std::map<std::string, std::string>{{"a", "first"}}));
}

TEST_F(StagedFiles, TellOfAKilledProgramUntilAWholeSetIsThere) {
  fs::create_directories(folder_ + "/unfinished/replaced");
  write_text(folder_ + "/unfinished/replaced/a", "old");
  write_text(folder_ + "/unfinished/c", "of the killed");
  write_text(b_, "of the killed");
  EXPECT_TRUE(host::has_staged_files(folder_, kName));
  EXPECT_EQ(host::staged_files(folder_, kName).size(), 2u);
  { const host::StagedFiles fails(folder_, kName); }
  EXPECT_TRUE(host::has_staged_files(folder_, kName));
  EXPECT_EQ(read_text(folder_ + "/unfinished/replaced/a"), "old");
  {
    host::StagedFiles files(folder_, kName);
    write_text(files.path() + "/a", "new");
    files.commit({b_});
  }
  EXPECT_EQ(content(), (std::map<std::string, std::string>{{"a", "new"}}));
}

}  // namespace
}  // namespace sightline::tests
