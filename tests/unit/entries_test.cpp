// The table of a robot's entries: what goes in comes out, and what cannot be is refused whole.
#include "host/meta_memory/entries.h"

#include <gtest/gtest.h>

#include <cmath>

#include "host/world/half.h"
#include "support/entries.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::Entry;
using host::EntryTable;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

EntryTable empty_table() {
  EntryTable table;
  table.width = 2;
  return table;
}

Entry some_entry() {
  Entry entry;
  entry.sequence = 3;
  entry.time_s = 10;
  entry.position_m = {0.1, 2, -3};
  entry.caption = "a red mug";
  entry.image_ref = "one.jpg";
  entry.visible = {{7, class_of("mug"), attribute_of("red"), {1, 0.1, 3}, 0.3}};
  return entry;
}

TEST(Entries, GiveBackWhatWasAddedRoundedAsStated) {
  EntryTable table = empty_table();
  append_entry(some_entry(), {0.6f, 0.8f}, &table);
  Entry second = some_entry();
  second.caption.clear();
  second.image_ref = "two.jpg";
  second.visible.clear();
  second.yaw_rad = 0.1;
  append_entry(second, {0, -1}, &table);
  ASSERT_EQ(table.size(), 2);
  EXPECT_EQ(table.sequence[0], 3);
  EXPECT_EQ(table.time_s[0], 10);
  EXPECT_EQ(table.position_m[0].x, 0.1f);
  EXPECT_TRUE(std::isnan(table.yaw_rad[0]));
  EXPECT_EQ(table.yaw_rad[1], 0.1f);
  EXPECT_EQ(table.caption(0), "a red mug");
  EXPECT_EQ(table.caption(1), "");
  EXPECT_EQ(table.image_ref(0), "one.jpg");
  EXPECT_EQ(table.image_ref(1), "two.jpg");
  const auto [first, last] = table.visible_of(0);
  ASSERT_EQ(last - first, 1);
  EXPECT_EQ(first->object_id, 7u);
  EXPECT_EQ(first->position_m.y, 0.1f);
  EXPECT_EQ(first->confidence, host::half_to_float(host::float_to_half(0.3f)));
  EXPECT_EQ(table.visible_of(1).first, table.visible_of(1).second);
  EXPECT_EQ(table.embedding(1), (std::vector<float>{0, -1}));
  EXPECT_TRUE(host::has_unit_length(table.embedding(0).data(), 2)) << "0.6 and 0.8 are no halves";
  EXPECT_EQ(host::check_entries(table), table.last_time_s);
}

TEST(Entries, DeletedOnesAreMarkedAndStay) {
  EntryTable table = random_entries(5, 4, 1, 1);
  EXPECT_TRUE(host::mark_deleted(3, &table));
  EXPECT_FALSE(host::mark_deleted(3, &table)) << "it was before";
  EXPECT_TRUE(table.is_deleted(3));
  EXPECT_FALSE(table.is_deleted(2));
  EXPECT_EQ(table.size(), 5);
  EXPECT_EQ(table.caption(4), "caption 4");
  EXPECT_NE(input_error_of([&] { host::mark_deleted(5, &table); }), "no error");
  EXPECT_NE(input_error_of([&] { host::mark_deleted(-1, &table); }), "no error");
}

/// What append_entry says of an entry after some_entry() was changed; the table must not change.
template <typename Change>
std::string refusal_of(const Change& change, const std::vector<float>& embedding = {1, 0}) {
  EntryTable table = empty_table();
  append_entry(some_entry(), {1, 0}, &table);
  Entry entry = some_entry();
  change(&entry);
  const std::string message = input_error_of([&] { append_entry(entry, embedding, &table); });
  EXPECT_EQ(table.size(), message == "no error" ? 2 : 1);
  EXPECT_NO_THROW(host::check_entries(table));
  return message;
}

TEST(Entries, RefuseWhatCannotBe) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refuses = [](const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  refuses(refusal_of([](Entry* e) { e->time_s = 9.5; }), "before the last of its sequence");
  refuses(refusal_of([](Entry* e) { e->time_s = double{kNan}; }), "no time");
  refuses(refusal_of([](Entry* e) { e->position_m.z = double{kNan}; }), "nowhere");
  refuses(refusal_of([](Entry* e) { e->position_m.z = 1e39; }), "nowhere");
  refuses(refusal_of([&](Entry* e) { e->yaw_rad = infinity; }), "yaw");
  refuses(refusal_of([](Entry* e) { e->visible[0].class_id = host::kNoClass; }), "class");
  refuses(refusal_of([](Entry* e) { e->visible[0].attributes = 1u << 30; }), "attribute");
  refuses(refusal_of([](Entry* e) { e->visible[0].confidence = 1.5; }), "confidence");
  refuses(refusal_of([&](Entry* e) { e->visible[0].position_m.x = infinity; }), "nowhere");
  const auto unchanged = [](Entry*) {};
  refuses(refusal_of(unchanged, {1, 0, 0}), "width");
  refuses(refusal_of(unchanged, {1, 1}), "unit length");
  refuses(refusal_of(unchanged, {kNan, 1}), "unit length");
  EXPECT_EQ(refusal_of(unchanged), "no error") << "at the same time as the last";
  EXPECT_EQ(refusal_of([](Entry* e) { e->sequence = 4, e->time_s = 0; }), "no error");
}

TEST(Entries, FromElsewhereAreChecked) {
  const auto fault = [](const auto& change) {
    EntryTable table = random_entries(4, 4, 1, 2);
    change(&table);
    return input_error_of([&] { host::check_entries(table); });
  };
  EXPECT_EQ(fault([](EntryTable*) {}), "no error");
  EXPECT_NE(fault([](EntryTable* t) { t->sequence.own().pop_back(); }), "no error");
  EXPECT_NE(fault([](EntryTable* t) { t->caption_end.own()[1] = 0; }), "no error");
  EXPECT_NE(fault([](EntryTable* t) { t->captions.own().push_back('x'); }), "no error");
  EXPECT_NE(fault([](EntryTable* t) { t->deleted.own()[2] = 2; }), "no error");
  EXPECT_NE(fault([](EntryTable* t) { t->embeddings.own()[5] = 0x7c00; }), "no error");
  EXPECT_NE(fault([](EntryTable* t) { t->north_offset_rad = double{kNan}; }), "no error");
  const std::string zeros = fault([](EntryTable* t) {
    for (std::size_t i = 8; i < 12; ++i) t->embeddings.own()[i] = i % 2 == 0 ? 0 : 0x8000;
  });
  EXPECT_NE(zeros.find("entry 2"), std::string::npos) << zeros;
}

TEST(Entries, TextsAreEmbeddedByTheBuiltInEmbedderAlone) {
  const EntryTable hashed = captioned_entries({"a red mug"});
  EXPECT_EQ(host::embed_text(hashed, "red mug"), host::hashed_embedding("red mug", hashed.width));
  const EntryTable other = random_entries(1, 4, 1, 1);
  EXPECT_NE(input_error_of([&] { host::embed_text(other, "red mug"); }).find("test"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
