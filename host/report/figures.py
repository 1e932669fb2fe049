"""Draws the figures of a report: python3 figures.py FIGURES.json OUT_DIR.

Reads numbers and labels, writes one OUT_DIR/NAME.svg per figure, ready to stand inside a page: no
XML header, no metadata, ids of its own, colours as CSS variables with a fallback. It computes
nothing: every number comes from the caller. The same input gives the same bytes.
"""
import io
import json
import os
import re
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.patches import Polygon
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)  # the caller tells this apart from a failed drawing

INK, FAINT, GRID = "#24292f", "#6e7781", "#c9ced4"
WALL, UNKNOWN = (110, 118, 129, 255), (110, 118, 129, 70)
# Okabe and Ito (2008), told apart by readers with any common form of colour blindness.
SERIES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
CSS_NAMES = {INK: "--ink", FAINT: "--faint", GRID: "--grid",
             **{color: f"--series-{i}" for i, color in enumerate(SERIES)}}
WIDTH_IN = 9.0

matplotlib.rcdefaults()  # whatever the user's own settings say
plt.rcParams.update({
    "svg.hashsalt": "sightline", "svg.fonttype": "path", "font.family": "DejaVu Sans",
    "font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "axes.edgecolor": FAINT, "axes.labelcolor": INK, "axes.titlecolor": INK, "text.color": INK,
    "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": GRID, "grid.linewidth": 0.6, "axes.axisbelow": True,
    "legend.frameon": False, "lines.linewidth": 1.8, "lines.markersize": 5.5,
    "figure.constrained_layout.use": True,
})


def color_of(index):
    return SERIES[index % len(SERIES)]


def percent(value, _=None):
    text = f"{100 * value:.3f}".rstrip("0").rstrip(".")
    return f"{text} %"


def numbers(values):
    """A list with null for "no value" as an array with NaN."""
    return np.array([np.nan if v is None else v for v in values], dtype=float)


def set_x_axis(axes, x):
    axes.set_xlabel(x["label"])
    values = x["values"]
    if x["log"]:
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
    if len(values) <= 9:
        axes.set_xticks(values)
        # Three digits tell steps apart; all six of a logarithmic one would run into each other.
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:.3g}"))
        crowded = len(values) > 6 or any(float(f"{v:.2g}") != v for v in values)
        axes.tick_params(axis="x", labelrotation=45 if crowded else 0)
    elif x["log"]:
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())


def draw_curve(axes, x, curve):
    color = color_of(curve["color"])
    y, low, high = (numbers(curve[key]) for key in ("y", "low", "high"))
    axes.fill_between(x, low, high, color=color, alpha=0.18, linewidth=0)
    axes.errorbar(x, y, yerr=[y - low, high - y], fmt="none", ecolor=color, elinewidth=1,
                  capsize=2.5)
    return axes.plot(x, y, color=color, marker=MARKERS[curve["color"] % len(MARKERS)],
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
    figure = plt.figure(figsize=(WIDTH_IN, 4.2))
    body, legend = figure.subfigures(2, 1, height_ratios=[12, 1 + len(panels[0]["curves"]) // 4])
    for part in (body, legend):
        part.set_facecolor("none")
    for axes, panel in zip(np.atleast_1d(body.subplots(1, len(panels))), panels):
        handles.update(draw_panel(axes, panel, spec["x"]))
    legend.legend(handles.values(), handles.keys(), loc="center", ncol=min(len(handles), 4))
    return figure


def draw_cost(spec):
    figure, axes = plt.subplots(figsize=(WIDTH_IN, 4.2))
    for series in spec["series"]:
        color = color_of(series["color"])
        x, cheapest, dearest = (numbers(series[key]) for key in ("x", "cheapest", "dearest"))
        y, low, high = (numbers(series[key]) for key in ("y", "low", "high"))
        # No line joins the points: their order along x is measured, and noise may swap neighbours.
        axes.errorbar(x, y, xerr=[x - cheapest, dearest - x], yerr=[y - low, high - y], fmt="none",
                      ecolor=color, elinewidth=0.8, alpha=0.6)
        axes.plot(x, y, color=color, marker=MARKERS[series["color"] % len(MARKERS)],
                  linestyle="none", label=series["label"])
        for i, (tag, *place) in enumerate(zip(series["tags"], x, y)):
            side, align = ((5, "left"), (-5, "right"))[i % 2]  # neighbours may be close together
            axes.annotate(tag, place, xytext=(side, -12), textcoords="offset points", ha=align,
                          fontsize=8, color=color)
    if spec["log"]:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    axes.margins(x=0.08)
    axes.set_xlabel(spec["xlabel"])
    axes.set_ylabel(spec["ylabel"])
    axes.yaxis.set_major_formatter(FuncFormatter(percent))
    if len(spec["series"]) > 1:
        axes.legend(loc="best")
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
    axes.set_yticks(places, [row["label"] for row in rows])
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(FuncFormatter(percent))
    axes.set_xlabel(spec["xlabel"])
    axes.grid(axis="y", visible=False)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncol=len(spec["parts"]),
                borderaxespad=0.2, fontsize=9)
    return figure


def world_image(states):
    """Voxel states (0 free, 1 solid, 2 unknown) as RGBA; free space is clear."""
    image = np.zeros(states.shape + (4,), dtype=np.uint8)
    image[states == 1] = WALL
    image[states == 2] = UNKNOWN
    return image


def draw_slice(spec):
    window = spec["window"]
    shape = (window[3] - window[2]) / (window[1] - window[0])
    figure, axes = plt.subplots(figsize=(WIDTH_IN, float(np.clip(8.2 * shape, 2.6, 8.0)) + 0.9))
    axes.grid(False)
    states = np.fromfile(spec["states"], dtype=np.uint8).reshape(spec["rows"], spec["columns"])
    if spec["cone"]:
        axes.add_patch(Polygon(spec["cone"], closed=True, facecolor=color_of(4), alpha=0.16,
                               edgecolor="none", zorder=1))
    axes.imshow(world_image(states), extent=spec["world"], origin="upper",
                interpolation="nearest", aspect="equal", zorder=2)
    for group in spec["groups"]:
        points = np.array(group["points"], dtype=float).reshape(-1, 2)
        color = color_of(group["color"])
        style = {"c": color, "linewidths": 0} if group["filled"] else {
            "facecolors": "none", "edgecolors": color, "linewidths": 1.6}
        axes.scatter(points[:, 0], points[:, 1], s=group["size"], marker=group["marker"],
                     label=group["label"], zorder=3, **style)
    axes.scatter(*spec["observer"], s=190, marker="*", color=INK, label="observer", zorder=4)
    axes.set_xlim(*window[:2])
    axes.set_ylim(*window[2:])
    axes.set_xlabel(spec["xlabel"])
    axes.set_ylabel(spec["ylabel"])
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncol=5, borderaxespad=0.2, fontsize=9)
    return figure


DRAW = {"curves": draw_curves, "cost": draw_cost, "bars": draw_bars, "slice": draw_slice}


def to_svg(figure, name):
    """The figure as an <svg> element that can share a page with others."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True,
                   metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    plt.close(figure)
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'id="', f'id="{name}-', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\1{name}-", svg)
    for color, variable in CSS_NAMES.items():
        svg = svg.replace(f": {color}", f": var({variable}, {color})")
    # The page sets the size; the figure keeps its shape.
    return re.sub(r'<svg ([^>]*?)width="[^"]*"', r"<svg \1", re.sub(
        r'<svg ([^>]*?)height="[^"]*" ', r"<svg \1", svg, count=1), count=1)


def main(arguments):
    with open(arguments[1], encoding="utf-8") as file:
        figures = json.load(file)["figures"]
    for spec in figures:
        svg = to_svg(DRAW[spec["kind"]](spec), spec["name"])
        with open(os.path.join(arguments[2], spec["name"] + ".svg"), "w", encoding="utf-8") as out:
            out.write(svg)


if __name__ == "__main__":
    main(sys.argv)
