#include "host/studies/storage_medium_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr const char *kVisible = "VISIBLE", *kHidden = "HIDDEN";
constexpr const char* kInstructions =
    "You are asked whether a thing can be seen from where you stand, and told what is remembered. "
    "Coordinates are metres; y is up. A straight line from your eyes to the thing that meets a "
    "wall "
    "is blocked, and then the thing is hidden. Where nothing is told that hides it, take it for "
    "visible. End with a line that holds one word alone: VISIBLE or HIDDEN.";

std::string wall_text(const Bounds& wall) {
  return fmt::format("A wall fills {}.\n", box_text(wall));
}

bool begins(const std::string& line, const char* words) { return line.rfind(words, 0) == 0; }

/// Does the segment meet the closed box? By the parts of it between each pair of faces.
bool meets(Vec3 from, Vec3 to, const Bounds& box) {
  double enter = 0, leave = 1;
  const auto clip = [&](double a, double b, double low, double high) {
    if (a == b) return low <= a && a <= high;
    const double first = (low - a) / (b - a), second = (high - a) / (b - a);
    enter = std::max(enter, std::min(first, second));
    leave = std::min(leave, std::max(first, second));
    return true;
  };
  return clip(from.x, to.x, box.min.x, box.max.x) && clip(from.y, to.y, box.min.y, box.max.y) &&
         clip(from.z, to.z, box.min.z, box.max.z) && enter <= leave;
}

}  // namespace

Prompt medium_prompt(const MediumTrial& trial, MediumContent content, const ToldPlaces& told) {
  Prompt prompt;
  prompt.instructions = kInstructions;
  prompt.answers = {kVisible, kHidden};
  prompt.right = trial.visible ? 0 : 1;
  std::string& text = prompt.question;
  text = "Remembered: " + trial.sentence + "\n";
  if (content == MediumContent::kPlaces || content == MediumContent::kPlacesAndOccluder) {
    text += fmt::format("The {} is at {}.\n", trial.object, place_text(told.place_m));
    text += fmt::format("You stand with your eyes at {}.\n", place_text(told.from_m));
  }
  if (content == MediumContent::kPlacesAndOccluder) {
    for (const Bounds& wall : told.walls) text += wall_text(wall);
  }
  if (content == MediumContent::kLabel) {
    text += fmt::format("From where you stand the {} is {}.\n", trial.object,
                        prompt.answers[prompt.right]);
  }
  text += fmt::format(
      "Can you see the {} from where you stand? Answer with one word, VISIBLE or HIDDEN.",
      trial.object);
  return prompt;
}

std::string read_medium_prompt(const std::string& question) {
  std::optional<Vec3> from, to;
  std::vector<Bounds> walls;
  std::istringstream lines(question);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<double> n = numbers_in(line);
    if (begins(line, "From where you stand the ")) {
      return line.find(" is HIDDEN.") != std::string::npos ? kHidden : kVisible;
    }
    if (begins(line, "You stand") && n.size() == 3) from = Vec3{n[0], n[1], n[2]};
    if (begins(line, "The ") && n.size() == 3) to = Vec3{n[0], n[1], n[2]};
    if (begins(line, "A wall fills ") && n.size() == 6) {
      walls.push_back({{n[0], n[2], n[4]}, {n[1], n[3], n[5]}});
    }
  }
  const bool is_hidden = from && to &&
                         std::any_of(walls.begin(), walls.end(),
                                     [&](const auto& box) { return meets(*from, *to, box); });
  return is_hidden ? kHidden : kVisible;
}

}  // namespace sightline::host
