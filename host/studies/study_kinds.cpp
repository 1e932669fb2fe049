#include "host/studies/adaptive_weights.h"
#include "host/studies/battery.h"
#include "host/studies/confirmatory.h"
#include "host/studies/flattening.h"
#include "host/studies/gates_as_recall.h"
#include "host/studies/geometry_versions.h"
#include "host/studies/landscape.h"
#include "host/studies/location_questions.h"
#include "host/studies/moving_places.h"
#include "host/studies/navqa_questions.h"
#include "host/studies/render_as_recall.h"
#include "host/studies/retrieval_depth.h"
#include "host/studies/space_beliefs.h"
#include "host/studies/space_changes.h"
#include "host/studies/space_diagnosis.h"
#include "host/studies/space_exploration.h"
#include "host/studies/space_tasks.h"
#include "host/studies/storage_medium.h"
#include "host/studies/study.h"
#include "host/studies/topic_partition.h"

namespace sightline::host {

const std::vector<StudyKind>& study_kinds() {
  static const std::vector<ScoreSense> errors{{"error", true, 1000, " m"}},
      changes{{"inertia", true}, {"facing_inertia", true}, {"steps", true}, {"redundancy", true}},
      costs{{"looks", true, 100, " looks"}, {"looks_to_gain", true, 100, " looks"}};
  static const std::vector<StudyKind> kinds{{"adaptive_weights", make_adaptive_weights},
                                            {"battery", make_battery},
                                            {"confirmatory", make_confirmatory},
                                            {"flattening", make_flattening},
                                            {"gates_as_recall", make_gates_as_recall},
                                            {"geometry_versions", make_geometry_versions},
                                            {"landscape", make_landscape},
                                            {"location_questions", make_location_questions},
                                            {"moving_places", make_moving_places},
                                            {"navqa_questions", make_navqa_questions, errors},
                                            {"render_as_recall", make_render_as_recall},
                                            {"retrieval_depth", make_retrieval_depth},
                                            {"space_beliefs", make_space_beliefs},
                                            {"space_changes", make_space_changes, changes},
                                            {"space_diagnosis", make_space_diagnosis, {}, true},
                                            {"space_exploration", make_space_exploration, costs},
                                            {"space_tasks", make_space_tasks},
                                            {"storage_medium", make_storage_medium},
                                            {"topic_partition", make_topic_partition}};
  return kinds;
}

}  // namespace sightline::host
