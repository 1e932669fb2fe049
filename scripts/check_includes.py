#!/usr/bin/env python3
"""Checks that files include only what their room may, and that libraries neither print nor exit.

    scripts/check_includes.py [ROOT]       check a tree (default: this one); exit 1 on a breach
    scripts/check_includes.py --self-test  prove that each rule can fail

A breach is one line: FILE:LINE: what stands there: the rule it breaks. The rules:

  kernels/  The standard library without I/O, Highway, and kernels/. CUDA and Thrust in .cu and .cuh only.
            Neither allocates device memory nor waits for the device.
  index/    The standard library, Eigen, index/. FAISS, nanoflann, BLAS and the stemmer in .cpp only, CUDA
            in dense_gpu_faiss.cpp alone.
  host/     kernels/kernels.h and the headers it names, headers of index/, and rooms of host/ that
            stand lower in HOST_LEVELS, or the own one. CUDA in the .cpp files of the room device
            alone, MPI in those of the room ranks, CLI11 in cli/ alone, pybind11 in python/ alone.
  tests/    Anything, but an oracle reaches no header of kernels/, not even through another header.
            tests/kernels_only/ names each source whose header one that it names includes.
  all       A quoted include names an existing file from the root. Outside host/cli/, tests/ and
            bench/ nothing prints, exits or aborts. No type is defined in two headers of host/: the
            linker would take one of them for both. What a file names of a header that
            scripts/cmake/sightline_targets.cmake precompiles, it includes, itself or through
            headers of the tree: else it would compile with precompiled headers only.
"""

import re
import sys
import tempfile
from pathlib import Path

import check_script
from precompiled_headers import PRECOMPILED, check_precompiled
from source_tree import Tree, without_comments_and_strings

# Rooms of host/, lowest first. A room may include itself and the levels below its own.
HOST_LEVELS = [
    {"error"},
    {"random", "config", "device", "ranks"},
    {"environment"},
    {"stats", "world"},
    {"truth"},  # below memory: what is right cannot be read from what is remembered
    {"memory"},
    {"meta_memory", "theory_of_space"},  # below the studies, which run them as experiments
    {"studies"},
    {"sweep"},
    {"report", "self_bench"},
    {"cli", "python"},
]
LEVEL_OF_ROOM = {room: level for level, rooms in enumerate(HOST_LEVELS) for room in rooms}
# Files directly in host/ whose room is not their name, nor the first word of it.
ROOM_OF_FILE = {
    "build_facts": "environment", "machine_info": "environment",
    "ranks_launcher": "ranks", "ranks_mpi": "ranks", "ranks_none": "ranks",
    **dict.fromkeys(
        ["anchor_cells", "backend_buffers", "backend_tops", "banded_top", "bands", "blocked_top", "brick_tables",
         "column_orders", "fast_top", "gathered_top", "gpu", "gpu_cuda", "gpu_none", "gpu_state", "host_workspace",
         "huge_pages", "known_mixes", "line_tiles", "mix_lines", "mix_tree", "recall_batch",
         "recall_batch_answers", "recall_batch_checks", "recall_batch_gates", "recall_batch_impl", "shared_bands",
         "top_call"], "device")}

CUDA_SUFFIXES = {".cu", ".cuh"}
CUDA_HEADER = re.compile(
    r"(cuda|cub|thrust|nvtx|cooperative_groups|mma|cublas|curand|device_launch)")
SEARCH_HEADER = re.compile(r"(faiss/|nanoflann|cblas|libstemmer)")
# FAISS's threads are OpenMP's: whoever calls it says how many.
INDEX_OTHER_HEADERS = {"omp.h", "fcntl.h", "unistd.h"}
EIGEN_HEADER = re.compile(r"Eigen/")

KERNEL_STD_HEADERS = set(
    "algorithm array atomic bit cassert cfloat chrono climits cmath complex condition_variable "
    "cstddef cstdint cstdlib cstring exception functional initializer_list iterator limits memory "
    "mutex new numeric optional stdexcept string thread tuple type_traits utility vector".split())
KERNEL_OTHER_HEADERS = {"hwy/cache_control.h", "hwy/highway.h", "hwy/foreach_target.h"}
# A name without a suffix or a directory is a header of the standard library.
STD_HEADER = re.compile(r"[a-z_0-9]+$")

KERNELS_ONLY = "tests/kernels_only/CMakeLists.txt"

PRINTING = [
    (re.compile(r"\bstd::(cout|cerr|clog|wcout|wcerr)\b"), "prints"),
    (re.compile(r"(?<![\w.>])(std::)?(v?printf|puts|putchar|perror)\s*\("), "prints"),
    (re.compile(r"\bv?f(printf|puts|write|putc)\s*\(.*\b(stdout|stderr)\b"), "prints"),
    (re.compile(r"\bfmt::print\s*\((?!\s*\w*(file|stream|out)\w*\s*,)"), "prints"),
    (re.compile(r"(?<![\w.>:])(std::|::)?(_exit|_Exit|exit|quick_exit|abort|terminate)\s*\("),
     "ends the program"),
]
PRINTING_HEADERS = {"iostream", "print"}
DEVICE_MEMORY = re.compile(
    r"\bcuda(Malloc|Free|HostAlloc|DeviceSynchronize|StreamSynchronize|EventSynchronize)\w*\s*\(")
CUDA_CONDITION = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b.*CUDA")



def host_room(path):
    parts = path.split("/")
    name = parts[1] if len(parts) > 2 else parts[1].split(".")[0]
    for room in (name, ROOM_OF_FILE.get(name), name.split("_")[0]):
        if room in LEVEL_OF_ROOM:
            return room
    return name


def check_kernels_include(path, name, quoted):
    if quoted:
        if not name.startswith("kernels/"):
            return "kernels/ includes only kernels/"
    elif CUDA_HEADER.match(name):
        if Path(path).suffix not in CUDA_SUFFIXES:
            return "CUDA and Thrust stay in .cu and .cuh"
    elif name not in KERNEL_STD_HEADERS | KERNEL_OTHER_HEADERS:
        return "kernels/ includes only the standard library without I/O"
    return None


def check_index_include(path, name, quoted):
    if quoted:
        if not name.startswith("index/"):
            return "index/ includes only index/"
    elif CUDA_HEADER.match(name):
        if path != "index/dense_gpu_faiss.cpp":
            return "CUDA in index/ stays in dense_gpu_faiss.cpp"
    elif SEARCH_HEADER.match(name) or name in INDEX_OTHER_HEADERS:
        if Path(path).suffix != ".cpp":
            return "FAISS, nanoflann, BLAS, the stemmer and POSIX stay in .cpp files"
    elif not EIGEN_HEADER.match(name) and not STD_HEADER.match(name):
        return "index/ includes only std, Eigen, FAISS, nanoflann, BLAS, the stemmer and POSIX files"
    return None


def check_host_include(tree, path, name, quoted):
    room = host_room(path)
    if room not in LEVEL_OF_ROOM:
        return f"the room host/{room} is not in HOST_LEVELS of check_includes.py"
    if not quoted:
        if CUDA_HEADER.match(name) and not (room == "device" and path.endswith(".cpp")):
            return "CUDA in host/ stays in .cpp files of the room device"
        if name == "mpi.h" and not (room == "ranks" and path.endswith(".cpp")):
            return "MPI in host/ stays in .cpp files of the room ranks"
        if name.startswith("CLI/") and room != "cli":
            return "CLI11 stays in host/cli/"
        if name.startswith("pybind11/") and room != "python":
            return "pybind11 stays in host/python/"
        if SEARCH_HEADER.match(name):
            return "FAISS, nanoflann, BLAS and the stemmer stay in index/"
        return None
    top = name.split("/")[0]
    if top == "kernels" and name not in tree.kernel_door:
        return "host/ includes kernels/kernels.h or a header it names"
    if top in ("tests", "bench"):
        return f"host/ never includes {top}/"
    if top == "host":
        target = host_room(name)
        if target != room and LEVEL_OF_ROOM.get(target, 99) >= LEVEL_OF_ROOM[room]:
            return f"host/{room} stands below or beside host/{target}: includes run one way"
    return None


def check_include(tree, path, name, quoted):
    """The rule that an include breaks, or None."""
    if quoted and tree.resolve(path, name) is None:
        return "a quoted include names a file from the root of the tree"
    top = path.split("/")[0]
    if top == "kernels":
        return check_kernels_include(path, name, quoted)
    if top == "index":
        return check_index_include(path, name, quoted)
    if top == "host":
        return check_host_include(tree, path, name, quoted)
    return None


def is_library(path):
    return path.startswith(("kernels/", "index/", "host/")) and not path.startswith("host/cli/")


def check_code(path, text):
    """(line number, what, rule) for every line of a library that does what only cli/ may."""
    in_device = path.startswith("host/") and host_room(path) == "device"
    for number, line in enumerate(without_comments_and_strings(text).split("\n"), start=1):
        for pattern, deed in PRINTING:
            match = pattern.search(line)
            if match:
                yield number, match.group().strip(), f"{deed}: only host/cli/ may"
        if path.startswith("kernels/") and DEVICE_MEMORY.search(line):
            yield (number, DEVICE_MEMORY.search(line).group(),
                   "kernels/ never allocates, frees or waits: host/device owns")
        if path.startswith("host/") and not in_device and CUDA_CONDITION.match(line):
            yield number, line.strip(), "host/device is the only #if on CUDA in host/"


def types_in(text):
    """(line, name with its namespace) of the types that a header defines at the start of a line."""
    pattern = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: ?:[^:;{][^;{]*)? \{", re.M)
    for match in pattern.finditer(text):
        spaces = re.findall(r"^namespace ([\w:]+) \{", text[:match.start()], re.M)
        name = "::".join(spaces[-1:] + [match.group(1)])
        yield text.count("\n", 0, match.start()) + 1, name


def check_kernels_only(tree):
    """Breaches of the list of sources that another processor's build compiles, seldom linked here."""
    path = tree.root / KERNELS_ONLY
    match = re.search(r"set\(host ([^)]*)\)", path.read_text("utf-8") if path.is_file() else "")
    if not match:
        return
    line = match.string.count("\n", 0, match.start()) + 1
    named = {f"host/{name}" for name in match.group(1).split()}
    needed = {header[:-2] for name in named for header in tree.headers_of(f"{name}.cpp")
              if header.startswith("host/")}
    for name in sorted(needed - named):
        if f"{name}.cpp" in tree.text:
            yield f"{KERNELS_ONLY}:{line}: {name[5:]}: a source named here needs it: name it too"


def check_tree(root):
    """All breaches in a tree, as text."""
    tree = Tree(root)
    breaches = []
    defined = {}  # type: the header that defines it
    for path, text in tree.text.items():
        found = []
        for number, name, quoted in tree.includes(path):
            shown = f'#include "{name}"' if quoted else f"#include <{name}>"
            rule = check_include(tree, path, name, quoted)
            if rule is None and is_library(path) and not quoted and name in PRINTING_HEADERS:
                rule = "prints: only host/cli/ may"
            if rule is not None:
                found.append((number, shown, rule))
        if is_library(path):
            found.extend(check_code(path, text))
        found.extend(check_precompiled(tree, path))
        if path.startswith("host/") and path.endswith(".h"):
            for number, name in types_in(text):
                other = defined.setdefault(name, path)
                if other != path:
                    found.append((number, name, f"is defined in {other} as well"))
        if path.startswith("tests/support/") and "oracle" in Path(path).name:
            chain = tree.path_to_kernels(path)
            if chain is not None:
                found.append((1, " -> ".join(chain), "an oracle includes no header of kernels/"))
        breaches += [f"{path}:{number}: {what}: {rule}" for number, what, rule in sorted(found)]
    breaches.extend(check_kernels_only(tree))
    if not tree.text:
        breaches.append(f"{root}: holds no sources")
    return breaches


# A tree that breaks no rule, though some of its lines come close.
CLEAN_TREE = {
    "kernels/kernels.h": '#include <cstdint>\n#include "kernels/types.h"\n',
    "kernels/types.h": "#pragma once\n",
    "kernels/march.h": '#include "kernels/types.h"\n',
    "kernels/kernels.cu": '#include <thrust/scan.h>\n#include "kernels/march.h"\n',
    "index/dense.h": "#include <Eigen/Core>\n#include <vector>\n",
    "index/dense.cpp": '#include "index/dense.h"\n#include <faiss/Index.h>\n#include <cblas.h>\n',
    "host/error.h": "#include <stdexcept>\nstruct Thing {\nclass Other : public Thing {\n",
    "host/device.h": '#include "kernels/kernels.h"\n',
    "host/device.cpp": '#include "host/device.h"\n'
                       "#if SL_CUDA\n#include <cuda_runtime_api.h>\n#endif\n",
    "host/environment.h": '#include "host/device.h"\n',
    "host/ranks_mpi.cpp": "#include <mpi.h>\n",
    "host/machine_info.cpp": '#include "host/environment.h"\n#include "index/dense.h"\n',
    "host/world/world.h": '#include "kernels/types.h"\n#include "host/error.h"\n',
    "host/memory/recall.h": '#include "host/truth/sight.h"\n',
    "host/truth/sight.h": '#include "host/world/world.h"\n',
    "host/studies/battery.h": '#include "host/memory/recall.h"\n',
    "host/sweep/run.cpp": '#include "host/world/world.h"\n'
                          '// exit(1) and printf("x") in a comment are no deed\n'
                          'const char* kText = "std::cout << 1; abort()";\n'
                          "int n = std::snprintf(buffer, 9, format); query.exit(1); on_exit(2);\n",
    "host/report/page.cpp": '#include "host/sweep/run.h"\n',
    "host/sweep/run.h": "#pragma once\n",
    "host/cli/main.cpp": '#include <iostream>\n#include <CLI/CLI.hpp>\n'
                         '#include "host/report/page.h"\nvoid f() { std::cout << 1; exit(2); }\n',
    "host/report/page.h": "#pragma once\n",
    "tests/support/oracle.h": "#include <vector>\n",
    "tests/support/own.h": '#include "support/oracle.h"\n// std::map\nstd::vector<int> numbers;\n',
    KERNELS_ONLY: "set(host device)\n",
    "tests/unit/march_test.cpp": '#include "support/oracle.h"\n#include "kernels/march.h"\n',
}

# (file, content, line, words of the rule): each alone must be reported, at that line.
BREACHES = [
    ("kernels/a.h", '#include "host/error.h"\n', 1, "only kernels/"),
    ("kernels/a.h", "\n#include <thrust/scan.h>\n", 2, "CUDA and Thrust"),
    ("kernels/a.cpp", "#include <cuda_runtime.h>\n", 1, "CUDA and Thrust"),
    ("kernels/a.h", "#include <Eigen/Core>\n", 1, "standard library without I/O"),
    ("kernels/a.cuh", "#include <fstream>\n", 1, "standard library without I/O"),
    ("kernels/a.cu", "\n\ncudaMalloc(&p, 8);\n", 3, "never allocates"),
    ("kernels/a.cu", 'void f() { printf("%d", 1); }\n', 1, "prints"),
    ("host/twice.h", "\nstruct Thing {\n", 2, "as well"),
    ("index/a.cpp", '#include "kernels/types.h"\n', 1, "only index/"),
    ("index/a.cpp", '#include "host/error.h"\n', 1, "only index/"),
    ("index/a.h", "#include <faiss/Index.h>\n", 1, "stay in .cpp"),
    ("index/a.h", "#include <libstemmer.h>\n", 1, "stay in .cpp"),
    ("index/a.h", "#include <omp.h>\n", 1, "stay in .cpp"),
    ("index/a.cpp", "#include <yaml-cpp/yaml.h>\n", 1, "only std, Eigen"),
    ("index/a.cpp", "#include <cuda_runtime_api.h>\n", 1, "CUDA in index/"),
    ("host/world/a.h", '#include "kernels/march.h"\n', 1, "or a header it names"),
    ("host/world/a.h", '#include "host/sweep/run.h"\n', 1, "one way"),
    ("host/world/a.h", '#include "host/stats/b.h"\n', 1, "names a file"),
    ("host/truth/a.cpp", '#include "host/memory/recall.h"\n', 1, "one way"),
    ("host/truth/a.h", '#include "host/studies/battery.h"\n', 1, "one way"),
    ("host/device_memory.h", '#include "host/world/world.h"\n', 1, "one way"),
    ("host/error.h", '#include "host/device.h"\n', 1, "one way"),
    ("host/sweep/a.cpp", '#include "host/report/page.h"\n', 1, "one way"),
    ("host/report/a.cpp", '#include "host/cli/main.cpp"\n', 1, "one way"),
    ("host/kitchen/a.cpp", "#include <vector>\n", 1, "not in HOST_LEVELS"),
    ("host/sweep/a.cpp", "#include <cuda_runtime.h>\n", 1, "of the room device"),
    ("host/sweep/a.cpp", "#include <mpi.h>\n", 1, "of the room ranks"),
    ("host/ranks.h", "#include <mpi.h>\n", 1, "of the room ranks"),
    ("host/sweep/a.cpp", "#include <CLI/CLI.hpp>\n", 1, "CLI11 stays"),
    ("host/sweep/a.cpp", "#include <pybind11/stl.h>\n", 1, "pybind11 stays"),
    ("host/python/a.cpp", '#include "host/cli/main.cpp"\n', 1, "one way"),
    ("host/python/a.cpp", "#include <iostream>\n", 1, "prints"),
    ("host/sweep/a.cpp", "#include <faiss/Index.h>\n", 1, "stay in index/"),
    ("host/sweep/a.cpp", "#include <libstemmer.h>\n", 1, "stay in index/"),
    ("host/sweep/a.cpp", '#include "tests/support/oracle.h"\n', 1, "never includes tests/"),
    ("host/sweep/a.cpp", "\n#ifdef SIGHTLINE_HAVE_CUDA\n#endif\n", 2, "only #if on CUDA"),
    ("host/sweep/a.cpp", "#include <iostream>\n", 1, "prints"),
    ("host/sweep/a.cpp", "/* two\nlines */ std::cerr << 1;\n", 2, "prints"),
    ("host/sweep/a.cpp", 'std::printf("%d", 1);\n', 1, "prints"),
    ("host/sweep/a.cpp", 'fprintf(stderr, "x");\n', 1, "prints"),
    ("host/sweep/a.cpp", 'fmt::print("x");\n', 1, "prints"),
    ("host/sweep/a.cpp", "if (bad) exit(1);\n", 1, "ends the program"),
    ("host/sweep/a.cpp", "std::abort();\n", 1, "ends the program"),
    ("tests/support/slow_oracle.h", '#include "host/world/world.h"\n', 1, "no header of kernels/"),
    ("tests/unit/a_test.cpp", '#include "support/nowhere.h"\n', 1, "names a file"),
    (KERNELS_ONLY, "\nset(host machine_info)\n", 2, "device: a source named here needs it"),
    ("host/sweep/a.cpp", "\nstd::vector<int> a;\n", 2, "of <vector>"),
    ("host/sweep/a.cpp", '#include "host/sweep/run.h"\nauto a = std::move(b);\n', 2, "of <utility>"),
]


def write_tree(root, files):
    for name, content in files.items():
        path = Path(root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def self_test():
    """Failures of the check itself: a clean tree reported, or a planted breach missed."""
    failures = []
    with tempfile.TemporaryDirectory() as root:
        write_tree(root, CLEAN_TREE)
        failures += [f"clean tree: {breach}" for breach in check_tree(root)]
    for name, content, line, words in BREACHES:
        with tempfile.TemporaryDirectory() as root:
            write_tree(root, {**CLEAN_TREE, name: content})
            found = check_tree(root)
            if len(found) != 1 or not found[0].startswith(f"{name}:{line}: ") \
                    or words not in found[0]:
                failures.append(f"{name}: {content!r}: expected line {line}, '{words}': {found}")
    build = Path(__file__).resolve().parent / "cmake" / "sightline_targets.cmake"
    precompiled = re.search(r"set\(sightline_precompiled ([^)]*)\)", build.read_text("utf-8"))
    if set(re.findall(r"<(\w+)>", precompiled.group(1))) != set(PRECOMPILED):
        failures.append(f"{build.name} precompiles other headers than precompiled_headers.py names")
    return failures


if __name__ == "__main__":
    check_script.run(sys.modules[__name__], lambda root: check_tree(Path(root or Path(__file__).resolve().parent.parent)),
                     self_test, len(BREACHES), "include check: {} breaches")
