#include "host/sweep/trials.h"

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/file_hash.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

namespace fs = std::filesystem;
namespace utf = boost::locale::utf;

/// Rows that are put together before they are written.
constexpr std::int64_t kRowsAtOnce = 16'384;
/// What version 1.0 of the format has room for.
constexpr std::size_t kMaxPreambleBytes = 65'535;

constexpr const char* kExtension = ".npy";

/// A text as a Python literal of ASCII alone: the header of a `.npy` of version 1.0 is Latin-1.
std::string python_literal(const std::string& text) {
  std::string literal = "'";
  for (auto next = text.begin(); next != text.end();) {
    const utf::code_point c = utf::utf_traits<char>::decode(next, text.end());
    const bool is_plain = c >= 0x20 && c < 0x7f && c != '\'' && c != '\\';
    char escaped[16];
    std::snprintf(escaped, sizeof escaped, "\\U%08x", static_cast<unsigned>(c));
    literal += is_plain ? std::string(1, static_cast<char>(c)) : std::string(escaped);
  }
  return literal + "'";
}

std::string preamble_of(const TrialTable& trials, const std::string& path) {
  std::string fields;
  for (const TrialColumn& column : trials.columns) {
    fields +=
        (fields.empty() ? "(" : ", (") + python_literal(column.name) + ", '" + column.type + "')";
  }
  std::string preamble = npy_preamble("[" + fields + "]", {trials.num_rows});
  if (preamble.size() > kMaxPreambleBytes) {
    throw InputError(path + ": the names of " + std::to_string(trials.columns.size()) +
                     " columns have no room in a NumPy file; use fewer arms, or shorter names");
  }
  return preamble;
}

/// How long a file of trials is as a whole, by what its header says; nothing if it has none.
std::optional<std::uint64_t> whole_size(InputFile& file) {
  constexpr std::uint64_t kBeforeDict = 10;  // the magic, the version and the length of the rest
  if (file.size_bytes() < kBeforeDict) return std::nullopt;
  std::string before(kBeforeDict, '\0');
  file.read(before.data(), before.size());
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(before[i]); };
  std::string dict(byte(8) + std::size_t{256} * byte(9), '\0');
  if (before.compare(1, 5, "NUMPY") != 0 || file.remaining_bytes() < dict.size()) {
    return std::nullopt;
  }
  file.read(dict.data(), dict.size());
  // {'descr': [('NAME', '<i4'), ...], ..., 'shape': (N,), }, and no quote in a name: every fourth
  // part between quotes is a type, whose last letter is its bytes.
  std::uint64_t row_bytes = 0, part = 0;
  const std::size_t end_of_columns = dict.find("], 'fortran_order'"), shape = dict.rfind('(');
  if (end_of_columns == std::string::npos || shape == std::string::npos) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < end_of_columns; ++i) {
    if (dict[i] != '\'' || ++part % 4 != 2 || part < 6) continue;
    row_bytes += static_cast<std::uint64_t>(dict[i - 1] - '0');
  }
  const std::uint64_t num_rows = std::strtoull(dict.c_str() + shape + 1, nullptr, 10);
  return kBeforeDict + dict.size() + num_rows * row_bytes;
}

/// Gives a file a second name, in place of what has it, or a copy where there are no such names.
void link_or_copy(const std::string& from, const std::string& to) {
  if (same_file(from, to)) return;
  std::error_code error;
  fs::remove(to, error);
  fs::create_hard_link(from, to, error);
  if (!error) return;
  InputFile source(from);
  OutputFile copy(to);
  read_in_pieces(source, [&](const char* bytes, std::size_t num) { copy.write(bytes, num); });
  copy.commit();
}

}  // namespace

std::size_t num_configurations_held(std::int64_t memory_bytes, double bytes_per_configuration) {
  constexpr double kMost = 1'000'000;  // more than a block has
  const double fitting = static_cast<double>(memory_bytes) / std::max(1.0, bytes_per_configuration);
  return static_cast<std::size_t>(std::clamp(fitting, 1.0, kMost));
}

std::string trials_folder(const std::string& run) { return (fs::path(run) / "trials").string(); }

std::string trials_path(const std::string& run, const std::string& configuration_id) {
  return (fs::path(trials_folder(run)) / (configuration_id + kExtension)).string();
}

bool is_trial_file(const std::string& name) { return fs::path(name).extension() == kExtension; }

void check_trials_folder(const std::string& run) {
  const std::string folder = trials_folder(run);
  if (!is_there(folder)) return;
  throw InputError(folder + ": is there, and belongs to no run here; the files of --trials would " +
                   "be mixed with it: move it or choose another folder");
}

void check_trials(const std::string& run, const TrialTable& trials) {
  preamble_of(trials, trials_path(run, trials.configuration_id));
}

std::int64_t write_trials(const std::string& run, const TrialTable& trials) {
  const std::string path = trials_path(run, trials.configuration_id);
  OutputFile file(path);
  BytesHash checksum;
  const auto write = [&](const char* bytes, std::size_t num_bytes) {
    file.write(bytes, num_bytes);
    checksum.add(bytes, num_bytes);
  };
  const std::string preamble = preamble_of(trials, path);
  write(preamble.data(), preamble.size());
  std::size_t row_bytes = 0;
  for (const TrialColumn& column : trials.columns) row_bytes += column.item_bytes;
  std::vector<char> rows;
  for (std::int64_t first = 0; first < trials.num_rows; first += kRowsAtOnce) {
    const std::int64_t count = std::min(kRowsAtOnce, trials.num_rows - first);
    rows.resize(static_cast<std::size_t>(count) * row_bytes);
    char* begin = rows.data();
    for (const TrialColumn& column : trials.columns) {
      char* item = begin;
      for (std::int64_t row = first; row < first + count; ++row, item += row_bytes) {
        column.put(row, item);
      }
      begin += column.item_bytes;
    }
    write(rows.data(), rows.size());
  }
  file.commit();
  return static_cast<std::int64_t>(checksum.value());
}

bool has_trials(const std::string& run, const std::string& configuration_id,
                const std::optional<std::int64_t>& checksum) {
  const std::string path = trials_path(run, configuration_id);
  if (!is_there(path)) return false;
  InputFile file(path);
  if (!checksum) return whole_size(file) == file.size_bytes();
  return static_cast<std::int64_t>(hash_of(file)) == *checksum;
}

void gather_trials(const std::string& part, const std::string& run,
                   const std::string& configuration_id) {
  make_folder(trials_folder(run));
  link_or_copy(trials_path(part, configuration_id), trials_path(run, configuration_id));
}

}  // namespace sightline::host
