#!/usr/bin/env python3
"""scripts/kernel_resources.py: what it reads of the compiler's report, its checks and exit codes.

In place of nvcc stands a script that says what nvcc 13.0 said.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "kernel_resources.py"
sys.path.insert(0, str(SCRIPT.parent))
import kernel_resources  # noqa: E402

SUM = "_ZN9sightline7kernels15for_each_kernelINS0_13SumRankCountsEEEvlT_"
RANKS = "_ZN9sightline7kernels15for_each_kernelINS0_9RankTilesILi5ELi16EEEEEvlT_"


def report(architecture):
    return f"""ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '{SUM}' for 'sm_{architecture}'
ptxas info    : Function properties for {SUM}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 26 registers, used 0 barriers
ptxas info    : Compiling entry function '{RANKS}' for 'sm_{architecture}'
ptxas info    : Function properties for {RANKS}
    72 bytes stack frame, 76 bytes spill stores, 120 bytes spill loads
ptxas info    : Used 200 registers, used 1 barriers, 72 bytes cumulative stack size, 1024 bytes smem
"""


NVCC = """#!/bin/sh
case "$*" in
  --version) echo 'Cuda compilation tools, release 13.0, V13.0.88' ;;
  *-MF*|*ccache*|*generate-code*) echo "what cmake wants: $*" >&2; exit 1 ;;
  *--fmad=false*-arch=sm_75*-cubin*kernels.cu) cat REPORT_75 >&2 ;;
  *--fmad=false*-arch=sm_90*-cubin*kernels.cu) cat REPORT_90 >&2 ;;
  *) echo "no such file" >&2; exit 1 ;;
esac
"""

LISTING = """
.L_x_1:
        /*0000*/                   IMAD R1, R2, R3, R4 ;
.L_x_2:
        /*0010*/                   LDG.E R5, [R2.64] ;
        /*0020*/                   FFMA R6, R5, R5, R6 ;
        /*0030*/              @!P0 BRA `(.L_x_2) ;
        /*0040*/               @P1 BRA `(.L_x_1) ;
        /*0050*/                   BRA `(.L_x_3) ;
.L_x_3:
        /*0060*/                   EXIT ;
"""


class KernelResources(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)
        nvcc = self.build / "nvcc"
        text = NVCC
        for architecture in (75, 90):
            path = self.build / f"report_{architecture}"
            path.write_text(report(architecture), "utf-8")
            text = text.replace(f"REPORT_{architecture}", str(path))
        nvcc.write_text(text, "utf-8")
        nvcc.chmod(0o755)
        self.write_commands(
            f"/usr/bin/ccache {nvcc} -forward-unknown-to-host-compiler -I/src --fmad=false "
            "\"--generate-code=arch=compute_90,code=[compute_90,sm_90]\" -MD -MT a.o -MF a.d -x cu "
            "-c /src/kernels.cu -o a.o")

    def write_commands(self, command):
        commands = [{"file": "/src/kernels.cu", "command": command},
                    {"file": "/src/other.cpp", "command": "g++ -c /src/other.cpp"}]
        (self.build / "compile_commands.json").write_text(json.dumps(commands), "utf-8")

    def run_script(self, *more):
        return subprocess.run([sys.executable, str(SCRIPT), str(self.build), *more],
                              capture_output=True, text=True, check=False)

    def test_figures_are_those_of_the_report(self):
        out = self.build / "out.json"
        result = self.run_script("--architectures", "75;90", "--out", str(out))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| `SumRankCounts` | 26 | 26 |", result.stdout)
        self.assertIn("| `RankTiles<5, 16>` | 200 (196 B spilled) |", result.stdout)
        facts = json.loads(out.read_text("utf-8"))
        self.assertEqual(facts["nvcc"], "13.0.88")
        self.assertEqual(len(facts["kernels"]), 4)
        self.assertEqual(facts["kernels"][0],
                         {"kernel": "RankTiles<5, 16>", "architecture": "75", "registers": 200,
                          "stack_bytes": 72, "spill_store_bytes": 76, "spill_load_bytes": 120,
                          "shared_bytes": 1024})

    def test_a_check_fails_beyond_its_allowance(self):
        architectures = ("--architectures", "90")
        self.assertEqual(self.run_script(*architectures, "--check", "RankTiles*=196").returncode, 0)
        result = self.run_script(*architectures, "--check", "RankTiles*=195")
        self.assertEqual(result.returncode, 1)
        self.assertIn("RankTiles<5, 16> on sm_90 spills 196 bytes, more than 195", result.stderr)
        self.assertEqual(self.run_script(*architectures, "--check", "Sum*=0").returncode, 0)

    def test_bad_usage_is_told(self):
        for arguments, told in ((("--check", "Rank"), "is not PATTERN=BYTES"),
                                (("--architectures", "90", "--check", "Nobody=0"),
                                 "no kernel has such a name")):
            result = self.run_script(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(told, result.stderr)
        self.write_commands("/nowhere/nvcc -c /src/kernels.cu")
        self.assertEqual(self.run_script().returncode, 3)
        (self.build / "compile_commands.json").unlink()
        result = self.run_script()
        self.assertEqual(result.returncode, 2)
        self.assertIn("SIGHTLINE_CUDA=ON", result.stderr)

    def test_what_does_not_compile_is_told(self):
        result = self.run_script("--architectures", "42")
        self.assertEqual(result.returncode, 1)
        self.assertIn("does not compile for sm_42", result.stderr)
        self.assertIn("no such file", result.stderr)

    def test_only_innermost_loops_are_counted(self):
        lines = LISTING.splitlines()
        lines[4:4] = ["        /*0018*/                   FFMA R7, R5, R5, R7 ;"] * 20
        self.assertEqual(kernel_resources.innermost_loops(lines),
                         [{"instructions": 23, "of_which": {"FFMA": 21, "LDG": 1, "BRA": 1}}])


if __name__ == "__main__":
    unittest.main()
