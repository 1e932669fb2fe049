// Runs a program as a user would: its exit code, its output, and signals at chosen moments.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sightline::tests {

struct ProgramOptions {
  std::vector<std::pair<std::string, std::string>> environment;  ///< set on top of our own
  std::string working_directory;                                 ///< empty: ours
  long max_file_bytes = 0;          ///< > 0: writing a larger file fails, as on a full disk
  bool stderr_on_terminal = false;  ///< standard error is a pseudo-terminal
};

/// A program that has ended. Exactly one of exit_code and signal says how.
struct ProgramResult {
  int exit_code = -1;  ///< -1 if a signal ended it
  int signal = 0;
  std::string out, err;
};

/// A running program, with its output collected as it comes. Killed if still running when
/// destroyed.
class Program {
 public:
  /// argv[0] is the path of the program. Throws std::runtime_error if it cannot be started.
  explicit Program(const std::vector<std::string>& argv, const ProgramOptions& options = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void send(int signal);
  bool running();
  /// Collects output until `ready` says so or the program ends or time is up; true if ready.
  bool wait_until(const std::function<bool()>& ready, std::chrono::milliseconds limit);
  /// Waits for the end. Kills the program and throws std::runtime_error after the limit.
  ProgramResult wait(std::chrono::milliseconds limit = std::chrono::minutes(5));
  const std::string& err() const { return result_.err; }

 private:
  void collect(int wait_ms);

  int pid_ = -1;
  int out_ = -1, err_ = -1;
  bool ended_ = false;
  ProgramResult result_;
};

ProgramResult run_program(const std::vector<std::string>& argv, const ProgramOptions& options = {});

/// A new empty folder, removed with its content when destroyed.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace sightline::tests
