#include "kernels/mix_tree.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <numeric>

#include "kernels/arena.h"
#include "kernels/blend.h"
#include "kernels/box_filter.h"
#include "kernels/for_each_backend.h"
#include "kernels/recall_wave.h"

namespace sightline::kernels {
namespace {

/// On the way down the tree each filter leaves less than the one before. Where together they would
/// leave more than this many bands, the mixes of a box are run over what is left so far.
constexpr std::int64_t kBandsOnTheWay = 3;

Candidates from_place(const Candidates& all, std::int64_t first, int num_features) {
  Candidates part;
  for (int f = 0; f < num_features; ++f) part.features[f] = all.features[f] + first;
  part.member = all.member + first;
  return part;
}

class BandTops {
 public:
  BandTops(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
           const BandsView& bands, const MixTreeView& mixes, int k)
      : executor_(executor),
        memories_(memories),
        num_queries_(num_queries),
        bands_(bands),
        mixes_(mixes),
        k_(k),
        num_lanes_(std::min<std::int64_t>(resolved_threads(executor), num_queries * num_roots())) {
    for (std::int64_t q = 0; q < num_queries; ++q) most_ = std::max(most_, num_members(q));
  }

  /// Finds places in a workspace, and returns what they take.
  std::int64_t lay_out(void* data) {
    auto* const bytes = static_cast<std::byte*>(data);
    Arena arena(bytes);
    columns_ = arena.take<std::int32_t>(bands_.first[num_queries_] * num_features());
    features_ = arena.take<float>(first_float(num_queries_));
    iota_ = arena.take<std::int32_t>(most_ + kCandidatePad);
    least_ = arena.take<float>(num_queries_ * num_features());
    range_ = arena.take<float>(num_queries_ * num_features());
    const std::int64_t shared = arena.used();
    lanes_ = bytes == nullptr ? nullptr : bytes + shared;
    Arena lane(nullptr);
    lane_bytes_ = Lane(*this, lane).bytes;
    return shared + num_lanes_ * lane_bytes_;
  }

  void run(Scored* out) {
    out_ = out;
    std::iota(iota_, iota_ + most_, 0);
    for_each_column([&](std::int64_t query, int f) { pack(query, f); });
    for_each_column([&](std::int64_t query, int f) { take_less(query, f); });
    std::atomic<std::int64_t> next{0};
    const std::int64_t num_tasks = num_queries_ * num_roots();
    const auto work = [&](std::int64_t l, std::int64_t) {
      Arena arena(lanes_ + l * lane_bytes_);
      const Lane lane(*this, arena);
      for (std::int64_t i; (i = next.fetch_add(1)) < num_tasks;) {
        const std::int64_t query = i / num_roots();
        const Candidates all = all_of(query);
        descend({lane, query}, mixes_.boxes[mixes_.roots[i % num_roots()]], all, 0);
      }
    };
    for_each_piece(executor_, num_lanes_, work, 1);
  }

 private:
  /// What one thread works with.
  struct Lane {
    Candidates left;  ///< by all filters on the way down, one after another
    std::int64_t room;
    std::int32_t* columns;
    float* scores;
    Scored* lists;
    std::int64_t bytes;

    Lane(const BandTops& of, Arena& arena) : room(kBandsOnTheWay * (of.most_ + kCandidatePad)) {
      for (int f = 0; f < of.num_features(); ++f) left.features[f] = arena.take<float>(room);
      left.member = arena.take<std::int32_t>(room);
      columns = arena.take<std::int32_t>(of.most_ * of.num_features());
      scores = arena.take<float>(of.most_ + kCandidatePad);
      lists = arena.take<Scored>(kMaxPieceMixes * of.k_);
      bytes = arena.used();
    }
  };

  struct Way {
    const Lane& lane;
    std::int64_t query;
  };

  int num_features() const { return mixes_.num_features; }
  std::int64_t num_roots() const { return mixes_.num_roots; }
  std::int64_t num_members(std::int64_t query) const {
    return bands_.first[query + 1] - bands_.first[query];
  }
  const std::int32_t* members(std::int64_t query) const {
    return bands_.members + bands_.first[query];
  }

  /// Of a query's columns, which lie one after another.
  std::int32_t* column(std::int64_t query, int f) const {
    return columns_ + bands_.first[query] * num_features() + f * num_members(query);
  }
  std::int64_t first_float(std::int64_t query) const {
    return (bands_.first[query] + query * kCandidatePad) * num_features();
  }

  Candidates all_of(std::int64_t query) const {
    Candidates all;
    all.num = static_cast<std::int32_t>(num_members(query));
    all.member = iota_;
    for (int f = 0; f < num_features(); ++f) {
      all.features[f] = features_ + first_float(query) + f * (num_members(query) + kCandidatePad);
    }
    return all;
  }

  /// Calls job(query, feature) for all of them.
  template <class Job>
  void for_each_column(const Job& job) const {
    const auto run = [&](std::int64_t i, std::int64_t) {
      job(i / num_features(), static_cast<int>(i % num_features()));
    };
    for_each_piece(executor_, num_queries_ * num_features(), run, 1);
  }

  void pack(std::int64_t query, int f) const {
    const QueryMemories of(memories_, query);
    const std::int32_t* const members_of = members(query);
    const std::int64_t num = num_members(query);
    std::int32_t* const values = column(query, f);
    for (std::int64_t i = 0; i < num; ++i) values[i] = of.features[f][members_of[i]];
  }

  void take_less(std::int64_t query, int f) const {
    const std::int64_t num = num_members(query);
    const std::int32_t* const values = column(query, f);
    float* const features = all_of(query).features[f];
    for (std::int64_t i = 0; i < num; ++i) features[i] = static_cast<float>(values[i]);
    if (mixes_.subtracted >= 0 && mixes_.subtracted != f) {
      const std::int32_t* const less = column(query, mixes_.subtracted);
      for (std::int64_t i = 0; i < num; ++i) features[i] -= static_cast<float>(less[i]);
    }
    std::fill_n(features + num, kCandidatePad, 0.0f);
    const auto [low, high] = std::minmax_element(features, features + num);
    least_[query * num_features() + f] = num == 0 ? 0 : *low;
    range_[query * num_features() + f] = num == 0 ? 0 : *high - *low;
  }

  void descend(const Way& way, const MixBox& box, const Candidates& from, std::int64_t used) const {
    Candidates left = from_place(way.lane.left, used, num_features());
    const bool is_less = is_worth_filtering(box, from) &&
                         used + from.num + kCandidatePad <= way.lane.room &&
                         leave_out_beaten(filter_of(way.query, box), from, way.lane.scores, &left,
                                          executor_.instructions);
    const Candidates& here = is_less ? left : from;
    if (box.halves == 0 || here.num <= num_references(k_)) return list(way, box, here);
    if (is_less) used += here.num + kCandidatePad;
    for (int half = 0; half < 2; ++half) descend(way, mixes_.boxes[box.halves + half], here, used);
  }

  /// To try a candidate takes about as long as to score it under a mix for each reference and some
  /// twenty more: that is to be won back by what is left out.
  bool is_worth_filtering(const MixBox& box, const Candidates& from) const {
    return uses_vectors(executor_) && from.num > 2 * num_references(k_) &&
           box.num_mixes > 2 * num_references(k_) + 32;
  }

  BoxFilter filter_of(std::int64_t query, const MixBox& box) const {
    const std::int64_t row = query * num_features();
    return {&box, num_features(), memories_.feature_bits, k_, least_ + row, range_ + row};
  }

  /// Runs the mixes of a box over some members.
  void list(const Way& way, const MixBox& box, const Candidates& here) const {
    BlendView view;
    view.num_features = num_features();
    view.num_memories = here.num;
    view.feature_bits = memories_.feature_bits;
    for (int f = 0; f < num_features(); ++f) {
      const std::int32_t* values = column(way.query, f);
      if (here.member != iota_) {
        std::int32_t* const some = way.lane.columns + f * std::int64_t{here.num};
        for (std::int32_t i = 0; i < here.num; ++i) some[i] = values[here.member[i]];
        values = some;
      }
      view.features[f] = {values, 0};
    }
    for (std::int32_t done = 0; done < box.num_mixes; done += kMaxPieceMixes) {
      const std::int32_t first = box.first_mix + done;
      const auto num =
          static_cast<std::int32_t>(std::min<std::int64_t>(kMaxPieceMixes, box.num_mixes - done));
      const std::int32_t* const weights = mixes_.weights + std::int64_t{first} * num_features();
      const TopMemories op{view, weights, num, k_, way.lane.lists};
      if (uses_vectors(executor_)) {
        top_memories_wave(op, {0, 1, 0, num}, executor_.instructions);
      } else {
        for (std::int32_t c = 0; c < num; ++c) op(c);
      }
      for (std::int32_t c = 0; c < num; ++c) write(way, here, first + c, way.lane.lists + c * k_);
    }
  }

  void write(const Way& way, const Candidates& here, std::int32_t mix, const Scored* list) const {
    Scored* const to = out_ + (way.query * mixes_.num_mixes + mixes_.places[mix]) * k_;
    for (int place = 0; place < k_; ++place) {
      to[place] = list[place];
      if (list[place].memory == kNoMemory) continue;
      to[place].memory = members(way.query)[here.member[list[place].memory]];
    }
  }

  const Executor& executor_;
  const BlendView& memories_;
  const std::int64_t num_queries_;
  const BandsView& bands_;
  const MixTreeView& mixes_;
  const int k_;
  const std::int64_t num_lanes_;
  std::int64_t most_ = 0;  ///< members of a band
  std::int32_t* columns_ = nullptr;
  float* features_ = nullptr;     ///< the same less the one that is subtracted
  std::int32_t* iota_ = nullptr;  ///< places in a band
  float *least_ = nullptr, *range_ = nullptr;
  std::byte* lanes_ = nullptr;
  std::int64_t lane_bytes_ = 0;
  Scored* out_ = nullptr;
};

}  // namespace

std::int64_t band_tops_workspace_bytes(const Executor& executor, const BlendView& memories,
                                       std::int64_t num_queries, const BandsView& bands,
                                       const MixTreeView& mixes, int k) {
  return BandTops(executor, memories, num_queries, bands, mixes, k).lay_out(nullptr);
}

void band_tops(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
               const BandsView& bands, const MixTreeView& mixes, int k, Scored* out,
               const Workspace& workspace) {
  SL_ASSERT(executor.backend == Backend::kCpu);
  SL_ASSERT(memories.num_features == mixes.num_features);
  BandTops tops(executor, memories, num_queries, bands, mixes, k);
  [[maybe_unused]] const std::int64_t bytes = tops.lay_out(workspace.data);
  SL_ASSERT(bytes <= workspace.num_bytes);
  if (num_queries > 0 && mixes.num_mixes > 0) tops.run(out);
}

}  // namespace sightline::kernels
