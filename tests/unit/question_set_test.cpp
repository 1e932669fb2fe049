// The questions of the experiment as queries and in words, and the memories of its walks.
#include "host/meta_memory/question_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/campus_entries.h"
#include "host/meta_memory/question_words.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::PlaceQuery;
using host::PlaceQuestionType;
using host::QuestionWorld;

host::GridCampusSettings campus_settings() {
  host::GridCampusSettings settings;
  settings.planting = host::lexicon_planting();
  return settings;
}

const std::vector<QuestionWorld>& worlds() {
  static const auto made = host::grid_question_set(campus_settings(), {}, 1);
  return made;
}

/// All that a world is, in one text.
std::string bytes_of(const QuestionWorld& world) {
  std::string all;
  const auto add = [&all](const auto& value) {
    all.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const auto& object : world.campus->objects) {
    add(object.position_m);
    add(object.class_id);
    add(object.attributes);
  }
  for (const auto& pose : world.walk.poses) add(pose);
  for (const auto& sighting : world.walk.sightings) add(sighting);
  for (const PlaceQuery& one : world.questions) {
    all += one.text;
    add(one.truth.object_m);
    add(one.truth.viewpoint_m);
    for (const auto& place : one.truth.way_m) add(place);
    add(one.seed);
  }
  return all;
}

TEST(QuestionSet, ThingsAreOfFortyClassesOfWhichNoneIsAnother) {
  const host::PlantingSettings planting = host::lexicon_planting();
  EXPECT_EQ(planting.things.size(), 40U);
  EXPECT_EQ(planting.colours.size(), 8U);
  EXPECT_EQ(planting.landmarks.size(), 10U);
  std::vector<host::ClassId> classes;
  for (const auto& thing : planting.things) classes.push_back(thing.class_id);
  for (const auto& landmark : planting.landmarks) {
    classes.push_back(landmark.class_id);
    EXPECT_TRUE(host::classes_named_in(landmark.name).empty());
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (std::size_t j = 0; j < classes.size(); ++j) {
      EXPECT_EQ(host::is_one_of(classes[i], classes[j]), i == j);
    }
  }
}

TEST(QuestionSet, SixSequencesOfFortyFiveQuestions) {
  ASSERT_EQ(worlds().size(), 6U);
  std::set<std::string> layouts;
  for (const QuestionWorld& world : worlds()) {
    EXPECT_TRUE(world.is_full);
    EXPECT_EQ(world.walk.poses.size(), 227U);
    std::map<PlaceQuestionType, int> counts;
    for (const PlaceQuery& one : world.questions) ++counts[one.type];
    EXPECT_EQ(counts[PlaceQuestionType::kBasic], 15);
    EXPECT_EQ(counts[PlaceQuestionType::kLocal], 15);
    EXPECT_EQ(counts[PlaceQuestionType::kGlobal], 15);
    layouts.insert(bytes_of(world));
  }
  EXPECT_EQ(layouts.size(), 6U);
}

TEST(QuestionSet, TheSameBitsOnAnyNumberOfThreads) {
  const auto again = host::grid_question_set(campus_settings(), {}, 1, 1);
  const auto on_three = host::grid_question_set(campus_settings(), {}, 1, 3);
  for (std::size_t i = 0; i < worlds().size(); ++i) {
    EXPECT_EQ(bytes_of(again[i]), bytes_of(worlds()[i]));
    EXPECT_EQ(bytes_of(on_three[i]), bytes_of(worlds()[i]));
  }
  const auto other = host::grid_question_set(campus_settings(), {}, 2);
  EXPECT_NE(bytes_of(other[0]), bytes_of(worlds()[0]));
}

TEST(QuestionSet, QueriesAskWhatTheQuestionsAsk) {
  for (const QuestionWorld& world : worlds()) {
    for (const PlaceQuery& one : world.questions) {
      const auto& thing = one.question.things[0];
      EXPECT_EQ(one.text.back(), '?');
      if (const auto* basic = std::get_if<host::BasicQuery>(&one.query.asked)) {
        EXPECT_EQ(one.type, PlaceQuestionType::kBasic);
        EXPECT_EQ(basic->target.noun, thing.class_id);
        EXPECT_EQ(basic->target.attributes, thing.attributes);
        EXPECT_NE(one.text.find(basic->target.text), std::string::npos);
      } else if (const auto* local = std::get_if<host::LocalQuery>(&one.query.asked)) {
        EXPECT_EQ(one.type, PlaceQuestionType::kLocal);
        ASSERT_EQ(local->things.size(), 3U);
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_EQ(local->things[i].noun, one.question.things[i].class_id);
          EXPECT_NE(one.text.find(local->things[i].text), std::string::npos);
        }
      } else {
        const auto& global = std::get<host::GlobalQuery>(one.query.asked);
        EXPECT_EQ(one.type, PlaceQuestionType::kGlobal);
        EXPECT_EQ(global.target.noun, thing.class_id);
        ASSERT_EQ(global.references.size(), one.question.references.size());
        for (std::size_t i = 0; i < global.references.size(); ++i) {
          const auto& object = world.campus->objects[one.question.references[i]];
          EXPECT_EQ(global.references[i].thing.noun, object.class_id);
          EXPECT_EQ(global.references[i].thing.name, "") << "the only one of its class";
        }
      }
    }
  }
}

TEST(QuestionSet, WordingsOfEachRelation) {
  host::GlobalQuery global;
  const auto phrase = [](const char* noun) {
    host::NounPhrase thing;
    thing.noun = host::find_class(noun).value();
    thing.text = noun;
    return thing;
  };
  const auto to = [&](const char* noun) {
    host::Reference reference;
    reference.kind = host::Reference::Kind::kThing;
    reference.thing = phrase(noun);
    return reference;
  };
  using Relation = host::GlobalQuery::Relation;
  global.target = phrase("bench");
  global.references = {to("library"), to("gym")};
  const auto words = [&](Relation relation, std::uint64_t form) {
    global.relation = relation;
    return host::question_text({global, false}, form);
  };
  EXPECT_EQ(words(Relation::kRoute, 0),
            "where is the bench on the route from the library to the gym?");
  EXPECT_EQ(words(Relation::kRoute, 1),
            "on the route from the library to the gym, where is the bench?");
  global.k = 0;
  EXPECT_EQ(words(Relation::kKth, 0),
            "where is the last bench on the route from the library to the gym?");
  EXPECT_EQ(words(Relation::kBetween, 0), "where is the bench between the library and the gym?");
  global.direction = host::Cardinal::kSouthwest;
  EXPECT_EQ(words(Relation::kDirection, 0),
            "where is the nearest bench to the southwest of the library?");
  EXPECT_EQ(words(Relation::kDirection, 1),
            "where is the bench closest to the southwest side of the library?");
  EXPECT_EQ(words(Relation::kVisible, 0), "where is the bench visible from the library?");
  global.on_foot = true;
  EXPECT_EQ(words(Relation::kNear, 0), "where is the nearest bench to the library on foot?");
  EXPECT_EQ(host::question_text({host::BasicQuery{phrase("bench")}, false}, 1),
            "where is the bench?");
  EXPECT_EQ(host::question_text({host::BasicQuery{phrase("bench")}, true}, 0),
            "take me to the bench?");
  const host::LocalQuery local{{phrase("bench"), phrase("mug"), phrase("hat")}};
  EXPECT_EQ(host::question_text({local, false}, 0),
            "which place contains the bench, the mug and the hat?");
  EXPECT_EQ(host::question_text({local, true}, 1),
            "where can i find the bench near the mug and the hat? can you take me there?");
}

TEST(QuestionSet, OneCampusForAllSequences) {
  const auto campus = worlds()[0].campus;
  host::QuestionSetSettings settings;
  settings.num_sequences = 2;
  const auto made = host::campus_question_set(campus, settings, 5, 2);
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0].campus, campus);
  EXPECT_EQ(made[0].campus_key, made[1].campus_key);
  EXPECT_TRUE(made[0].is_full && made[1].is_full);
  EXPECT_NE(bytes_of(made[0]), bytes_of(made[1]));
  settings.questions.counts[0] = 100000;
  const std::string error =
      input_error_of([&] { host::campus_question_set(campus, settings, 5, 2); });
  EXPECT_NE(error.find("sequence 0"), std::string::npos) << error;
}

TEST(CampusEntries, PerfectCaptionsNameAllThatIsSeen) {
  const QuestionWorld& world = worlds()[0];
  const auto entries = host::campus_entries(*world.campus, world.walk, 3, world.campus_key,
                                            host::caption_noise_preset("perfect"));
  ASSERT_EQ(entries.size(), world.walk.poses.size());
  std::size_t seen = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const host::Entry& entry = entries[i];
    EXPECT_EQ(entry.sequence, 3);
    EXPECT_EQ(entry.time_s, world.walk.poses[i].time_s);
    EXPECT_EQ(entry.yaw_rad, world.walk.poses[i].yaw_rad);
    std::set<host::ClassId> classes;
    for (const host::VisibleObject& object : entry.visible) {
      EXPECT_EQ(world.walk.sightings[seen].object, object.object_id);
      EXPECT_EQ(world.walk.sightings[seen++].pose, std::int32_t(i));
      classes.insert(object.class_id);
    }
    const auto named = host::classes_named_in(entry.caption);
    EXPECT_EQ(std::set<host::ClassId>(named.begin(), named.end()), classes) << entry.caption;
  }
  EXPECT_EQ(seen, world.walk.sightings.size());
}

TEST(CampusEntries, NeverMentionedInAnySequenceOfACampus) {
  const QuestionWorld& world = worlds()[0];
  host::CaptionNoise noise = host::caption_noise_preset("perfect");
  noise.never_small = noise.never_large = 0.5;
  noise.attribute_dropped = 1;
  const auto first = host::campus_entries(*world.campus, world.walk, 0, 7, noise);
  const auto second = host::campus_entries(*world.campus, world.walk, 1, 7, noise);
  const auto elsewhere = host::campus_entries(*world.campus, world.walk, 0, 8, noise);
  int different = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(host::classes_named_in(first[i].caption), host::classes_named_in(second[i].caption));
    different += first[i].caption != elsewhere[i].caption;
  }
  EXPECT_GT(different, 50);
  noise.mention = 0.5;  // of a view, and those of another sequence are others
  const auto some = host::campus_entries(*world.campus, world.walk, 0, 7, noise);
  const auto others = host::campus_entries(*world.campus, world.walk, 1, 7, noise);
  different = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    different +=
        host::classes_named_in(some[i].caption) != host::classes_named_in(others[i].caption);
  }
  EXPECT_GT(different, 50);
}

TEST(CampusEntries, FillATable) {
  const QuestionWorld& world = worlds()[0];
  const auto entries =
      host::campus_entries(*world.campus, world.walk, 0, world.campus_key, host::CaptionNoise{});
  host::EntryTable table;
  table.width = 256;
  table.embedder = "another";
  EXPECT_NE(input_error_of([&] { host::append_campus_entries(entries, &table); }).find("another"),
            std::string::npos);
  table.embedder = host::kHashedEmbedder;
  host::append_campus_entries(entries, &table);
  ASSERT_EQ(table.size(), 227);
  EXPECT_EQ(table.caption(100), entries[100].caption);
  EXPECT_EQ(table.image_ref(100), "campus/0/100");
  const auto [begin, end] = table.visible_of(100);
  EXPECT_EQ(std::size_t(end - begin), entries[100].visible.size());
}

}  // namespace
}  // namespace sightline::tests
