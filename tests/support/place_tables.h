// Small folders of tables that `sightline places` reads: a published forest, and NaVQA's questions
// to one run.
#pragma once

#include <map>
#include <string>

namespace sightline::tests {

/// By file name: two things in one cluster, and a place where the robot was.
inline std::map<std::string, std::string> small_forest() {
  return {
      {"nodes.tsv",
       "id\tlabel\ttype\tlevel\tx\ty\tz\tname\tsummary\n"
       "0\tdrone_0\tdrone\t0\t0\t0\t0\t\t\n"
       "1\tchair\tobject\t0\t1\t0\t0\t\t\n"
       "2\tdesk\tobject\t0\t2\t0\t0\t\t\n"
       "3\tarea\tcluster\t1\t1.5\t0\t0\toffice\ta desk\n"},
      {"edges.tsv", "source\ttarget\trelationship\n1\t3\tpart_of\n2\t3\tpart_of\n0\t1\tnear\n"}};
}

/// By file name: one question to run 5, whose way is 10 m long. 57,600 s is 16:00 in UTC, 8:00 by
/// the clock of the annotations.
inline std::map<std::string, std::string> small_navqa() {
  return {{"navqa_questions.tsv",
           "seq\tid\tstart_time\tend_time\ttype\tquestion\thms_utc_minus8\tcur_x\tcur_y\tcur_z\t"
           "gt_x\tgt_y\tgt_z\n"
           "5\tq1\t57600\t57606\tposition\tWhere is the bench?\t08:00:03\t20\t0\t0\t10\t0\t0\n"},
          {"oc_navqa_positions.tsv", "seq\tid\tobj_x\tobj_y\tobj_z\n5\tq1\t12\t0\t0\n"},
          {"captions_at_answers.jsonl",
           "{\"seq\": 5, \"traj_idx\": 1, \"t_mean\": 57604.5, \"position\": [13, 4, 0], "
           "\"caption\": \"a bench\"}\n"},
          {"traj_seq05.tsv",
           "t_start\tt_end\tt_mean\tx\ty\tz\n57600\t57603\t57601.5\t0\t0\t0\n"
           "57603\t57606\t57604.5\t10\t0\t0\n"}};
}

}  // namespace sightline::tests
