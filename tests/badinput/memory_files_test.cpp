// Malformed memory files: each is refused with its name, the row or line, and what to do.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>
#include <limits>

#include "host/memory/memory_table.h"
#include "support/errors.h"
#include "support/memory_files.h"

namespace sightline {
namespace {

using host::MemorySource;
using tests::input_error_of;
using tests::write_text;

class MemoryFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }

  MemorySource jsonl(const std::string& text) const {
    write_text(path("m.jsonl"), text);
    MemorySource source;
    source.path = path("m.jsonl");
    source.hashed_width = 8;
    return source;
  }
  /// Expects that a file of these lines is refused: "m.jsonl" + `message`.
  void expect_bad_lines(const std::string& text, const std::string& message) const {
    const MemorySource source = jsonl(text);
    EXPECT_EQ(input_error_of([&] { host::load_memories(source); }), path("m.jsonl") + message);
  }
  void expect_bad_line(const std::string& line, const std::string& message) const {
    expect_bad_lines(R"({"id": 1, "anchor": [0, 0, 0], "text": "ok"})"
                     "\n" +
                         line,
                     ":2: " + message);
  }
  void expect_refused(const std::string& name, const std::string& bytes,
                      const std::string& message) const {
    write_text(path(name), bytes);
    const std::string said = input_error_of([&] { host::load_memories(path(name)); });
    EXPECT_NE(said.find(message), std::string::npos) << "wanted: " << message << "\nsaid: " << said;
    EXPECT_EQ(said.rfind(path(name), 0), 0u) << said;
  }

  tests::TemporaryFolder folder_;
};

TEST_F(MemoryFiles, MustExistAndHaveAKnownExtension) {
  EXPECT_EQ(input_error_of([&] { host::load_memories(path("no.slm")); }),
            path("no.slm") + ": no such file; check the path");
  EXPECT_EQ(input_error_of([&] { host::load_memories(path("m.csv")); }),
            path("m.csv") + ": memories are read from .slm, .jsonl and .fvecs files");
}

// ---- .jsonl ------------------------------------------------------------------------------------

TEST_F(MemoryFiles, JsonlLinesMustBeObjectsOfKnownKeys) {
  expect_bad_line("[1]", "the line must be a map {...}");
  expect_bad_line(R"({"id": 2, "anchr": [0, 0, 0]})",
                  "unknown key \"anchr\"; did you mean \"anchor\"?");
  expect_bad_line(R"({"id": 2, "id": 3, "anchor": [0, 0, 0]})", "key \"id\" is there twice");
  expect_bad_line(R"({"id": 2, "anchor": [0, 0, 0], "observer": {"yaw": 3}})",
                  "unknown key \"yaw\"; known are position, yaw_deg, "
                  "pitch_deg");
  expect_bad_line(R"({"id": 2, "anchor": [0, 0, 0], "class": "a", "activity": "b"})",
                  "has an activity and a class; give one of them");
  for (const char* line : {"{", "nonsense", "{\"id\": 1e999}", "{\"text\": \"\xff\"}", "{} {}",
                           "{\"importance\": NaN}"}) {
    const MemorySource source = jsonl(line);
    EXPECT_EQ(input_error_of([&] {
                host::load_memories(source);
              }).rfind(path("m.jsonl") + ":1: cannot be read as JSON: ", 0),
              0u)
        << line;
  }
}

TEST_F(MemoryFiles, JsonlNeedsIdAndAnchor) {
  expect_bad_line(R"({"anchor": [0, 0, 0]})",
                  "id is missing; add a whole number of its own to each line");
  expect_bad_line(R"({"id": 2})", "anchor is missing; add \"anchor\": [x, y, z], in metres");
  expect_bad_line(R"({"id": 2, "anchor": [0, 0, 0], "observer": {}})",
                  "observer.position is missing; add \"position\": [x, y, z]");
}

TEST_F(MemoryFiles, JsonlValuesMustBeOfTheirKind) {
  const std::string bound = "; must be a whole number from 0 to 9223372036854775807";
  for (const char* id : {"-1", "1.5", "true", "\"1\"", "9223372036854775808"}) {
    const MemorySource source = jsonl(R"({"anchor": [0, 0, 0], "id": )" + std::string(id) + "}");
    const std::string said = input_error_of([&] { host::load_memories(source); });
    EXPECT_NE(said.find(bound), std::string::npos) << said;
  }
  for (const char* anchor : {"3", "[1, 2]", "[1, 2, null]", "{\"x\": 1}"}) {
    expect_bad_line(R"({"id": 2, "anchor": )" + std::string(anchor) + "}",
                    "anchor must be three numbers [x, y, z], in metres");
  }
  const std::string start = R"({"id": 2, "anchor": [0, 0, 0], "text": "ok", )";
  expect_bad_line(start + R"("region": 3})", "region must be text in quotes");
  expect_bad_line(start + R"("size": [1, 2]})", "size must be three numbers [x, y, z], in metres");
  expect_bad_line(start + R"("size": [1, -2, 3]})",
                  "memory 2: size [1, -2, 3] is none; give metres along x, y and z, 0 or more");
  expect_bad_line(start + R"("importance": "high"})", "importance must be a number");
  expect_bad_line(start + R"("time_s": "yesterday"})",
                  "time_s must be a number of seconds, or a date and time like "
                  "\"2026-05-01T12:30:00Z\"");
  expect_bad_line(start + R"("world_version": 2147483648})",
                  "world_version is 2147483648; must be a whole number from 0 to 2147483647");
}

TEST_F(MemoryFiles, JsonlNamesTheLineOfWhatIsOutOfBounds) {
  expect_bad_lines(
      "\n\n"
      R"({"id": 4, "anchor": [0, 0, 0], "text": "ok", "importance": 1.5})",
      ":3: memory 4: importance is 1.5; must be from 0 to 1");
  expect_bad_line(R"({"id": 1, "anchor": [1, 0, 0], "text": "ok"})",
                  "memory 1 is there twice, first as " + path("m.jsonl") +
                      ":1: memory 1; give each memory an id of its own");
  expect_bad_line(R"({"id": 2, "anchor": [0, 0, 0], "text": "?"})",
                  "memory 2: the text holds no word to embed; write one");
  for (const char* line :
       {R"({"id": 2, "anchor": [0, 0, 0]})", R"({"id": 2, "anchor": [0, 0, 0], "text": ""})"}) {
    expect_bad_line(
        line, "memory 2: text is missing or empty; write \"text\": \"...\", or give embeddings");
  }
  expect_bad_lines("\n \n", ": holds no memory; write one JSON object a line");
}

TEST_F(MemoryFiles, JsonlLinesHaveABound) {
  expect_bad_lines(std::string((std::size_t{1} << 24) + (1 << 21), 'x'),
                   ":1: is longer than 16777216 bytes; write one object a line");
}

TEST_F(MemoryFiles, EmbeddingsMustBelongToTheMemories) {
  const std::string two = R"({"id": 5, "anchor": [0, 0, 0]})"
                          "\n"
                          R"({"id": 4, "anchor": [0, 0, 0]})";
  const auto said = [&](const std::string& npy) {
    MemorySource source = jsonl(two);
    source.hashed_width.reset();
    if (!npy.empty()) write_text(path("m.npy"), npy);
    return input_error_of([&] { host::load_memories(source); });
  };
  EXPECT_EQ(said(""), path("m.jsonl") + ": has no embeddings: " + path("m.npy") +
                          " does not exist; name their .npy, or have the texts embedded by "
                          "hashing (hashed: 384 in a sweep file, --hashed 384)");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(said(tests::float_npy({1, 0, 0}, 1)), path("m.npy") +
                                                      ": holds 3 embeddings for the 2 objects of " +
                                                      path("m.jsonl") + "; embed the texts again");
  EXPECT_EQ(said(tests::float_npy({1, 0, 0, 0}, 2)),
            path("m.npy") + ": row 1 (" + path("m.jsonl") +
                ":2: memory 4) is a zero vector, which has no direction; embed its text again or "
                "leave it out");
  EXPECT_NE(said(tests::float_npy({nan, 0, 0, 1}, 2)).find("row 0 ("), std::string::npos);
  EXPECT_NE(said(tests::float_npy({nan, 0, 0, 1}, 2)).find("holds a NaN or an infinity"),
            std::string::npos);
  EXPECT_NE(
      said(tests::npy_file(1, tests::npy_header("<i8", false, "(2, 1)"), std::string(16, '\1')))
          .find("a table must be float16, float32 or float64 of shape (N, D)"),
      std::string::npos);
  EXPECT_NE(said(tests::float_npy(std::vector<float>(2 * 65537, 1), 65537))
                .find("65537 dimensions; at most 65536 are read"),
            std::string::npos);
  std::string cut = tests::float_npy({1, 1}, 1);
  cut.pop_back();
  EXPECT_NE(said(cut).find("cut short"), std::string::npos);
}

TEST_F(MemoryFiles, SourcesTakeOnlyWhatTheirFormatUses) {
  MemorySource both = jsonl(R"({"id": 5, "anchor": [0, 0, 0], "text": "ok"})");
  both.embeddings = path("e.npy");
  EXPECT_EQ(input_error_of([&] { host::load_memories(both); }),
            path("m.jsonl") + ": embeddings are given, and the texts are to be hashed; choose one");
  MemorySource anchors = jsonl("");
  anchors.anchors = path("a.npy");
  EXPECT_EQ(input_error_of([&] { host::load_memories(anchors); }),
            path("m.jsonl") + ": anchors are given, which only .fvecs takes");
  host::save_memories(tests::some_memories(1), path("m.slm"));
  MemorySource slm;
  slm.path = path("m.slm");
  slm.embeddings = path("e.npy");
  EXPECT_EQ(input_error_of([&] { host::load_memories(slm); }),
            path("m.slm") + ": embeddings are given, which only .jsonl takes");
}

TEST_F(MemoryFiles, WhatAFileSaysIsNotContradicted) {
  host::MemoryTable memories = tests::some_memories(1);
  memories.embedder = "hashed";
  memories.frame = host::Frame::kSceneYUp;
  host::save_memories(memories, path("m.slm"));
  MemorySource source;
  source.path = path("m.slm");
  source.embedder = "another";
  EXPECT_EQ(
      input_error_of([&] { host::load_memories(source); }),
      path("m.slm") + ": its embeddings were made by hashed, not by another; leave embedder out");
  source.embedder = "";
  source.frame = host::Frame::kMapZUp;
  EXPECT_NE(input_error_of([&] { host::load_memories(source); }).find("leave frame out"),
            std::string::npos);
}

// ---- .fvecs ------------------------------------------------------------------------------------

TEST_F(MemoryFiles, FvecsMustHoldWholeVectorsOfOneWidth) {
  write_text(path("v.npy"), tests::double_npy({0, 0, 0, 1, 1, 1}, 3));
  expect_refused("v.fvecs", "", ": is empty");
  expect_refused("v.fvecs", "abc", ": ends after 3 bytes");
  expect_refused("v.fvecs", tests::fvecs_bytes({{}}), ": row 0 announces 0 dimensions");
  expect_refused("v.fvecs", tests::fvecs_bytes({{1, 0}, {1, 0, 0}}), ": row 2 is cut short");
  expect_refused("v.fvecs", tests::fvecs_bytes({{1, 0, 0}, {1}, {2}, {3}}).substr(0, 32),
                 ": row 1 announces 1 dimensions, row 0 3; all rows must have as many");
  expect_refused(
      "v.fvecs", tests::fvecs_bytes({{1, 0}, {0, 0}}),
      ": row 1 is a zero vector, which has no direction; embed it again or leave it out");
  const float infinity = std::numeric_limits<float>::infinity();
  expect_refused("v.fvecs", tests::fvecs_bytes({{1, infinity}}),
                 ": row 0 holds a NaN or an infinity");
}

TEST_F(MemoryFiles, FvecsNeedAnAnchorEach) {
  write_text(path("v.fvecs"), tests::fvecs_bytes({{1, 0}, {0, 1}}));
  const auto said = [&] { return input_error_of([&] { host::load_memories(path("v.fvecs")); }); };
  EXPECT_EQ(said(), path("v.npy") + ": no such file; check the path");
  write_text(path("v.npy"), tests::double_npy({0, 0, 0}, 3));
  EXPECT_EQ(said(), path("v.npy") + ": holds 1 anchors for the 2 vectors of " + path("v.fvecs") +
                        "; give one each");
}

// ---- .slm --------------------------------------------------------------------------------------

constexpr std::size_t kHeaderHashAt = 768, kSectionsAt = 64, kSectionBytes = 32;

std::string saved(host::EmbeddingPrecision precision = host::EmbeddingPrecision::kFloat32) {
  const tests::TemporaryFolder folder;
  host::save_memories(tests::some_memories(3), folder / "m.slm", precision);
  return tests::read_text(folder / "m.slm");
}

template <typename Number>
void put(std::string* bytes, std::size_t place, Number number) {
  std::memcpy(&(*bytes)[place], &number, sizeof number);
}

/// Makes the checksums right again, of a section's bytes and of the header.
void seal(std::string* bytes, std::size_t section) {
  const std::size_t place = kSectionsAt + section * kSectionBytes;
  std::uint64_t first[2];
  std::memcpy(first, &(*bytes)[place], sizeof first);
  put(bytes, place + 16, static_cast<std::uint64_t>(XXH64(&(*bytes)[first[0]], first[1], 0)));
}
void seal_header(std::string* bytes) {
  put(bytes, kHeaderHashAt, static_cast<std::uint64_t>(XXH64(bytes->data(), kHeaderHashAt, 0)));
}
std::size_t first_byte_of(const std::string& bytes, std::size_t section) {
  std::uint64_t first;
  std::memcpy(&first, &bytes[kSectionsAt + section * kSectionBytes], sizeof first);
  return first;
}

TEST_F(MemoryFiles, SlmShowsAChangeOfAnyByte) {
  for (const auto precision :
       {host::EmbeddingPrecision::kFloat32, host::EmbeddingPrecision::kFloat16}) {
    const std::string good = saved(precision);
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x10);
      write_text(path("m.slm"), bad);
      ASSERT_EQ(input_error_of([&] { host::load_memories(path("m.slm")); }).rfind(path("m.slm"), 0),
                0u)
          << "byte " << at;
    }
  }
}

TEST_F(MemoryFiles, SlmShowsThatItIsCutOrAppendedTo) {
  const std::string good = saved();
  for (std::size_t size = 0; size < good.size(); size += 7) {
    write_text(path("m.slm"), good.substr(0, size));
    ASSERT_EQ(input_error_of([&] { host::load_memories(path("m.slm")); }).rfind(path("m.slm"), 0),
              0u)
        << size;
  }
  expect_refused("m.slm", good + "x", "it was appended to, copy or save it again");
  expect_refused("m.slm", good.substr(0, 700), "is too short for Sightline memories (700 bytes)");
}

TEST_F(MemoryFiles, SlmIsToldFromOtherFiles) {
  std::string bytes = saved();
  bytes[1] = 'X';
  expect_refused("m.slm", bytes,
                 "is not a file of Sightline memories; `sightline memories convert` writes one");
  bytes = saved();
  put(&bytes, 8, 1u);
  expect_refused("m.slm", bytes, "has format version 1; this program reads 2");
}

TEST_F(MemoryFiles, SlmThatWasCutShortSaysSo) {
  host::MemoryTable wide =
      host::load_memories(jsonl(R"({"id": 2, "anchor": [0, 0, 0], "text": "a mug"})"));
  wide.width = 4096;  // so that one section is larger than what is left
  wide.embeddings.own().assign(4096, 1.0f / 64);
  host::save_memories(wide, path("m.slm"));
  const std::string bytes = tests::read_text(path("m.slm"));
  for (const std::size_t left : {std::size_t{4000}, bytes.size() - 1}) {
    expect_refused("m.slm", bytes.substr(0, left),
                   "announces " + std::to_string(bytes.size()) + " bytes but holds " +
                       std::to_string(left) + "; it was cut short, copy or save it again");
  }
}

TEST_F(MemoryFiles, SlmWithRightChecksumsMayStillBeImpossible) {
  const auto with_header = [&](std::size_t place, auto number) {
    std::string bytes = saved();
    put(&bytes, place, number);
    seal_header(&bytes);
    return bytes;
  };
  expect_refused("m.slm", with_header(16, std::int64_t{-1}), "has an impossible header");
  expect_refused("m.slm", with_header(16, std::numeric_limits<std::int64_t>::max()),
                 "has an impossible header");
  expect_refused("m.slm", with_header(16, std::int64_t{2}), "has an impossible section 0");
  expect_refused("m.slm", with_header(24, 0u), "has an impossible header");
  expect_refused("m.slm", with_header(28, 8u), "has an impossible header");
  expect_refused("m.slm", with_header(32, 3u), "has an impossible header");
  expect_refused("m.slm", with_header(kSectionsAt + 12 * kSectionBytes + 8, ~std::uint64_t{0}),
                 "has an impossible section 12");
}

TEST_F(MemoryFiles, SlmColumnsAreChecked) {
  const auto with_section = [&](std::size_t section, std::size_t offset, auto number) {
    std::string bytes = saved();
    put(&bytes, first_byte_of(bytes, section) + offset, number);
    seal(&bytes, section);
    seal_header(&bytes);
    return bytes;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expect_refused("m.slm", with_section(0, 8, std::int64_t{10}), "row 1: memory 10: is there twice");
  expect_refused("m.slm", with_section(8, 16, 7.0), "row 2: memory 30: importance is 7");
  expect_refused("m.slm", with_section(11, 0, ~std::uint64_t{0}),
                 "texts that end where they cannot");
  expect_refused("m.slm", with_section(11, 16, std::uint64_t{20}),
                 "texts that end where they cannot (section 11)");
  expect_refused("m.slm", with_section(21, 4, nan), "row 0: memory 10: its embedding holds a NaN");
  expect_refused("m.slm", with_section(21, 0, 0.0f),
                 "row 0: memory 10: its embedding is a zero vector");
}

}  // namespace
}  // namespace sightline
