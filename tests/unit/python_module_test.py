"""The Python module answers as the command line does, and refuses what it refuses: worlds, what is
seen, memories and views.

    python_module_test.py FOLDER_OF_THE_MODULE PROGRAM
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from python_module import Files, main, run, sl  # noqa: E402


def random_points(seed, count):
    return np.random.default_rng(seed).uniform([1, 0.2, 1], [19, 2.8, 19], (count, 3))


class WorldTest(Files):
    def test_arrays_come_back(self):
        states = np.random.default_rng(1).integers(0, 3, (7, 70, 5), dtype=np.uint8)
        world = sl.World.from_array(states, voxel_m=[0.1, 0.2, 0.3], origin_m=[1, 2, 3], frame="z_up")
        self.assertEqual((world.shape, world.voxel_m, world.origin_m, world.frame),
                         ([7, 70, 5], [0.1, 0.2, 0.3], [1, 2, 3], "z_up"))
        np.testing.assert_array_equal(world.to_array(), states)
        self.assertEqual(sl.World.from_array(states, voxel_m=np.float32(0.5)).voxel_m, [0.5] * 3)
        with self.assertRaises(TypeError):
            sl.World.from_array(states, voxel_m="wide")
        solid = np.asfortranarray(states == 1)
        np.testing.assert_array_equal(sl.World.from_array(solid).to_array(), solid)

    def test_files_hold_what_was_saved(self):
        states = np.zeros((4, 5, 6), np.uint8)
        states[1, 2, 3] = 1
        world = sl.World.from_array(states, voxel_m=0.5)
        self.assertEqual(world.save(self.path("w.slw")), [])
        losses = world.save(self.path("w.npy"))
        self.assertRegex(" ".join(losses), "voxel")
        again = sl.World(file=self.path("w.npy"), voxel_m=0.5)
        np.testing.assert_array_equal(again.to_array(), states)
        self.assertEqual(sl.World(file=self.path("w.slw")).voxel_m, [0.5, 0.5, 0.5])
        self.assertEqual(sl.World(self.folder / "w.slw").voxel_m, [0.5, 0.5, 0.5])
        world.save(self.folder / "again.slw")
        np.testing.assert_array_equal(sl.World(self.path("again.slw")).to_array(), states)

    def test_versions(self):
        run("world", "convert", "--scene", "pilot2", self.path("w.slw"))
        run("world", "edit", self.path("w.slw"), "--set", "0,0,0..2,2,2")
        world = sl.World(file=self.path("w.slw"))
        self.assertEqual(world.num_versions, 2)
        self.assertEqual(world.to_array()[1, 1, 1], 1)
        self.assertNotEqual(world.to_array().sum(), world.at_version(0).to_array().sum())

    def test_bad_worlds_are_value_errors(self):
        states = np.zeros((2, 2, 2), np.uint8)
        for make, words in [
                (lambda: sl.World(scene="vilage"), "village"),
                (lambda: sl.World(scene="village", solld=1), "World().*solid"),
                (lambda: sl.World(file=self.path("none.bt")), "none.bt"),
                (lambda: sl.World.from_array(states + 3), r"value 3 at index \(0, 0, 0\)"),
                (lambda: sl.World.from_array(states.astype(float)), "bool or uint8"),
                (lambda: sl.World.from_array(states[0]), "bool or uint8"),
                (lambda: sl.World.from_array(states, frame="up"), "y_up nor z_up"),
                (lambda: sl.World.from_array(states, voxel_m=0), "voxel"),
                (lambda: sl.World(scene="pilot2", solid="analytic").to_array(), "no voxels"),
                (lambda: sl.Device("gpu"), "cuda:N"),
                (lambda: sl.Device("cpu", threads=-1), "threads: -1"),
        ]:
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                make()


class VisibilityTest(Files):
    def setUp(self):
        super().setUp()
        run("world", "convert", "--scene", "pilot2", self.path("w.slw"))
        self.world = sl.World(file=self.path("w.slw"))
        self.a, self.b = random_points(1, 500), random_points(2, 500)
        np.save(self.path("a.npy"), self.a)
        np.save(self.path("b.npy"), self.b)

    def by_program(self, command, *options):
        run(command, "--world", self.path("w.slw"), "--observers", self.path("a.npy"), "--targets",
            self.path("b.npy"), "--out", self.path("out.npy"), *options)
        return np.load(self.path("out.npy"))

    def test_lines_of_sight_are_those_of_the_program(self):
        for settings, options in [({}, []),
                                  ({"method": "march", "step_m": 0.5}, ["--method", "march", "--step", 0.5]),
                                  ({"outside": "unknown", "lattice_bits": np.int64(4)},
                                   ["--outside", "unknown", "--lattice-bits", 4])]:
            expected = self.by_program("los", *options)
            answers = sl.line_of_sight(self.world, self.a, self.b, **settings)
            self.assertEqual(answers.dtype, np.uint8)
            np.testing.assert_array_equal(answers, expected)
            self.assertGreater(len(np.unique(answers)), 1)

    def test_shapes(self):
        whole = sl.line_of_sight(self.world, self.a[:7], self.b[:9], cross=True)
        np.testing.assert_array_equal(whole, self.by_program("los", "--cross")[:7, :9])
        np.testing.assert_array_equal(sl.line_of_sight(self.world, self.a[3], self.b[:9]), whole[3])
        np.testing.assert_array_equal(sl.line_of_sight(self.world, self.a[3:4], self.b[:9]), whole[3])
        rows = np.array([[6, 8], [0, 1], [6, 0]])
        np.testing.assert_array_equal(
            sl.line_of_sight(self.world, self.a[:7], self.b[:9], pairs=rows.astype(np.int32)),
            whole[rows[:, 0], rows[:, 1]])
        one = sl.line_of_sight(self.world, list(self.a[0]), tuple(self.b[0]))
        self.assertEqual(one, whole[0, 0])
        self.assertIn(one, (sl.HIDDEN, sl.VISIBLE))

    def test_first_hits_are_those_of_the_program(self):
        hits = sl.first_hits(self.world, self.a, self.b)
        expected = self.by_program("gaze")
        for field in expected.dtype.names:
            np.testing.assert_array_equal(hits[field], expected[field])
        self.assertTrue(np.isfinite(hits["distance_m"]).any() and np.isinf(hits["distance_m"]).any())
        self.assertEqual(sl.first_hits(self.world, self.a[0], self.b[0])["sight"], hits["sight"][0])

    def test_devices_answer_alike(self):
        device = sl.Device("cpu", threads=1)
        self.assertEqual((device.is_gpu, device.threads), (False, 1))
        np.testing.assert_array_equal(sl.line_of_sight(self.world, self.a, self.b, device=device),
                                      sl.line_of_sight(self.world, self.a, self.b))

    def test_a_device_may_be_named(self):
        np.testing.assert_array_equal(sl.line_of_sight(self.world, self.a, self.b, device="cpu"),
                                      sl.line_of_sight(self.world, self.a, self.b))
        for wrong, words in (("gpu", "gpu"), (7, "device: is 7; give a Device, or the name of one")):
            with self.assertRaisesRegex(ValueError, words):
                sl.line_of_sight(self.world, self.a, self.b, device=wrong)

    def test_threads_take_turns_on_a_device(self):
        device = sl.Device("cpu", threads=1)
        worlds = [self.world, sl.World(scene="pilot2")] * 10
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda w: sl.line_of_sight(w, self.a, self.b, device=device), worlds))
        for world, answer in zip(worlds, answers):
            np.testing.assert_array_equal(answer, sl.line_of_sight(world, self.a, self.b))

    def test_bad_input_is_a_value_error(self):
        bad = self.a.copy()
        bad[17, 1] = np.nan
        for make, words in [
                (lambda: sl.line_of_sight(self.world, bad, self.b), "17"),
                (lambda: sl.line_of_sight(self.world, self.a[:3], self.b), "3, targets 500"),
                (lambda: sl.line_of_sight(self.world, self.a[:, :2], self.b), r"observers: has shape \[500, 2\]"),
                (lambda: sl.line_of_sight(self.world, "here", self.b), "observers: is no array"),
                (lambda: sl.line_of_sight(self.world, np.ma.masked_less(self.a, 2), self.b), "observers: is a masked"),
                (lambda: sl.line_of_sight(self.world, self.a, self.b, metod="dda"), "line_of_sight().*method"),
                (lambda: sl.line_of_sight(self.world, self.a, self.b, method="hda"), 'method: unknown value "hda"'),
                (lambda: sl.line_of_sight(self.world, self.a, self.b, method="march"), "step_m"),
                (lambda: sl.line_of_sight(self.world, self.a, self.b, step_m=1), "step_m: has no effect with method 'hdda'"),
                (lambda: sl.first_hits(self.world, self.a, self.b, step_m=1, method="dda"), "no effect with method 'dda'"),
                (lambda: sl.line_of_sight(self.world, self.a, self.b, unknown=object()), "unknown: <object"),
                (lambda: sl.line_of_sight(self.world, self.a, self.b, pairs=[[0, 500]]), "500"),
                (lambda: sl.line_of_sight(self.world, self.a, self.b, pairs=[[0.5, 1]]), "pairs: is no integer"),
                (lambda: sl.line_of_sight(self.world, self.a, self.b, pairs=np.array([[0, 2**63 + 1]], np.uint64)),
                 "target index 9223372036854775807 is not"),
                (lambda: sl.line_of_sight(self.world, self.a, self.b, pairs=[[0, 1]], cross=True), "keep one"),
                (lambda: sl.first_hits(self.world, self.a, self.b, method="march", step_m=1), "dda"),
        ]:
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                make()


class RecallTest(Files):
    MEMORIES = [{"id": 1, "text": "a red mug on the desk", "anchor": [6, 1, 5], "region": "study"},
                {"id": 2, "text": "a red mug in the sink", "anchor": [18, 1, 5], "region": "kitchen"},
                {"id": 30, "text": "the spare key in the drawer", "anchor": [8, 1, 8], "region": "study"}]

    def setUp(self):
        super().setUp()
        lines = "".join(json.dumps(memory) + "\n" for memory in self.MEMORIES)
        (self.folder / "home.jsonl").write_text(lines)
        run("memories", "convert", self.path("home.jsonl"), self.path("home.slm"), "--hashed", 384)
        self.memories = sl.Memories(self.folder / "home.slm")

    def test_stores_are_arrays(self):
        m = self.memories
        self.assertEqual(len(m), 3)
        np.testing.assert_array_equal(m.id, [1, 2, 30])
        np.testing.assert_array_equal(m.anchor_m, [memory["anchor"] for memory in self.MEMORIES])
        self.assertEqual(m.text[2], "the spare key in the drawer")
        self.assertEqual((m.embeddings.shape, m.embedder), ((3, 384), "hashed"))
        np.testing.assert_array_equal(m.embeddings,
                                      sl.Memories(self.path("home.jsonl"), hashed=384).embeddings)

    def test_answers_are_those_of_the_program(self):
        texts = ["where is my mug?", "where did I put the key?"]
        places = [[16, 1.6, 5], [6, 1.6, 8]]
        asked = "".join(json.dumps({"text": t, "from": p}) + "\n" for t, p in zip(texts, places))
        (self.folder / "ask.jsonl").write_text(asked)
        run("recall", "--store", self.path("home.slm"), "--queries", self.path("ask.jsonl"), "--scene", "pilot2",
            "--weights", "relevance=0.5,spatial=0.5", "--k", 4, "--out", self.path("out.npy"))
        expected = np.load(self.path("out.npy"))
        world = sl.World(scene="pilot2")
        weights = {"relevance": 0.5, "spatial": 0.5}
        found = sl.recall(self.memories, texts, places, world=world, weights=weights, k=4)
        self.assertEqual(found.shape, (2, 4))
        np.testing.assert_array_equal(found["id"][:, 3], [-1, -1])
        for field in expected.dtype.names:
            np.testing.assert_array_equal(found[field], expected[field])
        one = sl.recall(self.memories, texts[1], places[1], world=world, weights=weights, k=4)
        np.testing.assert_array_equal(one, found[1])
        doubled = 2.0 * np.stack([self.memories.embeddings[1], self.memories.embeddings[2]])
        by_vector = sl.recall(self.memories, doubled, [16, 1.6, 5], k=1)
        np.testing.assert_array_equal(by_vector["id"], [[2], [30]])
        self.assertTrue((by_vector["sight"] == 255).all())

    def test_gates_and_lists_that_are_short(self):
        found = sl.recall(self.memories, "mug", [6, 1.6, 5], gate={"region": "kitchen"}, k=2)
        np.testing.assert_array_equal(found["id"], [2, -1])
        np.testing.assert_array_equal(found["sight"], [255, 255])
        world = sl.World(scene="pilot2")
        told = sl.recall(self.memories, "mug", [6, 1.6, 5], world=world, gate={"region": "kitchen"}, k=2)
        self.assertLess(told["sight"][0], 3)
        self.assertEqual(told["sight"][1], 255)
        near = sl.recall(self.memories, None, [[6, 1, 5], [8, 1, 8]], weights={"spatial": 1}, k=1)
        np.testing.assert_array_equal(near["id"], [[1], [30]])
        world = sl.World(scene="pilot2")
        told = sl.recall(self.memories, "mug", [16, 1.6, 5], world=world)
        untold = sl.recall(self.memories, "mug", [16, 1.6, 5], world=world, verify=None)
        self.assertTrue((told["sight"][:3] < 3).all() and (untold["sight"][:3] == 255).all())

    def test_no_questions_have_no_answers(self):
        nowhere, nothing = np.zeros((0, 3)), np.zeros((0, 384))
        for query, places, settings in [([], nowhere, {}), ([], [0, 0, 0], {}), (nothing, nowhere, {}),
                                        (nothing, [0, 0, 0], {}), (None, nowhere, {"weights": {"spatial": 1}})]:
            with self.subTest(query=query, places=places):
                self.assertEqual(sl.recall(self.memories, query, places, k=3, **settings).shape, (0, 3))

    def test_bad_input_is_a_value_error(self):
        m = self.memories
        for make, words in [
                (lambda: sl.recall(m, "mug", [0, 0, 0], weights={"relevance": np.nan}), "weights.relevance: NaN"),
                (lambda: sl.recall(m, "mug", [0, 0, 0], recency=float("nan")), "recency: NaN"),
                (lambda: sl.recall(m, "mug", np.zeros((0, 3))), "1 texts are asked from 0"),
                (lambda: sl.recall(m, np.ones(384), np.zeros((0, 3))), "1 embeddings are asked from 0"),
                (lambda: sl.recall(m, [], [[0, 0, 0]] * 2), "no question, and from_m has 2 places"),
                (lambda: sl.recall(m, np.zeros((2, 0)), [[0, 0, 0]] * 2), "no dimensions"),
                (lambda: sl.Memories(self.path("none.slm")), "none.slm"),
                (lambda: sl.recall(m, np.zeros(384), [0, 0, 0]), "question 0: its embedding .*zero"),
                (lambda: sl.recall(m, np.ones((2, 384)), [[0, 0, 0]] * 3), "2 embeddings are asked from 3"),
                (lambda: sl.recall(m, ["mug"], [[0, 0, 0]] * 2), "1 texts are asked from 2"),
                (lambda: sl.recall(m, np.ones(7), [0, 0, 0]), "7 dimensions"),
                (lambda: sl.recall(m, "mug", [0, 0]), r"from_m: has shape \[2\]"),
                (lambda: sl.recall(m, "mug", [0, 0, 0], k=0), "k"),
                (lambda: sl.recall(m, "mug", [0, 0, 0], wieghts={"spatial": 1}), "weights"),
                (lambda: sl.recall(m, "mug", [0, 0, 0], weights={"spatal": 1}), "spatial"),
                (lambda: sl.recall(m, "mug", [0, 0, 0], gate={"line_of_sight": {}}), "world"),
                (lambda: sl.recall(m, None, [0, 0, 0]), "no question is given; .*weigh relevance 0"),
                (lambda: sl.recall(m, None, [0, 0, 0], weights={"spatial": 1}, gate={"dense": {"count": 1}}),
                 "no question is given.*dense gate"),
                (lambda: sl.recall(m, "mug", [0, 1e200, 0]), "question 0: is asked from 1e.200 on an axis"),
                (lambda: sl.recall(m, "mug", [0, np.nan, 0]), "question 0: is asked from nan on an axis"),
                (lambda: sl.recall(m, "mug", [0, 0, 0], now_s=1e300), "question 0: is asked at now_s 1e.300"),
                (lambda: sl.recall(m, {"text": "mug"}, [0, 0, 0]), "query: is a text"),
                (lambda: sl.recall(m, "mug", [0, 0, 0], yaw_deg=30, pitch_deg=99), "pitch 99: must be from -90 to 90"),
                (lambda: m.save(self.path("m.jsonl")), "m.jsonl: memories are written as .slm"),
        ]:
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                make()


class ViewTest(Files):
    CAMERA = {"width": 32, "height": 24, "horizontal_deg": 80, "range_m": 30}

    def setUp(self):
        super().setUp()
        run("world", "convert", "--scene", "village", "--voxel", 0.5, self.path("w.slw"))
        self.world = sl.World(file=self.path("w.slw"))

    def test_views_are_those_of_the_program(self):
        poses = [[6, 1.6, 4, 30, 0], [9, 1.6, 9, 210, -20]]
        lines = "".join(",".join(map(str, pose)) + "\n" for pose in poses)
        (self.folder / "poses.csv").write_text("x,y,z,yaw_deg,pitch_deg\n" + lines)
        run("render", "--world", self.path("w.slw"), "--poses", self.path("poses.csv"), "--width", 32, "--height", 24,
            "--fov", 80, "--range", 30, "--raw", "--out", self.path("views"))
        expected = np.load(self.path("views/views.npy"))
        views = sl.render(self.world, poses, **self.CAMERA)
        self.assertEqual(views.shape, (2, 24, 32))
        self.assertEqual(set(expected.dtype.names), set(views.dtype.names))
        for field in expected.dtype.names:
            np.testing.assert_array_equal(views[field], expected[field])
        self.assertTrue(np.isfinite(views["distance_m"]).any())
        one = sl.render(self.world, poses[1], **self.CAMERA)
        np.testing.assert_array_equal(one, views[1])
        self.assertEqual(sl.render(self.world, np.zeros((0, 5)), **self.CAMERA).shape, (0, 24, 32))

    def test_labels_say_whose_a_pixel_is(self):
        ids = np.full(self.world.shape, -1, np.int64)
        ids[:, :2, :] = 7
        view = sl.render(self.world, [6, 1.6, 4, 30, -20], labels=ids, **self.CAMERA)
        met = np.isfinite(view["distance_m"])
        np.testing.assert_array_equal(view["id"], np.where(met & (view["voxel"][..., 1] < 2), 7, -1))
        self.assertTrue({-1, 7} == set(view["id"][met]))

    def test_bad_input_is_a_value_error(self):
        pose = [6, 1.6, 4, 30, 0]
        ids = np.zeros(self.world.shape, int)
        for make, words in [
                (lambda: sl.render(self.world, [6, 1.6, 4]), r"poses: is no array \[n, 5\]"),
                (lambda: sl.render(self.world, "here"), "poses: is no array"),
                (lambda: sl.render(self.world, [np.nan, 1, 4, 30, 0]), "pose"),
                (lambda: sl.render(self.world, pose, labels=ids[1:]), "labels: is no integer array"),
                (lambda: sl.render(self.world, pose, labels=ids * 0.5), "labels: is no integer array"),
                (lambda: sl.render(self.world, pose, labels=ids + 2**31), "2147483648 .*no id"),
                (lambda: sl.render(self.world, pose, labels=ids - 7), "-7 .*no id"),
                (lambda: sl.render(self.world, pose, labels=ids.astype(np.uint64) + np.uint64(2**63 + 1)), "no id"),
                (lambda: sl.render(self.world, pose, labels=np.ma.masked_equal(ids, 1)), "labels: is a masked array"),
                (lambda: sl.render(self.world, np.ma.masked_equal([pose], 6)), "poses: is a masked array"),
                (lambda: sl.render(self.world, pose, width=0), "width"),
                (lambda: sl.render(self.world, [pose, [6, 1.6, 4, 30, 95]]), r"poses\[1\]: pitch 95: must be from -90"),
                (lambda: sl.render(self.world, [6, 1.6, 4, 1e300, 0]), "yaw 1e.300: must be from"),
                (lambda: sl.render(self.world, pose, horizontal_deg=180), "180"),
                (lambda: sl.render(self.world, pose, method="march", step_m=1), "dda"),
                (lambda: sl.render(self.world, pose, widht=3), "widht"),
                (lambda: sl.render(sl.World(scene="pilot2", solid="analytic"), pose), "world lacks"),
        ]:
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                make()


if __name__ == "__main__":
    main()
