// Where in a paper an experiment belongs, as a page of several runs orders them.
//
//     report:
//       section: {paper: What Spatial Memory Must Store, number: "6.8", title: The blend, measured}
//       note: >   # what the results say beside the claims; an empty line begins a paragraph
//         The rates lie below those of Table 4, because ...
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/config/value.h"

namespace sightline::host {

struct PaperSection {
  std::string paper;
  std::string number;  ///< "6.8"
  std::string title;   ///< may be empty

  std::vector<int> numbers() const;  ///< {6, 8}: 6.10 comes after 6.9
  std::string heading() const;       ///< "6.8: the blend, measured"
};

/// `report.section` of a sweep; nullopt if it names none. Throws InputError.
std::optional<PaperSection> section_of(const ConfigValue& sweep);

}  // namespace sightline::host
