#!/usr/bin/env python3
"""What ranks of one machine hold and how soon they work: proportional set size, bytes read, start.

    scripts/rank_memory.py CONFIG [--program build/cpu/sightline] [--ranks 1,2,4] [-s KEY=VALUE ...]

Runs `mpirun -np N sightline sweep CONFIG` (one thread a rank) until every rank has made its folder,
so that the inputs of the first block are there, looks into /proc, and stops the run. PSS counts what
processes share once, divided among them: its sum is what the machine has less. `--own` gives the ranks
a /dev/shm of 256 KiB (needs the right to mount), so that each keeps copies of its own.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SMALL_ROOM = ["unshare", "-rm", "sh", "-c",
              'mount -t tmpfs -o size=256k none /dev/shm && exec "$0" "$@"']


def ranks_of(out):
    """Processes of the run that work into `out`, by rank."""
    found = {}
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            if out.encode() not in (process / "cmdline").read_bytes():
                continue
            for variable in (process / "environ").read_bytes().split(b"\0"):
                if variable.startswith(b"OMPI_COMM_WORLD_RANK="):
                    found[int(variable.split(b"=")[1])] = process
        except OSError:
            continue   # it ended meanwhile
    return [found[rank] for rank in sorted(found)]


def number_after(path, key):
    """The number behind a key of a file of /proc."""
    for line in path.read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1])
    raise KeyError(f"{path}: {key}")


def measure(args, num_ranks, folder):
    """One row of the table."""
    out = os.path.join(folder, f"run{num_ranks}")
    command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(num_ranks), args.program,
               "sweep", args.config, "--out", out, "--quiet", "--device", "cpu"]
    for override in args.set:
        command += ["-s", override]
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_btl_vader_backing_directory=folder)
    begin = time.monotonic()
    run = subprocess.Popen((SMALL_ROOM if args.own else []) + command, env=environment)
    shards = [f"{out}/shards/{rank}-of-{num_ranks}" for rank in range(1, num_ranks + 1)]
    wanted = [f"{shard}/manifest.json" for shard in (shards if num_ranks > 1 else [out])]
    while not all(os.path.exists(path) for path in wanted):
        if run.poll() is not None:
            sys.exit(f"the run ended before its ranks were ready, with {run.returncode}")
        time.sleep(0.02)
    start_s = time.monotonic() - begin
    time.sleep(args.settle)   # into the first blocks, whose inputs are then all in use
    ranks = ranks_of(out)
    if len(ranks) != num_ranks:
        sys.exit("the run ended too soon; give it more configurations")
    pss = [number_after(rank / "smaps_rollup", "Pss:") * 1024 for rank in ranks]
    read = [number_after(rank / "io", "rchar:") for rank in ranks]
    run.send_signal(signal.SIGTERM)
    run.wait()
    return start_s, pss, read


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config")
    parser.add_argument("--program", default="build/cpu/sightline")
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--settle", type=float, default=1, metavar="SECONDS")
    parser.add_argument("-s", "--set", action="append", default=[], metavar="KEY=VALUE")
    args = parser.parse_args()
    print("| ranks | start | PSS of all | PSS of one | bytes read by each |")
    print("|---|---|---|---|---|")
    folder = tempfile.mkdtemp()
    try:
        for num_ranks in [int(number) for number in args.ranks.split(",")]:
            start_s, pss, read = measure(args, num_ranks, folder)
            megabytes = ", ".join(f"{number / 1e6:.0f}" for number in read)
            print(f"| {num_ranks} | {start_s:.1f} s | {sum(pss) / 1e9:.2f} GB "
                  f"| {max(pss) / 1e9:.2f} GB | {megabytes} MB |", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
