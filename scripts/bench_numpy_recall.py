#!/usr/bin/env python3
"""Rates of recall scoring as a NumPy user would write it, beside which recall_bench stands.

    scripts/bench_numpy_recall.py [--small] [--seconds S]

Blends five quantised features under mixes of weights, one mix at a time and by one matrix product,
on shape S (120 memories, 600 queries) and shape L (a million memories, one query): the rank of a
target, and the five best. Writes one JSON object to standard output: the rates in
(query, memory, mix) per second of wall time, and the threads that NumPy may use. Set
OPENBLAS_NUM_THREADS=1 for the rate of one thread. Exit code 3 without NumPy.
"""

import argparse
import json
import os
import sys
import time

try:
    import numpy as np
except ImportError:
    print("bench_numpy_recall.py: error: NumPy is missing (scripts/setup.sh installs it)",
          file=sys.stderr)
    sys.exit(3)

FEATURES = 5
TOP = 5
STEPS = 20
MIXES = 40  # timed; a mix costs what the next one does
BITS = 18


def mixes_of_lattice(count, rng):
    """Weights that add up to STEPS, [count, FEATURES]."""
    cuts = np.sort(rng.integers(0, STEPS + 1, size=(count, FEATURES - 1)), axis=1)
    edges = np.concatenate([np.zeros((count, 1), int), cuts, np.full((count, 1), STEPS)], axis=1)
    return np.diff(edges, axis=1).astype(np.float32)


class Shape:
    """Whole numbers below 2^18 as float32, in which every score is exact."""

    def __init__(self, queries, memories, rng):
        self.queries, self.memories = queries, memories
        own = [rng.integers(0, 2**BITS, size=(queries, memories)) for _ in range(2)]
        shared = [np.broadcast_to(rng.integers(0, 2**BITS, size=memories), (queries, memories))
                  for _ in range(FEATURES - 2)]
        self.features = [np.ascontiguousarray(f, dtype=np.float32) for f in own + shared]
        self.stacked = np.stack(self.features).reshape(FEATURES, -1)
        self.targets = rng.integers(0, memories, size=queries)
        self.earlier = np.arange(memories) < self.targets[:, None]
        self.mixes = mixes_of_lattice(MIXES, rng)

    def scores(self, mix):
        total = mix[0] * self.features[0]
        for weight, feature in zip(mix[1:], self.features[1:]):
            total += weight * feature
        return total

    def ranks_of(self, scores):
        marks = scores[np.arange(self.queries), self.targets][:, None]
        ahead = np.count_nonzero(scores > marks, axis=1)
        return ahead + np.count_nonzero((scores == marks) & self.earlier, axis=1)

    def ranks_by_mix(self):
        return np.stack([self.ranks_of(self.scores(mix)) for mix in self.mixes], axis=1)

    def ranks_by_product(self):
        blended = (self.mixes @ self.stacked).reshape(MIXES, self.queries, self.memories)
        return np.stack([self.ranks_of(scores) for scores in blended], axis=1)

    def top_by_mix(self):
        lists = []
        for mix in self.mixes:
            scores = self.scores(mix)
            best = np.argpartition(-scores, TOP, axis=1)[:, :TOP]
            order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable")
            lists.append(np.take_along_axis(best, order, axis=1))
        return lists


def rate(run, count, seconds):
    """Of the median run, within about `seconds`."""
    times = []
    while not times or (sum(times) < seconds and len(times) < 9):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return count / sorted(times)[len(times) // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--small", action="store_true", help="a check, not a measurement")
    parser.add_argument("--seconds", type=float, default=2, help="per rate (default: 2)")
    arguments = parser.parse_args()
    rng = np.random.default_rng(20261122)
    shapes = {"S": (6, 120), "L": (1, 5000)} if arguments.small else \
             {"S": (600, 120), "L": (1, 1000000)}
    result = {"numpy": np.__version__, "cpus": os.cpu_count(),
              "openblas_num_threads": os.environ.get("OPENBLAS_NUM_THREADS"), "scores_per_s": {}}
    for name, (queries, memories) in shapes.items():
        shape = Shape(queries, memories, rng)
        if not np.array_equal(shape.ranks_by_mix(), shape.ranks_by_product()):
            print("bench_numpy_recall.py: error: the two ways to rank differ", file=sys.stderr)
            return 1
        count = queries * memories * MIXES
        result["scores_per_s"][name] = {
            "ranks_by_mix": rate(shape.ranks_by_mix, count, arguments.seconds),
            "ranks_by_product": rate(shape.ranks_by_product, count, arguments.seconds),
            "top5_by_mix": rate(shape.top_by_mix, count, arguments.seconds)}
    json.dump(result, sys.stdout, indent=2)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
