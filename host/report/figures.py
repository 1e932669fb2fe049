"""Draws the figures of a report: python3 figures.py FIGURES.json OUT_DIR.

Reads numbers and labels, writes one OUT_DIR/NAME.svg per figure, ready to stand inside a page: no
XML header, no metadata, ids of its own, colours as CSS variables with a fallback. Where "files" is
true, NAME.file.svg and NAME.file.png are pictures that stand alone. It computes nothing: every
number comes from the caller. The same input gives the same bytes.
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
    from matplotlib.collections import PolyCollection
    from matplotlib.font_manager import FontProperties
    from matplotlib.patches import Polygon
    from matplotlib.textpath import text_to_path
    from matplotlib.transforms import Bbox
    from matplotlib.ticker import (
        FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator)
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
# On coloured cells, which a page in dark colours does not change.
ON_MAP_INK, ON_MAP_PAPER, BEST = "#000000", "#ffffff", "#d62828"
WIDTH_IN = 9.0
PNG_DPI = 200

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


def marker_of(index):
    """Tells apart what shares a colour, too."""
    return MARKERS[(index + index // len(SERIES)) % len(MARKERS)]


def percent(value, _=None):
    text = f"{100 * value:.3f}".rstrip("0").rstrip(".")
    return f"{text} %"


def numbers(values):
    """A list with null for "no value" as an array with NaN."""
    return np.array([np.nan if v is None else v for v in values], dtype=float)


def text_width(text, size):
    """Inches of a line of text."""
    prop = FontProperties(family=plt.rcParams["font.family"], size=size)
    return text_to_path.get_text_width_height_descent(text, prop, ismath=False)[0] / 72


def shortened(text, most_in, size):
    """The text, or as much of its beginning and its end as fits; the page's tables tell the rest."""
    half = min(len(text) // 2, 100)  # a longer line fits nowhere
    if 2 * half + 1 >= len(text) and text_width(text, size) <= most_in:
        return text
    while half > 1 and text_width(text[:half] + "…" + text[-half:], size) > most_in:
        half -= 1
    return text[:half] + "…" + text[-half:]


def fitted_legend(labels, width_in, size=10, most=4):
    """Labels that fit the width, and in how many columns they do."""
    beside = 5 * size / 72  # the handle, the room after it and that between columns
    labels = [shortened(label, width_in - beside, size) for label in labels]
    widest = max((text_width(label, size) for label in labels), default=0)
    return labels, max(1, min(len(labels), most, int(width_in / (widest + beside))))


def set_x_axis(axes, x):
    axes.set_xlabel(x["label"])
    values = x["values"]
    if x["log"]:
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
    if len(values) <= 9:
        axes.set_xticks(values)
        # Three digits tell steps apart; all six of a logarithmic one would run into each other.
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:,.0f}" if v >= 1e3 else f"{v:.3g}"))
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


def place_beside(axes, name, taken, page):
    """Moves a name to where it meets nothing of `taken`; its box there, or None if all is taken."""
    for rise in (3, -11, 10, -18, 17, -25):
        for side, align in ((7, "left"), (-7, "right")):
            name.set_position((side, rise))
            name.set_horizontalalignment(align)
            box = name.get_window_extent()
            if page.x0 <= box.x0 and box.x1 <= page.x1 and not any(box.overlaps(b) for b in taken):
                return box
    return None


def name_points(figure, axes, all_series):
    """Writes each arm's name beside its one point. False, and nothing written, if names touch."""
    if any(len(series["x"]) != 1 or series["tags"] != [""] for series in all_series):
        return False
    names = [axes.annotate(shortened(series["label"], WIDTH_IN / 3, 9),
                           (series["x"][0], series["y"][0]), xytext=(7, 3),
                           textcoords="offset points", fontsize=9,
                           color=color_of(series["color"])) for series in all_series]
    figure.canvas.draw()
    half = plt.rcParams["lines.markersize"] * figure.dpi / 144
    points = axes.transData.transform([(s["x"][0], s["y"][0]) for s in all_series])
    taken = [Bbox.from_extents(x - half, y - half, x + half, y + half) for x, y in points]
    for name in names:
        box = place_beside(axes, name, taken, figure.bbox)
        if box is None:
            for written in names:
                written.remove()
            return False
        taken.append(box)
    return True


def draw_cost(spec):
    num_series = len(spec["series"])
    figure, axes = plt.subplots(figsize=(WIDTH_IN, max(4.2, 0.2 * num_series + 0.4)))
    for series in spec["series"]:
        color = color_of(series["color"])
        x, cheapest, dearest = (numbers(series[key]) for key in ("x", "cheapest", "dearest"))
        y, low, high = (numbers(series[key]) for key in ("y", "low", "high"))
        # No line joins the points: their order along x is measured, and noise may swap neighbours.
        axes.errorbar(x, y, xerr=[x - cheapest, dearest - x], yerr=[y - low, high - y], fmt="none",
                      ecolor=color, elinewidth=0.8, alpha=0.6)
        axes.plot(x, y, color=color, marker=marker_of(series["color"]),
                  linestyle="none", label=series["label"])
        for i, (tag, *place) in enumerate(zip(series["tags"], x, y)):
            side, align = ((5, "left"), (-5, "right"))[i % 2]  # neighbours may be close together
            axes.annotate(tag, place, xytext=(side, -12), textcoords="offset points", ha=align,
                          fontsize=8, color=color)
    if spec["log"]:
        axes.set_xscale("log")
        costs = np.concatenate([numbers(series["x"]) for series in spec["series"]])
        decades = np.log10(np.nanmax(costs) / np.nanmin(costs))
        # All of 1, 2 and 5 of many decades would run into each other.
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 4 else (1,)))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:,.0f}" if v >= 1e3 else f"{v:g}"))
    axes.margins(x=0.08)
    axes.set_xlabel(spec["xlabel"])
    axes.set_ylabel(spec["ylabel"])
    axes.yaxis.set_major_formatter(FuncFormatter(percent))
    handles, labels = axes.get_legend_handles_labels()
    labels = [shortened(label, WIDTH_IN / 3, 10) for label in labels]
    if num_series > len(SERIES) and name_points(figure, axes, spec["series"]):
        pass  # a legend in which colours come twice is the harder one to read
    elif num_series > len(SERIES):
        axes.legend(handles, labels, loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9)
    elif num_series > 1:
        axes.legend(handles, labels, loc="best")
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
    labels, columns = fitted_legend([part["label"] for part in spec["parts"]], beside_names, 9)
    axes.legend(axes.get_legend_handles_labels()[0], labels, loc="lower left",
                bbox_to_anchor=(0, 1.0), ncol=columns, borderaxespad=0.2, fontsize=9)
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
    axes.set_xticks(places, [shortened(tick, room_in, 10) for tick in spec["ticks"]])
    axes.grid(axis="x", visible=False)
    axes.set_ylabel(spec["ylabel"])
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(FuncFormatter(percent))
    labels, columns = fitted_legend([curve["label"] for curve in curves], WIDTH_IN - 1)
    axes.legend(axes.get_legend_handles_labels()[0], labels, loc="upper center",
                bbox_to_anchor=(0.5, -0.08), ncol=columns)
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


def on_triangle(spatial, other):
    """Relevance lower left, place on top, all else lower right; sides of length 1."""
    spatial, other = np.asarray(spatial, dtype=float), np.asarray(other, dtype=float)
    return np.stack([other + spatial / 2, spatial * np.sqrt(3) / 2], axis=-1)


def draw_cells(axes, panel, spec):
    cells = np.array(panel["cells"], dtype=float).reshape(-1, 3)
    turns = np.pi / 6 + np.pi / 3 * np.arange(6)
    # Neighbours are a step apart; a hair more hides the seams.
    hexagon = 1.01 * spec["step"] / np.sqrt(3) * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    centres = on_triangle(cells[:, 0], cells[:, 1])
    return axes.add_collection(PolyCollection(
        centres[:, None] + hexagon[None], array=cells[:, 2], cmap="cividis", linewidths=0,
        clim=spec["range"], zorder=2))


def draw_marks(axes, marks, width_in):
    named = 0
    for mark in marks:
        style = {"marker": "*", "s": 170, "facecolor": BEST} if mark["best"] else {
            "marker": MARKERS[named % len(MARKERS)], "s": 46, "facecolor": ON_MAP_PAPER}
        named += not mark["best"]
        axes.scatter(*on_triangle(mark["spatial"], mark["other"]), edgecolor=ON_MAP_INK,
                     linewidth=1.1, label=mark["label"], zorder=5 if mark["best"] else 4, **style)
    labels, columns = fitted_legend([mark["label"] for mark in marks], width_in, 9, most=2)
    axes.legend(axes.get_legend_handles_labels()[0], labels, loc="upper center",
                bbox_to_anchor=(0.5, 0.0), ncol=columns, fontsize=9, handletextpad=0.3,
                columnspacing=1.2, borderaxespad=0)


def draw_triangle(spec):
    panels = spec["panels"]
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure, grid = plt.subplots(rows, columns, squeeze=False, figsize=(WIDTH_IN, 4.2 * rows))
    for axes in grid.flat[len(panels):]:
        axes.set_axis_off()
    for axes, panel in zip(grid.flat, panels):
        axes.set_axis_off()
        axes.set_aspect("equal")
        cells = draw_cells(axes, panel, spec)
        margin = 0.6 * spec["step"]
        axes.set_xlim(-margin - 0.08, 1 + margin + 0.08)
        axes.set_ylim(-margin - 0.09, np.sqrt(3) / 2 + margin + 0.07)
        for share in (0.25, 0.5, 0.75):
            x, y = on_triangle(share, 0)
            axes.text(x - margin - 0.03, y, percent(share), ha="right", va="center", fontsize=8,
                      color=FAINT)
        for text, corner, shift, place in zip(
                spec["corners"], ((0, 0), (1, 0), (0, 1)), (-1, 1, -1), ("left", "center", "right")):
            x, y = on_triangle(*corner)
            x += {"left": -margin - 0.06, "center": 0, "right": margin + 0.06}[place]
            axes.text(x, y + shift * (margin + 0.02), text, ha=place, fontsize=9,
                      va="bottom" if shift > 0 else "top")
        axes.set_title(panel["title"])
        draw_marks(axes, panel["marks"], (WIDTH_IN - 1.4) / columns)
    figure.set_constrained_layout_pads(h_pad=0.14)
    bar = figure.colorbar(cells, ax=grid, shrink=0.6, label=spec["label"])
    bar.ax.yaxis.set_major_formatter(FuncFormatter(percent))
    bar.outline.set_visible(False)
    return figure


def signed_points(value, _=None):
    points = round(100 * value)
    return f"{points:+d}".replace("-", "\N{MINUS SIGN}") if points else "0"


def draw_gain_cells(axes, rows):
    gains = np.array([numbers(row["gains"]) for row in rows])
    image = axes.imshow(gains, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
    for (i, k), gain in np.ndenumerate(gains):
        if np.isnan(gain):
            continue
        text = signed_points(gain)
        sure = rows[i]["sure"][k]
        axes.text(k, i, text, ha="center", va="center", fontsize=7.5,
                  color=ON_MAP_PAPER if abs(gain) > 0.6 else ON_MAP_INK,
                  fontweight="bold" if sure else "normal", alpha=1 if sure else 0.6)
    return image


def draw_gains(spec):
    """Points gained or lost, a row per arm and a column per kind of trial, panels side by side."""
    panels, columns = spec["panels"], spec["columns"]
    names = [shortened(name, WIDTH_IN / 4, 9) for name in spec["rows"]]
    ticks = [shortened(column["name"], WIDTH_IN / 5, 9) for column in columns]
    tallest = max(text_width(tick, 9) for tick in ticks)
    figure, row = plt.subplots(1, len(panels), sharey=True, squeeze=False,
                               figsize=(WIDTH_IN, 0.27 * len(names) + tallest + 1.0))
    for axes, panel in zip(row[0], panels):
        axes.grid(False)
        image = draw_gain_cells(axes, panel["rows"])
        axes.set_xticks(np.arange(len(columns)), ticks, rotation=90, fontsize=9)
        axes.tick_params(length=0, top=False, labeltop=True, bottom=True, labelbottom=False)
        axes.set_title(panel["title"], pad=8)
        axes.set_yticks(np.arange(len(names)), names, fontsize=9)
        for spine in axes.spines.values():
            spine.set_visible(False)
        for edge in np.arange(1, len(columns)) - 0.5:
            axes.axvline(edge, color=ON_MAP_PAPER, linewidth=1.2)
        apart = spec["apart"] or [False] * len(names)
        for edge in range(1, len(names)):
            wide = apart[edge] != apart[edge - 1]
            axes.axhline(edge - 0.5, color=INK if wide else ON_MAP_PAPER, linewidth=1.2)
        for k, column in enumerate(columns):
            if column["from"] is not None:
                axes.text(k, len(names) - 0.35, f"{column['from']}", ha="center", va="top",
                          fontsize=7.5, color=FAINT)
    row[0][0].text(-0.7, -0.75, spec["xlabel"], ha="right", va="bottom", fontsize=9, color=FAINT)
    row[0][0].text(-0.7, len(names) - 0.35, spec["from"], ha="right", va="top", fontsize=7.5,
                   color=FAINT)
    bar = figure.colorbar(image, ax=row, shrink=0.7, aspect=30, label=spec["label"])
    bar.ax.yaxis.set_major_formatter(FuncFormatter(signed_points))
    bar.outline.set_visible(False)
    return figure


DRAW = {"curves": draw_curves, "cost": draw_cost, "bars": draw_bars, "slice": draw_slice,
        "offsets": draw_offsets, "groups": draw_groups, "intervals": draw_intervals, "triangle": draw_triangle,
        "gains": draw_gains}


def to_svg(figure, name):
    """The figure as an <svg> element that can share a page with others."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True,
                   metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
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


def save_files(figure, path):
    """Pictures on white, for slides and papers."""
    figure.savefig(path + ".file.png", dpi=PNG_DPI, facecolor="white", metadata={"Software": None})
    figure.savefig(path + ".file.svg", facecolor="white",
                   metadata={"Date": None, "Creator": None, "Format": None, "Type": None})


def main(arguments):
    with open(arguments[1], encoding="utf-8") as file:
        figures = json.load(file)["figures"]
    for spec in figures:
        figure = DRAW[spec["kind"]](spec)
        path = os.path.join(arguments[2], spec["name"])
        with open(path + ".svg", "w", encoding="utf-8") as out:
            out.write(to_svg(figure, spec["name"]))
        if spec.get("files"):
            save_files(figure, path)
        plt.close(figure)


if __name__ == "__main__":
    main(sys.argv)
