#!/usr/bin/env python3
"""Turns a JSON result of visibility_bench into Markdown tables.

    scripts/bench_compare.py RESULT.json [--engine NAME]

Writes to standard output: line of sight in millions of rays per CPU second (medians where a run was
repeated), the ratio of NAME (default: hdda) to every other engine, what each engine answers wrongly
and how much memory it takes, and the rows of the other benchmarks. Exit code 1 if a benchmark of
the run failed its check, 2 if the file is not such a result.
"""

import argparse
import json
import statistics
import sys
from collections import defaultdict


def fields_of(name):
    """("BM_LineOfSight", {"world": "rooms", ...}) of "BM_LineOfSight/world:rooms/...". """
    family, *parts = name.split("/")
    return family, dict(part.split(":", 1) for part in parts if ":" in part)


def read_result(path):
    """The rows of single runs by benchmark name, and the errors."""
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]
    runs, errors = defaultdict(list), []
    for row in rows:
        if row.get("error_occurred"):
            errors.append(f"{row['name']}: {row['error_message']}")
        elif row["run_type"] == "iteration":
            runs[row["run_name"].split("/repeats:")[0]].append(row)
    return runs, errors


def median(rows, key):
    return statistics.median(row[key] for row in rows)


def print_table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def print_line_of_sight(runs, own):
    cells = defaultdict(dict)  # engine -> (world, set) -> rows
    for name, rows in runs.items():
        family, fields = fields_of(name)
        if family == "BM_LineOfSight":
            cells[fields["engine"]][fields["world"], fields["set"]] = rows
    # Interleaved runs end in random order.
    columns = sorted({column for row in cells.values() for column in row})
    cells = {engine: cells[engine] for engine in sorted(cells, key=lambda e: (e != own, e))}
    heads = [f"{world} {number}" for world, number in columns]

    def table(title, render, engines):
        print(f"{title}\n")
        print_table(["engine", *heads],
                    [[engine, *(render(engine, column) if column in cells[engine] else "–"
                                for column in columns)] for engine in engines])

    def speed(engine, column):
        return median(cells[engine][column], "rays_per_s")

    table("Millions of rays per CPU second, one thread (columns: world and ray set):",
          lambda engine, column: f"{speed(engine, column) / 1e6:.2f}", cells)
    if own in cells:
        table(f"How many times as fast `{own}` is (below 1: slower):",
              lambda engine, column: f"{speed(own, column) / speed(engine, column):.2f}"
              if column in cells[own] else "–", [engine for engine in cells if engine != own])
    table("Wrong answers, per mille of the rays:",
          lambda engine, column: f"{1e3 * median(cells[engine][column], 'wrong'):.2f}", cells)

    worlds = list(dict.fromkeys(world for world, _ in columns))
    print("Bits per voxel of the grid:\n")
    print_table(["engine", *worlds], [
        [engine, *(f"{median(rows, 'bits_per_voxel'):.2f}" for rows in
                   (next(row for column, row in cells[engine].items() if column[0] == world)
                    for world in worlds))] for engine in cells])


def print_others(runs):
    rows = []
    for name, repeated in sorted(runs.items()):
        if fields_of(name)[0] == "BM_LineOfSight":
            continue
        rates = [key for key in repeated[0] if key.endswith("_per_s")]
        rows += [[f"`{name}`", key, f"{median(repeated, key) / 1e6:.2f} M"] for key in rates]
    if rows:
        print("Other benchmarks, per CPU second; BM_Batch by the clock, or by the GPU's own:\n")
        print_table(["benchmark", "rate", "median"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result", help="what --benchmark_out wrote")
    parser.add_argument("--engine", default="hdda", help="the engine to compare (default: hdda)")
    arguments = parser.parse_args()
    try:
        runs, errors = read_result(arguments.result)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"bench_compare: error: {arguments.result}: no benchmark result: {error}",
              file=sys.stderr)
        return 2
    if any(fields_of(name)[0] == "BM_LineOfSight" for name in runs):
        print_line_of_sight(runs, arguments.engine)
    print_others(runs)
    for error in errors:
        print(f"bench_compare: failed: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
