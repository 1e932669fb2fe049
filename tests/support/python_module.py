"""The Python module under test, `sl`, and what its tests share. They are called as

    NAME_test.py FOLDER_OF_THE_MODULE PROGRAM
"""

import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

FOLDER, PROGRAM = sys.argv[1:3]
sys.path.insert(0, FOLDER)
import sightline as sl  # noqa: E402,F401


def run(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def path(self, name):
        return str(self.folder / name)


def main():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        unittest.main(argv=sys.argv[:1] + sys.argv[3:])
