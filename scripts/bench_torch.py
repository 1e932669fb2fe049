#!/usr/bin/env python3
"""What a PyTorch user would write for the same questions, beside which the benchmarks stand.

    bin/visibility_bench --export DIR      (with --small, if at all, for both)
    bin/recall_bench --export DIR
    scripts/bench_torch.py DIR [--out FILE.json] [--seconds S] [--device cpu|cuda]

Reads the worlds, rays, memories and answers that the benchmark programs wrote, and times

  BM_Batch/op:torch_march   samples every half voxel of each ray, gathered from a dense boolean
                            array, blocks of steps at a time, without the rays that are decided
  BM_RecallBatch/op:cosines      queries x rows, one matrix product in float32
  BM_RecallBatch/op:top5         mixes x features, one matrix product per query, and topk

on the GPU if PyTorch finds one, else on the CPU. Each is first compared with Sightline's answers:
of the march a share of 0.002 may differ (positions are float32 here, doubles there), cosines by
2^-16, lists by no score. Writes Google Benchmark's JSON, which scripts/bench_compare.py reads, to
FILE or standard output.

Exit code 1 if answers differ, 2 if DIR holds nothing to time, 3 without PyTorch or NumPy.
"""

import argparse
import datetime
import json
import platform
import statistics
import sys
import time
from pathlib import Path

try:
    import numpy as np
    import torch
except ImportError as error:
    print(f"bench_torch.py: error: {error}; install PyTorch and NumPy to run this peer",
          file=sys.stderr)
    sys.exit(3)

STEP_VOX = 0.5
MAX_MARCH_DIFFERS = 0.002
COSINE_BITS = 18
MAX_COSINE_DIFFERS = 4  # of 2^-18
TOP = 5
STEPS_AT_ONCE = 16
MOST_SAMPLES = 1 << 24  # at a time: bounds the memory
MOST_SCORES = 1 << 28


class Clock:
    """Runs something to its end and says how long it took, by the GPU's own clock on a GPU."""

    def __init__(self, device):
        self.on_gpu = device.type == "cuda"

    def seconds(self, run):
        if not self.on_gpu:
            begin = time.perf_counter()
            run()
            return time.perf_counter() - begin
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3


class DenseMarch:
    """A world as one flat boolean tensor and a batch of rays."""

    def __init__(self, world, rays, device):
        self.shape = world.shape
        self.occupied = torch.from_numpy(world.astype(bool)).to(device).flatten()
        ends = torch.from_numpy(rays).to(device)
        self.origin = ends[:, 0].contiguous()
        along = ends[:, 1] - ends[:, 0]
        self.length = along.norm(dim=1)
        self.direction = along / self.length.clamp_min(1e-30)[:, None]
        self.first_cell = self.cells(ends[:, 0])
        self.last_cell = self.cells(ends[:, 1])

    def cells(self, points):
        """The index of the voxel of each point; all rays begin and end inside the world."""
        voxel = points.floor().long()
        for axis, size in enumerate(self.shape):
            voxel[..., axis].clamp_(0, size - 1)
        return (voxel[..., 0] * self.shape[1] + voxel[..., 1]) * self.shape[2] + voxel[..., 2]

    def visible(self):
        """True for each ray without an occupied sample between the voxels of its ends."""
        seen = torch.ones(len(self.length), dtype=torch.bool, device=self.length.device)
        chunk = max(1, MOST_SAMPLES // STEPS_AT_ONCE)
        for begin in range(0, len(seen), chunk):
            self.march(torch.arange(begin, min(begin + chunk, len(seen)), device=seen.device), seen)
        return seen

    def march(self, open_rays, seen):
        step = 1
        while len(open_rays) > 0:
            at = STEP_VOX * torch.arange(step, step + STEPS_AT_ONCE, device=seen.device)
            points = self.origin[open_rays, None] + at[:, None] * self.direction[open_rays, None]
            cell = self.cells(points)
            counts = at < self.length[open_rays, None]
            counts &= cell != self.first_cell[open_rays, None]
            counts &= cell != self.last_cell[open_rays, None]
            hit = (self.occupied[cell] & counts).any(dim=1)
            seen[open_rays[hit]] = False
            step += STEPS_AT_ONCE
            open_rays = open_rays[~hit & (self.length[open_rays] > STEP_VOX * step)]


class Recall:
    """Memories, queries and mixes of one shape."""

    def __init__(self, folder, shape, device):
        def load(name):
            return torch.from_numpy(np.load(folder / f"shape-{shape}_{name}.npy")).to(device)
        self.rows, self.queries = load("rows"), load("queries")
        self.mixes, self.features, self.expected = load("mixes"), load("features"), load("top5")

    def cosines(self):
        return self.queries @ self.rows.T

    def differing_cosines(self):
        found = torch.round(self.cosines()[:self.features.shape[1]] * 2.0**COSINE_BITS)
        return int((torch.abs(found - self.features[0]) > MAX_COSINE_DIFFERS).sum())

    def tops(self):
        """The scores of the best of each query and mix, best first. Ties may stand in any order."""
        per_piece = max(1, MOST_SCORES // self.rows.shape[0])
        best = []
        for query in range(self.features.shape[1]):
            features = self.features[:, query]
            best.append(torch.cat([torch.topk(mixes @ features, TOP, dim=1).values
                                   for mixes in self.mixes.split(per_piece)]))
        return torch.stack(best)

    def differing_tops(self):
        return int((self.tops().long() != self.expected).sum())


class Report:
    """Rows as Google Benchmark writes them."""

    def __init__(self, device, seconds):
        self.device, self.clock, self.seconds = device, Clock(device), seconds
        self.rows, self.failed = [], False

    def fail(self, name, message):
        self.failed = True
        print(f"bench_torch.py: {name}: {message}", file=sys.stderr)
        self.rows.append({"name": name, "run_name": name, "run_type": "iteration",
                          "error_occurred": True, "error_message": message})

    def measure(self, name, run, rate, count, **more):
        """The median of the runs that fit into the seconds, at most nine."""
        times = []
        while not times or (sum(times) < self.seconds and len(times) < 9):
            times.append(self.clock.seconds(run))
        middle = statistics.median(times)
        self.rows.append({
            "name": name, "run_name": name, "run_type": "iteration", "repetitions": 1,
            "repetition_index": 0, "threads": 1, "iterations": len(times),
            "real_time": 1e3 * middle, "cpu_time": 1e3 * middle, "time_unit": "ms",
            rate: count / middle, **more})
        print(f"{name}: {1e3 * middle:.4g} ms, {rate} {count / middle:.4g}", file=sys.stderr)

    def json(self):
        name = torch.cuda.get_device_name() if self.device.type == "cuda" else platform.processor()
        return {"context": {
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "host_name": platform.node(), "executable": "scripts/bench_torch.py",
            "torch": torch.__version__, "cuda": torch.version.cuda, "device": name,
            "threads": torch.get_num_threads()}, "benchmarks": self.rows}


def time_marches(folder, report):
    worlds = [path for path in sorted(folder.glob("world-*.npy")) if "_set-" not in path.stem]
    for path in worlds:
        world = np.load(path)
        for rays in sorted(folder.glob(f"{path.stem}_set-*_rays.npy")):
            stem = rays.stem[:-len("_rays")]
            march = DenseMarch(world, np.load(rays), report.device)
            expected = torch.from_numpy(np.load(folder / f"{stem}_march.npy").astype(bool))
            differs = float((march.visible().cpu() != expected).float().mean())
            name = (f"BM_Batch/op:torch_march/world:{path.stem[len('world-'):]}"
                    f"/set:{stem.split('_set-')[1]}/backend:{report.device.type}")
            if differs > MAX_MARCH_DIFFERS:
                report.fail(name, f"{differs:.2g} of the answers differ from Sightline's march")
                continue
            report.measure(name, march.visible, "rays_per_s", len(expected), wrong=differs)
    return len(worlds)


def time_recall(folder, report):
    shapes = sorted(path.stem[len("shape-"):-len("_rows")]
                    for path in folder.glob("shape-*_rows.npy"))
    for shape in shapes:
        recall = Recall(folder, shape, report.device)
        tail = f"/shape:{shape}/method:torch/backend:{report.device.type}"
        num_rows, num_mixes = recall.rows.shape[0], recall.mixes.shape[0]
        differing = recall.differing_cosines()
        if differing:
            report.fail("BM_RecallBatch/op:cosines" + tail, f"{differing} cosines differ")
        else:
            report.measure("BM_RecallBatch/op:cosines" + tail, recall.cosines, "cosines_per_s",
                           num_rows * recall.queries.shape[0])
        differing = recall.differing_tops()
        if differing:
            report.fail("BM_RecallBatch/op:top5" + tail, f"{differing} scores of lists differ")
        else:
            report.measure("BM_RecallBatch/op:top5" + tail, recall.tops, "scores_per_s",
                           num_rows * num_mixes * recall.features.shape[1])
    return len(shapes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path, help="where --export of the benchmarks wrote")
    parser.add_argument("--out", help="file to write (default: standard output)")
    parser.add_argument("--seconds", type=float, default=2, help="per row (default: 2)")
    parser.add_argument("--device", choices=["cpu", "cuda"],
                        default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    # Whole numbers up to 2^24 must stay exact: no TF32.
    torch.backends.cuda.matmul.allow_tf32 = False
    report = Report(torch.device(arguments.device), arguments.seconds)
    with torch.no_grad():
        found = time_marches(arguments.folder, report) + time_recall(arguments.folder, report)
    if found == 0:
        print(f"bench_torch.py: error: {arguments.folder} holds neither worlds nor memories; write "
              "them with visibility_bench --export and recall_bench --export", file=sys.stderr)
        return 2
    text = json.dumps(report.json(), indent=2)
    if arguments.out:
        Path(arguments.out).write_text(text + "\n", "utf-8")
    else:
        print(text)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
