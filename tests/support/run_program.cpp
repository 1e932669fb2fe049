#include "support/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace sightline::tests {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPollMs = 2;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

struct Channel {
  int reader = -1, writer = -1;
};

Channel open_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
  return {ends[0], ends[1]};
}

Channel open_terminal() {
  Channel channel;
  if (::openpty(&channel.reader, &channel.writer, nullptr, nullptr, nullptr) != 0) fail("openpty");
  ::fcntl(channel.reader, F_SETFD, FD_CLOEXEC);
  ::fcntl(channel.writer, F_SETFD, FD_CLOEXEC);
  return channel;
}

/// In the child: becomes the program. Only calls that are safe after fork.
[[noreturn]] void become(char* const* argv, char* const* environment, const ProgramOptions& options,
                         int out, int err) {
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (options.max_file_bytes > 0) {
    ::signal(SIGXFSZ, SIG_IGN);  // the write then fails with EFBIG instead of ending the program
    const auto bytes = static_cast<rlim_t>(options.max_file_bytes);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (options.working_directory.empty() || ::chdir(options.working_directory.c_str()) == 0) {
    ::execve(argv[0], argv, environment);
  }
  ::_exit(127);
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& extra) {
  std::vector<std::string> all;
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    bool replaced = false;
    for (const auto& [name, value] : extra) replaced = replaced || text.rfind(name + "=", 0) == 0;
    if (!replaced) all.push_back(text);
  }
  for (const auto& [name, value] : extra) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// Appends what is there; closes the descriptor at its end (EIO is the end of a terminal).
void read_some(int& descriptor, std::string& text) {
  char buffer[4096];
  const ssize_t size = ::read(descriptor, buffer, sizeof buffer);
  if (size > 0) {
    text.append(buffer, static_cast<std::size_t>(size));
  } else if (size == 0 || errno != EINTR) {
    ::close(descriptor);
    descriptor = -1;
  }
}

}  // namespace

Program::Program(const std::vector<std::string>& argv, const ProgramOptions& options) {
  std::vector<std::string> arguments = argv;
  std::vector<std::string> environment = environment_with(options.environment);
  const std::vector<char*> argument_list = pointers(arguments);
  const std::vector<char*> environment_list = pointers(environment);
  const Channel out = open_pipe();
  const Channel err = options.stderr_on_terminal ? open_terminal() : open_pipe();
  pid_ = ::fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0) {
    become(argument_list.data(), environment_list.data(), options, out.writer, err.writer);
  }
  ::close(out.writer);
  ::close(err.writer);
  out_ = out.reader;
  err_ = err.reader;
}

Program::~Program() {
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  for (const int descriptor : {out_, err_}) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

void Program::send(int signal) {
  if (running()) ::kill(pid_, signal);
}

bool Program::running() {
  if (ended_) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
  ended_ = true;
  if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
  return false;
}

void Program::collect(int wait_ms) {
  pollfd polled[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};  // a negative descriptor is skipped
  if (::poll(polled, 2, wait_ms) <= 0) return;
  if (polled[0].revents != 0) read_some(out_, result_.out);
  if (polled[1].revents != 0) read_some(err_, result_.err);
}

bool Program::wait_until(const std::function<bool()>& ready, std::chrono::milliseconds limit) {
  const Clock::time_point end = Clock::now() + limit;
  while (!ready()) {
    if (!running() || Clock::now() > end) return ready();
    collect(kPollMs);
  }
  return true;
}

ProgramResult Program::wait(std::chrono::milliseconds limit) {
  const Clock::time_point end = Clock::now() + limit;
  while (out_ >= 0 || err_ >= 0 || running()) {
    collect(kPollMs);
    if (Clock::now() <= end) continue;
    send(SIGKILL);
    throw std::runtime_error("the program did not end in time; it said: " + result_.err);
  }
  return result_;
}

ProgramResult run_program(const std::vector<std::string>& argv, const ProgramOptions& options) {
  return Program(argv, options).wait();
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "sightline_test_XXXXXX").string();
  if (!::mkdtemp(pattern.data())) fail(pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace sightline::tests
