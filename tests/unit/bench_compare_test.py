#!/usr/bin/env python3
"""scripts/bench_compare.py BASE NEW: what counts as a regression, and the exit codes."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "bench_compare.py"


def row(name, value, rate="rays_per_s", repetition=0, **more):
    return {"name": name, "run_name": name, "run_type": "iteration", "repetition_index": repetition,
            "real_time": 1.0 / value, "cpu_time": 1.0 / value,
            **({rate: value} if rate else {}), **more}


class BenchCompare(unittest.TestCase):
    def compare(self, base, new, *more, contexts=({}, {})):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, rows, context in (("base", base, contexts[0]), ("new", new, contexts[1])):
                path = Path(folder) / f"{name}.json"
                path.write_text(json.dumps({"context": context, "benchmarks": rows}), "utf-8")
                paths.append(str(path))
            return subprocess.run([sys.executable, str(SCRIPT), *paths, *more],
                                  capture_output=True, text=True, check=False)

    def test_equal_results_pass(self):
        result = self.compare([row("a", 5.0)], [row("a", 5.0)])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 benchmarks compared, 0 regressed", result.stdout)

    def test_a_loss_beyond_the_limit_fails(self):
        self.assertEqual(self.compare([row("a", 100.0)], [row("a", 89.0)]).returncode, 1)
        self.assertEqual(self.compare([row("a", 100.0)], [row("a", 91.0)]).returncode, 0)
        self.assertEqual(self.compare([row("a", 100.0)], [row("a", 91.0)],
                                      "--max-regress", "5%").returncode, 1)
        self.assertEqual(self.compare([row("a", 100.0)], [row("a", 89.0)],
                                      "--max-regress", "0.2").returncode, 0)

    def test_a_loss_within_the_noise_passes(self):
        noisy = [row("a", value, repetition=i) for i, value in enumerate((70.0, 100.0, 130.0))]
        quiet = [row("a", value, repetition=i) for i, value in enumerate((84.0, 85.0, 86.0))]
        self.assertEqual(self.compare(noisy, quiet).returncode, 0)
        steady = [row("a", value, repetition=i) for i, value in enumerate((99.0, 100.0, 101.0))]
        self.assertEqual(self.compare(steady, quiet).returncode, 1)

    def test_the_most_slowed_comes_first(self):
        result = self.compare([row("a", 1.0), row("b", 1.0), row("c", 1.0)],
                              [row("a", 1.5), row("b", 0.5), row("c", 1.0)])
        self.assertEqual(result.returncode, 1)
        self.assertLess(result.stdout.index("`b`"), result.stdout.index("`c`"))
        self.assertLess(result.stdout.index("`c`"), result.stdout.index("`a`"))
        self.assertIn("REGRESSION", result.stdout)

    def test_rows_without_a_rate_are_compared_by_time(self):
        result = self.compare([row("a", 10.0, rate=None)], [row("a", 5.0, rate=None)])
        self.assertEqual(result.returncode, 1)
        self.assertIn("1/real_time", result.stdout)

    def test_rows_of_one_result_are_told(self):
        result = self.compare([row("a", 1.0), row("old", 1.0)], [row("a", 1.0), row("young", 1.0)])
        self.assertIn("Only in the base: `old`", result.stdout)
        self.assertIn("Only in the new: `young`", result.stdout)
        self.assertEqual(result.returncode, 0)

    def test_nothing_in_common_is_no_pass(self):
        self.assertEqual(self.compare([row("a", 1.0)], [row("b", 1.0)]).returncode, 2)

    def test_only_a_rate_that_both_have_is_compared(self):
        base = [row("a", 10.0, rate="rays_per_s")]
        new = [{**row("a", 5.0, rate="memories_per_s"), "real_time": 0.05}]
        result = self.compare(base, new)
        self.assertIn("1/real_time", result.stdout)
        self.assertIn("2.000", result.stdout)

    def test_a_rate_of_nothing_is_no_fault(self):
        result = self.compare([row("a", 1.0)], [{**row("a", 1.0), "rays_per_s": 0.0}])
        self.assertIn(result.returncode, (0, 1), result.stderr)
        self.assertEqual(result.stderr, "")

    def test_a_failed_check_fails(self):
        failed = {"name": "a", "run_name": "a", "run_type": "iteration", "error_occurred": True,
                  "error_message": "wrong answers"}
        result = self.compare([row("b", 1.0)], [row("b", 1.0), failed])
        self.assertEqual(result.returncode, 1)
        self.assertIn("wrong answers", result.stderr)

    def test_another_machine_or_build_is_told(self):
        base = {"cpu": "Xeon", "num_cpus": 2, "flags": "-O3", "date": "Monday", "peak_fma": "1 G"}
        new = {"cpu": "EPYC", "num_cpus": 8, "flags": "-O0", "date": "Friday", "peak_fma": "2 G"}
        result = self.compare([row("a", 1.0)], [row("a", 1.0)], contexts=(base, new))
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in ("warning: cpu: base has Xeon, new has EPYC",
                     "warning: num_cpus: base has 2, new has 8",
                     "warning: flags: base has -O3, new has -O0"):
            self.assertIn(line, result.stderr)
        self.assertNotIn("date", result.stderr)
        self.assertNotIn("peak", result.stderr)

    def test_the_same_machine_is_not(self):
        same = ({"cpu": "Xeon", "date": "Monday"}, {"cpu": "Xeon", "date": "Friday", "rows": 5})
        self.assertEqual(self.compare([row("a", 1.0)], [row("a", 1.0)], contexts=same).stderr, "")

    def test_a_reader_that_leaves_is_no_fault(self):
        rows = [row(f"benchmark_{i}", 1.0) for i in range(2000)]  # more than a pipe holds
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "result.json"
            path.write_text(json.dumps({"context": {}, "benchmarks": rows}), "utf-8")
            with subprocess.Popen([sys.executable, str(SCRIPT), str(path), str(path)],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as compare:
                compare.stdout.readline()
                compare.stdout.close()
                self.assertEqual(compare.stderr.read(), b"")

    def test_refuses_what_is_no_result(self):
        self.assertEqual(self.compare([row("a", 1.0)], [{"x": 1}]).returncode, 2)
        for rows in ({"visibility_bench": {}}, ["a"], None):
            result = self.compare([row("a", 1.0)], rows)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("no benchmark result", result.stderr)
        self.assertEqual(self.compare([row("a", 1.0)], [row("a", 1.0)],
                                      "--max-regress", "200%").returncode, 2)


if __name__ == "__main__":
    unittest.main()
