"""What the figures of figures.py have in common: colours, fonts, texts that fit, axes, and how a
figure becomes a file. Exits with 3 where there is no matplotlib.
"""
import io
import re
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path
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
# On coloured cells, which a page in dark colours does not change.
ON_MAP_INK, ON_MAP_PAPER, BEST = "#000000", "#ffffff", "#d62828"
WIDTH_IN = 9.0
PNG_DPI = 200
SIGNED = "Sightline report"  # which report.cpp looks for

matplotlib.rcdefaults()  # whatever the user's own settings say
plt.rcParams.update({
    "svg.hashsalt": "sightline", "svg.fonttype": "path", "font.family": "DejaVu Sans",
    "font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "axes.edgecolor": FAINT, "axes.labelcolor": INK, "axes.titlecolor": INK, "text.color": INK,
    "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": GRID, "grid.linewidth": 0.6, "axes.axisbelow": True,
    "legend.frameon": False, "lines.linewidth": 1.8, "lines.markersize": 5.5,
    "figure.constrained_layout.use": True,
    "text.parse_math": False,  # a "$" in somebody's name of an arm is a dollar; since matplotlib 3.6
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


def wrapped(text, most_in, size):
    """The text in lines that fit: two for each of its own, broken where spaces and underscores part
    words; one, shortened, where that does not do."""
    lines = []
    for line in text.split("\n"):
        halves = [""]
        for word in line.replace("_", "_ ").split(" "):
            joint = "" if halves[-1].endswith("_") or not halves[-1] else " "
            if not halves[-1] or text_width(halves[-1] + joint + word, size) <= most_in:
                halves[-1] += joint + word
            else:
                halves[-1] = halves[-1].rstrip("_")
                halves.append(word)
        lines += halves if len(halves) <= 2 else [line]
    return "\n".join(shortened(line, most_in, size) for line in lines)


def fitted_legend(labels, width_in, size=10, most=4):
    """Labels that fit the width, and in how many columns they do."""
    beside = 5 * size / 72  # the handle, the room after it and that between columns
    labels = [shortened(label, width_in - beside, size) for label in labels]
    widest = max((text_width(label, size) for label in labels), default=0)
    return labels, max(1, min(len(labels), most, int(width_in / (widest + beside))))


def legend_above(axes, width_in, most=4):
    """A legend between the axes and what is above them, where no data is."""
    handles, names = axes.get_legend_handles_labels()
    labels, columns = fitted_legend(names, width_in, 9, most)
    axes.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1.0), ncol=columns,
                borderaxespad=0.2, fontsize=9)


def add_heading(figure, title, held):
    """Lines above a drawn figure, in room of their own: its title, and what it holds fixed."""
    lines = [({"fontsize": 11, "fontweight": "bold"}, title), ({"color": FAINT}, held)]
    lines = [(style, text) for style, text in lines if text]
    if not lines:
        return
    width_in, height_in = figure.get_size_inches()
    tall_in = height_in + 0.24 * len(lines) + 0.12
    figure.set_size_inches(width_in, tall_in)
    figure.get_layout_engine().set(rect=(0, 0, 1, height_in / tall_in))
    for i, (style, text) in enumerate(lines):
        figure.text(0.05 / width_in, 1 - (0.06 + 0.24 * i) / tall_in,
                    shortened(text, 0.92 * WIDTH_IN, 11), ha="left", va="top", **style)


def apart(values):
    """Those of a linear axis whose labels do not run into the one before."""
    told = []
    for value in sorted(values):
        if not told or value - told[-1] >= 0.12 * (max(values) - min(values)):
            told.append(value)
    return told


def set_x_axis(axes, x):
    axes.set_xlabel(x["label"])
    values = x["values"]
    if x["log"]:
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
    if len(values) <= 9:
        axes.set_xticks(values)
        told = set(values if x["log"] else apart(values))
        # Three digits tell steps apart; all six of a logarithmic one would run into each other.
        axes.xaxis.set_major_formatter(FuncFormatter(
            lambda v, _: "" if v not in told else f"{v:,.0f}" if v >= 1e3 else f"{v:.3g}"))
        crowded = len(values) > 6 or any(float(f"{v:.2g}") != v for v in values)
        axes.tick_params(axis="x", labelrotation=45 if crowded else 0)
    elif x["log"]:
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())


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
    """Pictures on white, for slides and papers, signed: a later report may replace them."""
    figure.savefig(path + ".file.png", dpi=PNG_DPI, facecolor="white", metadata={"Software": SIGNED})
    figure.savefig(path + ".file.svg", facecolor="white",
                   metadata={"Date": None, "Creator": SIGNED, "Format": None, "Type": None})
