// What the planner says of an answer: found, a guess and why, off the map; its second look at
// captions that name the thing; its limits; and many questions at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/place_report.h"
#include "support/errors.h"
#include "support/planner_fixture.h"

namespace sightline::tests {
namespace {

using host::AnswerStatus;
using host::MapStatus;
using host::PlaceAnswer;
using kernels::Vec3;

class PlannerStatus : public AskPlanner {
 protected:
  void expect_guess(const PlaceAnswer& answer, const std::string& reason) {
    EXPECT_EQ(answer.status, AnswerStatus::kGuess) << answer.reason;
    EXPECT_GE(answer.entry, 0);
    EXPECT_EQ(answer.reason, reason);
  }
};

/// Entries 3 m apart, each with its caption alone: no image of them shows anything.
host::EntryTable with_captions(const std::vector<std::string>& captions) {
  host::EntryTable table;
  table.width = host::kHashedWidth;
  table.embedder = host::kHashedEmbedder;
  for (const std::string& caption : captions) {
    host::Entry entry;
    entry.time_s = 3.0 * static_cast<double>(table.size());
    entry.position_m = {entry.time_s, 0, 0};
    entry.caption = caption;
    host::append_entry(entry, host::hashed_embedding(caption, table.width), &table);
  }
  return table;
}

// ---- guesses ---------------------------------------------------------------------------------

TEST_F(PlannerStatus, OfWhatNoImageShowsTheCaptionThatSaysAllOfItIsTheGuess) {
  const host::EntryTable told =
      with_captions({"a piano", "The robot sees the floor of a long hall and a red piano."});
  const PlaceAnswer answer = ask(told, "where is the red piano");
  expect_guess(answer, "no image shows red piano; this caption is the most like it");
  EXPECT_EQ(answer.entry, 1) << "the other one is more similar, but says less";
  verifies_ = false;
  EXPECT_EQ(ask(told, "where is the red piano").status, AnswerStatus::kFound);
  expect_guess(ask(told, "where is the sofa"),
               "no caption names sofa; this caption is the most like it");
}

TEST_F(PlannerStatus, AThingOfTheKindWithoutTheNameIsAGuess) {
  expect_guess(ask(small_campus(), "where is the vending machine named \"Blue Moon\""),
               "something of the kind was shown, but not surely vending machine named \"Blue "
               "Moon\"");
  verifies_ = false;
  expect_guess(ask(small_campus(), "where is the wooden bench"),  // its caption says blue alone
               "something of the kind was shown, but not surely wooden bench");
}

TEST_F(PlannerStatus, APlaceWithSomeOfTheThingsIsAGuess) {
  expect_guess(ask(small_campus(), "which area has a blue bench, a trash bin and a piano"),
               "2 of 3 things were shown there, not the piano");
  expect_guess(ask(small_campus(), "which area has a piano and a sofa"),
               "no image shows any of them; this caption is the most like the first");
  expect_guess(
      ask(small_campus(), "which area has a soccer field and a basketball court"),
      "1 of 2 things were shown there, not the soccer field");  // each for sure, and 120 m apart
}

TEST_F(PlannerStatus, WhatIsNearestToAThingIsAnotherOne) {
  const PlaceAnswer answer = ask(small_campus(), "where is the nearest trash bin to the trash bin");
  EXPECT_EQ(answer.status, AnswerStatus::kFound) << answer.reason;
  const Vec3 from = answer.map->landmarks.at(0).position_m;
  EXPECT_EQ(from.x + answer.thing_m.value().x, 75 + 104);
}

TEST_F(PlannerStatus, ARelationThatIsLoosenedIsAGuess) {
  const PlaceAnswer route =
      ask(small_campus(), "where is the red cup on the route from the library to (120, 0)");
  expect_guess(route, "nothing stands in that relation; this is the nearest to it");
  EXPECT_EQ(route.map->relax_level, 1);
  const PlaceAnswer east =
      ask(small_campus(), "where is the nearest red cup to the east of the basketball court");
  expect_guess(east, "nothing stands in that relation; this is the nearest to it");
  EXPECT_EQ(east.map->relax_level, 2) << "there is none on that side at all";
}

TEST_F(PlannerStatus, WhatIsNearAGuessIsAGuess) {
  const PlaceAnswer answer = ask(small_campus(), "where is the nearest trash bin to the piano");
  expect_guess(answer,
               "it was shown, and stands in that relation; where piano is was not surely shown");
  EXPECT_EQ(answer.map->relax_level, 0);
}

TEST_F(PlannerStatus, WhatIsVisibleIsAGuessWhereNobodyKnowsWhatStandsInTheWay) {
  const std::string question = "trash bin visible from the library";
  const PlaceAnswer answer = ask(small_campus(), "where is the " + question);
  expect_guess(answer,
               "it was shown, and is near enough; what stands in the way is not known (a world or "
               "the outlines of buildings would tell)");
  EXPECT_EQ(answer.map->relax_level, 1);
  for (const host::Candidate& one : answer.map->candidates) EXPECT_FALSE(one.is_visible);
  EXPECT_EQ(answer.session.calls().size(), 4U) << "asked again, nobody would know more";
  const PlaceAnswer whether = ask(small_campus(), "is there a " + question);
  EXPECT_EQ(whether.verdict, host::Verdict::kUnsure);
  EXPECT_FALSE(whether.told->yes);
  const host::SightTest open = [](const std::vector<Vec3>& from, const std::vector<Vec3>&) {
    return std::vector<std::uint8_t>(from.size(), 1);
  };
  EXPECT_EQ(ask(memory_of(small_campus()), "is there a " + question, {}, open).verdict,
            host::Verdict::kYes);
  const PlaceAnswer far = ask(small_campus(), "where is the trash bin visible from (0, 0)");
  EXPECT_EQ(far.status, AnswerStatus::kNotFound) << "too far off, whatever stands in between";
}

TEST_F(PlannerStatus, WithoutIntegrationTheReasonSaysSo) {
  options_.uses_integration = false;
  const PlaceAnswer answer =
      ask(small_campus(), "where is the nearest vending machine to the west of the library");
  EXPECT_EQ(answer.status, AnswerStatus::kFound);
  EXPECT_EQ(answer.reason,
            "an image shows vending machine; without integration the relation is not looked at");
  EXPECT_FALSE(answer.map);
}

// ---- captions that name the thing ------------------------------------------------------------

TEST_F(PlannerStatus, LooksOnceMoreAtCaptionsThatNameIt) {
  // Pianolas are no pianos, but for the embedder's letters more like one than a long caption is.
  std::vector<std::string> captions(40, "a pianola");
  captions.push_back("The robot sees the ground of a yard between two walls and a piano.");
  verifies_ = options_.uses_spatial_range = false;
  const PlaceAnswer answer = ask(with_captions(captions), "where is the piano");
  EXPECT_EQ(answer.status, AnswerStatus::kFound) << answer.reason;
  EXPECT_EQ(answer.entry, 40);
  const auto& calls = answer.session.calls();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].arguments.find("only_named"), std::string::npos);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\"only_named\":true", calls[1].arguments);
}

TEST_F(PlannerStatus, SaysNoOnlyWhereAllCaptionsThatNameItWereLookedAt) {
  KnownPlaces places;
  places.things.push_back({"gate", 0, -2});
  for (int i = 0; i < 12; ++i) places.things.push_back({"mug", 30.0 * i, 2});  // in six views each
  places.walks = {{0, {{0, 0}, {360, 0}}}};
  for (const char* question :
       {"did you see a red mug", "is there a red mug between the gate and (100, 0)"}) {
    const PlaceAnswer crowded = ask(places, question);
    EXPECT_EQ(crowded.verdict, host::Verdict::kUnsure) << question << ": " << crowded.reason;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "not all captions that name it", crowded.reason);
  }
  places.things.resize(3);
  for (const char* question :
       {"did you see a red mug", "is there a red mug between the gate and (100, 0)"}) {
    const PlaceAnswer few = ask(places, question);
    EXPECT_EQ(few.verdict, host::Verdict::kNo) << question << ": " << few.reason;
    EXPECT_EQ(few.reason.find("not all captions"), std::string::npos);
  }
}

TEST_F(PlannerStatus, OfNamedOnesAllAndNoOthersAreFound) {
  KnownPlaces places = small_campus();
  places.things.push_back({"vending machine named Moon", 110, -2});
  host::EntryTable entries = memory_of(places);
  host::mark_deleted(14, &entries);  // at (42, 0)
  const host::PlaceStore store(std::move(entries), {});
  for (const char* words : {"vending machine", "vending machine named \"Moon\"", "red cup"}) {
    SCOPED_TRACE(words);
    const host::Query query = host::parse_query(std::string("where is the ") + words);
    host::SsrQuery asked;
    asked.asked = std::get<host::BasicQuery>(query.asked).target;
    asked.embedding = host::embed_text(store.entries(), asked.asked.text);
    asked.only_named = true;
    host::SsrOptions options;
    options.k = store.entries().size();
    const auto retrieved = store.semantic().retrieve({asked}, options, nullptr);
    std::vector<std::int64_t> found, named;
    for (const auto& hit : retrieved.front().hits) found.push_back(hit.row);
    std::sort(found.begin(), found.end());
    for (std::int64_t row = 0; row < store.entries().size(); ++row) {
      const std::string caption(store.entries().caption(row));
      const bool names =
          caption.find(words[0] == 'r' ? "red cup" : "vending machine") != std::string::npos;
      const bool has_name =
          asked.asked.name.empty() || caption.find("named Moon") != std::string::npos;
      if (names && has_name && row != 14) named.push_back(row);
    }
    EXPECT_FALSE(named.empty());
    EXPECT_EQ(found, named);
  }
}

// ---- limits ----------------------------------------------------------------------------------

TEST_F(PlannerStatus, EightThingsOfOnePlaceAreFound) {
  KnownPlaces places = small_campus();
  const std::vector<std::string> eight{"piano", "sofa",   "printer",    "clock",
                                       "lamp",  "laptop", "television", "book"};
  std::string list;
  for (std::size_t i = 0; i < eight.size(); ++i) {
    places.things.push_back({eight[i], 12 + 0.5 * static_cast<double>(i), -3});
    places.things.push_back({eight[i], 110.0 - 20 * static_cast<double>(i % 4), -3});  // and apart
    list += (i == 0 ? "" : i + 1 == eight.size() ? " and " : ", ") + ("a " + eight[i]);
  }
  const PlaceAnswer answer = ask(places, "which place has " + list);
  EXPECT_EQ(answer.status, AnswerStatus::kFound) << answer.reason;
  EXPECT_EQ(answer.reason, "8 of 8 things were shown there");
  EXPECT_NEAR(answer.viewpoint_m.x, 14, 9);
}

TEST_F(PlannerStatus, AskedFromTheEndOfTheEarthThereIsStillAnAnswer) {
  const PlaceAnswer answer =
      ask(small_campus(), "where is the nearest mailbox to the west of (10000000, 0)");
  EXPECT_EQ(answer.status, AnswerStatus::kFound) << answer.reason;
  const Vec3 corner{1e7, 1e7, 0};
  const PlaceAnswer route =
      ask(small_campus(), "where is the red mailbox on the route from here to the library", corner);
  EXPECT_EQ(route.status, AnswerStatus::kOffGraph);
}

// ---- the way there ---------------------------------------------------------------------------

host::PlaceReport report(const host::PlaceStore& store, const std::string& question,
                         const std::optional<Vec3>& here) {
  host::OracleVerifier exact({1, 1, 0});
  const host::Planner planner(store.memory(), &exact, {});
  const host::Query query = host::parse_query(question);
  return host::report_of(query, question, planner.answer(query, question, here), store.map(), here);
}

TEST_F(PlannerStatus, FarFromTheMapTheStatusSaysSoOfEveryQuestion) {
  const host::PlaceStore store(memory_of(small_campus()), {});
  for (const char* question :
       {"where is the blue bench", "which area has a blue bench and a trash bin",
        "where is the nearest vending machine to the west of the library",
        "where is the red mailbox on the route from here to the library",
        "where is the nearest vending machine on foot"}) {
    SCOPED_TRACE(question);
    const host::PlaceReport far = report(store, question, Vec3{30, 500, 0});
    EXPECT_EQ(far.answer.status, AnswerStatus::kOffGraph);
    EXPECT_EQ(far.way->status, MapStatus::kOffGraph);
    EXPECT_EQ(far.way->points.size(), 2u);
    EXPECT_EQ(place_report_json(far, store.entries()).at("status"), "off_graph");
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "  status    off_graph\n",
                        place_report_text(far, store.entries()));
    EXPECT_EQ(host::picture_of(far, store.entries()).status, MapStatus::kOffGraph);
    const host::PlaceReport near = report(store, question, Vec3{30, 5, 0});
    EXPECT_NE(near.answer.status, AnswerStatus::kOffGraph);
    EXPECT_EQ(near.way->status, MapStatus::kFound);
  }
  // A guess stays one: where the way leads does not matter to who asked for something else.
  const host::PlaceReport guess = report(store, "where is the piano", Vec3{30, 500, 0});
  EXPECT_EQ(guess.answer.status, AnswerStatus::kGuess);
  EXPECT_EQ(guess.way->status, MapStatus::kOffGraph);
  const host::PlaceReport missing =
      report(store, "where is the nearest piano to the north of here", Vec3{30, 500, 0});
  EXPECT_EQ(missing.answer.status, AnswerStatus::kNotFound) << missing.answer.reason;
  const host::PlaceReport none =
      report(store, "where is the trash bin visible from here", Vec3{30, 500, 0});
  EXPECT_EQ(none.answer.status, AnswerStatus::kNotFound) << "there is nowhere to go to";
}

TEST_F(PlannerStatus, WithoutAWayTheStatusSaysSo) {
  KnownPlaces apart = small_campus();
  apart.walks = {{0, {{0, 0}, {45, 0}}}, {600, {{54, 0}, {120, 0}}}};  // 12 m between them
  const host::PlaceStore store(memory_of(apart), {});
  const host::PlaceReport cut = report(store, "where is the blue bench", Vec3{3, 0, 0});
  EXPECT_EQ(cut.answer.status, AnswerStatus::kDisconnected);
  EXPECT_EQ(report(store, "where is the blue bench", Vec3{60, 0, 0}).answer.status,
            AnswerStatus::kFound);
}

TEST_F(PlannerStatus, WhatNoWayOnFootLeadsToIsDisconnected) {
  KnownPlaces apart = small_campus();
  apart.walks = {{0, {{0, 0}, {18, 0}}}, {600, {{90, 0}, {120, 0}}}};
  // Two bins, both on the other side of the gap: the nearest in a straight line is told, and so.
  apart.things.push_back({"trash bin", 114, -2});
  const std::string question = "where is the nearest trash bin to here on foot";
  const PlaceAnswer answer = ask(apart, question, Vec3{3, 0, 0});
  EXPECT_EQ(answer.status, AnswerStatus::kDisconnected) << answer.reason;
  EXPECT_EQ(answer.map->status, MapStatus::kDisconnected);
  ASSERT_TRUE(answer.thing_m);
  EXPECT_NEAR(answer.thing_m->x, 104, 1e-4);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "no way on foot leads to any", answer.reason);
  EXPECT_EQ(ask(apart, question, Vec3{96, 0, 0}).status, AnswerStatus::kFound);
  EXPECT_EQ(ask(apart, question, Vec3{3, 500, 0}).status, AnswerStatus::kOffGraph);
  EXPECT_EQ(ask(apart, "where is the nearest piano to here on foot", Vec3{3, 0, 0}).status,
            AnswerStatus::kNotFound);
}

// ---- many at once ----------------------------------------------------------------------------

TEST_F(PlannerStatus, ManyAreAnsweredAsEachIsOnAnyNumberOfThreads) {
  const host::PlaceStore store(memory_of(small_campus()), {});
  host::OracleVerifier noisy({7, 0.8, 0.05});
  const host::Planner planner(store.memory(), &noisy, {});
  std::vector<host::AskedQuestion> asked;
  for (int i = 0; i < 60; ++i) {
    for (const char* text :
         {"where is the red cup", "which area has a blue bench and a trash bin",
          "where is the nearest mailbox", "where is the nearest trash bin to the library"}) {
      // Of the third kind every other one does not say where "here" is, and cannot be asked.
      const bool says_where = i % 2 == 0;
      asked.push_back({host::parse_query(text), text,
                       says_where ? std::optional(Vec3{2.0 * i, 0, 0}) : std::nullopt});
    }
  }
  const auto told = [&](const host::TriedAnswer& one) {
    if (one.fault) return std::string("fault");
    return std::to_string(one.answer.entry) + " " + one.answer.reason + one.answer.session.json();
  };
  std::vector<std::string> alone;
  for (const host::AskedQuestion& one : asked) {
    host::TriedAnswer tried;
    try {
      tried.answer = planner.answer(one.query, one.text, one.here);
    } catch (const host::InputError&) {
      tried.fault = std::current_exception();
    }
    alone.push_back(told(tried));
  }
  EXPECT_EQ(std::count(alone.begin(), alone.end(), "fault"), 30);
  for (const int num_threads : {0, 1, 2, 5}) {
    SCOPED_TRACE(num_threads);
    const auto tried = planner.try_answer_all(asked, num_threads);
    ASSERT_EQ(tried.size(), asked.size());
    for (std::size_t i = 0; i < tried.size(); ++i) EXPECT_EQ(told(tried[i]), alone[i]) << i;
  }
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "here",
                      input_error_of([&] { planner.answer_all(asked, 3); }));
  EXPECT_TRUE(planner.try_answer_all({}, 4).empty());
}

}  // namespace
}  // namespace sightline::tests
