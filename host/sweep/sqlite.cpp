#include "host/sweep/sqlite.h"

#include <sqlite3.h>

#include <exception>
#include <filesystem>
#include <system_error>

#include "host/error.h"

namespace sightline::host {
namespace {

/// Of the name of a database, as SQLite is made for Unix, without that of the log beside it.
constexpr std::size_t kMostPathBytes = 500;
constexpr int kBusyTimeoutMs = 5000;  // a reader (a report, a shell) may hold the file for a moment

std::string advice(int code) {
  switch (code) {
    case SQLITE_FULL:
      return "; free some space, then continue with --resume";
    case SQLITE_IOERR:
      return "; check the disk and its quota, then continue with --resume";
    case SQLITE_BUSY:
      return "; another program holds the file open: close it, then --resume";
    default:
      return "";
  }
}

}  // namespace

std::string file_name_for_sqlite(const std::string& path) {
  return path.rfind("file:", 0) == 0 ? "./" + path : path;
}

Database::Database(const std::string& path, Access access) : path_(path) {
  if (access == Access::kReadWrite) {
    open(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    return;
  }
  open(SQLITE_OPEN_READONLY);
  const int code = sqlite3_exec(handle_, "PRAGMA schema_version", nullptr, nullptr, nullptr);
  if (code != SQLITE_READONLY) return;
  // Who was killed while writing left a journal that only a writer may roll back.
  sqlite3_close(handle_);
  open(SQLITE_OPEN_READWRITE);
}

void Database::open(int flags) {
  if (sqlite3_open_v2(file_name_for_sqlite(path_).c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const std::string reason = handle_ ? sqlite3_errmsg(handle_) : "out of memory";
    sqlite3_close(handle_);
    std::error_code unknown;
    if (std::filesystem::absolute(path_, unknown).native().size() > kMostPathBytes) {
      throw InputError(path_ + ": its path has more than the " + std::to_string(kMostPathBytes) +
                       " bytes that SQLite opens; choose a folder with a shorter one");
    }
    throw RunError(path_ + ": " + reason);
  }
  sqlite3_busy_timeout(handle_, kBusyTimeoutMs);
}

Database::~Database() { sqlite3_close(handle_); }

void Database::fail() const {
  const int code = sqlite3_errcode(handle_);  // the primary code: extended ones are not enabled
  if (code == SQLITE_CORRUPT) {
    throw InputError(path_ + ": damaged: " + sqlite3_errmsg(handle_) +
                     "; remove its folder and compute it again");
  }
  throw RunError(path_ + ": " + sqlite3_errmsg(handle_) + advice(code));
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::integer(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

Statement::Statement(Database& database, const std::string& sql) : database_(database) {
  const int size = static_cast<int>(sql.size());
  if (sqlite3_prepare_v2(database.handle_, sql.c_str(), size, &handle_, nullptr) != SQLITE_OK) {
    database.fail();
  }
}

Statement::~Statement() { sqlite3_finalize(handle_); }

Statement& Statement::bind(std::int64_t value) {
  if (sqlite3_bind_int64(handle_, next_parameter_++, value) != SQLITE_OK) database_.fail();
  return *this;
}

Statement& Statement::bind(double value) {
  if (sqlite3_bind_double(handle_, next_parameter_++, value) != SQLITE_OK) database_.fail();
  return *this;
}

Statement& Statement::bind(const std::string& value) {
  const int size = static_cast<int>(value.size());
  const int code =
      sqlite3_bind_text(handle_, next_parameter_++, value.data(), size, SQLITE_TRANSIENT);
  if (code != SQLITE_OK) database_.fail();
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail();
  return code == SQLITE_ROW;
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(handle_);
  next_parameter_ = 1;
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }

double Statement::number(int column) const { return sqlite3_column_double(handle_, column); }

std::string Statement::text(int column) const {
  const unsigned char* begin = sqlite3_column_text(handle_, column);
  if (!begin) return "";
  const int size = sqlite3_column_bytes(handle_, column);
  return std::string(reinterpret_cast<const char*>(begin), static_cast<std::size_t>(size));
}

Transaction::Transaction(Database& database, Database::Access access) : database_(database) {
  database_.execute(access == Database::Access::kRead ? "BEGIN DEFERRED" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const std::exception&) {
    // A full disk has already rolled it back; the error that brought us here is the one to tell.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace sightline::host
