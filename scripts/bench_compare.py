#!/usr/bin/env python3
"""Turns a JSON result of Google Benchmark into Markdown tables, or compares two.

    scripts/bench_compare.py RESULT.json [--engine NAME]
    scripts/bench_compare.py BASE.json NEW.json [--max-regress 10%]

One result, of visibility_bench: line of sight in millions of rays per CPU second (medians where a
run was repeated), the ratio of NAME (default: hdda) to every other engine, what each engine answers
wrongly and how much memory it takes, and the rows of the other benchmarks.

Two results, of any benchmark: what became faster and slower, the most slowed first, by the median
of the first rate that a row counts (rays_per_s and the like), else of its time. A row is a
regression if it lost more than --max-regress and more than the noise: the spread of the repeated
runs of both, which repeating (--benchmark_repetitions) alone can tell. Results of another machine,
build or size are compared too, with a warning: their ratios tell of more than the code.

Exit code 1 if a benchmark failed its check or regressed, 2 if a file is not such a result.
"""

import argparse
import json
import signal
import statistics
import sys
from collections import defaultdict

# What a result says of its run that may well differ between two that compare the code alone.
OF_ONE_RUN = {"date", "host_name", "executable", "os", "mhz_per_cpu", "load_avg", "caches",
              "revision", "git_revision", "library_version", "json_schema_version"}


def fields_of(name):
    """("BM_LineOfSight", {"world": "rooms", ...}) of "BM_LineOfSight/world:rooms/...". """
    family, *parts = name.split("/")
    return family, dict(part.split(":", 1) for part in parts if ":" in part)


def read_result(path):
    """The rows of single runs by benchmark name, the errors, and what it says of its machine."""
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    rows = result["benchmarks"]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("its benchmarks are no list of runs, as --benchmark_out writes them")
    runs, errors = defaultdict(list), []
    for row in rows:
        if row.get("error_occurred"):
            errors.append(f"{row['name']}: {row['error_message']}")
        elif row["run_type"] == "iteration":
            runs[row["run_name"].split("/repeats:")[0]].append(row)
    return runs, errors, dict(result.get("context", {}))


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


def speeds(before, after):
    """What the runs of a row tell of its speed in both results, higher is better; and the name of
    that: the first rate that both have."""
    for key in before[0]:
        if (key.endswith("_per_s") or key.endswith("_per_second")) and key in after[0] and \
                all(row[key] > 0 for row in before + after):
            return [row[key] for row in before], [row[key] for row in after], key
    return *([1 / max(row["real_time"], 1e-9) for row in rows] for rows in (before, after)), \
        "1/real_time"


def spread(values):
    """Half the range of repeated runs, as a share of their median."""
    return (max(values) - min(values)) / 2 / statistics.median(values)


def compare(base, new, max_regress):
    """Rows (ratio, is regression, cells) of what both results have, the most slowed first."""
    rows = []
    for name in base.keys() & new.keys():
        before, after, rate = speeds(base[name], new[name])
        ratio = statistics.median(after) / statistics.median(before)
        noise = spread(before) + spread(after)
        worse = ratio < 1 - max(max_regress, noise)
        verdict = "REGRESSION" if worse else "" if abs(ratio - 1) <= noise else \
            "faster" if ratio > 1 else "slower"
        rows.append((ratio, worse, [f"`{name}`", rate, f"{statistics.median(before):.4g}",
                                    f"{statistics.median(after):.4g}", f"{ratio:.3f}",
                                    f"±{noise:.3f}", verdict]))
    return sorted(rows, key=lambda row: (row[0], row[2]))


def context_differences(base, new):
    """Lines on what both results say of their machine, build and sizes, each in another way. Peaks
    are measured, and never twice the same."""
    return [f"{key}: base has {base[key]}, new has {new[key]}" for key in sorted(base.keys() & new)
            if key not in OF_ONE_RUN and not key.startswith("peak_") and base[key] != new[key]]


def print_comparison(base, new, max_regress):
    """Prints the table; whether anything regressed."""
    rows = compare(base, new, max_regress)
    print_table(["benchmark", "rate", "base", "new", "new/base", "noise", ""],
                [cells for _, _, cells in rows])
    for title, names in (("Only in the base", base.keys() - new.keys()),
                         ("Only in the new", new.keys() - base.keys())):
        if names:
            print(f"{title}: " + ", ".join(f"`{name}`" for name in sorted(names)) + "\n")
    worse = sum(is_worse for _, is_worse, _ in rows)
    print(f"{len(rows)} benchmarks compared, {worse} regressed by more than "
          f"{max_regress:.0%} and the noise")
    return worse > 0


def share(text):
    """0.1 of "10%" or "0.1"."""
    value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    if not 0 <= value < 1:
        raise ValueError(text)
    return value


def read_or_end(path):
    try:
        return read_result(path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"bench_compare: error: {path}: no benchmark result: {error}", file=sys.stderr)
        sys.exit(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result", help="what --benchmark_out wrote")
    parser.add_argument("new", nargs="?", help="another such file, to compare with the first")
    parser.add_argument("--engine", default="hdda", help="the engine to compare (default: hdda)")
    parser.add_argument("--max-regress", type=share, default=0.1, metavar="SHARE",
                        help="how much slower is no regression yet: 10%% (default) or 0.1")
    arguments = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # "| head" ends this as it ends other programs
    runs, errors, context = read_or_end(arguments.result)
    if arguments.new:
        new_runs, new_errors, new_context = read_or_end(arguments.new)
        if not runs.keys() & new_runs.keys():
            print("bench_compare: error: the two results have no run of a benchmark in common",
                  file=sys.stderr)
            return 2
        differences = context_differences(context, new_context)
        for difference in differences:
            print(f"bench_compare: warning: {difference}", file=sys.stderr)
        if differences:
            print("bench_compare: warning: the ratios compare more than the code", file=sys.stderr)
        regressed = print_comparison(runs, new_runs, arguments.max_regress)
        for error in new_errors:
            print(f"bench_compare: failed: {error}", file=sys.stderr)
        return 1 if regressed or new_errors else 0
    if any(fields_of(name)[0] == "BM_LineOfSight" for name in runs):
        print_line_of_sight(runs, arguments.engine)
    print_others(runs)
    for error in errors:
        print(f"bench_compare: failed: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
