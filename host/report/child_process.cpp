#include "host/report/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "host/error.h"

extern char** environ;

namespace sightline::host::report {
namespace {

constexpr std::size_t kMaxErrorText = 4000;
constexpr int kSignalBase = 128;  ///< how a shell reports a signal

/// Owns posix_spawn's list of what happens to descriptors in the child.
class SpawnFiles {
 public:
  SpawnFiles() { check(posix_spawn_file_actions_init(&actions_), "prepare"); }
  ~SpawnFiles() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnFiles(const SpawnFiles&) = delete;
  SpawnFiles& operator=(const SpawnFiles&) = delete;

  void open(int descriptor, const std::string& path, int flags) {
    check(posix_spawn_file_actions_addopen(&actions_, descriptor, path.c_str(), flags, 0600),
          path.c_str());
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void check(int error, const char* what) {
    if (error != 0) throw RunError(std::string(what) + ": " + std::strerror(error));
  }
  posix_spawn_file_actions_t actions_;
};

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw RunError(std::string("waitpid: ") + std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

std::string read_tail(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  return text.size() <= kMaxErrorText ? text : text.substr(text.size() - kMaxErrorText);
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) throw RunError("no temporary directory (TMPDIR): " + error.message());
  path_ = (parent / "sightline-report-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) {
    throw RunError(path_ + ": cannot create: " + std::strerror(errno));
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;  // a leftover temporary file is no reason to fail
  std::filesystem::remove_all(path_, ignored);
}

ChildResult run_child(const std::vector<std::string>& arguments, const std::string& directory) {
  const std::string errors_path = directory + "/stderr.txt";
  SpawnFiles files;
  files.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  files.open(STDOUT_FILENO, directory + "/stdout.txt", O_WRONLY | O_CREAT | O_TRUNC);
  files.open(STDERR_FILENO, errors_path, O_WRONLY | O_CREAT | O_TRUNC);

  std::vector<char*> argv;
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));  // posix_spawn does not write to it
  }
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, argv[0], files.get(), nullptr, argv.data(), environ);
  if (error != 0) throw RunError(arguments[0] + ": cannot start: " + std::strerror(error));
  ChildResult result;
  result.exit_code = wait_for(child);
  result.errors = read_tail(errors_path);
  return result;
}

bool is_executable(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::string find_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + program;
    if (is_executable(candidate)) return candidate;
  }
  return "";
}

}  // namespace sightline::host::report
