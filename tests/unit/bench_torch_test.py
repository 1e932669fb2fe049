#!/usr/bin/env python3
"""scripts/bench_torch.py: what it compares before it times, its rows, and the exit codes. What needs
PyTorch is skipped without it."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "bench_torch.py"
SEED = 20261123

try:
    import numpy as np
    import torch  # noqa: F401  pylint: disable=unused-import
    HAVE_TORCH = True
except ImportError:
    HAVE_TORCH = False


def run(*arguments, **environment):
    return subprocess.run([sys.executable, str(SCRIPT), *map(str, arguments)], check=False,
                          capture_output=True, text=True, env={**os.environ, **environment})


def march(world, start, end, step):
    """The definition, in doubles: is no sample between the voxels of the ends in an occupied one?"""
    length = np.linalg.norm(end - start)
    ends = {tuple(np.floor(start).astype(int)), tuple(np.floor(end).astype(int))}
    k = 1
    while k * step < length:
        voxel = tuple(np.floor(start + (end - start) / length * (k * step)).astype(int))
        if voxel not in ends and world[voxel]:
            return False
        k += 1
    return True


def export_batch(folder, rng):
    """As visibility_bench --export does: a world, rays between its free voxels, and answers."""
    world = (rng.random((40, 30, 20)) < 0.01).astype(np.uint8)
    free = np.argwhere(world == 0)
    ends = free[rng.integers(0, len(free), (400, 2))] + rng.integers(0, 256, (400, 2, 3)) / 256
    visible = np.array([march(world, *ray, 0.5) for ray in ends], dtype=np.uint8)
    np.save(folder / "world-rooms.npy", world)
    np.save(folder / "world-rooms_set-1_rays.npy", ends.astype(np.float32))
    np.save(folder / "world-rooms_set-1_march.npy", visible)
    return visible


def export_recall(folder, rng):
    """As recall_bench --export does."""
    def unit(num):
        rows = rng.standard_normal((num, 16))
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    rows, queries = unit(300), unit(5)
    features = rng.integers(0, 2**18, (5, 3, 300))
    features[0] = np.rint(queries[:3].astype(float) @ rows.T.astype(float) * 2**18)
    mixes = rng.integers(0, 5, (20, 5))
    scores = np.einsum("cf,fqm->qcm", mixes, features)
    arrays = {"rows": rows, "queries": queries, "mixes": mixes.astype(np.float32),
              "features": features.astype(np.float32),
              "top5": -np.sort(-scores, axis=2)[:, :, :5].astype(np.int64)}
    for name, array in arrays.items():
        np.save(folder / f"shape-S_{name}.npy", array)
    return arrays


@unittest.skipUnless(HAVE_TORCH, "no PyTorch")
class WithTorch(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        rng = np.random.default_rng(SEED)
        self.visible, self.recall = export_batch(self.folder, rng), export_recall(self.folder, rng)

    def rows(self, code):
        result = run(self.folder, "--seconds", "0", "--device", "cpu")
        self.assertEqual(result.returncode, code, result.stderr)
        return {row["name"]: row for row in json.loads(result.stdout)["benchmarks"]}

    def test_times_what_agrees(self):
        rows = self.rows(0)
        self.assertEqual(sorted(rows), [
            "BM_Batch/op:torch_march/world:rooms/set:1/backend:cpu",
            "BM_RecallBatch/op:cosines/shape:S/method:torch/backend:cpu",
            "BM_RecallBatch/op:top5/shape:S/method:torch/backend:cpu"])
        self.assertTrue(0 < self.visible.mean() < 1)
        for row, rate in zip(rows.values(), ("rays_per_s", "cosines_per_s", "scores_per_s")):
            self.assertGreater(row[rate], 0)

    def test_refuses_marches_that_differ(self):
        self.visible[:40] ^= 1
        np.save(self.folder / "world-rooms_set-1_march.npy", self.visible)
        rows = self.rows(1)
        self.assertIn("differ", rows["BM_Batch/op:torch_march/world:rooms/set:1/backend:cpu"][
            "error_message"])

    def test_refuses_lists_and_cosines_that_differ(self):
        self.recall["top5"][2, 7, 4] += 1
        np.save(self.folder / "shape-S_top5.npy", self.recall["top5"])
        self.recall["features"][0, 1, 17] += 5
        np.save(self.folder / "shape-S_features.npy", self.recall["features"])
        rows = self.rows(1)
        for op in ("cosines", "top5"):
            row = rows[f"BM_RecallBatch/op:{op}/shape:S/method:torch/backend:cpu"]
            self.assertTrue(row["error_message"].startswith("1 ") or op == "top5", row)


class ExitCodes(unittest.TestCase):
    @unittest.skipUnless(HAVE_TORCH, "no PyTorch")
    def test_a_folder_without_exports(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run(folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("visibility_bench --export", result.stderr)

    def test_without_torch(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "torch.py").write_text("raise ImportError('there is none')", "utf-8")
            result = run(folder, PYTHONPATH=folder)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("install PyTorch", result.stderr)


if __name__ == "__main__":
    unittest.main()
