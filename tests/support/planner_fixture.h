// The planner over small memories, with a count of what is looked at.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/meta_memory/parse_query.h"
#include "host/meta_memory/place_store.h"
#include "host/meta_memory/planner.h"
#include "index/backend_info.h"
#include "support/small_campus.h"

namespace sightline::tests {

/// Looks as the oracle without errors does, and counts by itself.
class CountingVerifier : public host::Verifier {
 public:
  std::int64_t num_looks = 0;

 private:
  std::vector<host::CheckAnswer> answer(const host::EntryTable& entries,
                                        const std::vector<host::RawCheck>& checks,
                                        int num_threads) override {
    num_looks += static_cast<std::int64_t>(checks.size());
    return oracle_.check(entries, checks, num_threads);
  }
  host::OracleVerifier oracle_{{1, 1, 0}};
};

class AskPlanner : public testing::Test {
 protected:
  void SetUp() override {
    if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  }

  host::PlaceAnswer ask(const KnownPlaces& places, const std::string& question,
                        const std::optional<kernels::Vec3>& here = std::nullopt) {
    return ask(memory_of(places), question, here);
  }
  host::PlaceAnswer ask(host::EntryTable entries, const std::string& question,
                        const std::optional<kernels::Vec3>& here = std::nullopt,
                        const host::SightTest& is_free = {}) {
    host::PlaceStoreOptions options;
    options.is_free = is_free;
    const host::PlaceStore store(std::move(entries), options);
    const host::Planner planner(store.memory(), verifies_ ? &verifier_ : nullptr, options_);
    return planner.answer(host::parse_query(question), question, here);
  }

  host::PlannerOptions options_;
  bool verifies_ = true;
  CountingVerifier verifier_;
};

}  // namespace sightline::tests
