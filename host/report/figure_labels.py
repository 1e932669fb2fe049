"""Labels beside points that cover no point, no bar and no other label."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Bbox

# Corners before sides: bars leave a point to all four. Below before above: intervals of shares near
# 100 % reach further down, but points crowd above.
SIDES = [(1, -1), (-1, -1), (1, 1), (-1, 1), (1, 0), (-1, 0), (0, -1), (0, 1)]
REACHES_PT = (6, 15, 26, 38, 52)
ALIGN_X = {1: "left", 0: "center", -1: "right"}
ALIGN_Y = {1: "bottom", 0: "center", -1: "top"}


def gap(box, point):
    """Pixels from a box to a point outside it."""
    x, y = (max(low - v, 0, v - high) for v, low, high in zip(point, box.min, box.max))
    return np.hypot(x, y)


class Labels:
    """Writes labels one by one, each where nothing else is, in an order that the caller chooses."""

    def __init__(self, figure, axes, points, bars):
        """`points` [n, 2] and `bars`, pairs of ends, are what must stay in sight, in data units."""
        figure.canvas.draw()  # places the axes
        self.figure, self.axes = figure, axes
        half = plt.rcParams["lines.markersize"] * figure.dpi / 144
        self.points = axes.transData.transform(np.reshape(points, (-1, 2)))
        self.taken = [Bbox.from_extents(x - half, y - half, x + half, y + half)
                      for x, y in self.points]
        self.lines = [axes.transData.transform(bar) for bar in bars]
        self.page = Bbox.from_extents(axes.bbox.x0, axes.bbox.y0, figure.bbox.x1, figure.bbox.y1)

    def add(self, text, place, color, fontsize):
        """Writes a label beside the point at `place`; False, and nothing written, without room."""
        label = self.axes.annotate(text, place, xytext=(0, 0), textcoords="offset points",
                                   fontsize=fontsize, color=color, annotation_clip=False)
        label.set_in_layout(False)  # the axes stay where they were when room was looked for
        own = self.axes.transData.transform(place)
        size = label.get_window_extent().size
        for reach in REACHES_PT:
            for side in SIDES:
                offset = np.multiply(side, reach / np.hypot(*side))
                corner = own + offset * self.figure.dpi / 72 + size * (np.array(side) - 1) / 2
                box = Bbox([corner, corner + size])
                if self.is_free(box) and self.reaches(own, offset, box, color):
                    self.taken.append(box)
                    label.set(position=tuple(offset), ha=ALIGN_X[side[0]], va=ALIGN_Y[side[1]])
                    return True
        label.remove()
        return False

    def is_free(self, box):
        inside = (self.page.x0 <= box.x0 and box.x1 <= self.page.x1 and
                  self.page.y0 <= box.y0 and box.y1 <= self.page.y1)
        return inside and not any(box.overlaps(other) for other in self.taken) and not any(
            Path(line).intersects_bbox(box, filled=False) for line in self.lines)

    def reaches(self, own, offset, box, color):
        """Is it plain whose label a box is? Draws a line to the point where it is not by itself."""
        others = self.points[np.any(np.abs(self.points - own) > 1, axis=1)]
        if np.hypot(*offset) <= REACHES_PT[0] + 1 and not any(
                gap(box, other) <= 1.5 * gap(box, own) for other in others):
            return True
        end = own + offset * self.figure.dpi / 72
        line = [own, end]
        if any(Path(line).intersects_bbox(other, filled=False) for other in self.taken
               if not other.contains(*own)):
            return False
        self.lines.append(line)
        self.axes.annotate(
            "", self.axes.transData.inverted().transform(own), xytext=tuple(offset),
            textcoords="offset points", annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.6, "alpha": 0.6,
                        "shrinkA": 0, "shrinkB": 0}).set_in_layout(False)
        return True
