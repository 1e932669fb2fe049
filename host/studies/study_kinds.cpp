#include "host/studies/flattening.h"
#include "host/studies/retrieval_depth.h"
#include "host/studies/study.h"

namespace sightline::host {

const std::vector<StudyKind>& study_kinds() {
  static const std::vector<StudyKind> kinds{{"flattening", make_flattening},
                                            {"retrieval_depth", make_retrieval_depth}};
  return kinds;
}

}  // namespace sightline::host
