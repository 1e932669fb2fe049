#!/usr/bin/env python3
"""scripts/build.sh: which preset and which GPU architectures are built where; and scripts/setup.sh
where it cannot or must not install.

In place of nvcc, nvidia-smi, cmake and apt-get stand scripts that say what those say.
"""

import os
import shutil
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


class SetupScript(unittest.TestCase):
    """With no tools on the path but those given."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tools = Path(folder.name)
        for tool in "comm", "env", "id", "sed", "sort":
            (self.tools / tool).symlink_to(shutil.which(tool))

    def give_apt(self):
        """Nothing is installed, and what is asked for is written down."""
        for name, script in (("dpkg-query", "exit 1"), ("sudo", 'exec "$@"'),
                             ("apt-get", f'echo "$*" >> {self.tools}/asked')):
            tool = self.tools / name
            tool.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
            tool.chmod(0o755)

    def asked(self):
        asked = self.tools / "asked"
        return asked.read_text("utf-8") if asked.exists() else ""

    def run_setup(self, **environment):
        return subprocess.run([shutil.which("bash"), ROOT / "scripts/setup.sh"], check=False,
                              env={"PATH": str(self.tools)} | environment, capture_output=True,
                              text=True)

    def test_what_is_missing_is_installed(self):
        self.give_apt()
        self.assertEqual(self.run_setup().returncode, 0)
        self.assertIn("libyaml-cpp-dev", self.asked())

    def test_nothing_is_installed_where_that_is_said(self):
        self.give_apt()
        done = self.run_setup(SIGHTLINE_SETUP="no")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("SIGHTLINE_SETUP=no", done.stdout)
        self.assertEqual(self.asked(), "")

    def test_without_apt_it_names_what_is_needed_and_how_to_go_on(self):
        done = self.run_setup()
        self.assertEqual(done.returncode, 3)
        for words in "error", "libyaml-cpp-dev", "libgtest-dev", "SIGHTLINE_SETUP=no":
            self.assertIn(words, done.stderr)
        self.assertEqual(self.run_setup(SIGHTLINE_SETUP="no").returncode, 0)

    def test_another_value_of_the_switch_is_refused(self):
        self.give_apt()
        done = self.run_setup(SIGHTLINE_SETUP="off")
        self.assertEqual(done.returncode, 2)
        self.assertIn("SIGHTLINE_SETUP is off", done.stderr)
        self.assertEqual(self.asked(), "")


if __name__ == "__main__":
    unittest.main()
