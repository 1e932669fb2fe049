#!/usr/bin/env python3
"""scripts/build.sh: which preset and which GPU architectures are built where.

In place of nvcc, nvidia-smi and cmake stand scripts that say what those say.
"""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

NVCC = """
[ "$1" = --list-gpu-arch ] || exit 1
printf 'compute_%s\\n' 75 80 90 100 120
"""


class BuildScript(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tools = Path(folder.name)
        self.give("nvcc", NVCC)
        self.give("cmake", 'printf "%s\\n" "$*"')
        self.give("nvidia-smi", "exit 9")   # as where there is no driver

    def give(self, name, script):
        tool = self.tools / name
        tool.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        tool.chmod(0o755)

    def give_gpus(self, *capabilities):
        lines = " ".join(capabilities)
        self.give("nvidia-smi", f"""
case "$1" in
  -L) for c in {lines}; do echo "GPU 0: NVIDIA (UUID: GPU-$c)"; done ;;
  --query-gpu=compute_cap) printf '%s\\n' {lines} ;;
esac""")

    def run_bash(self, command, **more):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("SIGHTLINE_", "BUILD_", "CMAKE_"))}
        environment |= {"PATH": f"{self.tools}:{os.environ['PATH']}"} | more
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", f"source scripts/build.sh; {command}"],
                              cwd=ROOT, env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.strip()

    def test_a_compiler_for_gpus_alone_is_no_reason_to_build_for_them(self):
        self.assertEqual(self.run_bash("best_preset"), "cpu")

    def test_where_a_gpu_is_it_is_built_for(self):
        self.give_gpus("9.0")
        self.assertEqual(self.run_bash("best_preset"), "cuda")
        self.assertEqual(self.run_bash("gpu_architectures"), "90")

    def test_each_architecture_is_named_once_and_in_order(self):
        self.give_gpus("12.0", "8.0", "12.0")
        self.assertEqual(self.run_bash("gpu_architectures"), "80;120")

    def test_a_gpu_that_nvcc_lacks_leaves_the_default(self):
        for capability in "7.0", "13.0", "[N/A]":
            self.give_gpus("9.0", capability)
            self.assertEqual(self.run_bash("gpu_architectures"), "", capability)

    def test_without_a_gpu_the_default_stands(self):
        self.assertEqual(self.run_bash("gpu_architectures"), "")
        self.assertEqual(self.run_bash("build_preset cuda -DA=1").splitlines()[0],
                         "--preset cuda -DA=1")

    def test_a_build_is_for_the_gpu_that_is_here_or_the_one_named(self):
        self.give_gpus("9.0")
        self.assertEqual(self.run_bash("build_preset cuda -DA=1").splitlines()[0],
                         "--preset cuda -DSIGHTLINE_CUDA_ARCHITECTURES=90 -DA=1")
        self.assertEqual(
            self.run_bash("build_preset cuda", SIGHTLINE_CUDA_ARCHITECTURES="75;80").splitlines()[0],
            "--preset cuda -DSIGHTLINE_CUDA_ARCHITECTURES=75;80")
        self.assertEqual(self.run_bash("build_preset cpu").splitlines()[0], "--preset cpu")


if __name__ == "__main__":
    unittest.main()
