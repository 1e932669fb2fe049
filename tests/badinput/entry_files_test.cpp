// Files of entries that are no such files, damaged, or say what cannot be: one clear error each.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>

#include "host/meta_memory/entry_file.h"
#include "host/meta_memory/entry_jsonl.h"
#include "support/entries.h"
#include "support/errors.h"
#include "support/memory_files.h"

namespace sightline::tests {
namespace {

constexpr std::size_t kHashedBytes = 480;  // of the header, as entry_file.h states

class EntryBytes : public testing::Test {
 protected:
  void SetUp() override {
    host::save_entries(random_entries(3, 3, 1, 5), path_);
    good_ = read_text(path_);
  }

  std::string fault_of(const std::string& bytes) const {
    write_text(path_, bytes);
    return input_error_of([&] { host::read_entries(path_); });
  }

  /// With `bytes` at `at`, and the header's checksum as if its writer had meant it.
  template <typename Number>
  std::string with_header(std::size_t at, Number number) const {
    std::string bytes = good_;
    std::memcpy(&bytes[at], &number, sizeof number);
    const std::uint64_t hash = XXH64(bytes.data(), kHashedBytes, 0);
    std::memcpy(&bytes[kHashedBytes], &hash, sizeof hash);
    return bytes;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "a.slp";
  std::string good_;
};

TEST_F(EntryBytes, AreRefusedWithAnyByteChanged) {
  ASSERT_EQ(fault_of(good_), "no error");
  for (std::size_t byte = 0; byte < good_.size(); ++byte) {
    std::string bytes = good_;
    bytes[byte] = static_cast<char>(bytes[byte] ^ (1 << byte % 8));
    const std::string fault = fault_of(bytes);
    EXPECT_NE(fault, "no error") << "byte " << byte;
    EXPECT_EQ(fault.rfind(path_, 0), 0u) << fault;
  }
}

TEST_F(EntryBytes, AreRefusedCutShortOrAppendedTo) {
  for (std::size_t size = 0; size < good_.size(); ++size) {
    EXPECT_NE(fault_of(good_.substr(0, size)), "no error") << size << " bytes";
  }
  EXPECT_NE(fault_of(good_ + '\0').find("appended to"), std::string::npos);
}

TEST_F(EntryBytes, OfANewerFormatSaySo) {
  for (const std::uint32_t format : {0u, 3u}) {
    const std::string fault = fault_of(with_header<std::uint32_t>(8, format));
    EXPECT_NE(
        fault.find("format version " + std::to_string(format) + "; this program reads 1 to 2"),
        std::string::npos)
        << fault;
  }
  // Its positions take half of what those of format 1 did.
  EXPECT_NE(fault_of(with_header<std::uint32_t>(8, 1)).find("an impossible section 3"),
            std::string::npos);
}

TEST_F(EntryBytes, WithAHeaderThatCannotBeAreRefusedBeforeMemoryIsTaken) {
  EXPECT_EQ(fault_of(with_header<std::uint32_t>(28, 0)), "no error") << "the answer mode, as it is";
  EXPECT_NE(fault_of(with_header<std::int64_t>(16, std::int64_t{1} << 40)), "no error");
  EXPECT_NE(fault_of(with_header<std::int64_t>(16, -1)), "no error");
  EXPECT_NE(fault_of(with_header<std::int64_t>(16, 2)), "no error");
  EXPECT_NE(fault_of(with_header<std::uint32_t>(24, 0xffffffff)), "no error");
  EXPECT_NE(fault_of(with_header<std::uint32_t>(28, 2)), "no error");
  EXPECT_NE(fault_of(with_header<std::uint64_t>(64 + 32 * 7 + 8, std::uint64_t{1} << 60)),
            "no error")
      << "bytes of captions";
  EXPECT_NE(fault_of(with_header<double>(32, std::numeric_limits<double>::infinity())), "no error");
}

TEST_F(EntryBytes, OfSomethingElseOrNothingAreRefused) {
  EXPECT_NE(fault_of("").find("too short"), std::string::npos);
  EXPECT_NE(fault_of(std::string(5000, 'x')).find("not a file of Sightline entries"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] { host::read_entries(folder_ / "none.slp"); }), "no error");
  EXPECT_NE(input_error_of([&] { host::read_entries(folder_ / "."); }), "no error");
}

TEST_F(EntryBytes, OfATableThatCannotBeAreNotWritten) {
  host::EntryTable table = random_entries(3, 3, 1, 5);
  table.deleted.own().pop_back();
  EXPECT_NE(input_error_of([&] { host::save_entries(table, path_); }), "no error");
  EXPECT_EQ(read_text(path_), good_) << "what was there stays";
}

class EntryLinesOf : public testing::Test {
 protected:
  /// The error for a line after a good one.
  std::string fault_of(const std::string& line) const {
    const bool is_of_visible = line.find("\"visible\"") != std::string::npos;
    write_text(path_, R"({"sequence": 0, "time_s": 5, "position": [0, 0, 0], "caption": "mug")" +
                          std::string(is_of_visible ? R"(, "visible": [])" : "") + "}\n" + line +
                          "\n");
    host::EntriesSource source;
    source.path = path_;
    source.hashed_width = 32;
    return input_error_of([&] { host::read_entries_jsonl(source); });
  }

  void expect_fault(const std::string& line, const std::string& part) const {
    const std::string fault = fault_of(line);
    EXPECT_EQ(fault.rfind(path_ + ":2: ", 0), 0u) << fault;
    EXPECT_NE(fault.find(part), std::string::npos) << fault;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "e.jsonl";
};

/// A good line with its last brace replaced.
std::string line_with(const std::string& more) {
  return R"({"sequence": 0, "time_s": 6, "position": [0, 0, 0], "caption": "mug", )" + more + "}";
}

TEST_F(EntryLinesOf, AFileNameTheirLineAndKey) {
  EXPECT_EQ(fault_of(line_with(R"("image": "a.jpg")")), "no error");
  expect_fault("{", "JSON");
  expect_fault("[1]", "map");
  expect_fault(R"({"time_s": 6, "position": [0, 0, 0], "caption": "mug"})", "sequence is missing");
  expect_fault(R"({"sequence": 0, "position": [0, 0, 0], "caption": "mug"})", "time_s is missing");
  expect_fault(R"({"sequence": 0, "time_s": 6, "caption": "mug"})", "position is missing");
  expect_fault(R"({"sequence": 65536, "time_s": 6, "position": [0, 0, 0]})", "sequence");
  expect_fault(R"({"sequence": 0, "time_s": 4, "position": [0, 0, 0], "caption": "mug"})",
               "before the last");
  const std::string first =
      R"({"sequence": 0, "time_s": 5, "position": [0, 0, 0], "caption": "mug")";
  expect_fault(first + "}", "is there already");
  EXPECT_EQ(fault_of(first + R"(, "image": "b.jpg"})"), "no error");  // another camera's
  EXPECT_EQ(fault_of(first + "}\n" + first + "}").find(":2: "), path_.size());
  expect_fault(R"({"sequence": 0, "time_s": 6, "position": [0, -2e7, 0], "caption": "mug"})",
               "position is farther than 10,000 km");
  expect_fault(R"({"sequence": 0, "time_s": 6, "position": [0, 0, 1e60], "caption": "mug"})",
               "position is farther than 10,000 km");
  expect_fault(R"({"sequence": 0, "time_s": 6, "position": [0, 0, 0], "caption": "?"})", "word");
  for (const char* no_caption : {"}", R"(, "caption": ""})"}) {
    expect_fault(R"({"sequence": 0, "time_s": 6, "position": [0, 0, 0])" + std::string(no_caption),
                 "caption is missing or empty");
  }
  expect_fault(line_with(R"("yaw": 3)"), "yaw_deg");
  expect_fault(line_with(R"("visible": 3)"), "visible must be a list");
  expect_fault(line_with(R"("visible": [3])"), "visible[0]");
  expect_fault(line_with(R"("visible": [{"class": "mug", "position": [0, 0, 0]}])"),
               "visible[0].object is missing");
  expect_fault(line_with(R"("visible": [{"object": 1, "position": [0, 0, 0]}])"), "class");
  expect_fault(line_with(R"("visible": [{"object": 1, "class": "xyzzy", "position": [0, 0, 0]}])"),
               "class \"xyzzy\" is not in the lexicon; sightline places lexicon");
  expect_fault(
      line_with(R"("visible": [{"object": 1, "class": "tea cop", "position": [0, 0, 0]}])"),
      "class \"tea cop\" is not in the lexicon; did you mean \"tea cup\"?");
  expect_fault(line_with(R"("visible": [{"object": 1, "class": "mug"}])"), "position is missing");
  expect_fault(line_with(R"("visible": [{"object": 1, "class": "mug", "position": [0, 0, 0], )"
                         R"("attributes": ["plugh"]}])"),
               "attribute \"plugh\" is not in the lexicon; sightline places lexicon");
  expect_fault(line_with(R"("visible": [{"object": 1, "class": "mug", "position": [0, 0, 0], )"
                         R"("attributes": ["purpel"]}])"),
               "attribute \"purpel\" is not in the lexicon; did you mean \"purple\"?");
  expect_fault(line_with(R"("visible": [{"object": 1, "class": "mug", "position": [0, 0, 0], )"
                         R"("attributes": "red"}])"),
               "list of words");
  expect_fault(line_with(R"("visible": [{"object": 1, "class": "mug", "position": [0, 0, 0], )"
                         R"("confidence": 2}])"),
               "confidence");
}

// What no line tells of would pass for an image that shows nothing.
TEST_F(EntryLinesOf, AFileTellOfVisibleThingsAllOrNone) {
  const std::string shows = R"("visible": [{"object": 1, "class": "mug", "position": [0, 0, 0]}])";
  host::EntriesSource source;
  source.path = path_;
  source.hashed_width = 32;
  write_text(path_, line_with(R"("image": "a.jpg")") + "\n" + line_with(shows) + "\n");
  const std::string fault = input_error_of([&] { host::read_entries_jsonl(source); });
  EXPECT_EQ(fault.rfind(path_ + ":1: has no \"visible\", and " + path_ + ":2 has", 0), 0U) << fault;
  host::EntryTable store;
  write_text(path_, line_with(shows) + "\n");
  host::append_entries_jsonl(source, &store);
  write_text(path_, R"({"sequence": 1, "time_s": 7, "position": [0, 0, 0], "caption": "mug"})");
  EXPECT_NE(input_error_of([&] {
              host::append_entries_jsonl(source, &store);
            }).find(":1: has no \"visible\", and the store has"),
            std::string::npos);
  write_text(path_, R"({"sequence": 1, "time_s": 7, "position": [0, 0, 0], "caption": "mug", )"
                    R"("visible": []})");
  host::append_entries_jsonl(source, &store);
  EXPECT_EQ(store.size(), 2);
  host::EntryTable silent;
  write_text(path_, line_with(R"("image": "a.jpg")") + "\n");
  host::append_entries_jsonl(source, &silent);
  write_text(path_, R"({"sequence": 1, "time_s": 7, "position": [0, 0, 0], "caption": "mug", )" +
                        shows + "}\n");
  EXPECT_NE(input_error_of([&] {
              host::append_entries_jsonl(source, &silent);
            }).find(":1: has \"visible\", which entries of the store have not"),
            std::string::npos);
  EXPECT_EQ(silent.size(), 1);
}

// A number is one thing, under whatever name of its kind.
TEST_F(EntryLinesOf, AFileGiveAnObjectOneClass) {
  const auto shows = [](const std::string& other) {
    return line_with(R"("visible": [{"object": 4, "class": "mug", "position": [0, 0, 0]}, )"
                     R"({"object": 4, "class": ")" +
                     other + R"(", "position": [9, 0, 0]}])");
  };
  EXPECT_EQ(fault_of(shows("mug")), "no error");
  expect_fault(shows("chair"), "object 4 is a chair, and a mug before");
}

// That nothing is seen anywhere is known of such a store, and stays known.
TEST_F(EntryLinesOf, AFileThatShowsNothingSaySoInTheStore) {
  host::EntriesSource source;
  source.path = path_;
  source.hashed_width = 32;
  for (const bool tells : {false, true}) {
    write_text(path_, line_with(tells ? R"("visible": [])" : R"("image": "a.jpg")"));
    host::save_entries(host::read_entries_jsonl(source), folder_ / "e.slp");
    EXPECT_EQ(host::read_entries(folder_ / "e.slp").tells_visible, tells);
  }
}

TEST_F(EntryLinesOf, AFileNeedAsManyEmbeddings) {
  write_text(path_, R"({"sequence": 0, "time_s": 5, "position": [0, 0, 0]})");
  write_text(folder_ / "e.npy", float_npy({1, 0, 0, 1}, 2));
  host::EntriesSource source;
  source.path = path_;
  EXPECT_NE(input_error_of([&] { host::read_entries_jsonl(source); }).find("2 embeddings"),
            std::string::npos);
  write_text(path_, "\n");
  EXPECT_NE(input_error_of([&] { host::read_entries_jsonl(source); }).find("holds no entry"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
