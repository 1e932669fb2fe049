// What the finders throw. host/ turns these into its own errors; nothing here prints.
#pragma once

#include <stdexcept>
#include <string>

namespace sightline::index {

/// The caller's fault: a bad value, a bad file, a wrong shape. Thrown before any work is done; the
/// message is complete: what, the value, the bound, where (row, file) and the fix.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// This build lacks a search library; the message names the Debian package that brings it.
class MissingLibrary : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A search library or the disk failed although the input was good.
class IndexFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sightline::index
