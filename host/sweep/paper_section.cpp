#include "host/sweep/paper_section.h"

#include <algorithm>
#include <sstream>

namespace sightline::host {
namespace {

constexpr std::size_t kMostDigits = 4;

/// Numbers with dots between them: each part is short, so that it fits an int.
bool is_number(const std::string& text) {
  std::istringstream parts(text + ".");
  for (std::string part; std::getline(parts, part, '.');) {
    const bool is_whole = std::all_of(part.begin(), part.end(),
                                      [](char letter) { return letter >= '0' && letter <= '9'; });
    if (part.empty() || part.size() > kMostDigits || !is_whole) return false;
  }
  return !text.empty() && text.back() != '.';
}

}  // namespace

std::vector<int> PaperSection::numbers() const {
  std::vector<int> numbers;
  std::istringstream parts(number);
  for (std::string part; std::getline(parts, part, '.');) numbers.push_back(std::stoi(part));
  return numbers;
}

std::string PaperSection::heading() const { return title.empty() ? number : number + ": " + title; }

std::optional<PaperSection> section_of(const ConfigValue& sweep) {
  const ConfigValue* section = sweep.is_map() ? sweep.find_path("report.section") : nullptr;
  if (!section || section->is_null()) return std::nullopt;
  section->allow_only({"paper", "number", "title"});
  PaperSection place;
  place.paper = section->at("paper").as_text();
  // 6.10 without quotation marks would be 6.1.
  const ConfigValue& number = section->at("number");
  const bool is_whole = number.kind() == ConfigValue::Kind::kInteger;
  place.number = is_whole ? number.display() : number.as_text();
  if (!is_number(place.number)) {
    number.fail("must be a number of a section, such as \"6.8\"");
  }
  if (const ConfigValue* title = section->find("title")) place.title = title->as_text();
  return place;
}

}  // namespace sightline::host
