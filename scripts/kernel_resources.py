#!/usr/bin/env python3
"""Tells what the CUDA compiler makes of every kernel: registers, spilled bytes, stack, shared memory.

    scripts/kernel_resources.py BUILD [--architectures "75;90"] [--out FILE] [--loops]
                                [--check PATTERN=BYTES]...

BUILD is a build folder with CUDA, configured at least: its compile_commands.json says how each .cu
file is compiled. Each is compiled anew for each architecture (default: all that the project names),
with the assembler's report on, and nothing of BUILD is touched. No GPU is needed, and none is used.

    --out FILE             write the figures as JSON, with revision and compiler
    --loops                count the instructions of the innermost loops too; needs nvdisasm
    --check PATTERN=BYTES  exit 1 if a kernel whose name fits the pattern (of a shell) spills more
                           bytes than that, stores and loads together, on any architecture
    --jobs N               compilers at once (default 2)

Prints a table: registers of each kernel by architecture, and what it spills. Exit codes: 0; 1 a check
failed; 2 bad usage; 3 no CUDA compiler.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORMAT = "sightline-kernel-resources 1"
# What cmake writes and this script says otherwise: output, architectures, dependencies, launcher.
WITH_VALUE = {"-o", "-MF", "-MT", "-MQ", "-x", "-gencode"}
WITHOUT_VALUE = re.compile(r"-(c|M|MD|MMD|dc|rdc=.*|-generate-code=.*|arch=.*|gencode=.*)$")
LEAST_LOOP = 16  # instructions; shorter ones are the copies of something


def fail(message, code=2):
    print(f"kernel_resources.py: error: {message}", file=sys.stderr)
    sys.exit(code)


def default_architectures():
    text = (ROOT / "scripts/cmake/sightline_options.cmake").read_text("utf-8")
    return re.search(r'SIGHTLINE_CUDA_ARCHITECTURES "([^"]+)"', text).group(1)


def compile_commands(build):
    """(source, compiler and flags) of each CUDA file."""
    path = build / "compile_commands.json"
    if not path.is_file():
        fail(f"no {path}: configure with `cmake -S . -B {build} -DSIGHTLINE_CUDA=ON` first")
    commands = []
    for entry in json.loads(path.read_text("utf-8")):
        if not entry["file"].endswith(".cu"):
            continue
        words, flags, skip = shlex.split(entry["command"]), [], False
        while not Path(words[0]).name.startswith("nvcc"):
            words.pop(0)  # ccache
        for word in words[1:]:
            if skip or WITHOUT_VALUE.match(word) or word == entry["file"]:
                skip = False
            elif word in WITH_VALUE:
                skip = True
            else:
                flags.append(word)
        commands.append((entry["file"], [words[0], *flags]))
    if not commands:
        fail(f"{path} names no .cu file: configure with -DSIGHTLINE_CUDA=ON")
    return commands


def op_name(symbol):
    """RankTiles<5, 16> of the kernel that runs this op."""
    name = subprocess.run(["c++filt", symbol], capture_output=True, text=True, check=True).stdout
    name = name.replace("sightline::kernels::", "").replace("(anonymous namespace)::", "").strip()
    match = re.match(r"(?:void )?for_each_kernel<(.*?)\s*>\(", name)
    return match.group(1) if match else re.sub(r"^void |\(.*", "", name)


def parse_report(text):
    """Figures of each kernel from what `ptxas -v` says."""
    kernels, symbol = {}, None
    for line in text.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            symbol = match.group(1)
            kernels[symbol] = {"registers": 0, "stack_bytes": 0, "spill_store_bytes": 0,
                               "spill_load_bytes": 0, "shared_bytes": 0}
        elif symbol and (match := re.search(
                r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line)):
            stack, stores, loads = map(int, match.groups())
            kernels[symbol].update(stack_bytes=stack, spill_store_bytes=stores,
                                   spill_load_bytes=loads)
        elif symbol and (match := re.search(r"Used (\d+) registers", line)):
            kernels[symbol]["registers"] = int(match.group(1))
            if shared := re.search(r"(\d+) bytes smem", line):
                kernels[symbol]["shared_bytes"] = int(shared.group(1))
            symbol = None
    return kernels


def innermost_loops(listing):
    """Instruction counts of a kernel's innermost loops, in the order of the code."""
    labels, code = {}, []
    for line in listing:
        if match := re.match(r"(\.L_x_\d+):", line):
            labels[match.group(1)] = len(code)
        elif match := re.match(r"\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?(.*?)\s*;", line):
            code.append(match.group(1))
    loops = set()
    for end, instruction in enumerate(code):
        match = re.match(r"BRA.*?`\((\.L_x_\d+)\)", instruction)
        if match and labels.get(match.group(1), end + 1) <= end:
            loops.add((labels[match.group(1)], end))
    inner = [a for a in loops if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    counts = []
    for begin, end in sorted(inner):
        kinds = collections.Counter(word.split()[0].split(".")[0] for word in code[begin:end + 1])
        if end + 1 - begin >= LEAST_LOOP:
            counts.append({"instructions": end + 1 - begin, "of_which": dict(kinds.most_common(8))})
    return counts


def loops_of(cubin, nvdisasm):
    text = subprocess.run([nvdisasm, "-c", cubin], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^\.text\.(\w+):$", text, flags=re.MULTILINE)
    return {symbol: innermost_loops(code.splitlines())
            for symbol, code in zip(parts[1::2], parts[2::2])}


def compile_one(command, source, architecture, nvdisasm):
    """The kernels of one file on one architecture."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = str(Path(folder) / "kernels.cubin")
        result = subprocess.run(
            [*command, f"-arch=sm_{architecture}", "-cubin", "-Xptxas=-v", "-o", cubin, source],
            capture_output=True, text=True, check=False)
        if result.returncode != 0:
            fail(f"{source} does not compile for sm_{architecture}:\n{result.stderr}", 1)
        kernels = parse_report(result.stdout + result.stderr)
        loops = loops_of(cubin, nvdisasm) if nvdisasm else {}
    rows = []
    for symbol, figures in kernels.items():
        row = {"kernel": op_name(symbol), "architecture": architecture, **figures}
        if nvdisasm:
            row["innermost_loops"] = loops.get(symbol, [])
        rows.append(row)
    return rows


def spilled(row):
    return row["spill_store_bytes"] + row["spill_load_bytes"]


def print_table(rows, architectures):
    cells = {(row["kernel"], row["architecture"]): row for row in rows}
    print("| kernel | " + " | ".join(f"sm_{a}" for a in architectures) + " |")
    print("|---" * (len(architectures) + 1) + "|")
    for kernel in sorted({row["kernel"] for row in rows}):
        line = []
        for architecture in architectures:
            row = cells.get((kernel, architecture))
            line.append("" if row is None else str(row["registers"]) + (
                f" ({spilled(row)} B spilled)" if spilled(row) else ""))
        print(f"| `{kernel}` | " + " | ".join(line) + " |")


def parse_checks(texts):
    checks = []
    for text in texts:
        pattern, _, allowance = text.rpartition("=")
        if not pattern or not allowance.isdigit():
            fail(f"--check {text} is not PATTERN=BYTES, as in --check 'RankTiles*=0'")
        checks.append((pattern, int(allowance)))
    return checks


def run_checks(checks, rows):
    """Complaints, one a line."""
    for pattern, allowance in checks:
        fits = [row for row in rows if fnmatch.fnmatchcase(row["kernel"], pattern)]
        if not fits:
            fail(f"--check {pattern}: no kernel has such a name")
        for row in fits:
            if spilled(row) > allowance:
                yield (f"{row['kernel']} on sm_{row['architecture']} spills {spilled(row)} bytes, "
                       f"more than {allowance}")


def git(*words):
    result = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True,
                            check=False)
    return result.stdout.strip() if result.returncode == 0 else "unknown"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--architectures", default=default_architectures())
    parser.add_argument("--out", type=Path)
    parser.add_argument("--loops", action="store_true")
    parser.add_argument("--check", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    checks = parse_checks(arguments.check)
    architectures = re.split(r"[;, ]+", arguments.architectures.strip())
    commands = compile_commands(arguments.build)
    nvcc = commands[0][1][0]
    if not shutil.which(nvcc):
        fail(f"no {nvcc}, which compiles for the GPU (install the CUDA toolkit)", 3)
    nvdisasm = shutil.which("nvdisasm") or shutil.which(Path(nvcc).with_name("nvdisasm"))
    if arguments.loops and not nvdisasm:
        fail("--loops needs nvdisasm, of the CUDA toolkit, on the path", 3)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(compile_one, flags, source, architecture,
                            nvdisasm if arguments.loops else None)
                for source, flags in commands for architecture in architectures]
        rows = [row for job in jobs for row in job.result()]
    rows.sort(key=lambda row: (row["kernel"], architectures.index(row["architecture"])))
    print_table(rows, architectures)
    if arguments.out:
        version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True)
        facts = {"format": FORMAT, "revision": git("rev-parse", "HEAD"),
                 "modified": bool(git("status", "--porcelain", "--untracked-files=no")),
                 "nvcc": re.search(r"V([\d.]+)", version.stdout).group(1),
                 "note": "what the compiler says; nothing was run on a GPU", "kernels": rows}
        arguments.out.write_text(json.dumps(facts, indent=1) + "\n", "utf-8")
    complaints = list(run_checks(checks, rows))
    for complaint in complaints:
        print(f"kernel_resources.py: {complaint}", file=sys.stderr)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
