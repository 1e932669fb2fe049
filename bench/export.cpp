#include "bench/export.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace sightline::bench {
namespace {

/// NumPy enhancement proposal 1, version 1.0.
template <class T>
void write(const std::string& path, const char* type, const std::vector<T>& data,
           const std::vector<std::int64_t>& shape) {
  std::string text = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (";
  for (const std::int64_t size : shape) text += std::to_string(size) + ", ";
  text += "), }";
  constexpr std::size_t kPrefix = 10, kAlignment = 64;  // bytes
  text.append(kAlignment - (kPrefix + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string head("\x93NUMPY\x01\x00", 8);
  head += static_cast<char>(length & 0xff);
  head += static_cast<char>(length >> 8);
  head += text;

  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                             std::fclose);
  if (!file || std::fwrite(head.data(), 1, head.size(), file.get()) != head.size() ||
      std::fwrite(data.data(), sizeof(T), data.size(), file.get()) != data.size() ||
      std::fflush(file.get()) != 0) {
    throw std::runtime_error(path + ": cannot be written: " + std::strerror(errno));
  }
}

}  // namespace

void export_npy(const std::string& path, const std::vector<float>& data,
                const std::vector<std::int64_t>& shape) {
  write(path, "<f4", data, shape);
}

void export_npy(const std::string& path, const std::vector<std::uint8_t>& data,
                const std::vector<std::int64_t>& shape) {
  write(path, "|u1", data, shape);
}

void export_npy(const std::string& path, const std::vector<std::int64_t>& data,
                const std::vector<std::int64_t>& shape) {
  write(path, "<i8", data, shape);
}

int exit_code_of(const std::function<void()>& run) {
  try {
    run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

bool has_export_folder(const std::string& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return true;
  std::fprintf(stderr, "--export %s: there is no such folder; create it first\n", folder.c_str());
  return false;
}

}  // namespace sightline::bench
