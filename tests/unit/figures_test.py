#!/usr/bin/env python3
"""host/report/figures.py: whatever the names of worlds and arms, legends and labels stay inside the
figure. Exit code 77 (skipped) without matplotlib, 1 with SL_REQUIRE_MATPLOTLIB=1."""

import os
import re
import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

try:
    import matplotlib  # noqa: F401
except ImportError as error:
    if sys.executable != "/usr/bin/python3" and os.access("/usr/bin/python3", os.X_OK):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # Debian's own may have it
    print(f"skipped: {error} (scripts/setup.sh installs it)")
    sys.exit(1 if os.environ.get("SL_REQUIRE_MATPLOTLIB") == "1" else 77)

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "host" / "report"))
import figures  # pylint: disable=wrong-import-position
from figure_style import fitted_legend, set_x_axis  # pylint: disable=wrong-import-position
from matplotlib import pyplot as plt  # pylint: disable=wrong-import-position
from matplotlib.transforms import Bbox  # pylint: disable=wrong-import-position

SHORT = ["thin", "solid", "village"]
LONG = [f"maps/surveys/building_{i}/scan_of_the_third_floor_after_the_renovation_{i}.bt"
        for i in range(8)]
ENDLESS = ["{name: village, " + ", ".join(f"house_{k}_m: {k}.25" for k in range(40)) + "}"]
# To matplotlib mathematics, of which the first is malformed; to XML markup.
HOSTILE = ["ma$^{$", "a $x^2$ b", r"\$5 \frac{", "100 % </svg> & <b>", '"quoted" \'too\' --> ]]>']
NAMES = {"short": SHORT, "long": LONG, "endless": ENDLESS + SHORT}


def curve(label, color):
    return {"label": label, "color": color, "y": [0.9, 0.8], "low": [0.8, 0.7], "high": [1, 0.9]}


def curves(names):
    panel = {"title": "Accuracy", "ylabel": "targets judged right", "ylim": [0, 1],
             "curves": [curve(name, i) for i, name in enumerate(names)],
             "levels": [{"label": "exact walk (the truth)", "y": 1, "color": None}]}
    return {"kind": "curves", "name": "curves", "panels": [panel, panel],
            "x": {"label": "march step (m)", "values": [0.1, 0.5], "log": False}}


def cost(names):
    points = {"x": [10, 20], "cheapest": [9, 18], "dearest": [11, 22], "y": [0.9, 0.8],
              "low": [0.8, 0.7], "high": [1, 0.9], "tags": ["0.1 m", "0.5 m"]}
    return {"kind": "cost", "name": "cost", "log": False, "xlabel": "time", "ylabel": "right",
            "series": [{"label": name, "color": i, **points} for i, name in enumerate(names)]}


def crowded_cost():
    """Eleven points within a few of their own widths."""
    y = [0.9966, 0.9962, 0.995, 0.9957, 0.994, 0.99, 0.985, 0.96]
    march = {"x": [98, 101, 102, 101.5, 103, 104, 103, 109], "y": y,
             "low": [v - 0.004 for v in y], "high": [min(1, v + 0.003) for v in y],
             "tags": [f"{step} m" for step in (0.02, 0.05, 0.08, 0.1, 0.15, 0.2, 0.4, 0.8)]}
    other = {"x": [102, 104, 150], "y": [0.9953, 0.991, 1], "low": [0.99, 0.98, 0.99],
             "high": [0.999, 0.999, 1], "tags": ["0.11 m", "0.22 m", "0.44 m"]}
    series = [{"label": label, "color": color, **points,
               "cheapest": [0.97 * x for x in points["x"]],
               "dearest": [1.02 * x for x in points["x"]]}
              for color, (label, points) in enumerate([("march", march), ("uniform", other)])]
    return cost([]) | {"series": series}


def bars_of(axes, spec):
    """Boxes of the points and of the bars through them, in pixels."""
    boxes = []
    for series in spec["series"]:
        at = zip(*(series[key] for key in ("x", "cheapest", "dearest", "y", "low", "high")))
        for x, cheapest, dearest, y, low, high in at:
            for start, end, room in (((x, y), (x, y), 3), ((cheapest, y), (dearest, y), 0),
                                     ((x, low), (x, high), 0)):
                (x0, y0), (x1, y1) = axes.transData.transform([start, end])
                boxes.append(Bbox.from_extents(x0 - room, y0 - room, x1 + room, y1 + room))
    return boxes


def distance(box, point):
    x, y = (max(low - v, 0, v - high) for v, low, high in zip(point, box.min, box.max))
    return (x * x + y * y) ** 0.5


def lined_labels(axes):
    """Labels away from their points, with a line to them."""
    ends = [text.get_position() for text in axes.texts if not text.get_text()]
    return {text.get_text() for text in axes.texts if text.get_position() in ends}


def bars(names):
    parts = [{"label": label, "color": i, "hatch": ""} for i, label in enumerate(
        ["right", "hidden, called visible", "visible, called hidden", "called unknown"])]
    return {"kind": "bars", "name": "bars", "xlabel": "share of targets", "parts": parts,
            "rows": [{"label": name, "shares": [0.7, 0.1, 0.1, 0.1], "text": "98.7 % right"}
                     for name in names]}


def offsets(names):
    return {"kind": "offsets", "name": "offsets", "ticks": ["1 m", "far"], "joined": 1,
            "xlabel": "offset", "ylabel": "hits",
            "curves": [curve(name, i) for i, name in enumerate(names)]}


def groups(names):
    return {"kind": "groups", "name": "groups", "ticks": names, "ylabel": "right",
            "curves": [curve(name, i) | {"y": [0.5] * len(names), "low": [0.4] * len(names),
                                         "high": [None] * len(names)}
                       for i, name in enumerate(names)]}


def intervals(names):
    panel = {"title": "1 m", "y": [0.5] * len(names), "low": [0.4] * len(names),
             "high": [0.6] * len(names)}
    return {"kind": "intervals", "name": "intervals", "labels": names, "panels": [panel] * 2,
            "baseline": 0, "xlabel": "hit rate"}


def triangle(names):
    marks = [{"label": name, "spatial": 0.2, "other": 0.1 * i, "best": i == 0}
             for i, name in enumerate(names)]
    panel = {"title": "1 m", "cells": [0, 0, 0.5, 1, 0, 0.7, 0, 1, 0.2], "marks": marks}
    return {"kind": "triangle", "name": "triangle", "panels": [panel] * 2, "step": 1,
            "range": [0, 1], "label": "hits", "corners": ["relevance", "all else", "place"]}


def gains(names):
    row = {"gains": [0.31, -0.004, None], "sure": [True, False, False]}
    columns = [{"name": name, "from": 23} for name in (names * 3)[:3]]
    return {"kind": "gains", "name": "gains", "columns": columns, "rows": names,
            "apart": [False] * (len(names) - 1) + [True], "from": "no gate, % right",
            "label": "points", "xlabel": "regime",
            "panels": [{"title": "hard", "rows": [row] * len(names)}] * 2}


def texts_of(figure):
    """The texts that carry names: of legends and beside axes."""
    legends = figure.findobj(matplotlib.legend.Legend)
    ticks = [label for axes in figure.findobj(matplotlib.axes.Axes)
             for label in axes.get_yticklabels() if re.search("[a-z]{3}", label.get_text())]
    return [text for legend in legends for text in legend.get_texts()] + ticks


class Figures(unittest.TestCase):
    def check(self, make):
        for case, names in NAMES.items():
            with self.subTest(case):
                spec = make(names)
                figure = figures.DRAW[spec["kind"]](spec)
                figure.canvas.draw()
                renderer, page = figure.canvas.get_renderer(), figure.bbox
                for text in texts_of(figure):
                    box = text.get_window_extent(renderer)
                    if not text.get_visible() or box.width == 0:
                        continue
                    self.assertGreaterEqual(box.x0, page.x0, text.get_text())
                    self.assertLessEqual(box.x1, page.x1, text.get_text())
                    self.assertGreaterEqual(box.y0, page.y0, text.get_text())
                    self.assertLessEqual(box.y1, page.y1, text.get_text())
                plt.close(figure)

    def test_curves(self):
        self.check(curves)

    def test_cost(self):
        self.check(cost)

    def test_cost_of_more_arms_than_colours(self):
        self.check(lambda names: cost([f"{i} {name}" for i in range(3) for name in names]))

    def test_cost_names_points_of_more_arms_than_colours(self):
        spec = cost([f"arm_{i}" for i in range(12)])
        for i, series in enumerate(spec["series"]):
            series.update({key: series[key][:1] for key in series if key not in ("label", "color")})
            series.update(tags=[""], y=[0.05 * i], low=[0.05 * i], high=[0.05 * i])
        def names_and_legends():
            figure = figures.DRAW["cost"](spec)
            names = {text.get_text() for text in figure.axes[0].texts} - {""}
            legends = len(figure.findobj(matplotlib.legend.Legend))
            boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text()]
            self.assertFalse(any(box.overlaps(other)
                                 for i, box in enumerate(boxes) for other in boxes[:i]))
            plt.close(figure)
            return names, legends
        self.assertEqual(names_and_legends(), ({f"arm_{i}" for i in range(12)}, 0))
        spec["series"][4].update(y=[0.15], low=[0.15], high=[0.15])
        self.assertEqual(names_and_legends(), ({f"arm_{i}" for i in range(12)}, 0), "two at a place")
        for series in spec["series"]:
            series.update(y=[0.15], low=[0.15], high=[0.15])
        self.assertEqual(names_and_legends(), (set(), 1), "twelve at a place have no room")

    def test_cost_labels_cover_nothing(self):
        # Times of a short run: close together, not in the order of the steps, with wide intervals.
        spec = crowded_cost()
        figure = figures.DRAW["cost"](spec)
        axes, told = figure.axes[0], self.labels_of(figure)
        self.assertEqual(set(told), set(spec["series"][0]["tags"] + spec["series"][1]["tags"]))
        boxes = list(told.values())
        for i, box in enumerate(boxes):
            self.assertFalse(any(box.overlaps(other) for other in boxes[:i]), "each other")
            for bar in bars_of(axes, spec):
                self.assertFalse(box.overlaps(bar), f"{list(told)[i]} on a point or a bar")
        legend, = figure.findobj(matplotlib.legend.Legend)
        self.assertFalse(legend.get_window_extent().overlaps(axes.bbox), "legend over the plot")
        plt.close(figure)

    def test_cost_labels_are_the_nearest_to_their_points(self):
        figure = figures.DRAW["cost"](crowded_cost())
        points = {tag: figure.axes[0].transData.transform((x, y))
                  for series in crowded_cost()["series"]
                  for tag, x, y in zip(series["tags"], series["x"], series["y"])}
        for label in figure.axes[0].texts:
            if not label.get_text() or label.get_text() in lined_labels(figure.axes[0]):
                continue
            box = label.get_window_extent()
            nearest = min(points, key=lambda tag: distance(box, points[tag]))
            self.assertEqual(nearest, label.get_text())
        plt.close(figure)

    def test_cost_leaves_out_labels_without_room(self):
        spec = crowded_cost()
        for series in spec["series"]:
            series.update({key: [series[key][0]] * 60 for key in series
                           if key not in ("label", "color", "tags")})
            series["tags"] = [f"{series['label']} at 0.{i:02} m" for i in range(60)]
        figure = figures.DRAW["cost"](spec)
        boxes = list(self.labels_of(figure).values())
        self.assertLess(0, len(boxes))
        self.assertLess(len(boxes), 120)
        self.assertFalse(any(box.overlaps(other) for i, box in enumerate(boxes)
                             for other in boxes[:i]))
        plt.close(figure)

    def labels_of(self, figure):
        figure.canvas.draw()
        return {text.get_text(): text.get_window_extent() for text in figure.axes[0].texts
                if text.get_text()}

    def test_headings_stand_above_all_else(self):
        made = (curves, cost, bars, offsets, groups, intervals, triangle, gains)
        for make in made:
            with self.subTest(make.__name__):
                spec = make(SHORT) | {"title": "What it shows", "held": "March step 0.1 m"}
                figure = figures.draw(spec, stands_alone=True)
                figure.canvas.draw()
                told = {text.get_text(): text.get_window_extent() for text in figure.texts}
                title, held = told[spec["title"]], told[spec["held"]]
                self.assertLessEqual(title.y1, figure.bbox.y1)
                self.assertLessEqual(held.y1, title.y0)
                for axes in figure.findobj(matplotlib.axes.Axes):
                    self.assertLess(axes.get_tightbbox().y1, held.y0)
                plt.close(figure)
                on_page = figures.draw(spec)  # the page has the title already
                self.assertNotIn(spec["title"], [text.get_text() for text in on_page.texts])
                self.assertIn(spec["held"], [text.get_text() for text in on_page.texts])
                plt.close(on_page)

    def test_bars(self):
        self.check(bars)

    def test_offsets(self):
        self.check(offsets)

    def test_groups(self):
        self.check(groups)

    def test_intervals(self):
        self.check(intervals)

    def test_triangle(self):
        self.check(triangle)

    def test_gains(self):
        self.check(gains)
        figure = figures.draw_gains(gains(SHORT))
        cells = [text.get_text() for text in figure.axes[0].texts]
        self.assertEqual(cells.count("+31"), 3)
        self.assertEqual(cells.count("0"), 3)  # and no "-0"
        plt.close(figure)

    def test_names_are_drawn_as_they_are(self):
        for make in (curves, cost, bars, offsets, groups, intervals, triangle, gains):
            with self.subTest(make.__name__):
                spec = make(HOSTILE) | {"title": HOSTILE[0], "held": HOSTILE[1]}
                figure = figures.draw(spec, stands_alone=True)
                figure.canvas.draw()
                for text in figure.findobj(matplotlib.text.Text):
                    self.assertFalse(text.get_parse_math(), text.get_text())
                ElementTree.fromstring(figures.to_svg(figure, "name"))
                plt.close(figure)

    def test_names_that_fit_are_kept(self):
        self.assertEqual(fitted_legend(SHORT, 8.8), (SHORT, 3))

    def test_shortened_names_keep_both_ends(self):
        labels, columns = fitted_legend(ENDLESS, 4)
        self.assertEqual(columns, 1)
        self.assertTrue(labels[0].startswith("{name: village") and labels[0].endswith(".25}"))
        self.assertIn("…", labels[0])

    def test_labels_of_x_do_not_run_into_each_other(self):
        values = [0, 0.005, 0.01, 0.03, 0.1]
        for log, told in ((False, ["0", "", "", "0.03", "0.1"]), (True, None)):
            figure, axes = plt.subplots()
            set_x_axis(axes, {"label": "rate", "values": values[1:] if log else values, "log": log})
            labels = [label.get_text() for label in axes.get_xticklabels()]
            self.assertEqual(labels, told or ["0.005", "0.01", "0.03", "0.1"])
            plt.close(figure)


if __name__ == "__main__":
    unittest.main()
