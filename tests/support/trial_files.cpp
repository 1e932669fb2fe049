#include "support/trial_files.h"

#include <cstring>
#include <filesystem>
#include <regex>
#include <stdexcept>

#include "support/run_program.h"

namespace sightline::tests {
namespace {

template <class Item>
double number_at(const char* item) {
  Item value;
  std::memcpy(&value, item, sizeof value);
  return static_cast<double>(value);
}

double number_at(const std::string& type, const char* item) {
  if (type == "|b1" || type == "|u1") return number_at<std::uint8_t>(item);
  if (type == "<i4") return number_at<std::int32_t>(item);
  if (type == "<i8") return number_at<std::int64_t>(item);
  if (type == "<f8") return number_at<double>(item);
  throw std::runtime_error("a column of type " + type);
}

}  // namespace

TrialFile read_trial_file(const std::string& path) {
  const std::string bytes = read_text(path);
  constexpr std::size_t kBeforeHeader = 10;  // magic, version, length of the header
  if (bytes.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0) {
    throw std::runtime_error(path + ": no NumPy file of version 1.0");
  }
  const std::size_t length =
      static_cast<unsigned char>(bytes.at(8)) + 256u * static_cast<unsigned char>(bytes.at(9));
  const std::string header = bytes.substr(kBeforeHeader, length);
  std::smatch shape;
  if (!std::regex_search(header, shape, std::regex(R"('shape': \((\d+),\))"))) {
    throw std::runtime_error(path + ": not of one dimension: " + header);
  }
  TrialFile file;
  file.num_rows = std::stoll(shape[1]);
  std::vector<std::string> types;
  const std::regex field(R"(\('([^']+)', '([^']+)'\))");
  for (std::sregex_iterator next(header.begin(), header.end(), field), end; next != end; ++next) {
    file.names.push_back((*next)[1]);
    types.push_back((*next)[2]);
  }
  std::size_t at = kBeforeHeader + length;
  for (std::int64_t row = 0; row < file.num_rows; ++row) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      const auto item_bytes = static_cast<std::size_t>(types[i].back() - '0');
      if (at + item_bytes > bytes.size()) throw std::runtime_error(path + ": is cut short");
      file.columns[file.names[i]].push_back(number_at(types[i], bytes.data() + at));
      at += item_bytes;
    }
  }
  if (at != bytes.size()) throw std::runtime_error(path + ": is longer than announced");
  return file;
}

std::map<std::string, std::string> trial_bytes(const std::string& run) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(run + "/trials")) {
    files[entry.path().filename().string()] = read_text(entry.path().string());
  }
  return files;
}

}  // namespace sightline::tests
