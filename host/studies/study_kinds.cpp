#include "host/studies/battery.h"
#include "host/studies/landscape.h"
#include "host/studies/study.h"

namespace sightline::host {

const std::vector<StudyKind>& study_kinds() {
  static const std::vector<StudyKind> kinds{{"battery", make_battery},
                                            {"landscape", make_landscape}};
  return kinds;
}

}  // namespace sightline::host
