// A configuration value that remembers where it was written.
//
// YAML in, canonical JSON out. Every typed getter throws InputError with file, line, column, the
// dotted key and the fix, so that parsers of scenes and experiments state only what they want.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/error.h"

namespace sightline::host {

/// A text that copies share: a sweep makes the settings of each configuration out of the same ones.
class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}

  bool empty() const { return !text_; }
  const std::string& str() const {
    static const std::string none;
    return text_ ? *text_ : none;
  }

 private:
  std::shared_ptr<const std::string> text_;  ///< null: empty
};

/// Items that copies share until one of them is written to. As with any container, one thread may
/// write to an object that no other reads; copies of it are objects of their own.
template <class T>
class SharedItems {
 public:
  SharedItems() = default;
  explicit SharedItems(std::vector<T> items)
      : items_(std::make_shared<std::vector<T>>(std::move(items))) {}

  const std::vector<T>& read() const {
    static const std::vector<T> none;
    return items_ ? *items_ : none;
  }
  std::vector<T>& write() {
    if (!items_ || items_.use_count() > 1) items_ = std::make_shared<std::vector<T>>(read());
    return *items_;
  }

 private:
  std::shared_ptr<std::vector<T>> items_;  ///< null: none
};

/// Where a value was written: a file with line and column (from 1), or a command-line override.
struct SourceMark {
  SharedText source;
  int line = 0;  ///< 0: no line (an override, a default)
  int column = 0;
};

class ConfigValue {
 public:
  enum class Kind { kNull, kBool, kInteger, kNumber, kText, kList, kMap };
  using Entry = std::pair<std::string, ConfigValue>;

  ConfigValue() = default;  ///< null
  static ConfigValue boolean(bool value);
  static ConfigValue integer(std::int64_t value);
  static ConfigValue number(double value);
  static ConfigValue text(std::string value);
  static ConfigValue list(std::vector<ConfigValue> items = {});
  static ConfigValue map(std::vector<Entry> entries = {});

  /// Reads one YAML document: the scalars of the YAML 1.2 core schema (null, booleans, integers,
  /// floats, text; quoted scalars are text, and so are yes, no and on), lists, maps, aliases and
  /// `<<` merges. An empty document is null. Throws InputError on bytes that are not UTF-8, syntax
  /// errors, duplicate keys, keys longer than 1000 bytes, NaN, numbers out of range, more than 64
  /// levels or a million values (aliases expanded).
  static ConfigValue parse_yaml(const std::string& yaml, const std::string& source_name);
  /// Reads what canonical_json() wrote, sooner than parse_yaml would, to the same value. Throws
  /// InputError on anything else that is no JSON.
  static ConfigValue parse_json(const std::string& json, const std::string& source_name);
  /// Reads a file of at most 64 MiB whose root is a map. Throws InputError if it cannot be read.
  static ConfigValue load_yaml(const std::string& path);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_list() const { return kind_ == Kind::kList; }
  bool is_map() const { return kind_ == Kind::kMap; }
  bool is_text() const { return kind_ == Kind::kText; }
  bool is_number() const { return kind_ == Kind::kNumber || kind_ == Kind::kInteger; }

  /// "file.yaml:12:5: visibility.step_m", for messages.
  std::string where() const;
  const SourceMark& mark() const { return mark_; }
  /// Was it given as an option of its own, --weights, and not by a file?
  bool is_of_option() const;
  const std::string& key() const { return key_.str(); }  ///< dotted path from the root
  /// Throws InputError: where() + ": " + message.
  [[noreturn]] void fail(const std::string& message) const;
  /// The same, pointing at the key of a map's entry instead of at its value.
  [[noreturn]] void fail_at_key(const std::string& message) const;

  // Maps, in the order written.
  const std::vector<Entry>& entries() const;              ///< fails unless a map
  const ConfigValue* find(const std::string& key) const;  ///< nullptr if absent; fails unless a map
  const ConfigValue& at(const std::string& key) const;    ///< fails, naming the key, if absent
  /// Fails on the first key that is not listed, naming the nearest one that is.
  void allow_only(std::initializer_list<const char*> keys) const;

  // Lists.
  const std::vector<ConfigValue>& items() const;  ///< fails unless a list

  // Scalars. Bounds are inclusive; an integer is accepted where a number is wanted, and a number
  // without a fraction (1e6) where an integer is.
  bool as_bool() const;
  std::int64_t as_integer(std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                          std::int64_t high = std::numeric_limits<std::int64_t>::max()) const;
  double as_number(double low = -std::numeric_limits<double>::infinity(),
                   double high = std::numeric_limits<double>::infinity()) const;
  double as_positive() const;  ///< finite and > 0
  std::string as_text() const;
  /// A list of `count` finite numbers ([x, y, z]).
  std::vector<double> as_numbers(std::size_t count) const;
  /// Index of the text in `names`; fails naming the nearest one.
  std::size_t as_choice(std::initializer_list<const char*> names) const;

  // Editing, for overrides and axes. Dotted keys; "arms.cone.visibility.step_m".
  const ConfigValue* find_path(const std::string& dotted) const;  ///< nullptr if absent
  /// Sets the value at a dotted key, making the maps on the way; marks are those of `value`.
  /// Fails if the way leads through a value that is neither a map nor null.
  void set_path(const std::string& dotted, ConfigValue value);
  void erase_path(const std::string& dotted);  ///< does nothing if absent
  /// The same for one entry of this map; dots in `key` are part of it. Fails unless a map.
  void set_entry(const std::string& key, ConfigValue value);
  void erase_entry(const std::string& key);
  /// `overlay`'s entries replace this map's, recursively through maps.
  void merge(const ConfigValue& overlay);
  /// A copy in which every value claims to be written at `mark`.
  ConfigValue with_mark(const SourceMark& mark) const;

  /// Keys sorted, no white space, shortest round-trip numbers: equal values give equal text. A
  /// number without a fraction that fits 64 bits is written as an integer, so 1, 1.0 and 1e0 are
  /// equal. An infinity, which JSON lacks, is written as the text of its YAML form.
  std::string canonical_json() const;
  /// Block-style YAML a person can read and sweep again.
  std::string to_yaml() const;
  /// Short text for a table: text as it is, anything else as canonical JSON.
  std::string display() const;

 private:
  friend class YamlReader;

  void rekey(const std::string& key);
  void set_marks(const SourceMark& mark);
  [[noreturn]] void fail_kind(const char* wanted) const;
  [[noreturn]] void fail_scalar(const std::string& wanted) const;
  [[noreturn]] void fail_no_integer(std::int64_t low, std::int64_t high) const;
  ConfigValue* find_entry(const std::string& key);

  Kind kind_ = Kind::kNull;
  bool bool_ = false;
  std::int64_t integer_ = 0;
  double number_ = 0;
  std::string text_;
  SharedItems<ConfigValue> items_;
  SharedItems<Entry> entries_;
  SourceMark mark_;
  int key_line_ = 0, key_column_ = 0;  ///< where the key of a map's entry stands
  SharedText key_;
};

/// A list stands where one number, one of a few texts or a boolean is wanted.
class ListForOne : public InputError {
 public:
  ListForOne(const std::string& message, ConfigValue list)
      : InputError(message), list_(std::move(list)) {}
  const ConfigValue& list() const { return list_; }

 private:
  ConfigValue list_;
};

}  // namespace sightline::host
