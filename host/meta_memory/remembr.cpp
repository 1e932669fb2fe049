#include "host/meta_memory/remembr.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "host/meta_memory/retrieved.h"

namespace sightline::host {
namespace {

/// The `count` rows of lowest cost, ties to the lower row.
template <class Cost>
std::vector<std::int64_t> cheapest(const EntryTable& entries, std::int64_t count,
                                   const Cost& cost) {
  std::vector<std::pair<double, std::int64_t>> all;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    if (!entries.deleted[static_cast<std::size_t>(row)]) all.emplace_back(cost(row), row);
  }
  const auto kept = static_cast<std::ptrdiff_t>(
      std::min<std::int64_t>(count, static_cast<std::int64_t>(all.size())));
  std::partial_sort(all.begin(), all.begin() + kept, all.end());
  std::vector<std::int64_t> rows;
  for (auto it = all.begin(); it != all.begin() + kept; ++it) rows.push_back(it->second);
  return rows;
}

bool names_class(const EntryTable& entries, std::int64_t row, ClassId asked) {
  const std::vector<ClassId> named = classes_named_in(std::string(entries.caption(row)));
  return std::any_of(named.begin(), named.end(),
                     [asked](ClassId one) { return is_one_of(one, asked); });
}

}  // namespace

std::vector<std::int64_t> nearest_positions(const EntryTable& entries, const kernels::Vec3& place,
                                            std::int64_t count) {
  return cheapest(entries, count, [&](std::int64_t row) {
    const auto apart = kernels::minus(entries.position_m[static_cast<std::size_t>(row)], place);
    return kernels::dot(apart, apart);
  });
}

std::vector<std::int64_t> nearest_times(const EntryTable& entries, double time_s,
                                        std::int64_t count) {
  return cheapest(entries, count, [&](std::int64_t row) {
    return std::fabs(entries.time_s[static_cast<std::size_t>(row)] - time_s);
  });
}

std::int64_t answer_by_remembr(const EntryTable& entries, const std::vector<double>& similarity,
                               const NounPhrase& asked, const RemembrOptions& options,
                               const std::optional<double>& time_s) {
  const auto dissimilarity = [&](std::int64_t row) {
    return -similarity[static_cast<std::size_t>(row)];
  };
  std::vector<std::int64_t> rows = cheapest(entries, options.num_texts, dissimilarity);
  if (rows.empty()) return -1;
  const std::int64_t best = rows.front();
  const auto add = [&rows](const std::vector<std::int64_t>& more) {
    for (const std::int64_t row : more) {
      if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    }
  };
  if (time_s) add(nearest_times(entries, *time_s, options.num_times));
  if (options.looks_around) {
    const auto& place = entries.position_m[static_cast<std::size_t>(best)];
    add(nearest_positions(entries, place, options.num_positions));
    const auto order = [&](std::int64_t row) {
      const CaptionMatch caption = match_caption(entries.caption(row), asked);
      const int num_matched = caption.names_class ? num_attributes(caption.matched) : -1;
      return std::make_tuple(-num_matched, dissimilarity(row), row);
    };
    std::sort(rows.begin(), rows.end(),
              [&](std::int64_t a, std::int64_t b) { return order(a) < order(b); });
  }
  const auto named = std::find_if(rows.begin(), rows.end(), [&](std::int64_t row) {
    return names_class(entries, row, asked.noun);
  });
  return named == rows.end() ? best : *named;
}

}  // namespace sightline::host
