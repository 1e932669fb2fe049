#!/usr/bin/env python3
"""How a sweep's blocks are best dealt to 10, 100 or 1,000 ranks: a simulation from measured times.

    scripts/simulate_dealing.py TIMINGS.csv [--minutes M] [--seed N] [--figure OUT.png]

TIMINGS.csv is what `sightline sweep` wrote beside its results; its configurations' times, drawn with
replacement, are the blocks of a run that keeps all ranks busy for M minutes (default 10) if nothing
is lost. Simulated, by events:

  dealing     ranks ask one dealer, which answers one question at a time; an answer takes a while
  guided      an answer holds blocks for 1/K of what is left to each rank (Polychronopoulos and Kuck,
              1987, with costs in place of counts), the costliest first; K = inf: a block at a time
  shards      dealt beforehand, the costliest first to who has least (Graham, 1969)
  stragglers  one rank in fifty, at least one, takes 2.5 times as long, which nobody knows beforehand
  failures    a rank dies once in 500 hours on average, and with it the job, as under mpirun: blocks that no rank has
              finished are lost, and after a pause the run is resumed with what is missing; a shard
              that dies is resumed alone

Prints a table of efficiencies (work done over time of all ranks) and draws the figure.
"""

import argparse
import csv
import heapq
import math
import random
import sys
from pathlib import Path

DEAL_LATENCY_S = 1e-3     # a question to its answer: the longest nap of a dealer that nobody asks
DEALER_S = 10e-6          # of which the dealer is busy
STRAGGLERS, SLOWER = 0.02, 2.5
MEAN_TIME_TO_FAILURE_S = 500 * 3600.0   # of one rank
RESTART_S = 60.0
RANKS = (10, 100, 1000)
RUNS = 20   # of the fewest ranks; fewer of more, which see as many failures in one
DEALS = (1, 4, 16, 64, 256, math.inf)


def block_times(path):
    """Seconds of each configuration, over its arms."""
    times = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = row["configuration_id"]
            times[key] = times.get(key, 0.0) + float(row["seconds"])
    times = [seconds for seconds in times.values() if seconds > 0]
    if not times:
        raise ValueError("no configuration has a time")
    return times


class Machine:
    """Ranks with their speeds, and when the next of them dies."""

    def __init__(self, num_ranks, rng, stragglers=True, failures=True):
        slow = max(1, round(STRAGGLERS * num_ranks)) if stragglers else 0
        self.slowness = [SLOWER] * slow + [1.0] * (num_ranks - slow)
        rng.shuffle(self.slowness)
        self.rng, self.failures = rng, failures

    def next_failure(self):
        if not self.failures:
            return math.inf
        return self.rng.expovariate(len(self.slowness) / MEAN_TIME_TO_FAILURE_S)


def chunk_end(blocks, begin, left, num_ranks, parts):
    """The end of what an answer holds: blocks for left / (ranks * parts), at least one."""
    if parts == math.inf:
        return begin + 1
    share = left / (num_ranks * parts)
    end, cost = begin, 0.0
    while end < len(blocks) and (end == begin or cost + blocks[end] <= share):
        cost += blocks[end]
        end += 1
    return end


def deal_once(blocks, machine, parts, until):
    """Deals `blocks`, the costliest first. Returns (when the last is done, blocks not done by
    `until`)."""
    ranks = [(0.0, rank) for rank in range(len(machine.slowness))]
    heapq.heapify(ranks)
    left, begin, dealer_free, done_at = sum(blocks), 0, 0.0, 0.0
    unfinished = []
    while begin < len(blocks):
        now, rank = heapq.heappop(ranks)
        if now >= until:
            unfinished += blocks[begin:]
            break
        answered = max(now, dealer_free) + DEALER_S
        dealer_free = answered
        end = chunk_end(blocks, begin, left, len(machine.slowness), parts)
        at = answered + DEAL_LATENCY_S - DEALER_S
        for block in blocks[begin:end]:
            at += block * machine.slowness[rank]
            if at > until:
                unfinished.append(block)
        left -= sum(blocks[begin:end])
        begin = end
        done_at = max(done_at, at)
        heapq.heappush(ranks, (at, rank))
    return done_at, unfinished


def dealt(blocks, machine, parts):
    """Time of a dealt run, with its resumptions."""
    blocks, total = sorted(blocks, reverse=True), 0.0
    while blocks:
        failure = machine.next_failure()
        done_at, unfinished = deal_once(blocks, machine, parts, failure)
        if done_at <= failure:
            return total + done_at
        total += failure + RESTART_S
        blocks = sorted(unfinished, reverse=True)
    return total


def sharded(blocks, machine):
    """Time of the slowest shard; each is resumed alone."""
    loads = [(0.0, rank) for rank in range(len(machine.slowness))]
    heapq.heapify(loads)
    shares = [0.0] * len(machine.slowness)
    for block in sorted(blocks, reverse=True):
        load, rank = heapq.heappop(loads)
        shares[rank] = load + block
        heapq.heappush(loads, (shares[rank], rank))
    slowest = 0.0
    for share, slowness in zip(shares, machine.slowness):
        time = share * slowness
        failure = machine.rng.expovariate(1 / MEAN_TIME_TO_FAILURE_S) \
            if machine.failures else math.inf
        slowest = max(slowest, time + (RESTART_S if failure < time else 0.0))
    return slowest


def efficiencies(times, num_ranks, work_s, seed):
    """{way: efficiency}: the way is a K of DEALS, or "shards"."""
    rng = random.Random(seed)
    blocks = []
    total = 0.0
    while total < work_s * num_ranks:
        blocks.append(rng.choice(times))
        total += blocks[-1]
    # Failures are rare and cost much: the same ones for every way, over several runs.
    runs = max(1, round(RUNS * min(RANKS) / num_ranks))
    result = {}
    for way in (*DEALS, "shards"):
        time = 0.0
        for run in range(runs):
            machine = Machine(num_ranks, random.Random(1000 * seed + run))
            time += sharded(blocks, machine) if way == "shards" else dealt(blocks, machine, way)
        result[way] = total / (num_ranks * time / runs)
    return result, len(blocks)


def name_of(way):
    return way if way == "shards" else "one block" if way == math.inf else f"1/{way}"


def draw(pyplot, results, path, source):
    figure, axes = pyplot.subplots(figsize=(7, 3.6), layout="constrained")
    for num_ranks, (by_way, _) in results.items():
        axes.plot([name_of(way) for way in by_way], [100 * share for share in by_way.values()],
                  marker="o", label=f"{num_ranks:,} ranks")
    axes.set_xlabel("what a rank is dealt at a time: a share of what is left to each, or one block")
    axes.set_ylabel("efficiency, %")
    axes.set_ylim(0, 102)
    axes.grid(alpha=0.3)
    axes.legend()
    axes.set_title(f"Dealing, simulated from the block times of {source}", fontsize=10)
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("timings", help="timings.csv of a run")
    parser.add_argument("--minutes", type=float, default=10, help="work of each rank (default 10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--figure", help="PNG to write; needs matplotlib")
    arguments = parser.parse_args()
    try:
        times = block_times(arguments.timings)
    except (OSError, ValueError, KeyError) as error:
        print(f"simulate_dealing: error: {arguments.timings}: no timings of a sweep: {error}",
              file=sys.stderr)
        return 2
    if not 0 < arguments.minutes < 1e4:
        print("simulate_dealing: error: --minutes must be positive", file=sys.stderr)
        return 2
    pyplot = None
    if arguments.figure:
        try:
            import matplotlib
            matplotlib.use("Agg")
            from matplotlib import pyplot
        except ImportError:
            print(f"simulate_dealing: error: --figure: {sys.executable} has no Matplotlib; run this "
                  "with a Python that has it (Debian: /usr/bin/python3 and python3-matplotlib)",
                  file=sys.stderr)
            return 2
    results = {ranks: efficiencies(times, ranks, 60 * arguments.minutes, arguments.seed)
               for ranks in RANKS}
    print("| dealt at a time | " + " | ".join(f"{ranks:,} ranks" for ranks in RANKS) + " |")
    print("|---|" + "---|" * len(RANKS))
    for way in (*DEALS, "shards"):
        cells = " | ".join(f"{results[ranks][0][way]:.1%}" for ranks in RANKS)
        print(f"| {name_of(way)} | {cells} |")
    blocks = ", ".join(f"{results[ranks][1]:,}" for ranks in RANKS)
    print(f"\nblocks: {blocks}; mean {1e3 * sum(times) / len(times):.2f} ms, "
          f"longest {1e3 * max(times):.2f} ms, over {len(times)} measured")
    if arguments.figure:
        draw(pyplot, results, arguments.figure, Path(arguments.timings).resolve().parent.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
