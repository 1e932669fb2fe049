// What a benchmark asks and Sightline answers, as .npy files: other programs time the same question
// (scripts/bench_torch.py).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sightline::bench {

/// Writes C-ordered arrays of the shape [...]; the data has as many items. Throws
/// std::runtime_error if the file cannot be written.
void export_npy(const std::string& path, const std::vector<float>& data,
                const std::vector<std::int64_t>& shape);
void export_npy(const std::string& path, const std::vector<std::uint8_t>& data,
                const std::vector<std::int64_t>& shape);
void export_npy(const std::string& path, const std::vector<std::int64_t>& data,
                const std::vector<std::int64_t>& shape);

/// 0, or 1 with the reason on standard error if the run throws.
int exit_code_of(const std::function<void()>& run);

/// Is the folder of --export there? If not, says so on standard error.
bool has_export_folder(const std::string& folder);

}  // namespace sightline::bench
