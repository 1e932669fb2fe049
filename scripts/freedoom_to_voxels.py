#!/usr/bin/env python3
"""Makes a voxel world of a map of Freedoom, or of any file of maps in Doom's format (WAD).

    scripts/freedoom_to_voxels.py /usr/share/games/doom/freedoom1.wad E1M1 e1m1.npy
    scripts/freedoom_to_voxels.py WAD MAP OUT.npy [--voxel METRES] [--units-per-metre N]

Needs NumPy. Debian's package `freedoom` brings free maps. OUT holds uint8 [nx, ny, nz], 0 free and
1 occupied, x east, y north, z up; the options that place it in Sightline are printed.

A column of voxels belongs to the sector at its centre. Free is what lies between that sector's
floor and ceiling (a voxel by its centre), so steps, low ceilings and closed doors are solid; so is
everything outside all sectors. Every column that a one-sided line passes through is solid from
bottom to top: walls thinner than a voxel do not vanish. Windows and fences painted on two-sided
lines are free, and a sky is a ceiling at its height. Format: the Unofficial Doom Specs (Fell 1994).
"""

import argparse
import os
import struct
import sys

try:
    import numpy as np
except ImportError:
    print("freedoom_to_voxels.py: error: NumPy is missing (scripts/setup.sh installs it)",
          file=sys.stderr)
    sys.exit(3)

LINEDEF = np.dtype([("from", "<u2"), ("to", "<u2"), ("flags", "<u2"), ("special", "<u2"),
                    ("tag", "<u2"), ("right", "<u2"), ("left", "<u2")])
SIDEDEF = np.dtype([("x", "<i2"), ("y", "<i2"), ("upper", "S8"), ("lower", "S8"), ("middle", "S8"),
                    ("sector", "<u2")])
VERTEX = np.dtype([("x", "<i2"), ("y", "<i2")])
SECTOR = np.dtype([("floor", "<i2"), ("ceiling", "<i2"), ("floor_flat", "S8"),
                   ("ceiling_flat", "S8"), ("light", "<i2"), ("special", "<u2"), ("tag", "<u2")])
LUMPS = {"LINEDEFS": LINEDEF, "SIDEDEFS": SIDEDEF, "VERTEXES": VERTEX, "SECTORS": SECTOR}
NO_SIDE = 0xFFFF
VOID = -1
MAX_VOXELS = 1 << 31


class BadInput(Exception):
    """What is wrong with the input, and what to do."""


def read_directory(path, data):
    """Names and contents of a WAD's lumps, in order."""
    if len(data) < 12 or data[:4] not in (b"IWAD", b"PWAD"):
        raise BadInput(f"{path}: is not a WAD file: it must begin with IWAD or PWAD")
    count, at = struct.unpack("<ii", data[4:12])
    if count < 0 or at < 0 or at + 16 * count > len(data):
        raise BadInput(f"{path}: has its directory beyond its end; fetch it again")
    lumps = []
    for i in range(count):
        first, size, name = struct.unpack_from("<ii8s", data, at + 16 * i)
        if first < 0 or size < 0 or first + size > len(data):
            raise BadInput(f"{path}: lump {i} lies beyond the end of the file; fetch it again")
        lumps.append((name.rstrip(b"\0").decode("ascii", "replace"), data[first:first + size]))
    return lumps


def read_map(path, map_name):
    """The arrays of LUMPS of one map, all indices checked."""
    with open(path, "rb") as file:
        lumps = read_directory(path, file.read())
    names = [name for name, _ in lumps]
    if map_name not in names:
        maps = [names[i - 1] for i, name in enumerate(names) if name == "THINGS" and i > 0]
        raise BadInput(f"{path}: has no map {map_name}; it has {', '.join(maps)}")
    first = names.index(map_name) + 1
    arrays = {}
    for name, content in lumps[first:first + 10]:
        if name in LUMPS and name not in arrays:
            usable = len(content) - len(content) % LUMPS[name].itemsize
            arrays[name] = np.frombuffer(content[:usable], LUMPS[name])
    for name in LUMPS:
        if len(arrays.get(name, ())) == 0:
            raise BadInput(f"{path}: map {map_name} has no {name}")
    lines, sides = arrays["LINEDEFS"], arrays["SIDEDEFS"]
    used = np.concatenate([lines["right"], lines["left"][lines["left"] != NO_SIDE]])
    if (max(lines["from"].max(), lines["to"].max()) >= len(arrays["VERTEXES"])
            or used.max() >= len(sides) or sides["sector"].max() >= len(arrays["SECTORS"])):
        raise BadInput(f"{path}: map {map_name} refers to parts that it does not have")
    return arrays


def side_sectors(arrays, side):
    """The sector on one side of each line, VOID where there is none."""
    rows = arrays["LINEDEFS"][side].astype(np.int64)
    sectors = arrays["SIDEDEFS"]["sector"].astype(np.int64)
    return np.where(rows == NO_SIDE, VOID, sectors[np.minimum(rows, len(sectors) - 1)])


def sectors_of_columns(ends, right, left, low, voxel, shape):
    """The sector at the centre of each column [nx, ny]: from west to east, each line that a row of
    centres crosses says what lies beyond it."""
    columns = np.full(shape, VOID, np.int64)
    (x1, y1), (x2, y2) = ends
    centres_x = low[0] + (np.arange(shape[0]) + 0.5) * voxel
    for j in range(shape[1]):
        y = low[1] + (j + 0.5) * voxel
        up, down = (y1 <= y) & (y < y2), (y2 <= y) & (y < y1)
        crossed = np.flatnonzero(up | down)
        if len(crossed) == 0:
            continue
        share = (y - y1[crossed]) / (y2[crossed] - y1[crossed])
        at = x1[crossed] + share * (x2[crossed] - x1[crossed])
        order = np.argsort(at, kind="stable")
        beyond = np.where(up[crossed], right[crossed], left[crossed])[order]
        last = np.searchsorted(at[order], centres_x, side="right") - 1
        columns[:, j] = np.where(last < 0, VOID, beyond[np.maximum(last, 0)])
    return columns


def columns_on_line(start, end, low, voxel):
    """Columns [n, 2] in which a line has length."""
    start, end = (start - low) / voxel, (end - low) / voxel
    shares = [0.0, 1.0]
    for axis in range(2):
        a, b = start[axis], end[axis]
        if a != b:
            cuts = np.arange(np.ceil(min(a, b)), np.floor(max(a, b)) + 1)
            shares.extend((cuts - a) / (b - a))
    shares = np.sort(np.clip(shares, 0, 1))
    middles = (shares[1:] + shares[:-1])[:, None] / 2
    return np.floor(start + middles * (end - start)).astype(np.int64)


def voxelise(arrays, voxel):
    """uint8 [nx, ny, nz], and its low corner, all in map units."""
    lines, sectors = arrays["LINEDEFS"], arrays["SECTORS"]
    points = np.stack([arrays["VERTEXES"]["x"], arrays["VERTEXES"]["y"]], 1).astype(np.float64)
    start, end = points[lines["from"]], points[lines["to"]]
    right, left = side_sectors(arrays, "right"), side_sectors(arrays, "left")
    used = np.concatenate([start, end])
    low = np.append(used.min(0), sectors["floor"].min())
    high = np.append(used.max(0), sectors["ceiling"].max())
    low = (np.floor(low / voxel) - 1) * voxel  # a layer of solid all around
    shape = tuple(int(n) for n in np.floor((high - low) / voxel) + 2)
    if np.prod(shape, dtype=np.float64) > MAX_VOXELS:
        raise BadInput(f"{shape[0]} x {shape[1]} x {shape[2]} voxels are too many; give a larger "
                       "--voxel")
    columns = sectors_of_columns((start.T, end.T), right, left, low, voxel, shape[:2])
    for line in np.flatnonzero(left == VOID):
        cells = columns_on_line(start[line], end[line], low[:2], voxel)
        columns[cells[:, 0], cells[:, 1]] = VOID

    centres_z = low[2] + (np.arange(shape[2]) + 0.5) * voxel
    grid = np.ones(shape, np.uint8)
    for sector in np.unique(columns[columns != VOID]):
        is_free = (centres_z > sectors["floor"][sector]) & (centres_z < sectors["ceiling"][sector])
        grid[columns == sector] = np.where(is_free, 0, 1)
    return grid, low


def save(path, grid):
    """Writes beside the path and renames: no half of a file is ever left."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            np.save(file, grid)
        os.replace(temporary, path)
    except OSError:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("wad")
    parser.add_argument("map", help="E1M1, MAP01, ...")
    parser.add_argument("out", help="the .npy to write")
    parser.add_argument("--voxel", type=float, default=0.25, help="voxel size in metres")
    parser.add_argument("--units-per-metre", type=float, default=32)
    arguments = parser.parse_args()
    try:
        if not (arguments.voxel > 0 and arguments.units_per_metre > 0):
            raise BadInput("--voxel and --units-per-metre must be above 0")
        if not arguments.out.endswith(".npy"):
            raise BadInput(f"{arguments.out}: worlds are written as .npy; change the extension")
        arrays = read_map(arguments.wad, arguments.map.upper())
        grid, low = voxelise(arrays, arguments.voxel * arguments.units_per_metre)
        save(arguments.out, grid)
    except (BadInput, OSError) as error:
        print(f"freedoom_to_voxels.py: error: {error}", file=sys.stderr)
        return 2
    origin = " ".join(f"{value / arguments.units_per_metre:g}" for value in low)
    print(f"wrote {arguments.out}: {grid.shape[0]} x {grid.shape[1]} x {grid.shape[2]} voxels")
    print(f"--voxel {arguments.voxel:g} --origin {origin} --frame z_up")
    return 0


if __name__ == "__main__":
    sys.exit(main())
