#include "host/studies/study.h"

namespace sightline::host {

const std::vector<StudyKind>& study_kinds() {
  static const std::vector<StudyKind> kinds{};
  return kinds;
}

}  // namespace sightline::host
