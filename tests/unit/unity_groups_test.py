#!/usr/bin/env python3
"""scripts/cmake/unity_groups.py: which sources are compiled as one, and which are kept apart."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "cmake" / "unity_groups.py"
OWN = "namespace sightline {{\nnamespace {{\n\n{}\n\n}}  // namespace\n{}\n}}  // namespace sightline\n"


class UnityGroups(unittest.TestCase):
    def groups(self, files):
        """The groups of files {name: text}, of which headers are only there."""
        with tempfile.TemporaryDirectory() as root:
            (Path(root) / "host").mkdir()
            for name, text in files.items():
                (Path(root) / "host" / name).write_text(text, "utf-8")
            sources = [f"host/{name}" for name in files if name.endswith(".cpp")]
            out = subprocess.run([sys.executable, SCRIPT, root, *sources], check=True,
                                 capture_output=True, text=True).stdout.strip().split(";")
        found = {}
        for source, group in zip(out[::2], out[1::2]):
            found.setdefault(group, []).append(source[len("host/"):-len(".cpp")])
        return sorted(found.values())

    def test_what_disturbs_nothing_goes_together(self):
        self.assertEqual(self.groups({"a.cpp": OWN.format("int one() { return 1; }", ""),
                                      "b.cpp": OWN.format("int two() { return 2; }", "")}),
                         [["a", "b"]])

    def test_no_group_has_more_than_ten(self):
        files = {f"s{i:02}.cpp": f"int f{i}();\n" for i in range(21)}
        self.assertEqual([len(group) for group in self.groups(files)], [10, 10, 1])

    def test_names_of_ones_own_stay_apart_from_all_that_say_them(self):
        for own in ("double text_of(int);", "[[noreturn]] void text_of(const char* what);",
                    "constexpr int kOne = 1, text_of = 2;", "struct text_of {", "enum text_of {"):
            for other in (OWN.format("int text_of() { return 1; }", ""),
                          OWN.format("", "int f() { int text_of = 1; return text_of; }")):
                with self.subTest(own=own, other=other):
                    self.assertEqual(self.groups({"a.cpp": OWN.format(own, ""), "b.cpp": other}),
                                     [["a"], ["b"]])
        self.assertEqual(self.groups({"a.cpp": OWN.format("int text_of();", ""),
                                      "b.cpp": "// text_of\nconst char* p = \"text_of\";\n"}),
                         [["a", "b"]])

    def test_types_of_ones_own_stay_apart_from_headers_that_say_them(self):
        files = {"a.cpp": OWN.format("struct Bounds {\n};", ""), "h.h": "struct Bounds {};\n",
                 "b.cpp": '#include "host/g.h"\n', "g.h": '#include "host/h.h"\n', "c.cpp": ""}
        self.assertEqual(self.groups(files), [["a", "c"], ["b"]])

    def test_aliases_go_together_where_they_are_the_same(self):
        json, ordered = "using Json = one::json;", "using Json = one::ordered;"
        self.assertEqual(self.groups({"a.cpp": OWN.format(json, ""), "b.cpp": OWN.format(json, ""),
                                      "c.cpp": OWN.format(ordered, ""),
                                      "d.cpp": OWN.format("", json + "\nJson x;")}),
                         [["a", "b"], ["c"], ["d"]])

    def test_macros_stay_alone(self):
        self.assertEqual(self.groups({"a.cpp": "#define X 1\n", "b.cpp": "", "c.cpp": ""}),
                         [["a"], ["b", "c"]])


if __name__ == "__main__":
    unittest.main()
