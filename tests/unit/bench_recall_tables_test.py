#!/usr/bin/env python3
"""scripts/bench_recall_tables.py RECALL SEARCH NUMPY: which figure stands where, and exit codes."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "bench_recall_tables.py"


def rows(name, key, values, **more):
    return [{"name": name, "run_name": name, "run_type": "iteration", "real_time": 1.0, key: value,
             **more} for value in values]


RECALL = (
    rows("BM_Recall/op:ranks/shape:S/method:sightline/threads:1", "scores_per_s", [1e9, 9e9, 2e9])
    + rows("BM_Recall/op:ranks/shape:S/method:sightline/threads:2", "scores_per_s", [4e9])
    + rows("BM_Recall/op:ranks/shape:L/method:products/mixes:10626/threads:1", "scores_per_s",
           [30e9])
    + rows("BM_Recall/op:top5/shape:L/method:faiss_rerank/candidates:100/threads:1",
           "scores_per_s", [3e9], missed_share=0.994)
    + [{**row, "real_time": time} for time, row in (
        (time, rows("BM_Bands/memories:5000/best:5/mixes:250/signs:4/way:" + way, "taken", [taken])[0])
        for way, time, taken in (("scan", 6.0, 0), ("bands", 4.0, 1), ("blocks", 3.0, 0)))]
    + rows("BM_Gate/op:radius/way:scan/anchors:64", "queries_per_s", [7e6])
    + rows("BM_Gate/op:radius/way:grid/anchors:64", "queries_per_s", [8e6])
    + rows("BM_Gate/op:nearest/way:scan/anchors:64", "queries_per_s", [9e5])
    + rows("BM_Gate/op:nearest/way:grid/anchors:64", "queries_per_s", [1500.0]))
NUMPY = {"cpus": 2, "openblas_num_threads": "1", "scores_per_s": {"S": {"ranks_by_mix": 4e8, "ranks_by_product": 5e8, "top5_by_mix": 8e7},
                          "L": {"ranks_by_mix": 2e8, "ranks_by_product": 6e8, "top5_by_mix": 9e7}}}
SEARCH = [row for path, times in (("auto", [3.0, 2.0]), ("gather", [2.5]), ("selector", [1.0]))
          for time in times
          for row in [{**rows("BM_FilteredSearch/kind:Flat/queries:1/kept_percent:50/path:" + path,
                              "gathers", [1.0])[0], "real_time": time}]]
SEARCH += rows("BM_IndexKind/rows:50000/dim:384/k:10/kind:Flat", "recall", [1.0], queries_per_s=5e3)
SEARCH += rows("BM_IndexKind/rows:50000/dim:384/k:10/kind:HNSW32/ef:64", "recall", [0.98],
               queries_per_s=2e6)


class BenchRecallTables(unittest.TestCase):
    def tables(self, recall=None, numpy=None, search=None):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, content in (("recall", {"benchmarks": RECALL if recall is None else recall}),
                                  ("search", {"benchmarks": SEARCH if search is None else search}),
                                  ("numpy", NUMPY if numpy is None else numpy)):
                path = Path(folder) / f"{name}.json"
                path.write_text(json.dumps(content), "utf-8")
                paths.append(str(path))
            return subprocess.run([sys.executable, str(SCRIPT), *paths], capture_output=True,
                                  text=True, check=False)

    def test_rates_are_medians_in_their_columns(self):
        result = self.tables()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| sightline, 1 thread | 2.00 G |  |  |  |", result.stdout)
        self.assertIn("| sightline, 2 threads | 4.00 G |  |  |  |", result.stdout)
        self.assertIn("| products, 10,626 mixes, 1 thread |  |  | 30.00 G |  |", result.stdout)
        self.assertIn("| NumPy by product, 1 thread | 500.00 M |  | 600.00 M |  |", result.stdout)
        self.assertIn("S, ranks, 1 thread: sightline 4 times NumPy's matrix product",
                      result.stdout)
        self.assertIn("L, ranks, 1 thread: products, 10,626 mixes 50 times NumPy's matrix product",
                      result.stdout)
        self.assertIn("L, 100 candidates: 99.4% of the lists lack", result.stdout)

    def test_gates_and_searches(self):
        result = self.tables()
        self.assertIn("| 64 | 7.00 M | 8.00 M | 900.00 k | 1.50 k |", result.stdout)
        # The fastest repetition of each path; `auto` took the slower one here, twice as slow.
        self.assertIn("| Flat | 1 | 50 % | 2 ms | gather | 2.5 ms | 1 ms | 2.00 |", result.stdout)

    def test_bands_and_blocks_beside_a_scan(self):
        result = self.tables()
        self.assertIn("| 5,000 | 5 | 4 | **1.50** / 2.00 |", result.stdout)  # bold: what is taken
        self.assertIn("Of 1 cases a slower way in 1, by at most 33%.", result.stdout)

    def test_kinds_by_what_is_searched(self):
        result = self.tables()
        self.assertIn("| kind | 50,000 x 384, k 10 |", result.stdout)
        self.assertIn("| Flat | 1.000, 5.00 k/s |", result.stdout)
        self.assertIn("| HNSW32, ef 64 | 0.980, 2.00 M/s |", result.stdout)

    def test_a_failed_benchmark_fails(self):
        failed = [{**RECALL[0], "error_occurred": True, "error_message": "ranks differ"}]
        result = self.tables(recall=RECALL + failed)
        self.assertEqual(result.returncode, 1)
        self.assertIn("ranks differ", result.stderr)

    def test_other_files_are_refused(self):
        result = self.tables(numpy={"rates": {}})
        self.assertEqual(result.returncode, 2)
        self.assertIn("no such results", result.stderr)
        self.assertEqual(subprocess.run([sys.executable, str(SCRIPT)], capture_output=True,
                                        check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()
