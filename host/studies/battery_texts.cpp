#include "host/studies/battery_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "host/studies/scene_graph.h"
#include "host/world/overlap.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr const char* kInstructions =
    "You are told what is remembered of a place, one memory a line, and where each thing is. "
    "Coordinates are metres; y is up. Yaw 0 looks along +z, yaw 90 along +x. Front, right, behind "
    "and left are a quarter turn each. Of what stands between you and a thing nothing is told. "
    "End with a line that holds one word alone, an answer of those that are named; a memory is "
    "named by its number.";
constexpr const char* kSides[] = {"FRONT", "RIGHT", "BEHIND", "LEFT"};
constexpr const char *kNoWord = "NO", *kYesWord = "YES", *kFirst = "FIRST", *kSecond = "SECOND";

std::vector<std::string> answers_to(QuestionType type, std::size_t num_memories) {
  switch (type) {
    case QuestionType::kPresence:
    case QuestionType::kOcclusion:
    case QuestionType::kCoverage:
      return {kNoWord, kYesWord};
    case QuestionType::kRelation:
      return {std::begin(kSides), std::end(kSides)};
    case QuestionType::kMultiRegion:
      return {kFirst, kSecond};
    case QuestionType::kNearDuplicate:
    case QuestionType::kControl:
      break;
  }
  std::vector<std::string> numbers;
  for (std::size_t i = 1; i <= num_memories; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

// ---- reading ---------------------------------------------------------------------------------

struct ToldMemory {
  std::string sentence;
  Vec3 place_m;
};

struct Told {
  std::vector<ToldMemory> memories;
  std::optional<Vec3> from_m, here_m;
  double yaw_deg = 0, radius_m = 0;
  std::vector<Bounds> rooms;
  std::string object, question;
};

void read_line(const std::string& line, Told* told) {
  const auto begins = [&](const char* words) { return line.rfind(words, 0) == 0; };
  const std::vector<double> n = numbers_in(line);
  if (begins("Memory ")) {
    const std::size_t colon = line.find(": "), at = line.rfind(" It is at ");
    if (at == std::string::npos || colon == std::string::npos || colon > at) return;
    const std::vector<double> place = numbers_in(line.substr(at));
    if (place.size() != 3) return;
    told->memories.push_back(
        {line.substr(colon + 2, at - colon - 2), {place[0], place[1], place[2]}});
  } else if (begins("You stand at ") && n.size() == 4) {
    told->from_m = Vec3{n[0], n[1], n[2]};
    told->yaw_deg = n[3];
  } else if (begins("Here is ") && n.size() >= 3) {
    told->here_m = Vec3{n[0], n[1], n[2]};
    if (n.size() > 3) told->radius_m = n[3];
  } else if (begins("The ") && n.size() == 6) {
    told->rooms.push_back({{n[0], n[2], n[4]}, {n[1], n[3], n[5]}});
  } else if (begins("Question")) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) return;
    constexpr const char* kAbout = "Question about ";
    const std::size_t about = std::string(kAbout).size();
    if (begins(kAbout) && colon > about) told->object = line.substr(about, colon - about);
    told->question = line.substr(colon + 2);
  }
}

bool mentions(const Told& told, std::size_t i) {
  return told.memories[i].sentence.find(told.object) != std::string::npos;
}

std::string nearest_number(const Told& told) {
  std::optional<std::size_t> nearest;
  double least_m2 = 0;
  for (std::size_t i = 0; i < told.memories.size(); ++i) {
    if (!mentions(told, i) || !told.here_m) continue;
    const Vec3 d = kernels::minus(told.memories[i].place_m, *told.here_m);
    const double m2 = kernels::dot(d, d);
    if (nearest && m2 >= least_m2) continue;
    nearest = i;
    least_m2 = m2;
  }
  return nearest ? std::to_string(*nearest + 1) : "";
}

std::string whether_near(const Told& told) {
  if (!told.here_m) return "";
  for (std::size_t i = 0; i < told.memories.size(); ++i) {
    const Vec3 d = kernels::minus(told.memories[i].place_m, *told.here_m);
    if (mentions(told, i) && std::sqrt(kernels::dot(d, d)) <= told.radius_m) return kYesWord;
  }
  return kNoWord;
}

std::string side(const Told& told) {
  for (std::size_t i = 0; i < told.memories.size(); ++i) {
    if (!mentions(told, i) || !told.from_m) continue;
    const auto pose = make_pose_deg(Frame::kSceneYUp, *told.from_m, told.yaw_deg, 0);
    return kSides[static_cast<std::size_t>(side_of(pose, told.memories[i].place_m))];
  }
  return "";
}

std::string fuller(const Told& told) {
  if (told.rooms.size() != 2) return "";
  std::ptrdiff_t difference = 0;
  for (std::size_t i = 0; i < told.memories.size(); ++i) {
    if (!mentions(told, i)) continue;
    const Vec3& p = told.memories[i].place_m;
    difference += holds(told.rooms[0], p);
    difference -= holds(told.rooms[1], p);
  }
  return difference > 0 ? kFirst : kSecond;
}

std::string verbatim(const Told& told) {
  for (std::size_t i = 0; i < told.memories.size(); ++i) {
    if (told.memories[i].sentence == told.question) return std::to_string(i + 1);
  }
  return "";
}

}  // namespace

Prompt battery_prompt(QuestionType type, const BatteryTrial& trial,
                      const std::vector<Vec3>& anchors_m) {
  Prompt prompt;
  prompt.instructions = kInstructions;
  prompt.answers = answers_to(type, trial.things.size());
  prompt.right = static_cast<std::size_t>(trial.truth);
  std::string& text = prompt.question;
  for (std::size_t i = 0; i < trial.things.size(); ++i) {
    text += fmt::format("Memory {}: {} It is at {}.\n", i + 1, trial.things[i].text,
                        place_text(anchors_m[i]));
  }
  text += fmt::format("You stand at {} and look along yaw {:.1f} degrees.\n",
                      place_text(trial.from_m), trial.yaw_deg);
  if (type != QuestionType::kOcclusion && type != QuestionType::kRelation) {
    text += "Here is " + place_text(trial.centre_m);
    if (trial.radius_m > 0) {
      text += fmt::format(", and around here is within {:.3f} m of it", trial.radius_m);
    }
    text += ".\n";
  }
  for (const Room& room : trial.rooms) {
    text += fmt::format("The {} is {}.\n", room.name, box_text(room.bounds_m));
  }
  const std::string about =
      trial.object.empty() || type == QuestionType::kControl ? "" : " about " + trial.object;
  text += fmt::format("Question{}: {}\n", about, trial.question);
  if (type == QuestionType::kMultiRegion) {
    text += fmt::format("{} is the {}, {} the {}.\n", kFirst, trial.rooms.at(0).name, kSecond,
                        trial.rooms.at(1).name);
  }
  const bool is_number = type == QuestionType::kNearDuplicate || type == QuestionType::kControl;
  text += is_number ? std::string("Answer with the number of a memory.")
                    : fmt::format("Answer with one word: {}.", fmt::join(prompt.answers, ", "));
  return prompt;
}

std::string read_battery_prompt(const std::string& question) {
  Told told;
  std::istringstream lines(question);
  for (std::string line; std::getline(lines, line);) read_line(line, &told);
  const auto asks = [&](const char* words) { return told.question.rfind(words, 0) == 0; };
  if (asks("Is there a ") || asks("Has this corner ") || asks("Did I see anything "))
    return whether_near(told);
  if (asks("Can I see ")) return kYesWord;
  if (asks("On which side ")) return side(told);
  if (asks("Which of the two rooms ")) return fuller(told);
  if (asks("Which ")) return nearest_number(told);
  return verbatim(told);
}

}  // namespace sightline::host
