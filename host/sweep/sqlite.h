// A thin, exception-safe door to SQLite: a connection, a statement, a transaction.
#pragma once

#include <cstdint>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace sightline::host {

/// A path as SQLite takes it for a file's: "file:" at its beginning would make it a URI.
std::string file_name_for_sqlite(const std::string& path);

/// One connection. Every failure of SQLite is a RunError that names the file and the reason; of a
/// damaged file, an InputError.
class Database {
 public:
  enum class Access { kRead, kReadWrite };

  /// Opens the file; kReadWrite creates it when absent. kRead rolls back what a killed writer left
  /// half done, and writes nothing else.
  Database(const std::string& path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Runs statements that return no rows of interest.
  void execute(const std::string& sql);
  /// First column of the first row ("PRAGMA user_version"), 0 if there is none.
  std::int64_t integer(const std::string& sql);
  const std::string& path() const { return path_; }

 private:
  friend class Statement;
  void open(int flags);
  [[noreturn]] void fail() const;

  std::string path_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement: bind every `?` in order, step through the rows, then bind the next set.
class Statement {
 public:
  Statement(Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(const std::string& value);

  /// Advances to the next row; false after the last.
  bool step();
  /// Runs a statement without rows to its end and makes it ready for the next bindings.
  void run();

  std::int64_t integer(int column) const;
  double number(int column) const;
  std::string text(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
  int next_parameter_ = 1;
};

/// All or nothing, or one unchanging view for several reads. Rolls back unless committed.
class Transaction {
 public:
  Transaction(Database& database, Database::Access access);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace sightline::host
