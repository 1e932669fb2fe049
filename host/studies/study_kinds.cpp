#include "host/studies/study.h"

#include "host/studies/landscape.h"

namespace sightline::host {

const std::vector<StudyKind>& study_kinds() {
  static const std::vector<StudyKind> kinds{{"landscape", make_landscape_study}};
  return kinds;
}

}  // namespace sightline::host
