#!/usr/bin/env python3
"""Turns results of the recall and search benchmarks into Markdown tables.

    scripts/bench_recall_tables.py RECALL.json SEARCH.json NUMPY.json...

Of recall_bench, search_bench and bench_numpy_recall.py (one file for each number of threads), as
scripts/bench_recall.sh makes them in one run. Writes to standard output: scores per second by method
(medians), how many times as fast as NumPy's matrix product ranks are, what FAISS with re-ranking
misses, how many times as fast as a full scan lists through bands are, gates by distance, and filtered
searches by path, of which the fastest repetition counts. Exit code 1 if a benchmark failed its check, 2
if a file is not such a result.
"""

import json
import sys

from bench_compare import fields_of, median, read_result


def short(rate):
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= unit:
            return f"{rate / unit:.2f} {name}"
    return f"{rate:.0f}"


def threads_of(numpy):
    return int(numpy["openblas_num_threads"] or numpy["cpus"])


def plural(threads):
    return f"{threads} thread{'s' * (threads != 1)}"


def score_table(runs, numpys):
    columns = [(shape, op) for shape in "SL" for op in ("ranks", "top5")]
    rows, missed, ranks = {}, [], {}
    for name, repeats in runs.items():
        family, fields = fields_of(name)
        if family != "BM_Recall" or (fields["shape"], fields["op"]) not in columns:
            continue
        method = fields["method"]
        if "candidates" in fields:
            method += f", {fields['candidates']} candidates"
            missed.append((fields["shape"], fields["candidates"], repeats[0]["missed_share"]))
        if "scales" in fields:
            method += f", {fields['scales']} scales"
        if "mixes" in fields:
            method += f", {int(fields['mixes']):,} mixes"
        threads, rate = int(fields["threads"]), median(repeats, "scores_per_s")
        if fields["op"] == "ranks":
            best = ranks.setdefault((fields["shape"], threads), (0, ""))
            ranks[fields["shape"], threads] = max(best, (rate, method))
        label = f"{method}, {plural(threads)}"
        rows.setdefault(label, {})[fields["shape"], fields["op"]] = short(rate)
    for numpy in numpys:
        for way in ("by_mix", "by_product"):
            rows[f"NumPy {way.replace('_', ' ')}, {plural(threads_of(numpy))}"] = {
                (shape, op): short(numpy["scores_per_s"][shape][f"{op}_{way}"])
                for shape, op in columns if f"{op}_{way}" in numpy["scores_per_s"][shape]}
    print("| scores per second | S, ranks | S, five best | L, ranks | L, five best |")
    print("|---|---|---|---|---|")
    for label, cells in rows.items():
        print("| " + " | ".join([label] + [cells.get(column, "") for column in columns]) + " |")
    print()
    for numpy in numpys:
        for shape, rates in numpy["scores_per_s"].items():
            if (shape, threads_of(numpy)) in ranks:
                rate, method = ranks[shape, threads_of(numpy)]
                print(f"- {shape}, ranks, {plural(threads_of(numpy))}: {method} "
                      f"{rate / rates['ranks_by_product']:.0f} times NumPy's matrix product")
    for shape, candidates, share in missed:
        print(f"- {shape}, {candidates} candidates: {share:.1%} of the lists lack one of the five best")
    for name, repeats in runs.items():
        if "op:whole" in name:
            share = repeats[0].get("cosine_share")
            print(f"- `{name}`: {median(repeats, 'real_time') / 1000:.2f} s"
                  + (f", cosines {share:.0%}" if share else ""))
        if "op:cosines" in name:
            print(f"- `{name}`: {median(repeats, 'flop_per_s') / 1e9:.0f} GFLOP/s")


def band_table(runs):
    """How many times as fast as a full scan bands and blocks are; bold what recall takes."""
    times, taken = {}, {}
    for name, repeats in runs.items():
        family, fields = fields_of(name)
        if family == "BM_Bands":
            key = tuple(int(fields[f]) for f in ("memories", "best", "signs", "mixes"))
            times.setdefault(key, {})[fields["way"]] = median(repeats, "real_time")
            if repeats[0]["taken"] > 0:
                taken[key] = fields["way"]
    columns = sorted({key[3] for key in times})

    def cell(key):
        gains = {way: times[key]["scan"] / times[key][way] for way in ("bands", "blocks")}
        return " / ".join(f"**{gain:.2f}**" if taken[key] == way else f"{gain:.2f}"
                          for way, gain in gains.items())

    print("\n| memories | best | signs | " + " | ".join(f"{mixes:,} mixes" for mixes in columns)
          + " |")
    print("|---|---|---" + "|---" * len(columns) + "|")
    for row in sorted({key[:3] for key in times}):
        print(f"| {row[0]:,} | {row[1]} | {row[2]} | "
              + " | ".join(cell((*row, mixes)) for mixes in columns) + " |")
    losses = [of[taken[key]] / min(of.values()) for key, of in times.items()]
    wrong = [loss for loss in losses if loss > 1]
    print(f"\nOf {len(losses)} cases a slower way in {len(wrong)}, by at most "
          f"{max(losses, default=1) - 1:.0%}.")


def gate_table(runs):
    ways = [(op, way) for op in ("radius", "nearest") for way in ("scan", "grid")]
    rows = {}
    for name, repeats in runs.items():
        family, fields = fields_of(name)
        if family == "BM_Gate":
            cells = rows.setdefault(int(fields["anchors"]), {})
            cells[fields["op"], fields["way"]] = short(median(repeats, "queries_per_s"))
    print("\n| anchors | radius, scan | radius, grid | 15 nearest, scan | 15 nearest, grid |")
    print("|---|---|---|---|---|")
    for anchors, cells in sorted(rows.items()):
        print(f"| {anchors:,} | " + " | ".join(cells[way] for way in ways) + " |")


def search_table(runs):
    rows = {}
    for name, repeats in runs.items():
        family, fields = fields_of(name)
        if family == "BM_FilteredSearch":
            key = fields["kind"], int(fields["queries"]), int(fields["kept_percent"])
            rows.setdefault(key, {})[fields["path"]] = repeats
    print("\n| kind | queries | kept | auto | takes | gather | selector | auto / better |")
    print("|---|---|---|---|---|---|---|---|")
    for kind, queries, kept in sorted(rows, key=lambda key: (key[0], key[1], -key[2])):
        paths = rows[kind, queries, kept]
        fastest = {path: min(row["real_time"] for row in repeats)
                   for path, repeats in paths.items()}
        better = min(fastest["gather"], fastest["selector"])
        takes = "gather" if paths["auto"][0]["gathers"] else "selector"
        times = [f"{fastest[path]:.3g} ms" if fastest[path] < 1000 else f"{fastest[path]:.0f} ms"
                 for path in ("auto", "gather", "selector")]
        print(f"| {kind} | {queries} | {kept} % | {times[0]} | {takes} | {times[1]} | {times[2]} "
              f"| {fastest['auto'] / better:.2f} |")


def kind_table(runs):
    """Recall and queries per second of each kind, by rows x width and k."""
    cells = {}
    for name, repeats in runs.items():
        family, fields = fields_of(name)
        if family != "BM_IndexKind":
            continue
        effort = [(key, int(fields[key])) for key in ("probes", "ef") if key in fields]
        column = int(fields["rows"]), int(fields["dim"]), int(fields["k"])
        cells.setdefault((fields["kind"], *effort), {})[column] = (
            f"{repeats[0]['recall']:.3f}, {short(median(repeats, 'queries_per_s'))}/s")
    columns = sorted({column for row in cells.values() for column in row})
    titles = [f"{num_rows:,} x {dim}, k {k}" for num_rows, dim, k in columns]
    print("\n| kind | " + " | ".join(titles) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for (kind, *effort), row in sorted(cells.items()):
        title = kind + "".join(f", {key} {value}" for key, value in effort)
        print(f"| {title} | " + " | ".join(row[column] for column in columns) + " |")


def main(arguments):
    if len(arguments) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        recall, errors, _ = read_result(arguments[1])
        search, more_errors, _ = read_result(arguments[2])
        numpys = []
        for path in arguments[3:]:
            with open(path, encoding="utf-8") as file:
                numpys.append(json.load(file))
        score_table(recall, numpys)
        band_table(recall)
        gate_table(recall)
        search_table(search)
        kind_table(search)
    except (OSError, KeyError, ValueError) as error:
        print(f"bench_recall_tables.py: error: no such results: {error!r}", file=sys.stderr)
        return 2
    for error in errors + more_errors:
        print(f"bench_recall_tables.py: error: {error}", file=sys.stderr)
    return 1 if errors or more_errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
