"""Figures whose areas have colours that mean something: slices of a world, blends on a triangle, and
points gained in a table of cells.
"""
from figure_style import (  # first: it tells whether there is a matplotlib
    INK, FAINT, WALL, UNKNOWN, MARKERS, ON_MAP_INK, ON_MAP_PAPER, BEST, WIDTH_IN, color_of,
    fitted_legend, legend_above, numbers, percent, shortened, text_width)

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.patches import Polygon
from matplotlib.ticker import FuncFormatter


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
    if spec["observer"]:
        axes.scatter(*spec["observer"], s=190, marker="*", color=INK, label="observer", zorder=4)
    axes.set_xlim(*window[:2])
    axes.set_ylim(*window[2:])
    axes.set_xlabel(spec["xlabel"])
    axes.set_ylabel(spec["ylabel"])
    legend_above(axes, WIDTH_IN - 1, most=5)
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
