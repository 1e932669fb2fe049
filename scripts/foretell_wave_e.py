#!/usr/bin/env python3
"""Foretells the hit rates of Wave E from the cosines of sentences: What Spatial Memory Must Store
(2026), section 6.8. Apart from Sightline: it draws corpora of its own, and ranks them by NumPy.

    scripts/foretell_wave_e.py OWN SD OTHERS SD [CORPORA]

OWN SD      mean and standard deviation of a question's cosines with the memories of its activity,
            and OTHERS SD of those with all others, as `sightline memories info` prints them
CORPORA     that are drawn (default 400): 120 memories of 8 activities on a lattice of metres in
            16 x 4 x 16 m, asked for from 1, 3 and 6 m, a random offset and the far corner

Prints how many of the targets are among the first five: of each mix, and of each with its relevance
rescaled by 0.04 / SD, which restores the ratio of a metre's worth to the spread that the paper's
corpus has. Cosines are taken for normal. The same numbers every time. Exit codes: 0; 2 bad usage; 3 without
NumPy."""

import sys

try:
    import numpy as np
except ImportError:
    print("foretell_wave_e.py: error: NumPy is missing (scripts/setup.sh installs it)",
          file=sys.stderr)
    sys.exit(3)

PER_ACTIVITY, ACTIVITIES = 15, 8
BOX_M = np.array([15.0, 3.0, 15.0])
PLACES = (1, 3, 6, "random", "far")
# Relevance, spatial, recency, importance, staleness.
MIXES = {"vector": (1, 0, 0, 0, 0), "old": (0.35, 0.3, 0.15, 0.15, 0.05),
         "spatial": (0.5, 0.5, 0, 0, 0), "retuned": (0.4, 0.45, 0.08, 0.05, 0.02)}
TOP = 5


def rescaled(mixes, scale):
    return {f"{name}_rescaled": (round(mix[0] * scale, 3), *mix[1:])
            for name, mix in mixes.items() if name != "vector"}


def standpoints(rng, anchors, place):
    directions = rng.normal(size=anchors.shape)
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    if place == "far":
        return np.where(anchors < BOX_M / 2, BOX_M, 0)
    if place == "random":
        return anchors + directions * rng.uniform(0, np.linalg.norm(BOX_M), len(anchors))[:, None]
    return anchors + directions * place


def foretell(own, own_sd, others, others_sd, num_corpora):
    rng = np.random.default_rng(20261125)
    mixes = {**MIXES, **rescaled(MIXES, 0.04 / own_sd)}
    lattice = np.stack(np.meshgrid(*(np.arange(edge + 1) for edge in BOX_M), indexing="ij"),
                       -1).reshape(-1, 3)
    activity = np.repeat(np.arange(ACTIVITIES), PER_ACTIVITY)
    num, shape = len(activity), (ACTIVITIES, len(activity))
    hits = {(mix, place): 0 for mix in mixes for place in PLACES}
    for _ in range(num_corpora):
        anchors = lattice[rng.choice(len(lattice), num, replace=False)]
        recency = 0.5 ** (rng.uniform(0, 45, num) / 14)
        importance = rng.uniform(0.11, 0.95, num)
        cosines = np.where(activity == np.arange(ACTIVITIES)[:, None],
                           rng.normal(own, own_sd, shape), rng.normal(others, others_sd, shape))
        for place in PLACES:
            centres = standpoints(rng, anchors, place)
            away_m = np.linalg.norm(anchors[None] - centres[:, None], axis=2)
            parts = (cosines[activity], np.maximum(0, 1 - away_m / 100), recency, importance, 1)
            for name, mix in mixes.items():
                scores = sum(weight * part for weight, part in zip(mix, parts))
                targets = np.diagonal(scores)[:, None]
                hits[name, place] += int(((scores > targets).sum(1) < TOP).sum())
    return {name: [hits[name, place] / (num_corpora * num) for place in PLACES] for name in mixes}


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    try:
        own, own_sd, others, others_sd = map(float, arguments[:4])
        num_corpora, = map(int, arguments[4:] or ["400"])
        if not (own_sd > 0 and others_sd > 0 and num_corpora > 0):
            raise ValueError
    except ValueError:
        print("foretell_wave_e.py: error: needs OWN SD OTHERS SD [CORPORA], numbers, each SD and "
              "CORPORA above 0 (--help)", file=sys.stderr)
        return 2
    rates = foretell(own, own_sd, others, others_sd, num_corpora)
    print("{:<18}".format("") + "".join(f"{place:>8}" for place in PLACES))
    for name, of_places in rates.items():
        print(f"{name:<18}" + "".join(f"{rate:8.3f}" for rate in of_places))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
