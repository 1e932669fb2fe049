"""Draws the figures of a report: python3 figures.py FIGURES.json OUT_DIR.

Reads numbers and labels, writes one OUT_DIR/NAME.svg per figure, ready to stand inside a page: no
XML header, no metadata, ids of its own, colours as CSS variables with a fallback. Where "files" is
true, NAME.file.svg and NAME.file.png are pictures that stand alone, with the title that a page has
above the figure. It computes nothing: every number comes from the caller. The same input gives the
same bytes.
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python -I and -P leave it out

from figure_style import (  # first: it tells whether there is a matplotlib
    INK, SERIES, WIDTH_IN, add_heading, color_of, fitted_legend, legend_above, marker_of, numbers,
    percent, save_files, set_x_axis, shortened, text_width, to_svg, wrapped)
from figure_labels import Labels
from figure_maps import draw_slice, draw_triangle, draw_gains

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator


def draw_curve(axes, x, curve):
    color = color_of(curve["color"])
    y, low, high = (numbers(curve[key]) for key in ("y", "low", "high"))
    axes.fill_between(x, low, high, color=color, alpha=0.18, linewidth=0)
    axes.errorbar(x, y, yerr=[y - low, high - y], fmt="none", ecolor=color, elinewidth=1,
                  capsize=2.5)
    return axes.plot(x, y, color=color, marker=marker_of(curve["color"]),
                     label=curve["label"])[0]


def draw_panel(axes, panel, x):
    axes.set_title(panel["title"])
    axes.set_ylabel(panel["ylabel"])
    axes.yaxis.set_major_formatter(FuncFormatter(percent))
    handles = {}
    for curve in panel["curves"]:
        handles[curve["label"]] = draw_curve(axes, x["values"], curve)
    for level in panel["levels"]:
        handles[level["label"]] = axes.axhline(
            level["y"], color=INK if level["color"] is None else color_of(level["color"]),
            linestyle=(0, (5, 3)), linewidth=1.4, label=level["label"])
    axes.set_ylim(*panel["ylim"])
    set_x_axis(axes, x)
    return handles


def draw_curves(spec):
    panels = spec["panels"]
    handles = {}
    names = [item["label"] for panel in panels for item in panel["curves"] + panel["levels"]]
    labels, columns = fitted_legend(list(dict.fromkeys(names)), WIDTH_IN - 0.2)
    body_in, legend_in = 3.9, 0.3 * -(-len(labels) // columns)
    figure = plt.figure(figsize=(WIDTH_IN, body_in + legend_in))
    body, legend = figure.subfigures(2, 1, height_ratios=[body_in, legend_in])
    for part in (body, legend):
        part.set_facecolor("none")
    for axes, panel in zip(np.atleast_1d(body.subplots(1, len(panels))), panels):
        handles.update(draw_panel(axes, panel, spec["x"]))
    legend.legend([handles[name] for name in dict.fromkeys(names)], labels, loc="center",
                  ncol=columns)
    return figure


def labels_for(figure, axes, all_series):
    """A writer of labels that keeps the points and bars of a cost figure in sight."""
    points, bars = [], []
    for series in all_series:
        x, y, low, high, cheapest, dearest = (
            numbers(series[key]) for key in ("x", "y", "low", "high", "cheapest", "dearest"))
        points += list(zip(x, y))
        bars += [[(x[i], low[i]), (x[i], high[i])] for i in range(len(x))]
        bars += [[(cheapest[i], y[i]), (dearest[i], y[i])] for i in range(len(x))]
    return Labels(figure, axes, points, bars)


def name_points(figure, axes, all_series):
    """Writes each arm's name beside its one point. False, and nothing written, without room."""
    if any(len(series["x"]) != 1 or series["tags"] != [""] for series in all_series):
        return False
    labels = labels_for(figure, axes, all_series)
    if all(labels.add(shortened(series["label"], WIDTH_IN / 3, 9),
                      (series["x"][0], series["y"][0]), color_of(series["color"]), 9)
           for series in all_series):
        return True
    for written in list(axes.texts):
        written.remove()
    return False


def tag_points(figure, axes, all_series):
    """Writes the tags of points beside them, where there is room; tables have what is left out."""
    labels = labels_for(figure, axes, all_series)
    for series in all_series:
        for tag, *place in zip(series["tags"], series["x"], series["y"]):
            if tag:
                labels.add(tag, place, color_of(series["color"]), 8)


def draw_costs(axes, all_series):
    for series in all_series:
        color = color_of(series["color"])
        x, cheapest, dearest = (numbers(series[key]) for key in ("x", "cheapest", "dearest"))
        y, low, high = (numbers(series[key]) for key in ("y", "low", "high"))
        # No line joins the points: their order along x is measured, and noise may swap neighbours.
        axes.errorbar(x, y, xerr=[x - cheapest, dearest - x], yerr=[y - low, high - y], fmt="none",
                      ecolor=color, elinewidth=0.8, alpha=0.6)
        axes.plot(x, y, color=color, marker=marker_of(series["color"]),
                  linestyle="none", label=series["label"])


def set_cost_axis(axes, spec):
    axes.margins(x=0.08)
    axes.set_xlabel(spec["xlabel"])
    if not spec["log"]:
        return
    axes.set_xscale("log")
    costs = np.concatenate([numbers(series["x"]) for series in spec["series"]])
    decades = np.log10(np.nanmax(costs) / np.nanmin(costs))
    # All of 1, 2 and 5 of many decades would run into each other.
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 4 else (1,)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(
        lambda v, _: f"{v:,.0f}" if v >= 1e3 else f"{v:g}"))


def draw_cost(spec):
    num_series = len(spec["series"])
    figure, axes = plt.subplots(figsize=(WIDTH_IN, max(4.2, 0.2 * num_series + 0.4)))
    draw_costs(axes, spec["series"])
    set_cost_axis(axes, spec)
    axes.set_ylabel(spec["ylabel"])
    axes.yaxis.set_major_formatter(FuncFormatter(percent))
    # A legend in which colours come twice is harder to read than names beside the points.
    if num_series <= len(SERIES) or not name_points(figure, axes, spec["series"]):
        if num_series > len(SERIES):
            handles, names = axes.get_legend_handles_labels()
            axes.legend(handles, [shortened(name, WIDTH_IN / 3, 10) for name in names],
                        loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9)
        elif num_series > 1:
            legend_above(axes, WIDTH_IN - 1)
        tag_points(figure, axes, spec["series"])
    return figure


def draw_bars(spec):
    rows = spec["rows"]
    figure, axes = plt.subplots(figsize=(WIDTH_IN, 1.3 + 0.42 * len(rows)))
    places = np.arange(len(rows))[::-1]
    left = np.zeros(len(rows))
    for i, part in enumerate(spec["parts"]):
        shares = numbers([row["shares"][i] for row in rows])
        axes.barh(places, shares, left=left, height=0.62, color=color_of(part["color"]),
                  hatch=part["hatch"], edgecolor="white", linewidth=0.5, label=part["label"])
        left += shares
    for place, row in zip(places, rows):
        axes.annotate(row["text"], (1, place), xytext=(8, 0), textcoords="offset points",
                      va="center", annotation_clip=False)
    names = [shortened(row["label"], WIDTH_IN / 3, 10) for row in rows]
    axes.set_yticks(places, names)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(FuncFormatter(percent))
    axes.set_xlabel(spec["xlabel"])
    axes.grid(axis="y", visible=False)
    beside_names = WIDTH_IN - max(text_width(name, 10) for name in names) - 0.3
    legend_above(axes, beside_names)
    return figure


def draw_offsets(spec):
    """Curves over named places along x; the first `joined` of them are distances."""
    figure, axes = plt.subplots(figsize=(WIDTH_IN, 4.4))
    places, joined = np.arange(len(spec["ticks"])), spec["joined"]
    curves = spec["curves"]
    for i, curve in enumerate(curves):
        color = color_of(curve["color"])
        x = places + 0.03 * (i - (len(curves) - 1) / 2)  # beside each other, not over each other
        y, low, high = (numbers(curve[key]) for key in ("y", "low", "high"))
        axes.errorbar(x, y, yerr=[y - low, high - y], fmt="none", ecolor=color, elinewidth=1.2,
                      capsize=2.5)
        axes.plot(x[:joined], y[:joined], color=color)
        axes.plot(x[max(joined - 1, 0):], y[max(joined - 1, 0):], color=color, linewidth=1,
                  linestyle=(0, (1, 2)))
        axes.plot(x, y, color=color, marker=marker_of(curve["color"]), linestyle="none",
                  label=curve["label"])
    axes.set_xticks(places, spec["ticks"])
    axes.set_xlim(-0.4, len(places) - 0.6)
    axes.grid(axis="x", visible=False)
    axes.set_xlabel(spec["xlabel"])
    axes.set_ylabel(spec["ylabel"])
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(FuncFormatter(percent))
    labels, columns = fitted_legend([curve["label"] for curve in curves], WIDTH_IN - 1)
    axes.legend(axes.get_legend_handles_labels()[0], labels, loc="upper center",
                bbox_to_anchor=(0.5, -0.14), ncol=columns)
    return figure


def draw_groups(spec):
    """Bars side by side with intervals: a group per tick, a bar per curve."""
    figure, axes = plt.subplots(figsize=(WIDTH_IN, 4.4))
    curves, places = spec["curves"], np.arange(len(spec["ticks"]))
    width = 0.8 / max(len(curves), 1)
    for i, curve in enumerate(curves):
        y, low, high = (numbers(curve[key]) for key in ("y", "low", "high"))
        x = places + width * (i - (len(curves) - 1) / 2)
        # Hatched where a colour comes again.
        axes.bar(x, y, width=0.9 * width, color=color_of(curve["color"]), linewidth=0,
                 hatch="////" if i >= len(SERIES) else None, edgecolor="white",
                 label=curve["label"])
        axes.errorbar(x, y, yerr=[y - low, high - y], fmt="none", ecolor=INK, elinewidth=1,
                      capsize=2)
    room_in = (WIDTH_IN - 1) / max(len(places), 1)
    size = 10 if len(places) <= 8 else 7.5
    ticks = [wrapped(tick, room_in, size) for tick in spec["ticks"]]
    axes.set_xticks(places, ticks, fontsize=size)
    axes.grid(axis="x", visible=False)
    axes.set_ylabel(spec["ylabel"])
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(FuncFormatter(percent))
    labels, columns = fitted_legend([curve["label"] for curve in curves], WIDTH_IN - 1)
    axes.legend(axes.get_legend_handles_labels()[0], labels, loc="upper center",
                bbox_to_anchor=(0.5, -0.04 - 0.04 * max(tick.count("\n") + 1 for tick in [*ticks, ""])),
                ncol=columns)
    return figure


def draw_intervals(spec):
    """Bars with intervals, a panel per offset, one row per label."""
    labels, panels = spec["labels"], spec["panels"]
    figure, row = plt.subplots(1, len(panels), sharey=True, squeeze=False,
                               figsize=(WIDTH_IN, 1.2 + 0.3 * len(labels)))
    places = np.arange(len(labels))[::-1]
    most = max([v for panel in panels for v in panel["high"] if v is not None], default=1)
    for axes, panel in zip(row[0], panels):
        y, low, high = (numbers(panel[key]) for key in ("y", "low", "high"))
        axes.barh(places, y, height=0.62, color=color_of(0), alpha=0.55, linewidth=0)
        axes.errorbar(y, places, xerr=[y - low, high - y], fmt="none", ecolor=INK, elinewidth=1.2,
                      capsize=2)
        if spec["baseline"] is not None and len(labels) > 1:
            axes.axvline(y[spec["baseline"]], color=INK, linestyle=(0, (5, 3)), linewidth=1)
        for place, value in zip(places, y):
            axes.annotate("" if np.isnan(value) else f"{100 * value:.1f}", (1, place), fontsize=8,
                          xycoords=("axes fraction", "data"), xytext=(26, 0), ha="right",
                          textcoords="offset points", va="center", annotation_clip=False)
        axes.set_title(panel["title"])
        axes.set_xlim(0, 1.01 * most)
        axes.xaxis.set_major_locator(MaxNLocator(3 if len(panels) > 2 else 6))
        axes.xaxis.set_major_formatter(FuncFormatter(percent))
        axes.grid(axis="y", visible=False)
    row[0][0].set_yticks(places, [shortened(label, WIDTH_IN / 3, 10) for label in labels])
    figure.supxlabel(spec["xlabel"], fontsize=10)
    return figure


DRAW = {"curves": draw_curves, "cost": draw_cost, "bars": draw_bars, "slice": draw_slice,
        "offsets": draw_offsets, "groups": draw_groups, "intervals": draw_intervals, "triangle": draw_triangle,
        "gains": draw_gains}


def draw(spec, stands_alone=False):
    figure = DRAW[spec["kind"]](spec)
    add_heading(figure, spec["title"] if stands_alone else "", spec["held"])
    return figure


def main(arguments):
    with open(arguments[1], encoding="utf-8") as file:
        figures = json.load(file)["figures"]
    for spec in figures:
        path = os.path.join(arguments[2], spec["name"])
        with open(path + ".svg", "w", encoding="utf-8") as out:
            out.write(to_svg(draw(spec), spec["name"]))
        if spec.get("files"):
            save_files(draw(spec, stands_alone=True), path)
        plt.close("all")


if __name__ == "__main__":
    main(sys.argv)
