// Dense index files: a header of fixed size, then FAISS's bytes. All numbers are little-endian.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <type_traits>

#include "index/checksum.h"
#include "index/dense_impl.h"
#include "index/error.h"

namespace sightline::index {
namespace {

constexpr char kMagic[8] = {'S', 'L', 'D', 'E', 'N', 'S', 'E', '\n'};
constexpr std::uint32_t kVersion = 1;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t metric;  // 0 inner product, 1 L2
  char kind[64];         // zeros after the text
  std::int64_t num_rows;
  std::int64_t dim;
  std::uint64_t seed;
  double max_norm;
  std::uint64_t payload_bytes;
  std::uint64_t payload_checksum;
  std::uint64_t header_checksum;  // of all that stands before it
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) == 136, "written as it lies");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file is little-endian");

std::uint64_t header_checksum(const Header& header) {
  return checksum(&header, offsetof(Header, header_checksum));
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw BadInput("dense index file " + path + " " + why + "; build the index again and save it");
}

/// Has the disk what was written to this file?
bool is_on_disk(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool synced = ::fsync(file) == 0 || errno == EINVAL;  // which has nothing to write to
  const int reason = errno;
  ::close(file);
  errno = reason;
  return synced;
}

bool write_file(const std::string& path, const Header& header,
                const std::vector<std::uint8_t>& payload) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(&header), sizeof(header));
  file.write(reinterpret_cast<const char*>(payload.data()),
             static_cast<std::streamsize>(payload.size()));
  file.close();
  return file && is_on_disk(path);
}

Header read_header(const std::string& path, std::ifstream& file, std::uint64_t file_bytes) {
  Header header{};
  if (file_bytes < sizeof(header)) {
    refuse(path, "has " + std::to_string(file_bytes) + " bytes, fewer than its header of " +
                     std::to_string(sizeof(header)));
  }
  file.read(reinterpret_cast<char*>(&header), sizeof(header));
  if (!file) refuse(path, "cannot be read");
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0) {
    refuse(path, "is no dense index: it does not begin with SLDENSE");
  }
  if (header.header_checksum != header_checksum(header)) refuse(path, "has a damaged header");
  if (header.version != kVersion) {
    refuse(path, "is of version " + std::to_string(header.version) + ", and this program reads " +
                     std::to_string(kVersion));
  }
  const std::uint64_t payload_bytes = file_bytes - sizeof(header);
  if (header.payload_bytes != payload_bytes) {
    refuse(path, "holds " + std::to_string(payload_bytes) + " bytes after its header instead of " +
                     std::to_string(header.payload_bytes) + ": it was cut or added to");
  }
  return header;
}

void verify_payload(const std::string& path, std::ifstream& file, const Header& header) {
  Checksum sum;
  std::vector<char> block(std::size_t{1} << 20);
  for (std::uint64_t left = header.payload_bytes; left > 0;) {
    const std::size_t num = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
    file.read(block.data(), static_cast<std::streamsize>(num));
    if (!file) refuse(path, "cannot be read to its end");
    sum.add(block.data(), num);
    left -= num;
  }
  if (sum.value() != header.payload_checksum) refuse(path, "is damaged: its checksum differs");
}

EngineShape shape_of(const std::string& path, const Header& header) {
  if (header.metric > 1 || header.kind[sizeof(header.kind) - 1] != '\0') {
    refuse(path, "has a header that no version writes");
  }
  EngineShape shape;
  shape.kind = parse_dense_kind(header.kind);
  shape.metric = header.metric == 0 ? Metric::kInnerProduct : Metric::kL2;
  shape.num_rows = header.num_rows;
  shape.dim = header.dim;
  check_dense_shape(shape.kind, shape.num_rows, shape.dim);
  return shape;
}

}  // namespace

void DenseIndex::save(const std::string& path) const {
  std::vector<std::uint8_t> payload;
  if (impl_->engine != nullptr) payload = impl_->engine->serialise();
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kVersion;
  header.metric = impl_->shape.metric == Metric::kInnerProduct ? 0 : 1;
  impl_->shape.kind.text.copy(header.kind, sizeof(header.kind) - 1);
  header.num_rows = impl_->shape.num_rows;
  header.dim = impl_->shape.dim;
  header.seed = impl_->seed;
  header.max_norm = impl_->max_norm;
  header.payload_bytes = payload.size();
  header.payload_checksum = checksum(payload.data(), payload.size());
  header.header_checksum = header_checksum(header);

  const std::string unfinished = path + "." + std::to_string(::getpid()) + ".unfinished";
  if (!write_file(unfinished, header, payload) ||
      std::rename(unfinished.c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(unfinished.c_str());
    throw IndexFailure("cannot write " + path + ": " + reason);
  }
}

DenseIndex DenseIndex::load(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) {
    throw BadInput("cannot read the dense index file " + path + ": " + std::strerror(errno));
  }
  const auto file_bytes = static_cast<std::uint64_t>(std::max<std::streamoff>(file.tellg(), 0));
  file.seekg(0);
  const Header header = read_header(path, file, file_bytes);
  verify_payload(path, file, header);

  auto impl = std::make_unique<Impl>();
  impl->shape = shape_of(path, header);
  impl->seed = header.seed;
  impl->max_norm = header.max_norm;
  if (header.num_rows > 0) {
    file.seekg(sizeof(header));
    impl->engine = read_engine(impl->shape, [&](void* to, std::size_t num_bytes) {
      file.read(static_cast<char*>(to), static_cast<std::streamsize>(num_bytes));
      if (!file) refuse(path, "ends too early");
    });
  }
  return DenseIndex(std::move(impl));
}

}  // namespace sightline::index
