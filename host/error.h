// Errors that cross the library's boundary. The library throws; only cli/ prints and exits.
#pragma once

#include <stdexcept>
#include <string>

namespace sightline::host {

/// The caller's fault: bad file, bad value, bad configuration. Thrown before any work is done.
/// The message names what, the value, the bound, where (file, line, key, row) and the fix.
/// The command line exits with 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The machine lacks something that was asked for (a GPU, a program). Exit code 3.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A run that started could not finish (disk full, a device failed). Exit code 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A CUDA call failed: call, error name and place. The sticky error has been cleared.
class CudaError : public RunError {
 public:
  using RunError::RunError;
};

/// The GPU has less memory left than a call asked for. Batches go on in smaller pieces, if they
/// can.
class GpuOutOfMemory : public CudaError {
 public:
  using CudaError::CudaError;
};

/// The user asked the run to stop (SIGINT); everything finished so far is on disk. Exit code 130.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The exit code of the exception that is being handled.
inline int exit_code_of_current() {
  constexpr int kRunFailed = 1, kBadInput = 2, kEnvironment = 3, kInterrupted = 130;
  try {
    throw;
  } catch (const InputError&) {
    return kBadInput;
  } catch (const EnvironmentError&) {
    return kEnvironment;
  } catch (const Interrupted&) {
    return kInterrupted;  // as a shell reports a program ended by SIGINT
  } catch (...) {
    return kRunFailed;
  }
}

}  // namespace sightline::host
