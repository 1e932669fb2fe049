// The classes of lexicon.h as they are written down.
#pragma once

#include <vector>

#include "host/meta_memory/lexicon.h"

namespace sightline::host {

struct ClassRow {
  const char* name;
  const char* synonyms;  ///< separated by |
  const char* parent;    ///< a name; empty: none
  ClassScale scale;
  bool is_place;
};

/// The row of a class is its ClassId: new ones go to the end.
const std::vector<ClassRow>& class_rows();

}  // namespace sightline::host
