// YAML to configuration values: yaml-cpp finds the events, this file decides what they mean.
//
// The events are used rather than yaml-cpp's nodes, because nodes silently keep duplicate keys,
// forget which scalars were quoted, and expand or recurse without bound.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include "host/config/characters.h"
#include "host/config/value.h"
#include "host/error.h"

namespace sightline::host {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxDepth = 64;
constexpr std::int64_t kMaxValues = 1'000'000;
constexpr std::size_t kMaxKeyBytes = 1000;  ///< as written; YAML stops at 1024 characters

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text == word; });
}

/// Digits of `base` after an optional prefix; out of range is reported as `*overflow`.
bool parse_digits(const char* first, const char* last, int base, std::int64_t* value,
                  bool* overflow) {
  const auto [end, error] = std::from_chars(first, last, *value, base);
  *overflow = error == std::errc::result_out_of_range;
  return first != last && end == last && error != std::errc::invalid_argument;
}

/// [-+]?[0-9]+ | 0o[0-7]+ | 0x[0-9a-fA-F]+ of the YAML 1.2 core schema.
bool parse_integer(const std::string& text, std::int64_t* value, bool* overflow) {
  const char* first = text.data();
  const char* last = first + text.size();
  const bool prefixed = text.size() > 2 && text[0] == '0' && text[2] != '-';
  if (prefixed && text[1] == 'x') return parse_digits(first + 2, last, 16, value, overflow);
  if (prefixed && text[1] == 'o') return parse_digits(first + 2, last, 8, value, overflow);
  if (text.size() > 1 && text[0] == '+' && is_digit(text[1])) ++first;
  return parse_digits(first, last, 10, value, overflow);
}

/// [-+]? ( \.[0-9]+ | [0-9]+(\.[0-9]*)? ) ([eE][-+]?[0-9]+)? of the same schema.
bool is_float(const std::string& text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i > begin;
  };
  const auto skip = [&](char a, char b) {
    if (i < text.size() && (text[i] == a || text[i] == b)) return ++i, true;
    return false;
  };
  skip('-', '+');
  const bool whole = digits();
  const bool point = skip('.', '.');
  const bool fraction = point && digits();
  if (!whole && !fraction) return false;
  if (skip('e', 'E')) {
    skip('-', '+');
    if (!digits()) return false;
  }
  return i == text.size();
}

/// Reads to the end rather than by size, so that pipes work; a limit, because devices never end.
std::string read_all(std::istream& in, const std::string& path) {
  std::string text;
  std::vector<char> piece(std::size_t{1} << 20);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMaxFileBytes) {
      throw InputError("cannot read \"" + path + "\": larger than 64 MiB, too large for settings");
    }
  }
  if (in.bad()) throw InputError("cannot read \"" + path + "\": " + std::strerror(errno));
  return text;
}

}  // namespace

/// Builds one value from the events of one document.
class YamlReader : public YAML::EventHandler {
 public:
  explicit YamlReader(std::string source) : source_(std::move(source)) {}

  /// The value read; null, without a line, if there was no document.
  ConfigValue take_root() {
    if (num_documents_ == 0) root_.mark_.source = source_;
    root_.rekey("");
    return std::move(root_);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++num_documents_ > 1) fail(mark, "a second YAML document; one file holds one");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (wants_key()) fail(mark, "a key must be a text; quote it");
    add_leaf(mark, anchor, ConfigValue());
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (wants_key()) fail(mark, "an alias cannot be a key");
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(mark, "an alias inside the value it stands for");
    charge(mark, found->second.num_values);
    add(mark, found->second);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    if (wants_key()) return set_key(mark, tag, text);
    add_leaf(mark, anchor, scalar(mark, tag, text));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    if (!is_one_of(tag, {"", "?", "!", "tag:yaml.org,2002:seq"})) fail_tag(mark, tag);
    open(mark, anchor, ConfigValue::list());
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    if (!is_one_of(tag, {"", "?", "!", "tag:yaml.org,2002:map"})) fail_tag(mark, tag);
    open(mark, anchor, ConfigValue::map());
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override {
    apply_merges();
    close();
  }

 private:
  /// A finished value, with what it costs to copy.
  struct Built {
    ConfigValue value;
    std::int64_t num_values = 1;
    std::size_t depth = 1;
  };
  /// A list or map whose end has not come yet.
  struct Open {
    Built built;
    YAML::Mark mark;
    YAML::anchor_t anchor = 0;
    bool has_key = false, key_is_merge = false;
    std::string key;
    YAML::Mark key_mark;
    std::unordered_map<std::string, int> key_lines;  ///< line of each key seen
    std::vector<ConfigValue> merges;                 ///< maps named by `<<`
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    throw InputError(source_.str() + ":" + std::to_string(mark.line + 1) + ":" +
                     std::to_string(mark.column + 1) + ": " + message);
  }
  [[noreturn]] void fail_tag(const YAML::Mark& mark, const std::string& tag) const {
    fail(mark, "the tag \"" + tag + "\" is not supported; remove it");
  }

  bool wants_key() const {
    return !open_.empty() && open_.back().built.value.is_map() && !open_.back().has_key;
  }

  /// Counts values made, copies for aliases included: a few lines of aliases can ask for billions.
  void charge(const YAML::Mark& mark, std::int64_t num_values) {
    num_values_ += num_values;
    if (num_values_ > kMaxValues) {
      fail(mark, "more than " + std::to_string(kMaxValues) + " values, aliases expanded");
    }
  }
  void check_depth(const YAML::Mark& mark, std::size_t depth) const {
    if (depth > kMaxDepth) {
      fail(mark, "more than " + std::to_string(kMaxDepth) + " levels of lists and maps");
    }
  }

  void set_key(const YAML::Mark& mark, const std::string& tag, const std::string& text) {
    const std::size_t num_bytes = ConfigValue::text(text).canonical_json().size();
    if (num_bytes > kMaxKeyBytes) {
      fail(mark, "a key that takes " + std::to_string(num_bytes) + " bytes; it may take " +
                     std::to_string(kMaxKeyBytes) + ", is a quote left open?");
    }
    Open& map = open_.back();
    map.has_key = true;
    map.key = text;
    map.key_mark = mark;
    map.key_is_merge = text == "<<" && tag != "!";
    const auto [first, is_new] = map.key_lines.emplace(text, mark.line + 1);
    if (!is_new) {
      fail(mark, "the key \"" + text + "\" is given twice, first in line " +
                     std::to_string(first->second));
    }
  }

  ConfigValue scalar(const YAML::Mark& mark, const std::string& tag, const std::string& text) {
    if (is_one_of(tag, {"!", "tag:yaml.org,2002:str"})) return ConfigValue::text(text);
    if (!is_one_of(tag, {"", "?"})) fail_tag(mark, tag);
    if (is_one_of(text, {"true", "True", "TRUE"})) return ConfigValue::boolean(true);
    if (is_one_of(text, {"false", "False", "FALSE"})) return ConfigValue::boolean(false);
    std::int64_t integer = 0;
    bool overflow = false;
    if (parse_integer(text, &integer, &overflow)) {
      if (overflow) fail(mark, named(text) + " does not fit a 64-bit integer");
      return ConfigValue::integer(integer);
    }
    return float_or_text(mark, text);
  }

  ConfigValue float_or_text(const YAML::Mark& mark, const std::string& text) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (is_one_of(text, {".nan", ".NaN", ".NAN"})) {
      fail(mark, named("NaN") + " is no setting; give a number");
    }
    if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) {
      return ConfigValue::number(kInfinity);
    }
    if (is_one_of(text, {"-.inf", "-.Inf", "-.INF"})) return ConfigValue::number(-kInfinity);
    if (!is_float(text)) return ConfigValue::text(text);
    const char* first = text.data() + (text[0] == '+' ? 1 : 0);
    double value = 0;
    const auto result = std::from_chars(first, text.data() + text.size(), value);
    if (result.ec != std::errc()) {
      fail(mark, named(text) + " is outside the range of a double; an infinity is written .inf");
    }
    return ConfigValue::number(value);
  }

  /// A value for a message, with the key it stands under.
  std::string named(const std::string& value) const {
    std::string key;
    for (const Open& level : open_) {
      if (level.has_key) key += (key.empty() ? "" : ".") + level.key;
    }
    return key.empty() ? value : key + ": " + value;
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, ConfigValue value) {
    if (wants_key()) fail(mark, "a list or map cannot be a key; is a bracket left open?");
    check_depth(mark, open_.size() + 1);
    charge(mark, 1);
    Open level;
    level.built.value = std::move(value);
    level.mark = mark;
    level.anchor = anchor;
    open_.push_back(std::move(level));
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    set_place(done.mark, done.built.value);
    remember(done.mark, done.anchor, done.built);
    add(done.mark, std::move(done.built));
  }

  void add_leaf(const YAML::Mark& mark, YAML::anchor_t anchor, ConfigValue value) {
    charge(mark, 1);
    Built built;
    built.value = std::move(value);
    set_place(mark, built.value);
    remember(mark, anchor, built);
    add(mark, std::move(built));
  }

  void set_place(const YAML::Mark& mark, ConfigValue& value) const {
    value.mark_ = {source_, mark.line + 1, mark.column + 1};
  }

  void remember(const YAML::Mark& mark, YAML::anchor_t anchor, const Built& built) {
    if (anchor == 0) return;
    charge(mark, built.num_values);
    anchors_[anchor] = built;
  }

  void add(const YAML::Mark& mark, Built built) {
    check_depth(mark, open_.size() + built.depth);
    if (open_.empty()) {
      root_ = std::move(built.value);
      return;
    }
    Open& parent = open_.back();
    parent.built.num_values += built.num_values;
    parent.built.depth = std::max(parent.built.depth, built.depth + 1);
    if (parent.built.value.is_list()) {
      parent.built.value.items_.write().push_back(std::move(built.value));
    } else {
      add_to_map(mark, parent, std::move(built.value));
    }
  }

  void add_to_map(const YAML::Mark& mark, Open& map, ConfigValue value) {
    map.has_key = false;
    if (map.key_is_merge) return add_merge(mark, map, std::move(value));
    value.key_line_ = map.key_mark.line + 1;
    value.key_column_ = map.key_mark.column + 1;
    map.built.value.entries_.write().emplace_back(map.key, std::move(value));
  }

  void add_merge(const YAML::Mark& mark, Open& map, ConfigValue value) {
    std::vector<ConfigValue> maps;
    if (value.is_list()) {
      maps = value.items();
    } else {
      maps.push_back(std::move(value));
    }
    for (ConfigValue& merged : maps) {
      if (!merged.is_map()) fail(mark, "\"<<\" merges maps only");
      map.merges.push_back(std::move(merged));
    }
  }

  /// Keys written in the map itself win; then those of the first merged map that has them.
  void apply_merges() {
    Open& map = open_.back();
    for (ConfigValue& merged : map.merges) {
      for (auto& entry : merged.entries_.write()) {
        if (map.key_lines.emplace(entry.first, 0).second) {
          map.built.value.entries_.write().push_back(std::move(entry));
        }
      }
    }
  }

  SharedText source_;
  ConfigValue root_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Built> anchors_;
  std::int64_t num_values_ = 0;
  int num_documents_ = 0;
};

ConfigValue ConfigValue::parse_yaml(const std::string& yaml, const std::string& source_name) {
  check_characters(yaml, source_name);
  YamlReader reader(source_name);
  std::istringstream in(yaml);
  try {
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(reader)) {
    }
  } catch (const YAML::Exception& error) {
    throw InputError(source_name + ":" + std::to_string(error.mark.line + 1) + ":" +
                     std::to_string(error.mark.column + 1) + ": not valid YAML: " + error.msg);
  }
  return reader.take_root();
}

ConfigValue ConfigValue::load_yaml(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError("cannot read \"" + path + "\": it is a directory, not a YAML file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot read \"" + path + "\": " + std::strerror(errno));
  const ConfigValue root = parse_yaml(read_all(file, path), path);
  if (root.is_null()) throw InputError(path + ": the file is empty; it must hold a YAML map");
  if (!root.is_map()) root.fail_kind("a map of settings");
  return root;
}

}  // namespace sightline::host
