// Files are there as a whole or not at all.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/world/binary_file.h"
#include "support/run_program.h"

namespace sightline::host {
namespace {

using tests::read_text;
using tests::TemporaryFolder;
using tests::write_text;

std::size_t num_files(const TemporaryFolder& folder) {
  const std::filesystem::directory_iterator files(folder.path());
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(OutputFile, IsNothingUntilItIsCommitted) {
  TemporaryFolder folder;
  {
    OutputFile file(folder / "out.bin");
    file.write("half", 4);
    EXPECT_FALSE(std::filesystem::exists(folder / "out.bin"));
  }
  EXPECT_EQ(num_files(folder), 0u);
}

TEST(OutputFile, ReplacesAFileWhenItIsCommitted) {
  TemporaryFolder folder;
  write_text(folder / "out.bin", "the old one, which is longer");
  {
    OutputFile given_up(folder / "out.bin");
    given_up.write("new", 3);
  }
  EXPECT_EQ(read_text(folder / "out.bin"), "the old one, which is longer");
  OutputFile file(folder / "out.bin");
  file.write("ne", 2);
  file.write("w", 1);
  EXPECT_EQ(read_text(folder / "out.bin"), "the old one, which is longer");
  file.commit();
  EXPECT_EQ(read_text(folder / "out.bin"), "new");
  EXPECT_EQ(num_files(folder), 1u);
}

TEST(OutputFile, IsNotBegunWhereItsDiskHasNoRoom) {
  TemporaryFolder folder;
  OutputFile file(folder / "out.bin");
  EXPECT_NO_THROW(file.expect(1));
  constexpr std::uint64_t kMoreThanAnyDisk = std::uint64_t{1} << 62;
  try {
    file.expect(kMoreThanAnyDisk);
    FAIL() << "no error";
  } catch (const RunError& error) {
    const std::string expected = folder / "out.bin" + ": would take 4611686018427.4 MB, and its";
    EXPECT_EQ(std::string(error.what()).find(expected), 0u) << error.what();
  }
}

/// The names that files get in a folder, from now on.
class NewNames {
 public:
  explicit NewNames(const std::string& folder) : events_(::inotify_init1(IN_NONBLOCK)) {
    ::inotify_add_watch(events_, folder.c_str(), IN_CREATE | IN_MOVED_TO);
  }
  ~NewNames() { ::close(events_); }
  std::vector<std::string> read() const {
    alignas(inotify_event) char bytes[4096];
    const ssize_t length = ::read(events_, bytes, sizeof bytes);
    std::vector<std::string> names;
    for (ssize_t at = 0; at < length;) {
      const auto* event = reinterpret_cast<const inotify_event*>(bytes + at);
      names.emplace_back(event->name);
      at += static_cast<ssize_t>(sizeof *event + event->len);
    }
    return names;
  }

 private:
  int events_;
};

TEST(OutputFile, ThatReplacesNoneHasItsOwnNameAtOnce) {
  TemporaryFolder folder;
  const int unnamed = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (unnamed < 0) GTEST_SKIP() << "the file system has no files without a name";
  ::close(unnamed);
  const NewNames names(folder.path());
  write_file(folder / "out.bin", "new");  // killed at any moment, it leaves nothing else
  EXPECT_EQ(names.read(), std::vector<std::string>{"out.bin"});
  write_file(folder / "out.bin", "newer");
  EXPECT_EQ(names.read().size(), 2u);
  EXPECT_EQ(read_text(folder / "out.bin"), "newer");
}

TEST(OutputFile, ThatIsNotInItsPlaceIsKnownByItsName) {
  EXPECT_EQ(finished_name("results.csv.71.tmp"), "results.csv");
  EXPECT_EQ(finished_name("a.71.tmp"), "a");
  for (const char* other : {"results.csv", "results.csv.tmp", "results.71.csv", "a.7x.tmp",
                            "71.tmp", ".tmp", "a..tmp", ""}) {
    EXPECT_EQ(finished_name(other), "") << other;
  }
}

TEST(OutputFile, LeavesALinkInPlaceAndWritesWhatItLeadsTo) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "data");
  write_text(folder / "data/real.bin", "old");
  std::filesystem::create_symlink("data/real.bin", folder / "out.bin");
  write_file(folder / "out.bin", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "out.bin"));
  EXPECT_EQ(read_text(folder / "data/real.bin"), "new");
  EXPECT_EQ(num_files(folder), 2u);
  std::filesystem::create_symlink("data/not_yet.bin", folder / "second.bin");
  write_file(folder / "second.bin", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "second.bin"));
  EXPECT_EQ(read_text(folder / "data/not_yet.bin"), "new");
}

TEST(OutputFile, IsReadableByThoseWhomTheUserLets) {
  TemporaryFolder folder;
  const mode_t before = ::umask(0027);
  write_file(folder / "out.bin", "x");
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((folder / "out.bin").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
}

TEST(OutputFile, ThatMayNotGrowIsAnErrorAndNotAHalf) {
  TemporaryFolder folder;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // as the program has it
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit little = before;
  little.rlim_cur = 4096;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const std::string content(1 << 20, 'x');
  EXPECT_THROW(write_file(folder / "out.bin", content), RunError);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(num_files(folder), 0u);
}

}  // namespace
}  // namespace sightline::host
