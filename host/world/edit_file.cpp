#include "host/world/edit_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/number_csv.h"
#include "host/world/voxelise.h"

namespace sightline::host {
namespace {

using Place = std::array<double, 3>;

/// Turns numbers into an edit; throws InputError that says why it cannot, without a place.
Edit to_edit(const Place& lo, const std::optional<Place>& hi, bool metres, VoxelState state,
             const GridGeometry& geometry) {
  constexpr double kMost = 0x1p53;
  Edit edit;
  edit.state = state;
  for (std::size_t a = 0; a < 3; ++a) {
    double first = lo[a], last = hi ? (*hi)[a] : lo[a] + 1;
    if (metres) {
      const auto voxel = [&](double p) { return (p - geometry.origin_m[a]) / geometry.voxel_m[a]; };
      first = std::floor(voxel(lo[a]) + kFaceSkin_vox);
      last = hi ? std::ceil(voxel((*hi)[a]) - kFaceSkin_vox) : first + 1;
    } else if (first != std::floor(first) || last != std::floor(last)) {
      throw InputError(
          "voxels have whole numbers; round them, or say that these are metres (--metres on the "
          "line, metres: true in a .yaml; a .csv cannot)");
    }
    if (!(std::fabs(first) < kMost && std::fabs(last) < kMost)) {
      throw InputError("a number is too large for a voxel");
    }
    edit.lo[a] = static_cast<std::int64_t>(first);
    edit.hi[a] = static_cast<std::int64_t>(last);
  }
  const std::string fault = fault_of(edit, geometry);
  if (!fault.empty()) throw InputError(fault);
  return edit;
}

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line + ",");
  for (std::string field; std::getline(stream, field, ',');) {
    const auto begin = field.find_first_not_of(" \t\r");
    const auto end = field.find_last_not_of(" \t\r");
    fields.push_back(begin == std::string::npos ? "" : field.substr(begin, end - begin + 1));
  }
  return fields;
}

std::optional<Place> place_of(const std::string& text) {
  const std::vector<std::string> fields = split(text);
  if (fields.size() != 3) return std::nullopt;
  Place place;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::optional<double> number = number_of(fields[a]);
    if (!number) return std::nullopt;
    place[a] = *number;
  }
  return place;
}

// ---- YAML ------------------------------------------------------------------------------------

Place place_of(const ConfigValue& value) {
  const std::vector<double> numbers = value.as_numbers(3);
  return {numbers[0], numbers[1], numbers[2]};
}

Edit parse_edit(const ConfigValue& edit, bool metres, const GridGeometry& geometry) {
  edit.allow_only({"set", "clear", "unknown"});
  if (edit.entries().size() != 1) edit.fail("must have one of set, clear and unknown");
  const ConfigValue *set = edit.find("set"), *clear = edit.find("clear");
  const ConfigValue& place = set ? *set : clear ? *clear : edit.at("unknown");
  const VoxelState state = set     ? VoxelState::kOccupied
                           : clear ? VoxelState::kFree
                                   : VoxelState::kUnknown;
  try {
    const std::vector<ConfigValue>& items = place.items();
    if (items.size() != 2) return to_edit(place_of(place), std::nullopt, metres, state, geometry);
    return to_edit(place_of(items[0]), place_of(items[1]), metres, state, geometry);
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (message.rfind(place.mark().source.str(), 0) == 0) throw;  // says its place already
    place.fail(message);
  }
}

std::vector<EditStep> read_yaml(const std::string& path, const GridGeometry& geometry) {
  const ConfigValue file = ConfigValue::load_yaml(path);
  file.allow_only({"metres", "versions"});
  const ConfigValue* unit = file.find("metres");
  const bool metres = unit && unit->as_bool();
  std::vector<EditStep> steps;
  for (const ConfigValue& version : file.at("versions").items()) {
    version.allow_only({"note", "time_s", "edits"});
    EditStep step;
    if (const ConfigValue* note = version.find("note")) step.note.text = note_of(*note);
    if (const ConfigValue* time = version.find("time_s")) {
      step.note.time_s = time->as_number();
      step.time_place = time->where();
    }
    for (const ConfigValue& edit : version.at("edits").items()) {
      step.edits.push_back(parse_edit(edit, metres, geometry));
    }
    if (step.edits.empty()) version.at("edits").fail("holds no edit");
    steps.push_back(std::move(step));
  }
  if (steps.empty()) file.at("versions").fail("holds no version");
  return steps;
}

// ---- CSV -------------------------------------------------------------------------------------

enum Column : std::size_t { kI, kJ, kK, kEndI, kEndJ, kEndK, kState, kStep };

Place place_of(const NumberCsv& table, std::size_t first) {
  return {table.number(first), table.number(first + 1), table.number(first + 2)};
}

Edit edit_of(const NumberCsv& table, bool boxes, const GridGeometry& geometry) {
  static const std::array<std::string, 3> kStates{"free", "occupied", "unknown"};
  const std::string& text = table.text(kState);
  const auto state = std::find(kStates.begin(), kStates.end(), text);
  if (state == kStates.end()) {
    table.fail("state is '" + text + "'; must be free, occupied or unknown");
  }
  const Place lo = place_of(table, kI);
  std::optional<Place> hi;
  if (boxes) hi = place_of(table, kEndI);
  try {
    return to_edit(lo, hi, false, static_cast<VoxelState>(state - kStates.begin()), geometry);
  } catch (const InputError& error) {
    table.fail(error.what());
  }
}

std::vector<EditStep> read_csv(const std::string& path, const GridGeometry& geometry) {
  NumberCsv table(path, {"i", "j", "k", "i_end", "j_end", "k_end", "state", "step"},
                  "i,j,k,state or i,j,k,i_end,j_end,k_end,state");
  const bool boxes = table.has(kEndI) || table.has(kEndJ) || table.has(kEndK);
  for (const Column column : {kI, kJ, kK, kState}) table.require(column);
  if (boxes) {
    for (const Column column : {kEndI, kEndJ, kEndK}) table.require(column);
  }
  std::vector<EditStep> steps;
  std::string last_step;
  while (table.next_row()) {
    const std::string step = table.has(kStep) ? table.text(kStep) : "";
    if (steps.empty() || step != last_step) steps.emplace_back();
    last_step = step;
    steps.back().edits.push_back(edit_of(table, boxes, geometry));
  }
  if (steps.empty()) table.fail("holds no edit below its header");
  return steps;
}

}  // namespace

Edit parse_edit(const std::string& place, bool metres, VoxelState state,
                const GridGeometry& geometry) {
  const std::size_t dots = place.find("..");
  const std::optional<Place> lo = place_of(place.substr(0, dots));
  std::optional<Place> hi;
  if (dots != std::string::npos) hi = place_of(place.substr(dots + 2));
  if (!lo || (dots != std::string::npos && !hi)) {
    throw InputError("\"" + place + "\" is no place; write a voxel as 3,4,5 or a box as " +
                     "0,0,0..4,4,4 (its end does not belong to it)");
  }
  return to_edit(*lo, hi, metres, state, geometry);
}

std::vector<EditStep> read_edits(const std::string& path, const GridGeometry& geometry) {
  const InputFile exists(path);
  const std::string extension = extension_of(path);
  if (extension == ".yaml" || extension == ".yml") return read_yaml(path, geometry);
  if (extension == ".csv") return read_csv(path, geometry);
  exists.fail("edits are read from .yaml or .csv; change the extension");
}

std::string note_of(const ConfigValue& note) {
  const std::string fault = fault_of_note(note.as_text());
  if (!fault.empty()) note.fail(fault);
  return note.as_text();
}

void apply_steps(VersionedGrid& versions, const std::vector<EditStep>& steps) {
  for (const EditStep& step : steps) {
    try {
      versions.edit(step.edits, step.note);
    } catch (const InputError& error) {
      if (step.time_place.empty()) throw;
      throw InputError(step.time_place + ": " + error.what());
    }
  }
}

}  // namespace sightline::host
