// SHA-256 against the examples of FIPS 180-4 and its predecessor's long message.
#include "host/sweep/sha256.h"

#include <gtest/gtest.h>

#include "support/run_program.h"

namespace sightline::tests {
namespace {

TEST(Sha256, HasThePublishedDigests) {
  EXPECT_EQ(host::sha256_of(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(host::sha256_of("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(host::sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const TemporaryFolder folder;
  const std::string path = folder / "million", text(1'000'000, 'a');  // more than one piece
  write_text(path, text + text);
  EXPECT_EQ(host::sha256_of_file(path), host::sha256_of(text + text));
  EXPECT_EQ(host::sha256_of(text),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace sightline::tests
