// Input checks that the statistics share. Each throws InputError naming the function and the value.
#pragma once

#include <cstdint>
#include <vector>

namespace sightline::host::stats {

/// Most items any count may hold: counts, their sums and products with 4 stay exact in a double.
constexpr std::int64_t kMaxCount = std::int64_t{1} << 50;

/// 0 <= value <= kMaxCount.
void check_count(const char* function, const char* name, std::int64_t value);
/// b and c are counts and b + c <= n, n >= 1.
void check_discordant(const char* function, std::int64_t n, std::int64_t b, std::int64_t c);
/// 0 < value < 1.
void check_open_unit(const char* function, const char* name, double value);
/// At least `fewest` values, all finite.
void check_differences(const char* function, const std::vector<double>& differences,
                       std::size_t fewest);

}  // namespace sightline::host::stats
