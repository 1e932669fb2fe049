// The k best by the matrix units of a GPU (matrix_tiles.h), in three passes. Of a sixteenth of the
// memories, the best of each of many parts: the k-th best of these is a score that the k-th best of
// all memories has at least. Then all memories, for those with such a score, in whatever order:
// some 16 k where scores do not go with indices; where they do, those between two that are sampled
// besides. Then the k best of those. A list that more memories have that score for than there is
// room for, as under a mix that weighs one feature of few levels, is scanned for anew, in parts.
#pragma once

#include <cstdint>

#include "kernels/matrix_tiles.h"

namespace sightline::kernels {

constexpr int kSampledTogether =
    16;                          ///< of so many kMemoriesTogether, the first are looked at first
constexpr int kMatrixParts = 8;  ///< of a chunk: the lanes of a mix

/// The best scores of the parts of a chunk's sample, negative.
struct MatrixBests {
  MatrixScan scan;
  float* out;  ///< [queries, num_chunks, kMatrixParts, num_mixes]

  struct Lane : MatrixLane {
    float least[kMatrixTiles][2];
  };

  template <class Warp>
  SL_HD void run(Warp& warp, std::int64_t i) const {
    typename Warp::template PerLane<Lane> lanes;
    warp.each([&](int lane) {
      Lane& mine = lanes[lane];
      mine.from[0] = mine.from[1] = 0;
      SL_UNROLL
      for (int c = 0; c < kMatrixTiles; ++c) {
        mine.least[c][0] = mine.least[c][1] = PrepareMatrixMemories::kAbsent * 32768;
      }
    });
    scan.run(warp, lanes, i, kSampledTogether, [&](std::int64_t) {
      SL_UNROLL
      for (int c = 0; c < kMatrixTiles; ++c) {
        warp.multiply(lanes, c);
        warp.each([&](int lane) {
          Lane& mine = lanes[lane];
          SL_UNROLL
          for (int k = 0; k < 4; ++k) {
            float& least = mine.least[c][k % 2];
            least = mine.less[k] < least ? mine.less[k] : least;
          }
        });
      }
    });
    warp.each([&](int lane) {
      float* const to = out + (scan.row(i) * kMatrixParts + lane / 4) * scan.num_mixes;
      SL_UNROLL
      for (int c = 0; c < kMatrixTiles; ++c) {
        SL_UNROLL
        for (int k = 0; k < 2; ++k) {
          const std::int64_t mix = scan.first_mix(i) + mix_in_warp(lane, c, k);
          if (mix < scan.num_mixes) to[mix] = lanes[lane].least[c][k];
        }
      }
    });
  }
};

/// Slot i is mix i % num_mixes of query i / num_mixes: the score to pass, one less than that of the
/// k-th best part; and no candidate so far.
struct MarkLists {
  BlendView memories;
  const std::int32_t* weights;
  const float* bests;  ///< [queries, num_parts, num_mixes], negative
  std::int64_t num_parts, num_mixes;
  int k;
  float* marks;                  ///< [queries, num_mixes]
  std::int32_t* num_candidates;  ///< likewise

  SL_HD void operator()(std::int64_t i) const {
    const float* const of = bests + i / num_mixes * num_parts * num_mixes + i % num_mixes;
    float best[kMaxTop];  // negative, the least first
    int num = 0;
    for (std::int64_t part = 0; part < num_parts; ++part) {
      const float next = of[part * num_mixes];
      if (num == k && !(next < best[k - 1])) continue;
      int place = num < k ? num++ : k - 1;
      for (; place > 0 && next < best[place - 1]; --place) best[place] = best[place - 1];
      best[place] = next;
    }
    // Where parts are too few, or hold nothing, all memories pass.
    const auto largest = static_cast<float>(
        largest_score(weights + i % num_mixes * memories.num_features, memories));
    const bool is_known = num == k && best[k - 1] <= largest;
    marks[i] = (is_known ? -best[k - 1] : -largest) - 1;
    num_candidates[i] = 0;
  }
};

struct Candidate {
  float score;
  std::int32_t memory;
};

/// Candidates that a list has room for: four times as many as there are on average, and twice those
/// between two that are sampled; a multiple of 2 k.
constexpr std::int32_t capacity_of_list(int k) {
  const std::int32_t wanted = 4 * kSampledTogether * k + 2 * kSampledTogether * kMemoriesTogether;
  return (wanted + 2 * k - 1) / (2 * k) * (2 * k);
}

/// Finds the memories of a chunk that score more than the marks.
struct MatrixCandidates {
  MatrixScan scan;
  const float* marks;            ///< [queries, num_mixes]
  std::int32_t* num_candidates;  ///< [queries, num_mixes]: of those that there is no room for, too
  std::int32_t room;             ///< of a list
  Candidate* candidates;         ///< [queries, num_mixes, room]

  struct Lane : MatrixLane {
    float mark[kMatrixTiles][2];
    std::int32_t any;  ///< below zero: one of the sums is
  };

  template <class Warp>
  SL_HD void run(Warp& warp, std::int64_t i) const {
    typename Warp::template PerLane<Lane> lanes;
    warp.each([&](int lane) {
      SL_UNROLL
      for (int c = 0; c < kMatrixTiles; ++c) load_marks(i, c, lane, lanes[lane].mark[c]);
    });
    scan.run(warp, lanes, i, 1, [&](std::int64_t m) {
      warp.each([&](int lane) { lanes[lane].any = 0; });
      SL_UNROLL
      for (int c = 0; c < kMatrixTiles; ++c) {
        warp.each([&](int lane) {
          Lane& mine = lanes[lane];
          mine.from[0] = mine.mark[c][0];
          mine.from[1] = mine.mark[c][1];
        });
        warp.multiply(lanes, c);
        warp.each([&](int lane) {
          Lane& mine = lanes[lane];
          SL_UNROLL
          for (int k = 0; k < 4; ++k) mine.any |= sign_word(mine.less[k]);
        });
      }
      if (warp.vote([&](int lane) { return lanes[lane].any < 0; }) != 0) take(warp, lanes, i, m);
    });
  }

 private:
  /// Once more, to say which. Read anew, for an array in registers has no index that varies.
  template <class Warp, class Lanes>
  SL_HD void take(Warp& warp, Lanes& lanes, std::int64_t i, std::int64_t m) const {
    for (int c = 0; c < kMatrixTiles; ++c) {
      warp.each([&](int lane) {
        Lane& mine = lanes[lane];
        scan.load_mixes(i, c, lane, mine.mixes[kMatrixTiles]);
        load_marks(i, c, lane, mine.from);
      });
      warp.multiply(lanes, kMatrixTiles);
      warp.each([&](int lane) {
        const Lane& mine = lanes[lane];
        SL_UNROLL
        for (int k = 0; k < 4; ++k) {
          if (!(mine.less[k] < 0)) continue;
          const std::int64_t list = first_list(i) + mix_in_warp(lane, c, k);
          const std::int32_t place = warp.add_one(num_candidates + list);
          if (place >= room) continue;
          candidates[list * room + place] = {
              mine.from[k % 2] - mine.less[k],
              static_cast<std::int32_t>(m + memory_together(lane, k))};
        }
      });
    }
  }

  SL_HD std::int64_t first_list(std::int64_t i) const {
    return scan.row(i) / scan.chunks.num_chunks * scan.num_mixes + scan.first_mix(i);
  }
  /// Beyond the last mix every score is 0, and none passes.
  SL_HD void load_marks(std::int64_t i, int c, int lane, float* to) const {
    SL_UNROLL
    for (int k = 0; k < 2; ++k) {
      const int mix = mix_in_warp(lane, c, k);
      to[k] = scan.first_mix(i) + mix < scan.num_mixes ? marks[first_list(i) + mix] : 0;
    }
  }
};

/// Lists with more candidates than there is room for, and where their parts lie: in that room.
struct CrowdedLists {
  TopMemories op;
  std::int64_t first_query;  ///< list i is mix i % num_mixes of query first_query + i / num_mixes
  const std::int32_t* num_candidates;
  std::int32_t room;  ///< a multiple of 2 op.k
  Candidate* candidates;

  SL_HD bool is_crowded(std::int64_t list) const { return num_candidates[list] > room; }
  SL_HD std::int64_t num_parts() const { return room / (2 * op.k); }
  SL_HD Scored* part(std::int64_t list, std::int64_t number) const {
    static_assert(sizeof(Scored) == 2 * sizeof(Candidate), "num_parts() of k fit");
    return reinterpret_cast<Scored*>(candidates + list * room) + number * op.k;
  }
};

/// Slot i scans part i % num_parts() of the memories for list i / num_parts(), if it is crowded.
struct ScanCrowded {
  CrowdedLists lists;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t list = i / lists.num_parts(), number = i % lists.num_parts();
    if (!lists.is_crowded(list)) return;
    const TopMemories& op = lists.op;
    const std::int32_t* const mix = op.weights + list % op.num_mixes * op.memories.num_features;
    const QueryMemories of(op.memories, lists.first_query + list / op.num_mixes);
    const std::int64_t num = op.memories.num_memories;
    const std::int64_t begin = num * number / lists.num_parts();
    const std::int64_t end = num * (number + 1) / lists.num_parts();
    op.fill<float>(of, mix, begin, end, lists.part(list, number));
  }
};

/// Slot i puts list i together: the k best of its candidates, or of its parts.
struct SelectCandidates {
  CrowdedLists lists;

  SL_HD void operator()(std::int64_t i) const {
    const int k = lists.op.k;
    Scored* const best = lists.op.out + (lists.first_query * lists.op.num_mixes + i) * k;
    for (int place = 0; place < k; ++place) best[place] = Scored();
    if (lists.is_crowded(i)) {
      const Scored* const parts = lists.part(i, 0);
      for (std::int64_t p = 0; p < lists.num_parts() * k; ++p) {  // equals: as their indices
        if (parts[p].score > best[k - 1].score) {
          insert_scored(best, k, parts[p].score, parts[p].memory);
        }
      }
      return;
    }
    for (std::int32_t c = 0; c < lists.num_candidates[i]; ++c) {
      const Candidate next = lists.candidates[i * lists.room + c];
      const auto score = static_cast<std::int64_t>(next.score);
      if (!is_before(score, next.memory, best[k - 1])) continue;
      int place = k - 1;
      for (; place > 0 && is_before(score, next.memory, best[place - 1]); --place) {
        best[place] = best[place - 1];
      }
      best[place] = {score, next.memory, 0};
    }
  }

 private:
  SL_HD static bool is_before(std::int64_t score, std::int32_t memory, const Scored& other) {
    return score > other.score || (score == other.score && memory < other.memory);
  }
};

/// As SIGHTLINE_FOR_EVERY_OP of ops.h: what ranks and lists by matrix units take besides warps.
#define SIGHTLINE_FOR_EVERY_MATRIX_OP(DO) \
  DO(PrepareMatrixMemories)               \
  DO(PrepareMatrixMixes)                  \
  DO(SumSlabCounts)                       \
  DO(MarkLists)                           \
  DO(ScanCrowded)                         \
  DO(SelectCandidates)
/// The warps.
#define SIGHTLINE_FOR_EVERY_MATRIX_JOB(DO) \
  DO(MatrixRanks)                          \
  DO(MatrixBests)                          \
  DO(MatrixCandidates)

}  // namespace sightline::kernels
