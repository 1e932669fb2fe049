"""Sweeps from Python are those of the command line, to the byte.

    python_sweep_test.py FOLDER_OF_THE_MODULE PROGRAM
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from python_module import FOLDER, Files, main, run, sl  # noqa: E402


class SweepTest(Files):
    SWEEP = {
        "name": "few_rays",
        "world": {"scene": {"name": "clutter", "seed": 1}, "solid": {"grid": {"voxel_m": 0.2}}},
        "observers": {"random_free": {"count": 5, "height_m": 1.6}},
        "targets": {"random_free": {"count": 40, "up_range_m": [0.2, 2]}},
        "rays": "cross",
        "visibility": {"method": "march", "step_m": 0.2},
        "arms": {"always": {"predict": "visible"}, "march": {"predict": "line_of_sight"}},
        "oracle": {"method": "hdda"},
        "baseline": "always",
        "claims": [{"text": "the march is right more often", "arm": "march", "accuracy": {"min": 0.5}}],
        "axes": {"visibility.step_m": [0.1, 0.4, 1.6], "replicate": [0, 1]},
    }
    FILES = ["results.csv", "summary.json", "claims.csv"]

    def expect_same_answers(self, one, other):
        for name in self.FILES:
            self.assertEqual((self.folder / one / name).read_bytes(), (self.folder / other / name).read_bytes())

    def test_a_sweep_is_that_of_the_program(self):
        told = []
        done = sl.sweep(self.SWEEP, self.path("run"), trials=True, device=sl.Device("cpu", threads=1),
                        on_progress=lambda done, planned: told.append((done, planned)))
        self.assertEqual((done.name, done.num_configurations, done.num_finished, done.is_complete),
                         ("few_rays", 6, 6, True))
        self.assertEqual(done.axes, ["visibility.step_m", "replicate"])
        self.assertEqual(told[-1], (6, 6))
        self.assertEqual(len(told), len(set(told)))
        # What it says of itself can be run by the program.
        run("sweep", self.folder / "run/resolved.yaml", "--out", self.path("by_program"), "--quiet")
        self.expect_same_answers("run", "by_program")
        columns = done.results
        self.assertEqual(len(columns["arm"]), 12)
        self.assertEqual(list(columns["arm"][:2]), ["always", "march"])
        np.testing.assert_array_equal(columns["visibility.step_m"][::4], [0.1, 0.4, 1.6])
        self.assertEqual((columns["correct"].dtype, columns["accuracy"].dtype), (np.int64, np.float64))
        known = columns["num_visible"] + columns["num_occluded"]
        np.testing.assert_allclose(columns["accuracy"], columns["correct"] / known)
        self.assertEqual(len(done.timings["arm"]), 12)
        self.assertEqual(list(done.claims["arm"]), ["march"])
        self.assertEqual(done.summary, json.loads((self.folder / "run/summary.json").read_text()))
        rows = done.trials(columns["configuration_id"][1])
        self.assertEqual(len(rows), 200)
        self.assertEqual(rows["march.right"].sum(), columns["correct"][1])
        again = sl.Run(self.folder / "run")
        self.assertEqual(repr(again), f"<sightline.Run {self.path('run')}, 6 of 6 configurations>")

    def test_overrides(self):
        steps = {"visibility.step_m": [0.1, np.float64(0.7)], "replicate": 3, "observers.random_free.count": np.int64(2)}
        done = sl.sweep(self.SWEEP, self.folder / "run", overrides=steps)
        self.assertEqual(done.axes, ["visibility.step_m"])
        np.testing.assert_array_equal(done.results["visibility.step_m"], [0.1, 0.1, 0.7, 0.7])
        np.testing.assert_array_equal(done.results["num_rays"], [80] * 4)
        (self.folder / "sweep.yaml").write_text(json.dumps(self.SWEEP))
        texts = ["visibility.step_m=[0.1, 0.7]", "replicate=3", "observers.random_free.count=2"]
        sl.sweep(self.folder / "sweep.yaml", self.path("of_file"), overrides=texts)
        self.expect_same_answers("run", "of_file")

    def test_columns_are_what_they_are_named(self):
        """Not what their texts look like."""
        sweep = {**self.SWEEP, "arms": {"7": {"predict": "visible"}, "1_0": {"predict": "line_of_sight"}},
                 "baseline": "7", "claims": [], "axes": {"visibility.step_m": [1, 2]}}
        columns = sl.sweep(sweep, self.path("run")).results
        self.assertEqual(list(columns["arm"]), ["7", "1_0"] * 2)
        self.assertTrue(all(isinstance(name, str) and len(name) == 16 for name in columns["configuration_id"]))
        types = {name: columns[name].dtype for name in ("visibility.step_m", "num_rays", "false_occluded_rate", "mcnemar_p")}
        self.assertEqual(types, {"visibility.step_m": np.int64, "num_rays": np.int64, "false_occluded_rate": np.float64,
                                 "mcnemar_p": np.float64})
        ids = set()
        for seed in range(40):  # one id in some 770 looks like a number
            done = sl.sweep(sweep, self.path(f"run{seed}"), overrides={"seed": seed})
            ids.update(done.results["configuration_id"])
        self.assertEqual((len(ids), {type(name) for name in ids}), (80, {str}))

    def test_shards_and_resumed_runs_give_the_same(self):
        sl.sweep(self.SWEEP, self.path("whole"))
        for i in (1, 2):
            part = sl.sweep(self.SWEEP, self.path("parts"), shard=(i, 2) if i == 1 else f"{i}/2")
            self.assertEqual(part.directory, self.path(f"parts/shards/{i}-of-2"))
            command = json.loads((Path(part.directory) / "manifest.json").read_text())["command"]
            self.assertEqual(command[:2], ["sightline", "sweep"])
            self.assertTrue(Path(command[2]).is_file(), command)  # so that it can be run as it stands
        self.assertTrue(sl.merge(self.path("parts")).is_complete)
        self.expect_same_answers("whole", "parts")

        class Enough(Exception):
            pass

        def stop_after_one(done, planned):
            if 0 < done < planned:
                raise Enough("that is enough")
        with self.assertRaisesRegex(Enough, "that is enough"):
            sl.sweep(self.SWEEP, self.path("stopped"), on_progress=stop_after_one)
        begun = sl.Run(self.path("stopped"))
        self.assertFalse(begun.is_complete)
        self.assertGreater(begun.num_finished, 0)
        self.assertTrue(sl.sweep(self.SWEEP, self.path("stopped"), resume=True).is_complete)
        self.expect_same_answers("whole", "stopped")

    def test_ctrl_c_keeps_what_is_finished(self):
        script = f"""
import json, os, signal, sys
sys.path.insert(0, {FOLDER!r})
import sightline as sl
def press(done, planned):
    if 0 < done < planned: os.kill(os.getpid(), signal.SIGINT)
try:
    sl.sweep(json.loads(sys.argv[1]), sys.argv[2], on_progress=press)
except KeyboardInterrupt as stopped:
    print("stopped:", stopped)
"""
        out = subprocess.run([sys.executable, "-c", script, json.dumps(self.SWEEP), self.path("run")], check=True,
                             capture_output=True, text=True).stdout
        self.assertIn("stopped:", out)
        self.assertGreater(sl.Run(self.path("run")).num_finished, 0)

    def test_failures_are_told(self):
        bad = {"observers.random_free.height_m": [1.6, 500.0], "visibility.step_m": 1}
        with self.assertWarnsRegex(RuntimeWarning, "2 of 4 configurations failed, see Run.failures"):
            done = sl.sweep(self.SWEEP, self.path("run"), overrides=bad, keep_going=True)
        self.assertEqual((done.num_finished, len(done.failures)), (2, 2))
        self.assertRegex(list(done.failures.values())[0], "free")
        self.assertIn("2 failed", repr(done))

    def test_warnings_are_pythons(self):
        claim = {**self.SWEEP["claims"][0], "where": {"replicate": 5}}
        with self.assertWarnsRegex(RuntimeWarning, "1 of 1 claims are not tested: .*replicate 5"):
            done = sl.sweep({**self.SWEEP, "claims": [claim]}, self.path("run"))
        self.assertTrue(done.is_complete)

    def test_a_dict_that_leaves_settings_out_is_warned_of(self):
        with self.assertWarnsRegex(RuntimeWarning, "replaces all of visibility.*visibility.method.*no longer"):
            sl.sweep(self.SWEEP, self.path("run"), overrides={"visibility": {"step_m": 0.3}})

    def test_bad_input_is_a_value_error(self):
        sl.sweep(self.SWEEP, self.path("run"), overrides={"replicate": 0})
        (self.folder / "none").mkdir()
        for make, words in [
                (lambda: sl.sweep(self.path("none.yaml"), self.path("new")), "none.yaml"),
                (lambda: sl.sweep(7, self.path("new")), "config: 7 is no path"),
                (lambda: sl.sweep(self.SWEEP, 7), "out: 7 is no path"),
                (lambda: sl.sweep(self.SWEEP, ""), "out: '' is no path"),
                (lambda: sl.sweep(self.SWEEP, "a\0b"), "is no path"),
                (lambda: sl.sweep(self.SWEEP, "\ud800"), "is no path"),
                (lambda: sl.sweep({1: 2}, self.path("new")), "a key of a map is a text, not 1"),
                (lambda: sl.sweep(self.SWEEP, self.path("new"), overrides={"visibility.step_m": np.inf}),
                 "step_m.*finite|step_m.*inf"),
                (lambda: sl.sweep({**self.SWEEP, "wrold": {}}, self.path("new")), "sweep().*wrold"),
                (lambda: sl.sweep(self.SWEEP, self.path("new"), overrides={"visibility.step": 1}), "step_m"),
                (lambda: sl.sweep(self.SWEEP, self.path("new"), overrides={"visibility.step_m": object()}), "object"),
                (lambda: sl.sweep(self.SWEEP, self.path("new"), overrides="replicate=1"), "overrides: is neither"),
                (lambda: sl.sweep(self.SWEEP, self.path("new"), overrides=[1]), "overrides: is neither"),
                (lambda: sl.sweep(self.SWEEP, self.path("new"), overrides=1), "overrides: is neither"),
                (lambda: sl.sweep(self.SWEEP, self.path("new"), shard=(3, 2)), "shard"),
                (lambda: sl.sweep(self.SWEEP, self.path("new"), shard="2 of 3"), "shard"),
                (lambda: sl.sweep(self.SWEEP, self.path("run")), "already holds a run; continue it with resume=True"),
                (lambda: sl.sweep(self.SWEEP, self.path("new"), on_progress=3), "on_progress: 3 cannot be called"),
                (lambda: sl.sweep(self.SWEEP, self.path("run"), resume=True), "cannot resume"),
                (lambda: sl.Run(self.path("none")), "not a run folder"),
                (lambda: sl.Run(self.path("run")).trials("0" * 16), "no trials"),
                (lambda: sl.merge(self.path("run")), "no shards"),
        ]:
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                make()
        self.assertFalse((self.folder / "new").exists())


if __name__ == "__main__":
    main()
