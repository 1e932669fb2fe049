// MagicaVoxel files made by hand, chunk by chunk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sightline::tests {

inline std::string vox_number(std::int64_t number) {
  const auto value = static_cast<std::uint32_t>(number);
  return {static_cast<char>(value), static_cast<char>(value >> 8), static_cast<char>(value >> 16),
          static_cast<char>(value >> 24)};
}
inline std::string vox_numbers(const std::vector<std::int64_t>& numbers) {
  std::string bytes;
  for (const std::int64_t number : numbers) bytes += vox_number(number);
  return bytes;
}
inline std::string vox_text(const std::string& text) {
  return vox_number(static_cast<std::int64_t>(text.size())) + text;
}
inline std::string vox_chunk(const std::string& id, const std::string& content) {
  return id + vox_numbers({static_cast<std::int64_t>(content.size()), 0}) + content;
}
inline std::string vox_file(const std::string& chunks) {
  return "VOX " + vox_number(150) + "MAIN" +
         vox_numbers({0, static_cast<std::int64_t>(chunks.size())}) + chunks;
}
/// SIZE and XYZI; three coordinates per voxel.
inline std::string vox_model(const std::vector<std::int64_t>& size,
                             const std::vector<int>& coordinates) {
  std::string voxels = vox_number(static_cast<std::int64_t>(coordinates.size() / 3));
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    voxels += static_cast<char>(coordinates[i]);
    if (i % 3 == 2) voxels += '\x4f';  // a colour
  }
  return vox_chunk("SIZE", vox_numbers(size)) + vox_chunk("XYZI", voxels);
}
/// An nTRN of one frame; empty texts are left out.
inline std::string vox_transform(std::int64_t id, std::int64_t child, const std::string& rotation,
                                 const std::string& translation) {
  std::string frame;
  if (!rotation.empty()) frame += vox_text("_r") + vox_text(rotation);
  if (!translation.empty()) frame += vox_text("_t") + vox_text(translation);
  const std::int64_t num_keys = !rotation.empty() + !translation.empty();
  return vox_chunk("nTRN", vox_numbers({id, 0, child, -1, 0, 1, num_keys}) + frame);
}
inline std::string vox_group(std::int64_t id, const std::vector<std::int64_t>& children) {
  return vox_chunk("nGRP", vox_numbers({id, 0, static_cast<std::int64_t>(children.size())}) +
                               vox_numbers(children));
}
inline std::string vox_shape(std::int64_t id, std::int64_t model) {
  return vox_chunk("nSHP", vox_numbers({id, 0, 1, model, 0}));
}

}  // namespace sightline::tests
