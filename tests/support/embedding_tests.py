"""What tests of scripts/embed.py share: a folder for each, and the packages that some need."""

import importlib.util
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EMBED = ROOT / "scripts" / "embed.py"
VENV_PYTHON = ROOT / ".venv" / "bin" / "python"
SKIPPED = 77
WIDTH = 384
# Answers are float16: half a unit in the last place below 1, and float32 sums beside it.
TOLERANCE = 2.0 ** -11


class Folder(unittest.TestCase):
    """A test in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def embed(self, *arguments):
        return subprocess.run([sys.executable, EMBED, *arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=120, check=False)

    def rows(self, name):
        data = (self.folder / name).read_bytes()
        self.assertEqual(len(data) % (2 * WIDTH), 128)
        return list(struct.iter_unpack(f"<{WIDTH}e", data[128:]))

    def expect_error(self, code, words, *arguments):
        """One line with these words, and nothing written."""
        before = sorted(self.folder.rglob("*"))
        result = self.embed(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("embed.py: error: "), result.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)


def run(classes):
    suite = unittest.TestSuite(
        unittest.defaultTestLoader.loadTestsFromTestCase(each) for each in classes)
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


def run_with(packages, test):
    """The tests of a class that needs packages, in .venv if they are there; or skips."""
    try:
        for package in packages:
            spec = importlib.util.find_spec(package)
            if spec is None or spec.origin is None:
                raise ImportError(name=package)
    except ImportError as error:
        if VENV_PYTHON.is_file() and Path(sys.prefix) != VENV_PYTHON.parent.parent:
            return subprocess.run([VENV_PYTHON, sys.argv[0]], check=False).returncode
        print(f"skipped: no {error.name}, which runs models (scripts/setup.sh --embed)")
        return 1 if os.environ.get("SL_REQUIRE_EMBEDDER") == "1" else SKIPPED
    return run([test])
